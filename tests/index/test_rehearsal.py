"""Rehearsal: every further question is asked of a knowledge base that does not hold it."""

from collections.abc import Sequence

import numpy as np
import pytest

from saitei.index import classifier_training, rehearsal
from saitei.index.classifier import Classifier
from saitei.index.classifier_training import Lesson, terms_by
from saitei.index.features import FEATURES
from saitei.index.rehearsal import Example, Subject, rehearse
from saitei.index.retrieval import Searcher
from saitei.ingest.asked import AskedQuestions, Unanswered
from saitei.ingest.catalog import load_catalog
from tests.index.conftest import NOTES, BagEncoder
from tests.index.test_retrieval import RULE, card_note, ruling

ASKED = AskedQuestions(
    {
        NOTES[0].key: ("フラッシュバックした呪文を打ち消されたら墓地？", "ＦＢ呪文は追放される？"),
        NOTES[3].key: ("腐乱のゾンビは攻撃を強制される？", "腐乱は殴らなくていい？"),
        RULE.id: ("一般に、宣言しなかったものも数に入る？", "数えるのは宣言したものだけ？"),
    },
    (Unanswered("腐乱のゾンビは飛行を持つ？", "decayed"), Unanswered("明日は晴れる？")),
)

READ = terms_by(load_catalog())


def rehearsed() -> list[Example]:
    notes = (*NOTES, card_note(9, "lightning-bolt", RULE.id))
    rule = RULE.model_copy(update={"instances": [notes[-1].key]})
    places = [ruling(number, "") for number in (1, 2, 3, 4, 9)]
    subject = Subject(places, notes, (rule,), ASKED, load_catalog())
    return list(rehearse(subject, READ))


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> list[Example]:
    bag = BagEncoder()
    for module in ("build", "retrieval"):
        monkeypatch.setattr(f"saitei.index.{module}.load_encoder", lambda name: bag)
    # Of so few, the notes of all cards and mechanics are missing where they are.
    monkeypatch.setattr(rehearsal, "BARE", 1)
    monkeypatch.setattr(rehearsal, "AGAIN", 1)
    return rehearsed()


def test_every_question_is_asked(examples: list[Example]) -> None:
    # Eight, dealt into four parts of two; of the first part, what a note answers once more.
    assert len(examples) == 9
    assert sum(not example.answerable for example in examples) in {2, 3}


def test_what_a_question_is_measured_with_has_not_learnt_it(
    monkeypatch: pytest.MonkeyPatch, examples: list[Example]
) -> None:
    """Neither it nor, where its note is missing, anything of the card's or mechanic's."""
    taught: list[Sequence[Lesson]] = []
    asked: list[tuple[int, str]] = []

    def fit(lessons: Sequence[Lesson], progress: None) -> Classifier:
        taught.append(lessons)
        return classifier_training.fit(lessons)

    def measure(searcher: Searcher, query: str) -> object:
        asked.append((len(taught) - 1, query))
        return before(searcher, query)

    before = Searcher.measure
    monkeypatch.setattr(rehearsal, "fit", fit)
    monkeypatch.setattr(Searcher, "measure", measure)
    rehearsed()
    assert len(asked) == len(examples)
    for round_, query in asked:
        assert tuple(dict.fromkeys(READ(query))) not in {one.terms for one in taught[round_]}
    bare = 1
    assert {one.answers for one in taught[bare]} <= {RULE.id, None}
    assert all(one.about is None for one in taught[bare])
    assert any(one.about for round_ in (0, 2, 3, 4) for one in taught[round_])


def test_no_question_finds_itself(examples: list[Example]) -> None:
    """A text has the cosine 1 with itself, so that anything less says it was not there."""
    for name in ("nearest", "unanswered_nearest"):
        found = [one.measured.features[:, FEATURES.index(name)] for one in examples]
        assert all((cosines < 0.999).all() for cosines in found)


def test_what_answers_is_marked_and_nothing_answers_the_unanswerable(
    examples: list[Example],
) -> None:
    for example in examples:
        assert len(example.right) == len(example.measured.features)
        assert any(example.right) == example.answerable


def test_an_instance_answers_what_is_asked_of_its_principle(examples: list[Example]) -> None:
    assert max(sum(example.right) for example in examples) == 2


def test_what_is_asked_once_more_is_asked_where_notes_are_missing(
    examples: list[Example],
) -> None:
    """Their rulings have texts, and no class that the classifier knows."""
    classless = FEATURES.index("classless")
    where = [
        place for place, one in enumerate(examples) if one.measured.features[:, classless].any()
    ]
    assert where == [2]


def test_rehearsing_again_gives_the_same(examples: list[Example]) -> None:
    for one, other in zip(examples, rehearsed(), strict=True):
        np.testing.assert_array_equal(one.measured.features, other.measured.features)
