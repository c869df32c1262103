"""What is measured for the ranker, on an invented knowledge base."""

import numpy as np
import pytest

from saitei.index.build import Packaged, build
from saitei.index.classifier_training import fit, lessons, terms_by
from saitei.index.database import Contents
from saitei.index.features import FEATURES, NEAREST, RELATIVE, Measured
from saitei.index.retrieval import Searcher
from saitei.index.store import Store
from saitei.ingest.asked import AskedQuestions, Unanswered
from saitei.ingest.catalog import load_catalog
from tests.index.conftest import NOTES, BagEncoder
from tests.index.test_retrieval import ADELINE, RULE, card_note

ASKED = AskedQuestions(
    {NOTES[3].key: ("腐乱のゾンビは攻撃を強制される？",)},
    (Unanswered("腐乱のゾンビは飛行を持つ？", "decayed"), Unanswered("明日は晴れる？")),
)


@pytest.fixture
def searcher(store: Store, encoder: BagEncoder) -> Searcher:
    notes = (*NOTES, card_note(9, ADELINE, RULE.id))
    packaged = Packaged(notes, (RULE,), "digest", ASKED)
    with store.writing():
        generation = build(store, Contents(), packaged, load_catalog())
    taught = lessons(notes, (RULE,), ASKED, terms_by(load_catalog()))
    return Searcher(generation, load_catalog(), encoder, fit(taught))


def measured(searcher: Searcher, query: str) -> tuple[list[str], Measured]:
    _, entries, found = searcher.measure(query)
    return [entry.key for entry in entries], found


def column(found: Measured, name: str) -> np.ndarray:
    return found.features[:, FEATURES.index(name)]


DECAYED = NOTES[3].rulings[0]


def test_a_question_that_is_known_is_wholly_like_itself(searcher: Searcher) -> None:
    keys, found = measured(searcher, "腐乱のゾンビは攻撃を強制される？")
    at = keys.index(DECAYED)
    assert column(found, "likeness")[at] == pytest.approx(1.0)
    assert column(found, "covered")[at] == pytest.approx(1.0, abs=0.02)
    assert column(found, "missing")[at] == 0.0
    assert column(found, "subject")[at] == 1.0


def test_the_distinct_words_of_an_entry_are_those_of_its_passages(searcher: Searcher) -> None:
    sources = searcher._sources
    for entry in range(searcher.generation.manifest.entries):
        [(first, last)] = sources.dense.spans([entry])
        said = sources.rows(sources.words.span(first, last)).tolist()
        assert sources.distinct(entry).tolist() == sorted(set(said))
        assert sources.distinct(entry) is sources.distinct(entry)


def test_an_unanswered_question_is_near_its_like(searcher: Searcher) -> None:
    _, near = measured(searcher, "腐乱のゾンビは飛行を持つ？")
    _, far = measured(searcher, "キッカーは何回払える？")
    for name in ("unanswered_nearest", "unanswered_likeness"):
        assert column(near, name)[0] > column(far, name)[0], name
    assert column(near, "unanswered_likeness")[0] == pytest.approx(1.0)


def test_a_lead_is_the_distance_from_the_best_other(searcher: Searcher) -> None:
    _, found = measured(searcher, "腐乱のゾンビは殴る？")
    for name in RELATIVE:
        values = column(found, name)
        for place, lead in enumerate(column(found, f"{name}_lead")):
            others = np.delete(values, place)
            assert lead == pytest.approx(values[place] - others.max(), abs=1e-5), name


def test_cards_named_and_unnamed_are_told_apart(searcher: Searcher) -> None:
    keys, own = measured(searcher, "エーデリンで攻撃するたびにトークンは出る？")
    assert column(own, "other_card")[keys.index("000000000009")] == 0
    assert column(own, "elsewhere").tolist() == [float(key != "000000000009") for key in keys]
    keys, other = measured(searcher, "《稲妻》で攻撃するたびにトークンは出る？")
    assert column(other, "other_card")[keys.index("000000000009")] == 1
    assert not column(other, "elsewhere").any(), "that card has no ruling"
    assert (column(own, "nameless")[0], column(other, "cards")[0]) == (0, 1)


def test_words_handed_on_are_those_of_content_questions_and_answer(searcher: Searcher) -> None:
    _, found = measured(searcher, "エーデリンで攻撃するたびにトークンは出る？")
    assert len(found.question)
    assert len(found.asked) == len(found.answer) == len(found.features)
    assert all(len(words) for words in found.answer)
    assert NEAREST == 2


@pytest.mark.parametrize("query", ["エーデリン", "zzz", "?a", "😀腐乱"])
def test_little_is_measured_too(searcher: Searcher, query: str) -> None:
    _, found = measured(searcher, query)
    assert np.isfinite(found.features).all()
