"""Vectors by text, so that no text is encoded twice by the same encoder.

A cache file holds, for one encoder, the first eight bytes of SHA-256 of each (role, text) and its
vector in half precision. The packaged one lets a fresh machine start without loading an encoder;
each generation keeps its own, which makes the next build cost only what is new.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import Encoder, Vectors

Role = Literal["query", "document"]
Progress = Callable[[int, int], None]
"""Called with texts encoded so far and texts to encode in all."""

BATCH = 32


def text_key(role: Role, text: str) -> int:
    """The key of a text: 64 bits, so that any two of 10^6 texts collide with odds of 3 in 10^8."""
    digest = hashlib.sha256(f"{role}\n{text}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


class VectorCache:
    """Known vectors of one encoder."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._rows: dict[int, NDArray[np.float16]] = {}
        self.used: set[int] = set()
        """Keys of the texts whose vectors were asked for."""

    def __contains__(self, key: int) -> bool:
        return key in self._rows

    @classmethod
    def load(cls, path: Path, identity: str) -> "VectorCache":
        """The cache in ``path``; empty when the file is missing, damaged or another encoder's."""
        cache = cls(identity)
        try:
            with np.load(path, allow_pickle=False) as stored:
                if str(stored["identity"]) == identity:
                    keys, vectors = stored["keys"], stored["vectors"]
                    cache._rows = dict(zip(keys.tolist(), vectors, strict=True))
        except (OSError, EOFError, ValueError, KeyError, BadZipFile):
            # What it would have saved is encoded again.
            return cls(identity)
        return cache

    def save(self, path: Path) -> None:
        """Write all that is known, in order of keys. Raises ``OSError``."""
        keys = np.fromiter(sorted(self._rows), dtype=np.uint64, count=len(self._rows))
        vectors = np.stack([self._rows[int(key)] for key in keys]) if len(keys) else np.empty((0,))
        np.savez(path, identity=np.array(self.identity), keys=keys, vectors=vectors)

    def update(self, other: "VectorCache") -> None:
        """Take over what another cache of the same encoder knows."""
        if other.identity == self.identity:
            self._rows = {**other._rows, **self._rows}

    def kept(self, keys: Iterable[int]) -> "VectorCache":
        """A cache of only these keys."""
        cache = VectorCache(self.identity)
        cache._rows = {key: self._rows[key] for key in keys if key in self._rows}
        return cache

    def encode(
        self,
        encoder: Encoder,
        role: Role,
        texts: Sequence[str],
        progress: Progress | None = None,
    ) -> Vectors:
        """Vectors of ``texts``, shape ``(len(texts), dim)``; the encoder sees only unknown ones."""
        keys = [text_key(role, text) for text in texts]
        self.used.update(keys)
        missing = {k: t for k, t in zip(keys, texts, strict=True) if k not in self._rows}
        # Texts of like length together: a batch is as slow as its longest text.
        todo = sorted(missing.items(), key=lambda item: len(item[1]))
        encode = encoder.encode_query if role == "query" else encoder.encode_document
        for start in range(0, len(todo), BATCH):
            batch = todo[start : start + BATCH]
            vectors = encode([text for _, text in batch]).astype(np.float16)
            self._rows.update(zip((key for key, _ in batch), vectors, strict=True))
            if progress is not None:
                progress(start + len(batch), len(todo))
        if not keys:
            return np.empty((0, 0), dtype=np.float32)
        return np.stack([self._rows[key] for key in keys], dtype=np.float32)
