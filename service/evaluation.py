"""The evaluation report: a knowledge base asked every evaluation question."""

from collections.abc import Iterator
from pathlib import Path

from saitei.index.evaluation import (
    EvaluationError,
    Outcome,
    Question,
    Score,
    evaluate,
    load_questions,
    recall,
    with_principles,
)
from saitei.index.vectors import Progress
from saitei.ingest.notes import load_notes
from saitei.service.knowledge import OpenKnowledge

DEPTH = 20
"""Results looked at for each question."""
TOLD = 100
"""Questions between two calls of what shows progress."""


def questions_of(queries: Path | None, split: str | None) -> list[Question]:
    """The questions of a file (the packaged one by default), principles counted as instances."""
    questions = load_questions(queries) if queries else load_questions()
    principles = {fp: note.principles for _, note in load_notes() for fp in note.rulings}
    chosen = [question for question in questions if split in (None, question.split)]
    if not chosen:
        part = f"split '{split}'" if split else "the file"
        raise EvaluationError(f"{queries or 'packaged questions'}: no question in {part}")
    return with_principles(chosen, principles)


def ask_all(
    knowledge: OpenKnowledge, questions: list[Question], progress: Progress | None = None
) -> dict[str, Outcome]:
    """What the knowledge base makes of each question."""
    outcomes: dict[str, Outcome] = {}
    for done, question in enumerate(questions):
        if progress is not None and done % TOLD == 0:
            progress(done, len(questions))
        found = knowledge.search(question.text, DEPTH)
        outcomes[question.id] = Outcome(tuple(hit.entry.key for hit in found.hits), found.answered)
    return outcomes


def evaluation_report(
    knowledge: OpenKnowledge,
    queries: Path | None,
    split: str | None,
    misses: bool,
    progress: Progress | None = None,
) -> Iterator[str]:
    """Lines of the report: all questions, then each kind, then what was missed."""
    questions = questions_of(queries, split)
    _check_targets(knowledge, questions)
    outcomes = ask_all(knowledge, questions, progress)
    yield "全体"
    yield from _figures(evaluate(questions, outcomes))
    for kind in sorted({question.kind for question in questions}):
        chosen = [question for question in questions if question.kind == kind]
        yield _kind_line(kind, evaluate(chosen, outcomes))
    for manner in sorted({question.manner for question in questions}):
        yield f"書き方 {manner}"
        chosen = [question for question in questions if question.manner == manner]
        yield from _figures(evaluate(chosen, outcomes))
    if misses:
        yield from _misses(questions, outcomes)


def _figures(scores: dict[str, Score]) -> Iterator[str]:
    """Those that there are questions for."""
    return (f"  {name:16} {score}" for name, score in scores.items() if score.count)


def _check_targets(knowledge: OpenKnowledge, questions: list[Question]) -> None:
    for question in questions:
        for target in question.grades:
            if knowledge.database.entry_number(target) is None:
                raise EvaluationError(
                    f"question '{question.id}': '{target}' is no ruling or principle of this"
                    " knowledge base"
                )


def _kind_line(kind: str, scores: dict[str, Score]) -> str:
    answerable = ("R@1", "R@5", "MRR", "wrongly refused")
    shown = answerable if scores["R@1"].count else ("rightly refused",)
    figures = "  ".join(f"{name} {scores[name].value:.3f}" for name in shown)
    return f"{kind:14} n={max(score.count for score in scores.values()):3}  {figures}"


def _misses(questions: list[Question], outcomes: dict[str, Outcome]) -> Iterator[str]:
    for question in questions:
        outcome = outcomes[question.id]
        if question.grades and not recall(question, outcome, 1):
            ranks = [r for r, key in enumerate(outcome.keys, 1) if key in question.relevant]
            where = f"{ranks[0]}位" if ranks else f"{DEPTH}位までになし"
            yield f"外れ {question.id} {question.kind} {where}: {question.text}"
        if question.grades and not outcome.answered:
            yield f"断りすぎ {question.id} {question.kind}: {question.text}"
        if not question.grades and outcome.answered:
            yield f"断れず {question.id} {question.kind}: {question.text}"
