"""Searches with questions that the knowledge base was not given, for the ranker to be fitted on.

The further questions (`saitei.ingest.asked`) are dealt into parts. Each part is asked of a
knowledge base that holds all other parts, so that what is measured is what a question never seen
would show; the classifier that it is measured with was fitted on these alone. Some are asked once
more of a knowledge base that has no notes for half of the cards, only texts of their rulings, and
knows nothing that was asked about them: such are the cards of a document we have no notes for.
"""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from saitei.index.build import Packaged, build
from saitei.index.classifier_training import fit, lessons
from saitei.index.database import Contents
from saitei.index.features import Measured
from saitei.index.question import QueryError
from saitei.index.retrieval import Searcher
from saitei.index.store import Store
from saitei.index.vectors import Progress
from saitei.ingest.asked import AskedQuestions, Unanswered
from saitei.ingest.catalog import Catalog
from saitei.ingest.models import Ruling
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle

PARTS = 4
BARE = 2
"""The notes of one card or mechanic in so many are missing where questions of the first part are
asked once more."""
AGAIN = 2
"""One in so many is, of those that the missing notes answer, or nothing here."""
SEED = 20_250_207
CONSTANTS = (PARTS, BARE, AGAIN, SEED)
"""All of them, for the digest of what the packaged models were made of."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question as it was measured. ``right``: for each candidate, whether it answers it; none
    does where ``answerable`` is False, and none may where the search missed it."""

    measured: Measured
    right: tuple[bool, ...]
    answerable: bool


@dataclass(frozen=True)
class Subject:
    """What is rehearsed: everything a fresh knowledge base is built from."""

    rulings: Sequence[Ruling]
    notes: Sequence[Note]
    principles: Sequence[Principle]
    asked: AskedQuestions
    catalog: Catalog


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    target: str | None
    about: str | None = None


def rehearse(
    subject: Subject,
    read: Callable[[str], Sequence[str]],
    progress: Progress | None = None,
) -> Iterator[Example]:
    """Every further question, asked where it is not known; deterministic. ``read``: as
    `saitei.index.classifier_training.lessons` takes it; ``progress``: as its ``fit`` does."""
    questions = [
        *(_Question(text, key) for key, texts in subject.asked.answered.items() for text in texts),
        *(_Question(one.text, None, one.about) for one in subject.asked.unanswered),
    ]
    parts = np.random.default_rng(SEED).permutation(len(questions)) % PARTS
    answers = _answers(subject)
    for part in range(PARTS):
        known = [one for one, place in zip(questions, parts, strict=True) if place != part]
        held_out = [one for one, place in zip(questions, parts, strict=True) if place == part]
        yield from _ask(replace(subject, asked=_asked(known)), held_out, answers, read, progress)
        if part == 0:
            unknown = set(sorted({note.subject.id for note in subject.notes})[::BARE])
            missing = {note.key for note in subject.notes if note.subject.id in unknown}
            bare = replace(
                subject,
                rulings=_texts(subject),
                notes=[note for note in subject.notes if note.key not in missing],
                asked=_asked(
                    [one for one in known if not {one.target, one.about} & (missing | unknown)]
                ),
            )
            about_them = [one for one in held_out if one.target is None or one.target in missing]
            yield from _ask(bare, about_them[::AGAIN], answers, read, progress)


def _asked(questions: Sequence[_Question]) -> AskedQuestions:
    answered: defaultdict[str, list[str]] = defaultdict(list)
    for one in questions:
        if one.target is not None:
            answered[one.target].append(one.text)
    return AskedQuestions(
        {key: tuple(texts) for key, texts in answered.items()},
        tuple(Unanswered(one.text, one.about) for one in questions if one.target is None),
    )


def _answers(subject: Subject) -> dict[str, frozenset[str]]:
    """Keys of the entries that answer a question of a note or a principle. A note's principles
    answer it too, and so does an instance a question in general terms."""
    answers = {note.key: frozenset((*note.rulings, *note.principles)) for note in subject.notes}
    texts = {ruling for note in subject.notes for ruling in note.rulings}
    for principle in subject.principles:
        instances = (answers[key] for key in principle.instances if key in answers)
        rulings = {key for found in instances for key in found & texts}
        answers[principle.id] = frozenset((principle.id, *rulings))
    return answers


def _texts(subject: Subject) -> list[Ruling]:
    """The rulings with our own answers for their texts."""
    said = {key: note.answer + note.because for note in subject.notes for key in note.rulings}
    return [replace(one, text=said.get(one.fingerprint, "")) for one in subject.rulings]


def _ask(
    subject: Subject,
    questions: Sequence[_Question],
    answers: dict[str, frozenset[str]],
    read: Callable[[str], Sequence[str]],
    progress: Progress | None,
) -> Iterator[Example]:
    taught = lessons(subject.notes, subject.principles, subject.asked, read)
    classifier = fit(taught, progress=progress)
    packaged = Packaged(tuple(subject.notes), tuple(subject.principles), "rehearsal", subject.asked)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        with store.writing():
            contents = Contents(rulings=tuple(subject.rulings))
            generation = build(store, contents, packaged, subject.catalog)
        searcher = Searcher(generation, subject.catalog, rehearsing=classifier)
        for one in questions:
            try:
                _, entries, measured = searcher.measure(one.text)
            except QueryError:
                continue
            wanted = answers[one.target] if one.target else frozenset()
            right = tuple(entry.key in wanted for entry in entries)
            yield Example(measured, right, one.target is not None)
