"""How good is search? Metrics over ``data/evaluation`` with confidence intervals, and a comparison.

A question's relevant entries are those of its highest grade; a principle counts when a relevant
ruling is one of its instances. Recall at k is the share of answerable questions with a relevant
entry among the first k. nDCG (Järvelin & Kekäläinen 2002) takes the grades as gains and divides the
gain at a rank by log2(rank + 1).
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from saitei.data import PATH as DATA
from saitei.index.question import check_query

BOOTSTRAP = 2_000
SEED = 20_250_207
QRELS = ("query", "target", "grade")


class EvaluationError(ValueError):
    """A question file that cannot be used; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Question:
    """One evaluation question. ``grades``: entry key -> 1 or 2; empty: it has no answer here.
    ``manner``: ``real`` for one in the manner of what people post, ``made`` for a tester's own."""

    id: str
    text: str
    lang: str
    kind: str
    split: str
    grades: Mapping[str, int]
    manner: str = "made"

    @property
    def relevant(self) -> frozenset[str]:
        top = max(self.grades.values(), default=0)
        return frozenset(key for key, grade in self.grades.items() if grade == top)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search made of one question: keys of its results in order, and whether it answered."""

    keys: tuple[str, ...]
    answered: bool


def load_questions(
    queries: Path = DATA / "evaluation" / "queries.jsonl", qrels: Path | None = None
) -> list[Question]:
    """Questions with their relevance; ``qrels`` stands beside ``queries`` unless given.

    Raises `EvaluationError`.
    """
    table = qrels or queries.with_name("qrels.tsv")
    grades = _load_grades(table)
    questions: dict[str, Question] = {}
    # Not by splitlines: a question may hold what only that takes for the end of a line.
    for number, line in enumerate(_text(queries).split("\n"), 1):
        if not line.strip():
            continue
        try:
            item = _Line.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "line"
            raise EvaluationError(
                f"{queries}:{number}: not a question: {where}: {first['msg']}"
            ) from None
        if item.id in questions:
            raise EvaluationError(f"{queries}:{number}: a second question '{item.id}'")
        questions[item.id] = Question(**item.model_dump(), grades=grades.pop(item.id, {}))
    if grades:
        # Left alone, its question would count as one without an answer.
        raise EvaluationError(f"{table}: no question of {queries.name} is called '{min(grades)}'")
    return list(questions.values())


class _Line(BaseModel):
    """One line of ``queries.jsonl``."""

    model_config = ConfigDict(strict=True)

    id: str = Field(min_length=1)
    text: str
    lang: str
    kind: str
    split: str
    manner: str = "made"

    @field_validator("text")
    @classmethod
    def _can_be_asked(cls, text: str) -> str:
        return check_query(text)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path}: cannot be read: {error}") from None


def _load_grades(table: Path) -> dict[str, dict[str, int]]:
    """Grades by question and target."""
    header, *lines = _text(table).splitlines() or [""]
    if tuple(header.split("\t")) != QRELS:
        raise EvaluationError(f"{table}:1: the columns are not {', '.join(QRELS)}")
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        match line.split("\t"):
            case [query, target, ("1" | "2") as grade]:
                if target in grades[query]:
                    raise EvaluationError(f"{table}:{number}: a second grade of the same target")
                grades[query][target] = int(grade)
            case [_, _, grade]:
                raise EvaluationError(f"{table}:{number}: the grade is neither 1 nor 2: '{grade}'")
            case _:
                raise EvaluationError(f"{table}:{number}: not three columns")
    return grades


def with_principles(
    questions: Iterable[Question], principles_of: Mapping[str, Sequence[str]]
) -> list[Question]:
    """Let a principle count as its instances do; ``principles_of``: fingerprint -> ids."""
    extended: list[Question] = []
    for question in questions:
        grades = dict(question.grades)
        for key, grade in question.grades.items():
            for principle in principles_of.get(key, ()):
                grades[principle] = max(grade, grades.get(principle, 0))
        extended.append(replace(question, grades=grades))
    return extended


def recall(question: Question, outcome: Outcome, k: int) -> float:
    """1 when a relevant entry is among the first ``k``, else 0."""
    return float(bool(question.relevant & set(outcome.keys[:k])))


def reciprocal_rank(question: Question, outcome: Outcome) -> float:
    """1 over the rank of the first relevant entry; 0 when none was found."""
    ranks = (rank for rank, key in enumerate(outcome.keys, 1) if key in question.relevant)
    return 1.0 / next(ranks, math.inf)


def ndcg(question: Question, outcome: Outcome, k: int = 10) -> float:
    """Discounted gain of the first ``k`` over that of the best order, 0 to 1."""

    def gain(grades: Iterable[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))

    ideal = gain(sorted(question.grades.values(), reverse=True)[:k])
    found = gain(question.grades.get(key, 0) for key in outcome.keys[:k])
    return found / ideal if ideal else 0.0


METRICS: Mapping[str, Callable[[Question, Outcome], float]] = {
    "R@1": lambda question, outcome: recall(question, outcome, 1),
    "R@5": lambda question, outcome: recall(question, outcome, 5),
    "MRR": reciprocal_rank,
    "nDCG@10": ndcg,
    "wrongly refused": lambda question, outcome: float(not outcome.answered),
}


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over questions with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}] n={self.count}"


def summarise(values: Sequence[float]) -> Score:
    """Mean and percentile bootstrap interval; deterministic."""
    if not values:
        return Score(math.nan, math.nan, math.nan, 0)
    sample = np.asarray(values)
    rng = np.random.default_rng(SEED)
    means = rng.choice(sample, (BOOTSTRAP, len(sample))).mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Score(float(sample.mean()), float(low), float(high), len(sample))


def evaluate(questions: Sequence[Question], outcomes: Mapping[str, Outcome]) -> dict[str, Score]:
    """Every metric over the answerable questions, and the share of unanswerable ones refused."""
    answerable = [question for question in questions if question.grades]
    scores = {
        name: summarise([metric(question, outcomes[question.id]) for question in answerable])
        for name, metric in METRICS.items()
    }
    refused = [float(not outcomes[q.id].answered) for q in questions if not q.grades]
    return {**scores, "rightly refused": summarise(refused)}


def paired_p_value(
    questions: Sequence[Question],
    first: Mapping[str, Outcome],
    second: Mapping[str, Outcome],
    metric: str,
) -> float:
    """Two-sided paired randomisation test (Smucker et al. 2007) over answerable questions."""
    measure = METRICS[metric]
    differences: NDArray[np.float64] = np.array(
        [measure(q, first[q.id]) - measure(q, second[q.id]) for q in questions if q.grades]
    )
    if not len(differences):
        return 1.0
    rng = np.random.default_rng(SEED)
    signs = rng.choice([-1.0, 1.0], (10_000, len(differences)))
    extreme = np.abs((signs * differences).mean(axis=1)) >= abs(differences.mean()) - 1e-12
    return float((extreme.sum() + 1) / (len(extreme) + 1))
