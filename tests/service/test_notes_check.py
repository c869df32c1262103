"""``saitei notes check``: what counts as a fault of notes, principles and the table of rules.

Each fault is shown on a small invented set that is otherwise without one.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from saitei.data.yaml_text import YamlError
from saitei.service.notes_check import (
    Finding,
    Sources,
    check_notes,
    official_runs,
)
from saitei.service.rules import RulesText, number_order

NOTE = """\
- id: countered
  rulings: [0a0a0a0a0a0a]
  subject: {mechanic: flashback}
  principles: [leaves-for-exile]
  questions:
    ja: [架空の質問その一？, 架空の質問その二？, 架空の質問その三？]
    en: [An invented question?]
  answer: はい。架空の答え。
  because: 架空の理由。
  rules: [702.34a]
  checked: 2025-02-07
  status: current
  executable: yes
- id: resolved
  rulings: [0b0b0b0b0b0b]
  subject: {mechanic: flashback}
  principles: [leaves-for-exile]
  questions:
    ja: [架空の質問その四？, 架空の質問その五？, 架空の質問その六？]
    en: [Another invented question?]
  answer: いいえ。架空の答え。
  because: 架空の理由。
  rules: [608.2n, 702.34a]
  checked: 2025-02-07
  status: current
  executable: yes
"""

PRINCIPLE = """\
- id: leaves-for-exile
  statement: 架空の原則。
  condition: 架空の条件。
  exceptions: カードの文章が優先する。
  rules: [702.34a]
  questions:
    ja: [架空の一般質問一？, 架空の一般質問二？, 架空の一般質問三？, 架空の一般質問四？]
    en: [A general question?, One more general question?]
  instances:
    - flashback.countered
    - flashback.resolved
"""

RULES = """\
number	edition	title	gloss
608.2n	2025-02-07	Resolving Things	最後に墓地に置く
702.34a	2025-02-07	Looking Back	墓地から唱えて追放する
"""

TEXT = """\
Invented Rules

These rules are effective as of February 7, 2025.

608. Resolving Things

608.2. If the object is a spell, follow these steps.

608.2n Finally the spell leaves.

702. Keywords

702.1. Most words are listed here.

702.34. Looking Back

702.34a This word has a meaning.
"""

DOCUMENT = """\
fingerprint	line	ordinal	heading	subject
0a0a0a0a0a0a	1	1	一般	flashback
0b0b0b0b0b0b	2	2	一般	flashback
"""

ANSWERED = """\
target	language	question
flashback.countered	ja	架空の問い一？
flashback.countered	ja	架空の問い二？
leaves-for-exile	en	One more invented question?
"""

UNANSWERED = """\
about	language	question
flashback	ja	答えのない架空の問い？
-	en	A question about something else?
"""

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Write the invented set, with other texts where given, and return its folder."""

    def write(
        notes: str = NOTE,
        principles: str = PRINCIPLE,
        rules: str = RULES,
        file: str = "flashback.yaml",
        answered: str = ANSWERED,
        unanswered: str = UNANSWERED,
    ) -> Path:
        texts = {
            f"notes/invented/{file}": notes,
            "principles.yaml": principles,
            "facts/rules.tsv": rules,
            "documents/invented.tsv": DOCUMENT,
            "asked/answered.tsv": answered,
            "asked/unanswered.tsv": unanswered,
        }
        for name, text in texts.items():
            path = tmp_path / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path / "data"

    return write


