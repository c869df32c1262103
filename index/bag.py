"""Questions into the passage encoder's space without running it: a sum of term vectors.

The model under ``data/model/query`` is a sentence-transformers stack (StaticEmbedding, Normalize),
distilled from one passage encoder by `saitei.index.distil`. Serving reads its two files with numpy
alone: importing torch costs seconds, and one question takes microseconds here where the encoder
takes tens of milliseconds. Its tokenizer splits at spaces: texts go in as `terms` of
`saitei.index.lexical`, joined by spaces, which lexical search needs anyway.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.data import PATH as DATA
from saitei.index.dense import unit
from saitei.index.encoder import EncoderError, Vectors
from saitei.index.lexical import GRAM_MARK, GRAM_WEIGHT

MODEL = DATA / "model" / "query"
MANIFEST = DATA / "model" / "manifest.json"
TERMS = "terms.npz"
"""A generation's vectors of words that only its documents have."""
LEARNT = 2.0
"""Length of a term learnt from passages alone, over the median of trained ones."""
REDUCED = 96
"""Dimensions that words are compared in, of the 384 that passages have: most of what a
search waits for is memory."""
SAMPLED = 4_000
"""Terms, at least, that the directions are taken from, where there are so many."""
_BLOCK = 1 << 14
_DTYPES = {"F32": np.float32, "F16": np.float16}


