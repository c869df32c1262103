"""BM25 scores are those of bm25s, term by term, and can be explained."""

from pathlib import Path

import bm25s
import numpy as np
import pytest

from saitei.index import lexical
from saitei.index.lexical import (
    GRAM_MARK,
    K1,
    B,
    LexicalIndex,
    build_lexical,
    term_weights,
    terms,
)
from saitei.index.termcache import TermCache

TEXTS = [
    "土地が出ると上陸が誘発する",
    "フラッシュバックで唱えた呪文は追放",
    "+1/+1カウンターを置く",
]


def build(folder: Path) -> LexicalIndex:
    tokens = TermCache()
    bags = [tokens.ids(text) for text in TEXTS]
    build_lexical(bags, tokens.vocabulary, folder / "lexical")
    return LexicalIndex.load(folder / "lexical")


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return build(tmp_path)


@pytest.mark.parametrize("block", [5, 1 << 18])
def test_scores_equal_those_of_bm25s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Whether they are computed in one block or in several."""
    monkeypatch.setattr(lexical, "_BLOCK", block)
    index = build(tmp_path)
    reference = bm25s.BM25(k1=K1, b=B, method="lucene")
    reference.index([terms(text) for text in TEXTS], show_progress=False)
    query = [
        term for term in dict.fromkeys(terms("上陸は土地で誘発する？")) if term in index.vocabulary
    ]
    expected = reference.get_scores(query)
    np.testing.assert_allclose(
        index.look_up(dict.fromkeys(query, 1.0)).totals(), expected, rtol=1e-5
    )


def test_the_text_that_shares_words_scores_highest(index: LexicalIndex) -> None:
    for number, question in enumerate(
        ["上陸はいつ誘発", "フラッシュバック呪文の行き先", "＋１/＋１カウンター"]
    ):
        assert int(index.look_up(term_weights(terms(question))).totals().argmax()) == number


def test_unknown_words_score_nothing_and_raise_the_ideal(index: LexicalIndex) -> None:
    unknown = index.look_up({"天気": 1.0})
    assert not unknown.totals().any()
    assert unknown.ideal == pytest.approx(index.rarest)
    assert index.look_up({}).ideal == 0.0


def test_the_ideal_is_every_word_at_its_best(index: LexicalIndex) -> None:
    known = index.look_up({"上陸": 1.0})
    assert known.ideal == pytest.approx(float(known.totals().max()))
    assert index.look_up({"上陸": 1.0, "天気": 1.0}).ideal == pytest.approx(
        known.ideal + index.rarest
    )


def test_the_rarest_missing_word_counts(index: LexicalIndex) -> None:
    assert index.missing(["天気"], [0, 1]) == pytest.approx([1.0, 1.0])
    with_it, without = index.missing(["上陸"], [0, 1])
    assert with_it == 0.0 < without < 1
    # Each text lacks one of the two, and both words are equally rare.
    first, second = index.missing(["上陸", "フラッシュバック"], [0, 1])
    assert first == pytest.approx(second)
    assert 0 < first < 1
    assert index.missing([], [0]) == pytest.approx([0.0])


def test_rarity_is_the_logarithm_of_texts_over_those_that_have_the_word(
    index: LexicalIndex,
) -> None:
    in_one_of_three = index.rarities[index.vocabulary["上陸"]]
    assert in_one_of_three == pytest.approx(np.log1p(3 / 1.5))
    assert in_one_of_three < index.rarest_word == pytest.approx(np.log1p(3 / 0.5))


def test_a_term_that_no_text_has_any_more_is_unknown(tmp_path) -> None:
    tokens = TermCache()
    tokens.ids("天気")
    build_lexical([tokens.ids("上陸")], tokens.vocabulary, tmp_path / "l")
    index = LexicalIndex.load(tmp_path / "l")
    assert index.look_up({"天気": 1.0}).ideal == pytest.approx(index.rarest)
    assert index.missing(["天気"], [0]) == pytest.approx([1.0])


def test_matched_terms_add_up_to_the_score(index: LexicalIndex) -> None:
    weights = term_weights(terms("上陸で土地"))
    matched = index.look_up(weights).matched([0])[0]
    words_only = {t: w for t, w in weights.items() if not t.startswith(GRAM_MARK)}
    assert set(matched) >= {term for term in words_only if term in index.vocabulary}
    assert sum(index.look_up(words_only).matched([0])[0].values()) == pytest.approx(
        float(index.look_up(words_only).totals()[0]), rel=1e-5
    )


def test_an_entry_without_words_can_be_indexed(tmp_path) -> None:
    tokens = TermCache()
    bags = [tokens.ids("…"), tokens.ids("上陸")]
    build_lexical(bags, tokens.vocabulary, tmp_path / "l")
    assert (
        int(
            LexicalIndex.load(tmp_path / "l").look_up(term_weights(terms("上陸"))).totals().argmax()
        )
        == 1
    )
