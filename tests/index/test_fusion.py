"""Words, meaning and names in one order."""

import numpy as np
import pytest

from saitei.index.dense import Near
from saitei.index.fusion import CANDIDATES, DENSE_WEIGHT, LEXICAL_WEIGHT, LINK_WEIGHT, fuse


def near(**cosines: float) -> Near:
    entries = np.array([int(name[1:]) for name in cosines], np.int32)
    values = np.array(list(cosines.values()), np.float32)
    return Near(entries, values, values)


NOTHING_NEAR = near()


def test_a_score_is_the_weighted_sum_with_words_beside_the_best() -> None:
    lexical = np.array([0.0, 8.0, 4.0, 0.0], np.float32)
    scores = dict(fuse(lexical, near(e1=0.5, e3=0.25), {2: 1.0}))
    assert scores == {
        1: pytest.approx(LEXICAL_WEIGHT + DENSE_WEIGHT * 0.5),
        2: pytest.approx(LEXICAL_WEIGHT / 2 + LINK_WEIGHT),
        3: pytest.approx(DENSE_WEIGHT * 0.25),
    }


def test_the_best_come_first_and_equals_in_order_of_entries() -> None:
    ranked = fuse(np.array([1.0, 2.0, 1.0], np.float32), NOTHING_NEAR, {})
    assert [number for number, _ in ranked] == [1, 0, 2]


def test_words_put_forward_no_more_than_the_candidates() -> None:
    lexical = np.arange(1, CANDIDATES + 51, dtype=np.float32)
    numbers = [number for number, _ in fuse(lexical, NOTHING_NEAR, {})]
    assert numbers == list(range(CANDIDATES + 49, 49, -1))


def test_nothing_found_is_an_empty_order() -> None:
    assert fuse(np.zeros(5, np.float32), NOTHING_NEAR, {}) == []
    assert fuse(np.empty(0, np.float32), NOTHING_NEAR, {}) == []
