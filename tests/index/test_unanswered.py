"""Questions known to have no answer: the nearest, and those about a card."""

import numpy as np
import pytest

from saitei.index.dense import unit
from saitei.index.unanswered import UnansweredIndex, save_unanswered
from saitei.index.wordlists import WordLists
from saitei.ingest.asked import Unanswered


@pytest.fixture
def stored(tmp_path):
    def run(vectors: np.ndarray, *about: str | None) -> UnansweredIndex:
        questions = [Unanswered(f"質問{row}", subject) for row, subject in enumerate(about)]
        words = WordLists.of([np.array([row], np.int32) for row in range(len(about))], ["a"] * 9)
        save_unanswered(tmp_path / "u.npz", vectors.astype(np.float32), questions, words)
        return UnansweredIndex.load(tmp_path / "u.npz")

    return run


def test_the_nearest_of_each_query_come_first(stored) -> None:
    index = stored(unit(np.array([[1.0, 0], [0, 1], [1, 1]])), None, None, None)
    cosines, rows = index.nearest(np.array([[1, 0], [0, 1]], np.float32), 2)
    assert rows.tolist() == [[0, 2], [1, 2]]
    np.testing.assert_allclose(cosines, [[1, 0.5**0.5]] * 2, atol=5e-3)


def test_there_are_no_more_than_there_are(stored) -> None:
    index = stored(np.eye(2), None, None)
    assert len(index) == 2
    assert index.nearest(np.eye(2, dtype=np.float32), 8)[0].shape == (2, 2)


def test_none_are_none(stored) -> None:
    assert len(stored(np.empty((0, 4)))) == 0


def test_a_cards_own_are_found_with_their_vectors(stored) -> None:
    index = stored(np.eye(4), "墓所這い", None, "墓所這い", "エーデリン")
    own = index.own(["墓所這い", "知らない"])
    assert own.tolist() == [0, 2]
    np.testing.assert_array_equal(index.vectors(own), np.eye(4)[[0, 2]])
    assert index.own(["知らない"]).tolist() == []
