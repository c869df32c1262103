"""The nearest passages, grouped by entry."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from saitei.index import dense
from saitei.index.dense import WHOLE, DenseIndex, UnitIndex, build_dense, unit
from saitei.index.encoder import EncoderError

NOTHING = np.empty((0, 4), np.float32)


def load(tmp_path, vectors, entry_of) -> DenseIndex:
    step = build_dense(vectors, tmp_path / "d.faiss")
    mean = np.zeros(vectors.shape[1], np.float32)
    return DenseIndex.load(tmp_path / "d.faiss", step, np.asarray(entry_of, np.int32), mean)


def test_each_entry_stands_once_with_its_best_passage(tmp_path) -> None:
    vectors = unit(np.array([[1, 0], [0.9, 0.1], [0, 1], [0.6, 0.8]], np.float32))
    index = load(tmp_path, vectors, [7, 7, 3, 5])
    near = index.near(np.array([1, 0], np.float32), 4)
    assert near.entries.tolist() == [7, 5, 3]
    np.testing.assert_allclose(near.best, [1.0, 0.6, 0.0], atol=1e-6)


def test_several_near_passages_say_more_than_one(tmp_path) -> None:
    """Entry 1 has the nearest passage, entry 2 three that are nearly as near."""
    vectors = unit(np.array([[1, 0], [0, 1], [0, 1], [9, 1], [9, 1], [9, 2]], np.float32))
    near = load(tmp_path, vectors, [1, 1, 1, 2, 2, 2]).near(np.array([1, 0], np.float32), 6)
    assert near.entries.tolist() == [2, 1]
    np.testing.assert_allclose(near.pooled[1], 0.5 * 1 + 0.5 * (1 + 0 + 0) / 3, atol=1e-6)


def test_passages_out_of_reach_count_as_the_last_one_seen(tmp_path) -> None:
    vectors = unit(np.array([[1, 0], [0, 1], [4, 3]], np.float32))
    near = load(tmp_path, vectors, [1, 1, 2]).near(np.array([1, 0], np.float32), 2)
    pooled = dict(zip(near.entries.tolist(), near.pooled.tolist(), strict=True))
    assert pooled[1] == pytest.approx(0.5 * 1 + 0.5 * (1 + 0.8) / 2)


def test_the_query_mean_is_taken_off(tmp_path) -> None:
    vectors = unit(np.array([[1, 0], [0, 1]], np.float32))
    build_dense(vectors, tmp_path / "d.faiss")
    shift = np.array([5, 5], np.float32)
    index = DenseIndex.load(tmp_path / "d.faiss", 0.0, np.array([0, 1], np.int32), shift)
    near = index.near(index.centred(np.array([5, 6], np.float32)), 2)
    assert near.entries.tolist() == [1, 0]


def test_a_zero_vector_does_not_become_nan() -> None:
    assert not np.isnan(unit(np.zeros((1, 4), np.float32))).any()


def test_rows_can_be_scaled_where_they_are() -> None:
    vectors = np.array([[3, 4], [0, 2]], np.float32)
    assert unit(vectors, out=vectors) is vectors
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0, 1]])


def test_a_search_keeps_to_one_thread_in_any_thread(tmp_path) -> None:
    """faiss keeps its number of threads for each thread apart; a service searches in many."""
    import faiss

    vectors = unit(np.eye(4, dtype=np.float32))
    index = load(tmp_path, vectors, range(4))

    def search() -> int:
        index.near(vectors[0], 2)
        return int(faiss.omp_get_max_threads())

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(search).result() == 1


def test_bytes_agree_with_full_precision(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They find what exact search finds, and give the vectors back, on 300 random ones."""
    rng = np.random.default_rng(7)
    vectors = unit(rng.normal(size=(300, 32)).astype(np.float32))
    query = unit(rng.normal(size=32).astype(np.float32))
    exact = np.argsort(-(vectors @ query))[:10]
    monkeypatch.setattr(dense, "FLAT_LIMIT", 299)
    monkeypatch.setattr(dense, "_BLOCK", 7)
    index = load(tmp_path, vectors, range(300))
    near = index.near(query, 10)
    assert len(set(near.entries.tolist()) & set(exact.tolist())) >= 9
    np.testing.assert_allclose(near.best, vectors[near.entries] @ query, atol=0.01)
    restored = index.rows([(0, 300)])
    largest = np.abs(vectors).max(axis=1)
    within = largest <= np.quantile(largest, WHOLE)
    np.testing.assert_allclose(restored[within], vectors[within], atol=largest.max() / 250)
    assert np.abs(restored - vectors).max() > 0


