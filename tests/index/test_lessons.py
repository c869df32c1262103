"""What the query model is taught: which passages a question should find, and which not."""

import numpy as np
import pytest

from saitei.index.distil import Lesson
from saitei.index.entries import Entry, Passage, make_entries, passages
from saitei.index.lessons import make_course
from saitei.index.lexical import terms
from saitei.index.vectors import VectorCache
from saitei.ingest.catalog import load_catalog
from tests.index.conftest import NOTES, BagEncoder
from tests.index.test_retrieval import ADELINE, RULE, card_note


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """Two rulings on cards under one principle, one on a mechanic, then the principle."""
    named = card_note(1, ADELINE, RULE.id)
    asked = named.questions.model_copy(update={"ja": ("エーデリンで攻撃したらトークンは出る？",)})
    named = named.model_copy(update={"questions": asked})
    notes = (named, card_note(5, "lightning-bolt", RULE.id), NOTES[1])
    return make_entries((), notes, (RULE,))


@pytest.fixture(scope="module")
def found(entries: list[Entry]) -> list[Passage]:
    return list(passages(entries, load_catalog()))


@pytest.fixture(scope="module")
def lessons(entries: list[Entry], found: list[Passage]) -> tuple[Lesson, ...]:
    return make_course(entries, found, load_catalog(), BagEncoder(), VectorCache("bag-1")).lessons


def rows(found: list[Passage], *entries: int) -> set[int]:
    return {row for row, passage in enumerate(found) if passage.entry in entries}


def lesson_of(lessons: tuple[Lesson, ...], text: str) -> Lesson:
    [lesson] = [one for one in lessons if one.terms == tuple(terms(text))]
    return lesson


def test_a_question_should_find_the_rest_of_its_entry_and_never_itself(
    found: list[Passage], lessons: tuple[Lesson, ...]
) -> None:
    row = next(r for r, p in enumerate(found) if p.entry == 0 and p.kind == "question")
    lesson = lesson_of(lessons, found[row].said)
    assert set(lesson.positives) == rows(found, 0) - {row}
    # Its principle is no wrong find either.
    assert set(lesson.neutral) == {row} | rows(found, 3)
    assert lesson.target is not None
    assert np.linalg.norm(lesson.target) == pytest.approx(1, abs=1e-5)


def test_asked_about_a_card_without_ruling_it_should_find_the_principle_too(
    found: list[Passage], lessons: tuple[Lesson, ...]
) -> None:
    row = next(r for r, p in enumerate(found) if p.entry == 0 and p.kind == "question")
    [renamed] = [one for one in lessons if one.target is None]
    assert not set(terms("エーデリン")) <= set(renamed.terms)
    assert set(renamed.positives) == rows(found, 0, 3) - {row}
    # Another instance of the principle is neither right nor wrong.
    assert set(renamed.neutral) == {row} | rows(found, 1)


def test_only_a_question_that_names_a_card_is_learnt_twice(
    found: list[Passage], lessons: tuple[Lesson, ...]
) -> None:
    assert len(lessons) == len(found) + 1


def test_further_questions_give_words_and_no_lessons(
    entries: list[Entry], found: list[Passage], lessons: tuple[Lesson, ...]
) -> None:
    cache = VectorCache("bag-1")
    course = make_course(
        entries, found, load_catalog(), BagEncoder(), cache, ["地震で家が揺れる？"]
    )
    assert "地震" in course.vocabulary
    assert [lesson.terms for lesson in course.lessons] == [lesson.terms for lesson in lessons]
