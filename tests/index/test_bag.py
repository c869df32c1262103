"""The query model as numpy reads it is the model that sentence-transformers reads."""

from pathlib import Path

import numpy as np
import pytest

from saitei.index import bag as bags
from saitei.index.bag import TermBag, packaged_bag
from saitei.index.distil import Lesson, save, train
from saitei.index.encoder import EncoderError

VOCABULARY = ("上陸", "誘発", "腐乱", "攻撃", "{2}", "702.34a")
DIM = 16


@pytest.fixture
def table() -> np.ndarray:
    return np.random.default_rng(3).normal(size=(len(VOCABULARY), DIM)).astype(np.float32)


@pytest.fixture
def bag(tmp_path: Path, table: np.ndarray) -> TermBag:
    pytest.importorskip("sentence_transformers")
    save(VOCABULARY, table, tmp_path / "query")
    return TermBag.load(tmp_path / "query", "teacher-1")


def test_both_readers_give_the_same_vector(bag: TermBag, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(tmp_path / "query"), device="cpu")
    for terms in (["上陸", "誘発"], ["{2}", "702.34a", "{2}"], ["腐乱", "見知らぬ語", "攻撃"]):
        [theirs] = model.encode([" ".join(terms)])
        ours = bag.vector(terms)
        assert ours is not None
        np.testing.assert_allclose(ours, theirs, atol=2e-3)


def test_unknown_terms_alone_have_no_vector(bag: TermBag) -> None:
    assert bag.vector(["見知らぬ語"]) is None
    assert bag.vector([]) is None


def test_new_terms_point_to_the_passages_they_stand_in(bag: TermBag, tmp_path: Path) -> None:
    passages = np.eye(2, DIM, dtype=np.float32)
    bags = [np.array([0, 2], np.int32), np.array([1, 1], np.int32)]
    learnt = bag.learn(["亀", "鶴", "上陸", "絶滅した語"], bags, passages)
    assert set(learnt.rows) == {"亀", "鶴"}
    learnt.save_terms(tmp_path / "terms.npz")
    wider = bag.with_terms(tmp_path / "terms.npz")
    for term, passage in (("亀", 0), ("鶴", 1)):
        vector = wider.vector([term])
        assert vector is not None
        np.testing.assert_allclose(vector, passages[passage], atol=1e-3)
    np.testing.assert_array_equal(wider.vector(["上陸"]), bag.vector(["上陸"]))


def test_directions_stay_when_words_are_learnt(bag: TermBag, tmp_path: Path) -> None:
    passages = np.eye(1, DIM, dtype=np.float32)
    bag.learn(["亀"], [np.array([0], np.int32)], passages).save_terms(tmp_path / "terms.npz")
    wider = bag.with_terms(tmp_path / "terms.npz")
    np.testing.assert_array_equal(wider.directions, bag.directions)
    np.testing.assert_allclose(wider.reduced[: len(bag.vectors)], bag.reduced, atol=1e-6)


def test_few_dimensions_keep_what_tells_words_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that differ in two directions only keep their cosines in two dimensions."""
    monkeypatch.setattr(bags, "REDUCED", 2)
    rng = np.random.default_rng(4)
    vectors = (rng.normal(size=(40, 2)) @ rng.normal(size=(2, DIM))).astype(np.float32)
    flat = TermBag("teacher-1", {str(row): row for row in range(40)}, vectors)
    assert flat.reduced.shape == (40, 2)
    cosines = flat.units @ flat.units.T
    np.testing.assert_allclose(flat.reduced @ flat.reduced.T, cosines, atol=1e-5)


def test_a_passage_without_terms_teaches_nothing(bag: TermBag) -> None:
    empty, one = np.empty(0, np.int32), np.array([0], np.int32)
    passages = np.eye(3, DIM, dtype=np.float32)
    learnt = bag.learn(["亀"], [empty, one, empty], iter(passages))
    vector = learnt.vector(["亀"])
    assert vector is not None
    np.testing.assert_allclose(vector, passages[1], atol=1e-3)
    assert bag.learn([], [], iter(())).rows == {}


def test_no_new_term_changes_nothing(bag: TermBag, tmp_path: Path) -> None:
    learnt = bag.learn(["上陸"], [np.array([0], np.int32)], np.eye(1, DIM, dtype=np.float32))
    learnt.save_terms(tmp_path / "terms.npz")
    assert bag.with_terms(tmp_path / "terms.npz").rows == bag.rows


@pytest.mark.parametrize("broken", ["tokenizer.json", "model.safetensors"])
def test_a_broken_model_is_told_by_name(bag: TermBag, tmp_path: Path, broken: str) -> None:
    (tmp_path / "query" / broken).write_bytes(b"\0\0")
    with pytest.raises(EncoderError, match="query"):
        TermBag.load(tmp_path / "query", "teacher-1")


@pytest.mark.parametrize("manifest", ["", "[]", "{}"])
def test_a_broken_manifest_is_told_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifest: str
) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    monkeypatch.setattr(bags, "MANIFEST", tmp_path / "manifest.json")
    monkeypatch.setattr(bags, "MODEL", tmp_path)
    packaged_bag.cache_clear()
    with pytest.raises(EncoderError, match=r"manifest\.json"):
        packaged_bag()


def test_training_is_repeatable_and_leads_questions_to_their_passages(table: np.ndarray) -> None:
    pytest.importorskip("torch")
    passages = np.eye(2, DIM, dtype=np.float32)
    lessons = [
        Lesson(("上陸", "誘発"), None, (0,), ()),
        Lesson(("腐乱", "攻撃"), None, (1,), ()),
    ]
    first = train(VOCABULARY, 1e-3 * table, passages, lessons)
    np.testing.assert_array_equal(first, train(VOCABULARY, 1e-3 * table, passages, lessons))
    assert (first[0] @ passages.T).argmax() == 0
    assert (first[2] @ passages.T).argmax() == 1
    np.testing.assert_array_equal(first[4], np.float32(1e-3) * table[4])