@pytest.mark.parametrize("limit", [0, 100])
def test_passages_of_several_entries_come_in_the_order_asked_for(
    tmp_path, monkeypatch, limit: int
) -> None:
    vectors = unit(np.random.default_rng(5).normal(size=(9, 8)).astype(np.float32))
    monkeypatch.setattr(dense, "FLAT_LIMIT", limit)
    index = load(tmp_path, vectors, [0, 0, 1, 2, 2, 2, 3, 4, 4])
    spans = index.spans([4, 0, 2])
    assert spans == [(7, 9), (0, 2), (3, 6)]
    np.testing.assert_allclose(index.rows(spans), vectors[[7, 8, 0, 1, 3, 4, 5]], atol=0.02)


@pytest.mark.parametrize("dim", [3, 32, 40, 384])
def test_bytes_multiply_rounded_queries(dim: int) -> None:
    """Cosines are those of the rounded vectors, whatever else is asked in the same batch."""
    rng = np.random.default_rng(dim)
    index = UnitIndex.in_bytes(unit(rng.normal(size=(50, dim)).astype(np.float32)))
    queries = unit(rng.normal(size=(2, dim)).astype(np.float32)) * np.float32([[1], [1000]])
    steps = np.abs(queries).max(axis=1, keepdims=True) / 127
    expected = (np.rint(queries / steps) * steps) @ index.between([(0, 50)]).T
    cosines, rows = index.nearest(queries, 50)
    np.testing.assert_allclose(cosines, np.take_along_axis(expected, rows, 1), rtol=1e-4, atol=1e-6)


def test_one_lopsided_vector_does_not_make_the_others_coarser() -> None:
    rng = np.random.default_rng(3)
    vectors = unit(rng.normal(size=(3000, 64)).astype(np.float32))
    alone = UnitIndex.in_bytes(vectors).step
    vectors[7] = np.eye(64, dtype=np.float32)[0]
    assert UnitIndex.in_bytes(vectors).step == pytest.approx(alone, rel=0.05)


def test_fewer_vectors_than_asked_for_are_all_given() -> None:
    vectors = unit(np.eye(3, dtype=np.float32))
    for index in (UnitIndex.exact(vectors), UnitIndex.in_bytes(vectors)):
        cosines, rows = index.nearest(vectors[:2], 8)
        assert cosines.shape == rows.shape == (2, 3)
        assert (rows[:, 0].tolist(), cosines[:, 0].tolist()) == ([0, 1], [1.0, 1.0])


def test_nothing_is_near_in_an_empty_index() -> None:
    for index in (UnitIndex.exact(NOTHING), UnitIndex.in_bytes(NOTHING)):
        assert [part.shape for part in index.nearest(np.ones((2, 4), np.float32), 8)] == [
            (2, 0)
        ] * 2
        near = DenseIndex(index, np.empty(0, np.int32), np.zeros(4, np.float32))
        assert not len(near.near(np.ones(4, np.float32), 8).entries)


def test_vectors_that_are_no_numbers_are_refused(tmp_path) -> None:
    with pytest.raises(EncoderError, match="数でない"):
        build_dense(np.full((2, 4), np.nan, np.float32), tmp_path / "d.faiss")
    assert not (tmp_path / "d.faiss").exists()


def test_a_question_that_is_no_number_is_near_nothing(tmp_path) -> None:
    index = load(tmp_path, unit(np.eye(4, dtype=np.float32)), range(4))
    assert not len(index.near(np.full(4, np.nan, np.float32), 2).entries)
