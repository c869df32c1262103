"""BM25 scores read from disk are bm25s' own, term by term."""

import bm25s
import numpy as np
import pytest

from saitei.index.lexical import (
    GRAM_MARK,
    K1,
    B,
    LexicalIndex,
    build_lexical,
    query_weights,
    terms,
)

TEXTS = [
    "土地が出ると上陸が誘発する",
    "フラッシュバックで唱えた呪文は追放",
    "+1/+1カウンターを置く",
]


@pytest.fixture
def index(tmp_path) -> LexicalIndex:
    build_lexical([[text] for text in TEXTS], tmp_path / "lexical")
    return LexicalIndex.load(tmp_path / "lexical")


def test_scores_equal_the_library_they_were_built_with(index: LexicalIndex) -> None:
    reference = bm25s.BM25(k1=K1, b=B, method="lucene")
    reference.index([terms(text) for text in TEXTS], show_progress=False)
    query = [
        term for term in dict.fromkeys(terms("上陸は土地で誘発する？")) if term in index.vocabulary
    ]
    expected = reference.get_scores(query)
    np.testing.assert_allclose(index.scores(dict.fromkeys(query, 1.0)), expected, rtol=1e-5)


def test_the_text_that_shares_words_scores_highest(index: LexicalIndex) -> None:
    for number, question in enumerate(
        ["上陸はいつ誘発", "フラッシュバック呪文の行き先", "＋１/＋１カウンター"]
    ):
        assert int(index.scores(query_weights(question)).argmax()) == number


def test_unknown_words_score_nothing_and_lower_the_reach(index: LexicalIndex) -> None:
    assert not index.scores({"天気": 1.0}).any()
    known, ideal = index.reach({"天気": 1.0})
    assert known == 0.0
    assert ideal == pytest.approx(index.rarest)
    assert index.reach({}) == (0.0, 0.0)


def test_matched_terms_add_up_to_the_score(index: LexicalIndex) -> None:
    weights = query_weights("上陸で土地")
    matched = index.matched(weights, 0)
    words_only = {t: w for t, w in weights.items() if not t.startswith(GRAM_MARK)}
    assert set(matched) >= {term for term in words_only if term in index.vocabulary}
    assert sum(index.matched(words_only, 0).values()) == pytest.approx(
        float(index.scores(words_only)[0]), rel=1e-5
    )


def test_an_entry_without_words_can_be_indexed(tmp_path) -> None:
    build_lexical([["…"], ["上陸"]], tmp_path / "l")
    assert int(LexicalIndex.load(tmp_path / "l").scores(query_weights("上陸")).argmax()) == 1