@dataclass(frozen=True)
class TermBag:
    """Term vectors of one passage encoder. ``teacher``: identity of that encoder; ``learnt``: how
    many rows, the last ones, `with_terms` has added."""

    teacher: str
    rows: dict[str, int]
    vectors: NDArray[np.float16] | NDArray[np.float32]
    learnt: int = 0

    def vector(self, terms: Sequence[str]) -> Vectors | None:
        """Unit vector of shape ``(dim,)`` in the centred passage space; None if no term is known.

        "Centred": the mean question is already taken off, so `DenseIndex` must not do it again.
        """
        rows = [row for term in terms if (row := self.rows.get(term)) is not None]
        if not rows:
            return None
        return unit(self.vectors[rows].astype(np.float32).sum(axis=0))

    def learn(
        self,
        vocabulary: Sequence[str],
        bags: Sequence[NDArray[np.int32]],
        passages: Iterable[Vectors],
    ) -> "TermBag":
        """Vectors for the terms of new passages that the model does not know.

        Each points to the mean of the passages it stands in, `LEARNT` times as long as the median
        of the model's own: words of a new document are mostly names, which decide. On documents
        held out of training this brought the model near the encoder itself (docs/evaluation.md).
        ``bags``: places in ``vocabulary``; ``passages``: a centred unit vector for each bag.
        """
        there = np.concatenate([np.empty(0, np.int32), *bags])
        unknown = np.bincount(there, minlength=len(vocabulary)) > 0
        unknown &= np.array([term not in self.rows for term in vocabulary], np.bool_)
        hits = np.flatnonzero(unknown[there])
        place = (np.cumsum(unknown) - 1)[there[hits]]
        ends = np.searchsorted(hits, np.cumsum([len(bag) for bag in bags]))
        table = np.zeros((int(unknown.sum()), self.vectors.shape[1]), np.float32)
        for (start, end), vector in zip(pairwise([0, *ends.tolist()]), passages, strict=True):
            # A repeated index is added to once: a term counts once in a passage.
            table[place[start:end]] += vector
        terms = [vocabulary[number] for number in np.flatnonzero(unknown).tolist()]
        weights = [GRAM_WEIGHT if t.startswith(GRAM_MARK) else 1.0 for t in terms]
        unit(table, out=table)
        table *= LEARNT * self._median * np.array(weights, np.float32)[:, np.newaxis]
        rows = {term: row for row, term in enumerate(terms)}
        return TermBag(self.teacher, rows, table.astype(np.float16))

    @cached_property
    def lengths(self) -> Vectors:
        """Of the term vectors, shape ``(terms,)``: how much a term says."""
        return np.concatenate(
            [np.empty(0, np.float32), *(np.linalg.norm(one, axis=1) for one in self._blocks())]
        )

    @property
    def units(self) -> Vectors:
        """The term vectors scaled to length one, shape ``(terms, dim)``; made anew each time."""
        return unit(self.vectors.astype(np.float32))

    def times(self, matrix: Vectors) -> Vectors:
        """The term vectors by a ``matrix`` of shape ``(dim, width)``: shape ``(terms, width)``.

        Words of documents may be a million: their vectors are not made wider all at once.
        """
        out = np.empty((len(self.vectors), matrix.shape[1]), np.float32)
        for number, block in enumerate(self._blocks()):
            np.matmul(block, matrix, out=out[number * _BLOCK : (number + 1) * _BLOCK])
        return out

    def _blocks(self) -> Iterator[Vectors]:
        for start in range(0, len(self.vectors), _BLOCK):
            yield self.vectors[start : start + _BLOCK].astype(np.float32)

    @cached_property
    def directions(self) -> Vectors:
        """Those in which the model's own vectors differ most, shape ``(dim, REDUCED)``: the first
        right singular vectors of some of them. They stay what they are when words are learnt."""
        own = len(self.vectors) - self.learnt
        some = unit(self.vectors[: own : max(1, own // SAMPLED)].astype(np.float32))
        return np.ascontiguousarray(np.linalg.eigh(some.T @ some)[1][:, : -REDUCED - 1 : -1])

    @cached_property
    def reduced(self) -> Vectors:
        """The term vectors in these directions, scaled to length one; ``(terms, REDUCED)``."""
        found = self.times(self.directions)
        return unit(found, out=found)

    @cached_property
    def _median(self) -> float:
        return float(np.median(self.lengths))

    def with_terms(self, path: Path) -> "TermBag":
        """This model and the terms that `save_terms` wrote to ``path``."""
        with np.load(path, allow_pickle=False) as stored:
            start = len(self.vectors)
            added = {str(term): start + n for n, term in enumerate(stored["terms"])}
            if not added:
                return self
            vectors = np.concatenate([np.asarray(self.vectors), stored["vectors"]])
        return TermBag(self.teacher, {**added, **self.rows}, vectors, self.learnt + len(added))

    def save_terms(self, path: Path) -> None:
        """Write the terms and their vectors for `with_terms`. Raises ``OSError``."""
        np.savez(path, terms=np.array(list(self.rows), dtype=np.str_), vectors=self.vectors)

    @classmethod
    def load(cls, folder: Path, teacher: str) -> "TermBag":
        """The stack saved in ``folder``. Raises `EncoderError`."""
        try:
            rows = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
            vectors = read_tensor(folder / "model.safetensors", "embedding.weight")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EncoderError(f"{folder}: 質問用のモデルとして読めません: {error}") from None
        return cls(teacher, rows, vectors)


def read_tensor(path: Path, name: str) -> NDArray[np.float16] | NDArray[np.float32]:
    """One tensor of a safetensors file, memory-mapped: eight bytes of header length (little
    endian), a JSON header with offsets, then raw data (github.com/huggingface/safetensors).

    Raises ``OSError``, ``KeyError`` or ``ValueError``.
    """
    with path.open("rb") as handle:
        length = int.from_bytes(handle.read(8), "little")
        header = json.loads(handle.read(min(length, path.stat().st_size)))[name]
    start, end = header["data_offsets"]
    dtype = np.dtype(_DTYPES[header["dtype"]])
    shape = tuple(header["shape"])
    if int(np.prod(shape)) * dtype.itemsize != end - start:
        raise ValueError(f"tensor '{name}' does not fill its place")
    return np.memmap(path, dtype=dtype, mode="r", offset=8 + length + start, shape=shape)


@lru_cache(maxsize=1)
def packaged_bag() -> TermBag | None:
    """The packaged query model; None where none was made yet. Raises `EncoderError`."""
    if not MANIFEST.is_file() or not MODEL.is_dir():
        return None
    try:
        teacher = str(json.loads(MANIFEST.read_text("utf-8"))["encoder"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EncoderError(f"{MANIFEST}: 質問用のモデルの目録として読めません: {error}") from None
    return TermBag.load(MODEL, teacher)
