"""No text is encoded twice by the same encoder."""

import numpy as np
import pytest

from saitei.index import vectors
from saitei.index.vectors import VectorCache, text_key
from tests.index.conftest import DIM, BagEncoder


def test_the_encoder_sees_each_text_once(tmp_path) -> None:
    encoder, cache = BagEncoder(), VectorCache("bag-1")
    first = cache.encode(encoder, "document", ["上陸", "腐乱", "上陸"])
    again = cache.encode(encoder, "document", ["腐乱", "上陸"])
    assert sorted(encoder.seen) == ["上陸", "腐乱"]
    np.testing.assert_array_equal(first[[1, 0]], again)


def test_query_and_document_are_different_texts() -> None:
    encoder, cache = BagEncoder(), VectorCache("bag-1")
    cache.encode(encoder, "document", ["上陸"])
    cache.encode(encoder, "query", ["上陸"])
    assert encoder.seen == ["上陸", "上陸"]
    assert text_key("query", "上陸") != text_key("document", "上陸")


def test_a_saved_cache_serves_the_same_encoder_only(tmp_path) -> None:
    path = tmp_path / "v.npz"
    cache = VectorCache("bag-1")
    cache.encode(BagEncoder(), "document", ["上陸"])
    cache.save(path)
    same, other = BagEncoder(), BagEncoder("bag-2")
    VectorCache.load(path, "bag-1").encode(same, "document", ["上陸"])
    VectorCache.load(path, "bag-2").encode(other, "document", ["上陸"])
    assert same.seen == []
    assert other.seen == ["上陸"]


def test_what_was_not_asked_for_can_be_left_out(tmp_path) -> None:
    cache = VectorCache("bag-1")
    cache.encode(BagEncoder(), "document", ["上陸", "腐乱"])
    cache.save(tmp_path / "1.npz")
    second = VectorCache.load(tmp_path / "1.npz", "bag-1")
    second.encode(BagEncoder(), "document", ["腐乱"])
    second.save(tmp_path / "2.npz", second.used)
    kept = VectorCache.load(tmp_path / "2.npz", "bag-1")
    assert text_key("document", "腐乱") in kept
    assert text_key("document", "上陸") not in kept


def test_what_is_known_here_goes_before_what_another_cache_knows(tmp_path) -> None:
    mine, other = VectorCache("bag-1"), VectorCache("bag-1")
    ours = mine.encode(BagEncoder(), "document", ["上陸"])
    away = BagEncoder()
    away.encode_document = lambda texts: np.ones((len(texts), DIM), np.float32)
    other.encode(away, "document", ["上陸", "腐乱"])
    mine.update(other)
    both = mine.encode(BagEncoder(), "document", ["腐乱", "上陸"])
    np.testing.assert_array_equal(both, np.stack([np.ones(DIM), ours[0]]))
    mine.save(tmp_path / "v.npz")
    kept = VectorCache.load(tmp_path / "v.npz", "bag-1")
    np.testing.assert_array_equal(kept.encode(BagEncoder(), "document", ["腐乱", "上陸"]), both)


def test_many_are_gathered_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{number}枚引く" for number in range(7)]
    whole = VectorCache("bag-1").encode(BagEncoder(), "document", texts)
    monkeypatch.setattr(vectors, "_BLOCK", 3)
    cache = VectorCache("bag-1")
    cache.encode(BagEncoder(), "document", texts[::2])
    np.testing.assert_array_equal(cache.encode(BagEncoder(), "document", texts), whole)


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (np.array([1, 2], np.uint64), np.ones((3, DIM), np.float16)),
        (np.array([1, 2], np.uint64), np.ones(2, np.float16)),
        (np.array([[1, 2]], np.uint64), np.ones((1, DIM), np.float16)),
        (np.array("x"), np.ones((1, DIM), np.float16)),
    ],
)
def test_a_cache_of_another_form_is_an_empty_one(tmp_path, keys, found) -> None:
    np.savez(tmp_path / "v.npz", identity=np.array("bag-1"), keys=keys, vectors=found)
    encoder = BagEncoder()
    VectorCache.load(tmp_path / "v.npz", "bag-1").encode(encoder, "query", ["上陸"])
    assert encoder.seen == ["上陸"]


def test_vectors_of_another_size_are_not_taken_over() -> None:
    cache, other = VectorCache("bag-1"), VectorCache("bag-1")
    cache.encode(BagEncoder(), "document", ["上陸"])
    wide = BagEncoder()
    wide.encode_document = lambda texts: np.ones((len(texts), 2 * DIM), np.float32)
    other.encode(wide, "document", ["腐乱"])
    cache.update(other)
    assert cache.encode(BagEncoder(), "document", ["上陸", "腐乱"]).shape == (2, DIM)


def test_no_texts_make_no_vectors() -> None:
    assert VectorCache("bag-1").encode(BagEncoder(), "document", []).size == 0


def test_an_empty_cache_can_be_saved(tmp_path) -> None:
    VectorCache("bag-1").save(tmp_path / "v.npz")
    assert VectorCache.load(tmp_path / "v.npz", "bag-1").encode(
        BagEncoder(), "query", ["a"]
    ).shape == (1, DIM)


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04 half a zip"])
def test_a_damaged_cache_is_an_empty_one(tmp_path, content: bytes) -> None:
    (tmp_path / "v.npz").write_bytes(content)
    encoder = BagEncoder()
    VectorCache.load(tmp_path / "v.npz", "bag-1").encode(encoder, "query", ["上陸"])
    assert encoder.seen == ["上陸"]
