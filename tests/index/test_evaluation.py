"""The metrics, each against numbers worked out by hand."""

import math

import pytest

from saitei.index.evaluation import (
    EvaluationError,
    Outcome,
    Question,
    evaluate,
    load_questions,
    ndcg,
    paired_p_value,
    recall,
    reciprocal_rank,
    summarise,
    with_principles,
)


def question(name: str = "q", **grades: int) -> Question:
    return Question(name, "text", "ja", "plain", "dev", grades)


def outcome(*keys: str, answered: bool = True) -> Outcome:
    return Outcome(keys, answered)


def test_recall_counts_only_the_highest_grade() -> None:
    asked = question(best=2, sibling=1)
    assert recall(asked, outcome("sibling", "best"), 1) == 0
    assert recall(asked, outcome("sibling", "best"), 2) == 1
    assert recall(question(only=1), outcome("only"), 1) == 1


def test_reciprocal_rank() -> None:
    assert reciprocal_rank(question(a=2), outcome("x", "y", "a")) == pytest.approx(1 / 3)
    assert reciprocal_rank(question(a=2), outcome("x")) == 0


def test_ndcg_by_hand() -> None:
    asked = question(a=2, b=1)
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    found = 1 / math.log2(2) + 2 / math.log2(3)
    assert ndcg(asked, outcome("a", "b")) == pytest.approx(1)
    assert ndcg(asked, outcome("b", "a")) == pytest.approx(found / ideal)
    assert ndcg(asked, outcome(*"xxxxxxxxxx", "a")) == 0


def test_refusals_are_counted_on_their_own_side() -> None:
    questions = [question("yes", a=2), question("no")]
    outcomes = {"yes": outcome("a", answered=False), "no": outcome("a", answered=True)}
    scores = evaluate(questions, outcomes)
    assert scores["wrongly refused"].value == 1
    assert scores["rightly refused"].value == 0
    assert scores["R@1"].count == 1


def test_a_principle_counts_as_its_instances_do() -> None:
    [extended] = with_principles([question(a=2, b=1)], {"a": ["rule"], "b": ["rule", "other"]})
    assert extended.grades == {"a": 2, "b": 1, "rule": 2, "other": 1}


def test_the_interval_holds_the_mean_and_is_repeatable() -> None:
    values = [1.0] * 30 + [0.0] * 10
    score = summarise(values)
    assert score == summarise(values)
    assert score.low < score.value == 0.75 < score.high


def test_equal_configurations_do_not_differ_and_opposite_ones_do() -> None:
    questions = [question(str(i), a=2) for i in range(20)]
    good = {q.id: outcome("a") for q in questions}
    bad = {q.id: outcome("x") for q in questions}
    assert paired_p_value(questions, good, good, "R@1") == 1
    assert paired_p_value(questions, good, bad, "R@1") < 0.01


LINE = '{"id": "q1", "text": "t", "lang": "ja", "kind": "k", "split": "dev"}\n'
HEADER = "query\ttarget\tgrade\n"


@pytest.mark.parametrize(
    ("qrels", "queries", "says"),
    [
        ("", LINE, r"qrels\.tsv:1: the columns are not query, target, grade"),
        ("query\ttarget\n", LINE, r"qrels\.tsv:1: the columns are not"),
        (HEADER + "q1\tabc\t3\n", LINE, r"qrels\.tsv:2: .* neither 1 nor 2: '3'"),
        (HEADER + "\nq1\tabc\n", LINE, r"qrels\.tsv:3: not three columns"),
        (HEADER + "q1\tabc\t2\tx\n", LINE, r"qrels\.tsv:2: not three columns"),
        (HEADER + "q1\tabc\t2\nq1\tabc\t1\n", LINE, r"qrels\.tsv:3: a second grade"),
        (HEADER, LINE * 2, r"queries\.jsonl:2: a second question 'q1'"),
        (HEADER, LINE.replace('"t"', "null"), r"queries\.jsonl:1: not a question: text"),
        (HEADER, LINE.replace('"t"', '"？"'), r"queries\.jsonl:1: not a question: text"),
        (HEADER, LINE.replace('"q1"', "1"), r"queries\.jsonl:1: not a question: id"),
        (HEADER, LINE + '{"id"\n', r"queries\.jsonl:2: not a question"),
        (HEADER + "q7\tabc\t2\n", LINE, r"qrels\.tsv: no question .* called 'q7'"),
        (HEADER, "[" * 100_000, r"queries\.jsonl:1: not a question"),
    ],
)
def test_faults_of_the_files_are_told_with_their_line(tmp_path, qrels, queries, says) -> None:
    (tmp_path / "qrels.tsv").write_text(qrels)
    file = tmp_path / "queries.jsonl"
    file.write_text(queries)
    with pytest.raises(EvaluationError, match=says):
        load_questions(file)


def test_files_as_spreadsheets_write_them_are_read(tmp_path) -> None:
    (tmp_path / "qrels.tsv").write_text(HEADER + "q1\tabc\t2\n", "utf-8-sig")
    file = tmp_path / "queries.jsonl"
    file.write_text(LINE.replace('"t"', '"one\u2028two"'), "utf-8-sig")
    [question] = load_questions(file)
    assert (question.text, question.grades) == ("one\u2028two", {"abc": 2})