@pytest.fixture
def edition(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "rules.txt"
        path.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
        return path

    return write


def found(data: Path, rules: Path | None = None) -> list[str]:
    return [str(finding) for finding in check_notes(rules=rules, data=data)]


def test_the_invented_set_has_no_fault(build: Build, edition: Callable[[str], Path]) -> None:
    assert found(build(), edition(TEXT)) == []


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("{mechanic: flashback}", "{mechanic: no-such-thing}", "unknown mechanic 'no-such-thing'"),
        ("{mechanic: flashback}", "{card: no-such-card}", "unknown card 'no-such-card'"),
        ("架空の質問その二？, ", "", "fewer than three questions in Japanese"),
        ("    en: [An invented question?]\n", "", "no question in English"),
        ("はい。架空の答え。", "答" * 131, "answer of 131 characters"),
        ("[0a0a0a0a0a0a]", "[0c0c0c0c0c0c]", "no official ruling has the fingerprint 0c0c"),
        ("[0a0a0a0a0a0a]", "[0c0c0c0c0c0c]", "0a0a0a0a0a0a: ruling of invented without a note"),
        ("[0b0b0b0b0b0b]", "[0a0a0a0a0a0a]", "ruling 0a0a0a0a0a0a already has the note"),
        ("id: resolved", "id: countered", "flashback.countered: two notes have this id"),
        ("架空の質問その四？", "架空の質問その一？", "asks what flashback.countered asks"),
        ("架空の質問その四？", "架空の一般質問一？", "asks what flashback.resolved asks"),
        ("[leaves-for-exile]", "[leaves]", "flashback.countered: unknown principle 'leaves'"),
        ("[leaves-for-exile]", "[]", "instance flashback.countered does not name this principle"),
        ("[608.2n, 702.34a]", "[608.2m]", "rule 608.2m is not in the table of rules"),
        ("checked: 2025-02-07", "checked: 2024-11-08", "checked against 2024-11-08; the table has"),
        (
            "status: current",
            "status: {superseded: {since: unknown, by: 架空の改訂}}",
            "leaves-for-exile: instance flashback.countered is superseded",
        ),
    ],
)
def test_a_faulty_note_is_found(build: Build, before: str, after: str, message: str) -> None:
    assert before in NOTE
    assert any(message in line for line in found(build(notes=NOTE.replace(before, after, 1))))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("leaves-for-exile", "leaves", "leaves: asked about, but no note or principle has this"),
        (
            "One more invented question?",
            "架空の問い 一",
            "leaves-for-exile: asks what flashback.countered asks",
        ),
        (
            "架空の問い二？",
            "架空の質問その四？",
            "flashback.countered: asks what flashback.resolved asks",
        ),
    ],
)
def test_a_faulty_further_question_is_found(
    build: Build, before: str, after: str, message: str
) -> None:
    assert before in ANSWERED
    assert any(message in f for f in found(build(answered=ANSWERED.replace(before, after))))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("flashback\t", "no-such\t", "no-such: asked about, but no card or mechanic has this name"),
        ("答えのない架空の問い", "架空の問い一", "flashback.countered: answers a question that is"),
        (
            "答えのない架空の問い",
            "架空の質問その四",
            "flashback.resolved: answers a question that is",
        ),
    ],
)
def test_a_faulty_question_without_answer_is_found(
    build: Build, before: str, after: str, message: str
) -> None:
    assert before in UNANSWERED
    assert any(message in f for f in found(build(unanswered=UNANSWERED.replace(before, after))))


def test_a_note_in_another_subjects_file_is_found(build: Build) -> None:
    data = build(file="decayed.yaml")
    assert "flashback.countered: stands in decayed.yaml, not in its subject's file" in found(data)


def test_equal_questions_with_equal_answers_are_no_fault(build: Build) -> None:
    notes = NOTE.replace("架空の質問その四？", "架空の質問その一？").replace("いいえ。", "はい。")
    assert found(build(notes=notes)) == []


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("    - flashback.resolved\n", "", "lacks the instance flashback.resolved, which names it"),
        ("flashback.resolved", "flashback.gone", "unknown instance 'flashback.gone'"),
        ("flashback.resolved", "flashback.countered", "instance flashback.countered twice"),
        ("架空の一般質問四？", "", "fewer than four questions in Japanese or two in English"),
        ("[702.34a]", "[702.35a]", "leaves-for-exile: rule 702.35a is not in the table of rules"),
    ],
)
def test_a_faulty_principle_is_found(build: Build, before: str, after: str, message: str) -> None:
    assert before in PRINCIPLE
    principles = PRINCIPLE.replace(before, after, 1).replace(", ]", "]")
    assert any(message in line for line in found(build(principles=principles)))


def test_two_principles_of_one_id_are_found(build: Build) -> None:
    assert "leaves-for-exile: two principles have this id" in found(
        build(principles=PRINCIPLE + PRINCIPLE)
    )


def test_a_superseded_note_may_name_a_principle_but_is_no_instance(build: Build) -> None:
    notes = NOTE.replace(
        "status: current", "status: {superseded: {since: unknown, by: 架空の改訂}}", 1
    )
    principles = PRINCIPLE.replace("    - flashback.countered\n", "")
    assert [line for line in found(build(notes, principles)) if "warning" not in line] == []


def test_a_single_instance_is_a_warning(build: Build) -> None:
    notes = NOTE.replace("[leaves-for-exile]", "[]", 1)
    principles = PRINCIPLE.replace("    - flashback.countered\n", "")
    assert check_notes(data=build(notes, principles)) == [
        Finding("leaves-for-exile", "a single instance, flashback.resolved", warning=True)
    ]


