"""A small knowledge base of invented notes, and an encoder that needs no model."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from saitei.index.build import Packaged, build
from saitei.index.database import Contents
from saitei.index.retrieval import Searcher
from saitei.index.store import Store
from saitei.ingest.catalog import load_catalog
from saitei.ingest.notes import Note
from saitei.ingest.tokenise import ngrams, words

DIM = 64


class BagEncoder:
    """A hashed bag of terms: texts with common words are near. Counts what it is given."""

    def __init__(self, identity: str = "bag-1") -> None:
        self.identity = identity
        self.seen: list[str] = []

    def _encode(self, texts: Sequence[str]) -> np.ndarray:
        self.seen.extend(texts)
        rows = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in (*words(text), *ngrams(text)):
                row[int.from_bytes(hashlib.md5(term.encode()).digest()[:4], "big") % DIM] += 1
            row += 1e-3
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_query(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode(texts)

    def encode_document(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode(texts)


def note(
    number: int, mechanic: str, answer: str, *questions: str, rules: Sequence[str] = ("702.34a",)
) -> Note:
    return Note.model_validate(
        {
            "id": f"note-{number}",
            "rulings": [f"{number:012x}"],
            "subject": {"mechanic": mechanic},
            "questions": {"ja": list(questions), "en": []},
            "answer": answer,
            "because": "作り話の理由。",
            "rules": list(rules),
            "checked": "2025-02-07",
            "status": "current",
            "executable": "yes",
        }
    )


NOTES = (
    note(1, "flashback", "追放される。", "打ち消されたフラッシュバック呪文はどこへ行く？"),
    note(2, "landfall", "誘発する。", "土地を出したら上陸は誘発する？"),
    note(3, "kicker", "1回だけ。", "キッカーは何回払える？"),
    note(4, "decayed", "攻撃しなくてよい。", "腐乱持ちは必ず殴る？"),
)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> BagEncoder:
    bag = BagEncoder()
    monkeypatch.setattr("saitei.index.build.load_encoder", lambda name: bag)
    return bag


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def searcher(store: Store, encoder: BagEncoder) -> Searcher:
    with store.writing():
        generation = build(store, Contents(), Packaged(NOTES, (), "digest"), load_catalog())
    return Searcher(generation, load_catalog(), encoder)
