"""A build takes over what it can of the generation before, and leaves the process as it was."""

import gc
from pathlib import Path

import pytest

from saitei.index.build import Packaged, build, packaged_digest
from saitei.index.database import Contents
from saitei.index.store import Store, StoreError
from saitei.index.vectors import VectorCache, text_key
from saitei.ingest.catalog import load_catalog
from tests.index.conftest import NOTES, BagEncoder


def made(store: Store, *notes: int):
    packaged = Packaged(tuple(NOTES[number] for number in notes), (), "digest")
    with store.writing():
        return build(store, Contents(), packaged, load_catalog())


def test_only_new_texts_are_encoded(store: Store, encoder: BagEncoder) -> None:
    made(store, 0, 1)
    encoder.seen.clear()
    made(store, 0, 1, 2)
    assert {text.partition(": ")[2] for text in encoder.seen} == {
        "キッカーは何回払える？",
        "1回だけ。作り話の理由。",
    }


def test_a_generation_keeps_no_vector_of_a_text_that_is_gone(
    store: Store, encoder: BagEncoder
) -> None:
    made(store, 0, 1)
    gone = set(encoder.seen)
    encoder.seen.clear()
    after = made(store, 2)
    kept = VectorCache.load(after.path / "vectors.npz", encoder.identity)
    assert all(text_key("document", text) in kept for text in encoder.seen)
    assert not any(text_key("document", text) in kept for text in gone)


def test_garbage_is_collected_as_before(store: Store, encoder: BagEncoder, monkeypatch) -> None:
    before = gc.get_threshold()
    made(store, 0)
    assert gc.get_threshold() == before
    monkeypatch.setattr("saitei.index.build.build_lexical", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        made(store, 0)
    assert gc.get_threshold() == before


@pytest.mark.parametrize("changed", ["glossary.tsv", "facts/cards.tsv", "model/kana/names.tsv"])
def test_what_is_packaged_is_told_by_all_that_is_read_from_it(tmp_path: Path, changed: str) -> None:
    path = tmp_path / changed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a\n", "utf-8")
    before = packaged_digest(tmp_path)
    path.write_text("b\n", "utf-8")
    assert packaged_digest(tmp_path) != before
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match=f"{path}: 読めません"):
        packaged_digest(tmp_path)