def test_a_principle_that_rests_on_the_rules_alone_is_a_warning(build: Build) -> None:
    notes = NOTE.replace("[leaves-for-exile]", "[]")
    instances = "  instances:\n    - flashback.countered\n    - flashback.resolved\n"
    assert instances in PRINCIPLE
    assert check_notes(data=build(notes, PRINCIPLE.replace(instances, ""))) == [
        Finding("leaves-for-exile", "no instance: it rests on the rules alone", warning=True)
    ]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (RULES + "702.34a\t2025-02-07\tLooking Back\t二度目\n", "702.34a: stands twice"),
        (RULES + "101.2\t2025-02-07\tGolden\t黄金律\n", "101.2: out of order"),
        (RULES + "703.1\t2025-02-07\tActions\t処理\n", "703.1: warning: cited by no note"),
        (RULES.replace("最後に墓地に置く", ""), "608.2n: has no gloss"),
    ],
)
def test_a_faulty_table_of_rules_is_found(build: Build, rules: str, message: str) -> None:
    assert any(line.startswith(message) for line in found(build(rules=rules)))


def test_rule_numbers_are_ordered_by_value_not_by_letters() -> None:
    numbers = ["702.10b", "702.2b", "608.2n", "702", "702.2", "111.10f", "111.7"]
    assert sorted(numbers, key=number_order) == [
        "111.7",
        "111.10f",
        "608.2n",
        "702",
        "702.2",
        "702.2b",
        "702.10b",
    ]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("608.2n Finally", "608.2m Finally", "608.2n: no such rule in the edition of 2025-02-07"),
        ("702.34. Looking Back", "702.34. Rebound", "702.34a: titled 'Rebound' in the edition"),
        ("608. Resolving", "608. Paying", "608.2n: titled 'Paying Things' in the edition"),
        ("February 7, 2025", "May 2, 2025", "rules text: no rule of the table is of its edition"),
    ],
)
def test_the_table_is_compared_with_the_rules_at_hand(
    build: Build, edition: Callable[[str], Path], before: str, after: str, message: str
) -> None:
    assert before in TEXT
    lines = found(build(), edition(TEXT.replace(before, after)))
    assert any(line.startswith(message) for line in lines)


def test_a_keyword_is_titled_by_itself_and_another_rule_by_its_chapter() -> None:
    text = RulesText(TEXT)
    assert text.title("702.34a") == "Looking Back"
    assert text.title("608.2n") == "Resolving Things"
    assert text.title("702.1") == "Keywords"


def test_words_of_an_official_document_are_found_in_notes_and_principles(
    build: Build, tmp_path: Path
) -> None:
    official = "この架空の公式の文は三十六文字よりも長いので、そのまま写すと必ず見つかるはずだ。"
    documents = tmp_path / "official"
    documents.mkdir()
    (documents / "a.txt").write_text(f"• {official}\n", "utf-8")
    data = build(
        NOTE.replace("because: 架空の理由。", f"because: {official}", 1),
        PRINCIPLE.replace("condition: 架空の条件。", f"condition: {official}"),
    )
    found_in = {
        finding.note
        for finding in check_notes(documents, data=data)
        if finding.message.startswith("repeats an official text word for word")
    }
    assert found_in == {"flashback.countered", "leaves-for-exile"}


def test_fewer_characters_in_common_with_a_document_are_no_copy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("あ" * 40, "utf-8")
    sources = Sources(official_runs(tmp_path))
    assert sources.copied("い" + "あ" * 35) is None
    assert sources.copied("い" + "あ" * 36) == "あ" * 36


def test_ninety_characters_in_common_with_the_rules_are_a_copy() -> None:
    sentence = "an invented rule says that whatever is written here " * 3
    sources = Sources(rules=RulesText(sentence))
    letters = sentence.replace(" ", "")
    assert sources.copied("X" + letters[:89]) is None
    assert sources.copied("X" + letters[:90]) == letters[:90]


def test_a_file_that_does_not_load_is_an_error_with_its_place(build: Build) -> None:
    with pytest.raises(YamlError, match=r"flashback\.yaml:1: answer: Field required"):
        check_notes(data=build(notes=NOTE.replace("  answer: はい。架空の答え。\n", "")))


def faults(findings: list[Finding]) -> list[str]:
    return [str(finding) for finding in findings if not finding.warning]


def test_the_packaged_notes_principles_and_rules_have_no_fault() -> None:
    assert faults(check_notes()) == []


def test_the_packaged_wording_is_our_own(documents: Path) -> None:
    assert faults(check_notes(documents)) == []


def test_the_packaged_rule_numbers_and_titles_are_those_of_the_edition() -> None:
    rules = os.environ.get("SAITEI_RULES")
    if not rules or not Path(rules).is_file():
        pytest.skip("SAITEI_RULES names no text of the Comprehensive Rules")
    assert faults(check_notes(rules=Path(rules))) == []
