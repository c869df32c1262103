"""No evaluation question stands among the questions that search is made from.

Only ids are told, so that nobody learns a test question from a failure.
"""

import re

from saitei.index.evaluation import load_questions
from saitei.ingest.asked import load_asked
from saitei.ingest.notes import load_notes
from saitei.ingest.principles import load_principles
from saitei.ingest.tokenise import normalise, words


def used() -> list[str]:
    asked = load_asked()
    found = [text for texts in asked.answered.values() for text in texts]
    found += [question.text for question in asked.unanswered]
    for source in (*(note for _, note in load_notes()), *load_principles()):
        found += [*source.questions.ja, *source.questions.en]
    return found


def letters(text: str) -> str:
    return re.sub(r"\W", "", normalise(text)).lower()


def test_none_is_repeated_letter_for_letter() -> None:
    known = {letters(text) for text in used()}
    assert [one.id for one in load_questions() if letters(one.text) in known] == []


def test_none_is_repeated_in_other_order_or_with_other_particles() -> None:
    # Short questions share their few words by chance.
    known = {frozenset(words(text)) for text in used()}
    asked = ((one.id, frozenset(words(one.text))) for one in load_questions())
    assert [name for name, found in asked if len(found) > 3 and found in known] == []
