"""Vectors by text, so that no text is encoded twice by the same encoder.

A cache file holds, for one encoder, the first eight bytes of SHA-256 of each (role, text) and its
vector in half precision. The packaged one lets a fresh machine start without loading an encoder;
each generation keeps its own, which makes the next build cost only what is new.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import Encoder, Vectors

Role = Literal["query", "document"]
Progress = Callable[[int, int], None]
"""Called with texts encoded so far and texts to encode in all."""

Keys = NDArray[np.uint64]
Number = TypeVar("Number", np.float16, np.float32)

BATCH = 32
_BLOCK = 1 << 14
"""Rows gathered at once, so that no second copy of all of them is made."""
_NO_KEYS = np.empty(0, np.uint64)


def text_key(role: Role, text: str) -> int:
    """The key of a text: 64 bits, so that any two of 10^6 texts collide with odds of 3 in 10^8."""
    digest = hashlib.sha256(f"{role}\n{text}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


@dataclass(frozen=True, slots=True)
class _Layer:
    """Rows of ``vectors`` by ``keys``, which are sorted."""

    keys: Keys
    vectors: NDArray[np.float16]

    def places(self, keys: Keys) -> NDArray[np.int64]:
        """The row of each key, -1 where there is none."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, places, -1)


class VectorCache:
    """Known vectors of one encoder."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self._layers: list[_Layer] = []
        self.used: set[int] = set()
        """Keys of the texts whose vectors were asked for."""

    def __contains__(self, key: int) -> bool:
        return bool(self._known(np.array([key], np.uint64)).all())

    @classmethod
    def load(cls, path: Path, identity: str) -> "VectorCache":
        """The cache in ``path``; empty when the file is missing, damaged or another encoder's."""
        cache = cls(identity)
        try:
            with np.load(path, allow_pickle=False) as stored:
                if str(stored["identity"]) == identity:
                    keys = np.asarray(stored["keys"], np.uint64)
                    cache._add(keys, np.asarray(stored["vectors"], np.float16))
        except (OSError, EOFError, ValueError, KeyError, BadZipFile):
            # What it would have saved is encoded again.
            return cls(identity)
        return cache

    def save(self, path: Path, only: Iterable[int] | None = None) -> None:
        """Write all that is known, or what is known of ``only`` these keys, in order of keys.
        Raises ``OSError``."""
        if only is None:
            keys = np.concatenate([_NO_KEYS, *(layer.keys for layer in self._layers)])
        else:
            keys = np.fromiter(only, np.uint64)
            keys = keys[self._known(keys)]
        keys = np.unique(keys)
        vectors = self._gathered(keys, np.float16)
        np.savez(path, identity=np.array(self.identity), keys=keys, vectors=vectors)

    def update(self, other: "VectorCache") -> None:
        """Take over what another cache of the same encoder knows. Vectors of another size are of
        no use beside these, and are encoded again."""
        if other.identity == self.identity and other._dim in (0, self._dim or other._dim):
            self._layers += other._layers

    def encode(
        self,
        encoder: Encoder,
        role: Role,
        texts: Sequence[str],
        progress: Progress | None = None,
    ) -> Vectors:
        """Vectors of ``texts``, shape ``(len(texts), dim)``; the encoder sees only unknown ones."""
        known_by = [text_key(role, text) for text in texts]
        self.used.update(known_by)
        keys = np.array(known_by, np.uint64)
        missing = {known_by[row]: texts[row] for row in np.flatnonzero(~self._known(keys)).tolist()}
        # Texts of like length together: a batch is as slow as its longest text.
        todo = sorted(missing.items(), key=lambda item: len(item[1]))
        encode = encoder.encode_query if role == "query" else encoder.encode_document
        batches = []
        for start in range(0, len(todo), BATCH):
            batch = todo[start : start + BATCH]
            batches.append(encode([text for _, text in batch]).astype(np.float16))
            if progress is not None:
                progress(start + len(batch), len(todo))
        if batches:
            self._add(np.array([key for key, _ in todo], np.uint64), np.concatenate(batches))
        return self._gathered(keys, np.float32)

    @property
    def _dim(self) -> int:
        return self._layers[0].vectors.shape[1] if self._layers else 0

    def _add(self, keys: Keys, vectors: NDArray[np.float16]) -> None:
        if keys.ndim != 1 or vectors.ndim != 2 or len(keys) != len(vectors):
            raise ValueError(f"keys of shape {keys.shape} for vectors of shape {vectors.shape}")
        if len(keys):
            if not (keys[:-1] <= keys[1:]).all():
                order = np.argsort(keys, kind="stable")
                keys, vectors = keys[order], vectors[order]
            self._layers.append(_Layer(keys, vectors))

    def _known(self, keys: Keys) -> NDArray[np.bool_]:
        known = np.zeros(len(keys), np.bool_)
        for layer in self._layers:
            known |= layer.places(keys) >= 0
        return known

    def _gathered(self, keys: Keys, dtype: type[Number]) -> NDArray[Number]:
        """Rows by their keys, which are all known."""
        out = np.empty((len(keys), self._dim), dtype)
        for start in range(0, len(keys), _BLOCK):
            block = out[start : start + _BLOCK]
            for layer in reversed(self._layers):
                places = layer.places(keys[start : start + _BLOCK])
                block[places >= 0] = layer.vectors[places[places >= 0]]
        return out
