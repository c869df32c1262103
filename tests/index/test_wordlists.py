"""Word lists: each word once, and how like a question is to each text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saitei.index import wordlists
from saitei.index.lexical import GRAM_MARK
from saitei.index.wordlists import WordLists

VOCABULARY = ["上陸", "土地", GRAM_MARK + "上陸", "誘発", "天気"]
RARITY = np.array([2.0, 1.0, 9.0, 1.0, 4.0], np.float32)
WORDS = st.lists(st.integers(0, 4), max_size=8)


def lists(*bags: list[int]) -> WordLists:
    return WordLists.of([np.array(bag, np.int32) for bag in bags], VOCABULARY)


def likeness(asked: list[int], *bags: list[int]) -> list[float]:
    known = np.array(asked, np.int32)
    weight = float(RARITY[known].sum())
    return lists(*bags).likeness(known, weight, RARITY, range(len(bags))).tolist()


def test_a_text_has_each_word_once_and_no_grams() -> None:
    found = lists([3, 0, 2, 0], [], [2])
    assert [found[text].tolist() for text in range(3)] == [[0, 3], [], []]


@given(st.lists(WORDS, max_size=7), st.integers(1, 3))
def test_texts_sorted_in_blocks_are_sorted_alike(texts: list[list[int]], block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wordlists, "_BLOCK", block)
        found = lists(*texts)
    expected = [sorted(set(text) - {2}) for text in texts]
    assert [found[text].tolist() for text in range(len(texts))] == expected


def test_shared_words_count_over_all_words_by_their_rarity() -> None:
    # 上陸 (2) is shared; 土地 (1) is asked alone, 誘発 (1) stands in the text alone.
    assert likeness([0, 1], [0, 3]) == pytest.approx([2 / 4])


def test_an_equal_text_is_wholly_alike_and_a_foreign_one_not_at_all() -> None:
    assert likeness([0, 1], [1, 0], [4], []) == pytest.approx([1, 0, 0])


def test_unknown_words_of_the_question_make_it_less_like() -> None:
    known = np.array([0], np.int32)
    [alike] = lists([0]).likeness(known, 2.0 + 6.0, RARITY, [0])
    assert alike == pytest.approx(2 / 8)


@given(asked=WORDS, texts=st.lists(WORDS, max_size=4))
def test_likeness_is_a_share(asked: list[int], texts: list[list[int]]) -> None:
    words = sorted({number for number in asked if number != 2})
    assert all(0 <= value <= 1 + 1e-6 for value in likeness(words, *texts))
