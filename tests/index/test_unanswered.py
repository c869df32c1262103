"""Questions known to have no answer: the nearest."""

import numpy as np
import pytest

from saitei.index.dense import unit
from saitei.index.unanswered import UnansweredIndex, save_unanswered
from saitei.index.wordlists import WordLists


@pytest.fixture
def stored(tmp_path):
    def run(vectors: np.ndarray) -> UnansweredIndex:
        words = [np.array([row], np.int32) for row in range(len(vectors))]
        found = WordLists.of(words, ["a"] * 9)
        save_unanswered(tmp_path / "u.npz", vectors.astype(np.float32), found)
        return UnansweredIndex.load(tmp_path / "u.npz")

    return run


def test_the_nearest_of_each_query_come_first(stored) -> None:
    index = stored(unit(np.array([[1.0, 0], [0, 1], [1, 1]])))
    cosines, rows = index.nearest(np.array([[1, 0], [0, 1]], np.float32), 2)
    assert rows.tolist() == [[0, 2], [1, 2]]
    np.testing.assert_allclose(cosines, [[1, 0.5**0.5]] * 2, atol=5e-3)


def test_there_are_no_more_than_there_are(stored) -> None:
    index = stored(np.eye(2))
    assert len(index) == 2
    assert index.nearest(np.eye(2, dtype=np.float32), 8)[0].shape == (2, 2)


def test_none_are_none(stored) -> None:
    assert len(stored(np.empty((0, 4)))) == 0
