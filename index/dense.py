"""Passage vectors in FAISS, and the best passage of each entry for a query vector.

Exact inner product up to `FLAT_LIMIT` vectors, of vectors rounded to bytes beyond: a quarter of the
memory and a third of the time. The mean passage vector is taken off passages and the mean query
vector off queries: sentence vectors of one model share a large common part that says nothing about
their order.

No graph and no clusters: a generation is written whole, so an index must be made anew at every
ingest, and one that is searched faster is far slower to make or misses too much
(docs/benchmarks.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import EncoderError, Vectors

FLAT_LIMIT = 10_000
POOLED = 3
"""Passages of an entry that count towards its score."""
WHOLE = 0.999
"""Of vectors in bytes, the share whose largest number is not cut."""
_BLOCK = 1 << 16
"""Vectors rounded at once."""


def unit(vectors: Vectors, out: Vectors | None = None) -> Vectors:
    """Rows scaled to length one; a zero row stays zero. ``out``: where to, maybe ``vectors``."""
    norms = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., np.newaxis]
    scaled: Vectors = np.divide(vectors, np.maximum(norms, 1e-12), out=out, dtype=np.float32)
    return scaled


@dataclass(frozen=True)
class UnitIndex:
    """Unit vectors in a FAISS index. ``step``: what one stands for in an index of whole numbers; 0
    where the index has the vectors themselves."""

    index: Any
    step: float = 0.0

    @classmethod
    def exact(cls, vectors: Vectors) -> "UnitIndex":
        """Of unit ``vectors``, shape ``(count, dim)``, as they are."""
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        return cls(index)

    @classmethod
    def in_bytes(cls, vectors: Vectors) -> "UnitIndex":
        """Of unit ``vectors``, shape ``(count, dim)``, with one byte for a number.

        Of all kinds of FAISS' scalar quantizer this one is searched fastest: it multiplies whole
        numbers, of the query too. What that does to cosines: docs/benchmarks.md.
        """
        import faiss

        kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
        index: Any = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
        # The few vectors with a larger number are cut: they would make all others coarser.
        largest = np.maximum(vectors.max(axis=1, initial=0.0), -vectors.min(axis=1, initial=0.0))
        step = max(float(np.quantile(largest, WHOLE)) if len(largest) else 0.0, 1e-9) / 127
        for start in range(0, len(vectors), _BLOCK):
            index.add(_whole(vectors[start : start + _BLOCK], np.float32(step)))
        return cls(index, step)

    @classmethod
    def load(cls, path: Path, step: float) -> "UnitIndex":
        """Read what `save` wrote of an index with this ``step``."""
        import faiss

        return cls(faiss.read_index(str(path)), step)

    def save(self, path: Path) -> None:
        """Raises ``OSError`` when the disk does not take it."""
        import faiss

        try:
            faiss.write_index(self.index, str(path))
        except RuntimeError as error:
            raise OSError(str(error).splitlines()[-1]) from None

    def __len__(self) -> int:
        return int(self.index.ntotal)

    @property
    def kind(self) -> str:
        return "bytes" if self.step else "exact"

    def nearest(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """The ``count`` nearest vectors to each of ``queries``, or all where there are fewer:
        cosines, best first, and rows, both of shape ``(queries, count)``."""
        import faiss

        # A pool of threads costs more than it saves in a search this short, and it is each thread
        # that has a setting of its own: a service searches in many.
        faiss.omp_set_num_threads(1)
        count = min(count, len(self))
        if count == 0:
            return np.empty((len(queries), 0), np.float32), np.empty((len(queries), 0), np.int64)
        if not self.step:
            cosines, rows = self.index.search(np.ascontiguousarray(queries), count)
            return cosines, rows
        steps = np.maximum(np.abs(queries).max(axis=1, keepdims=True), np.float32(1e-9)) / 127
        found, rows = self.index.search(_whole(queries, steps), count)
        return found * (steps * np.float32(self.step)), rows

    def between(self, spans: Sequence[tuple[int, int]]) -> Vectors:
        """The vectors of each span's rows, the last not among them, one span after the other."""
        out = np.empty((sum(last - first for first, last in spans), self.index.d), np.float32)
        at = 0
        for first, last in spans:
            self.index.reconstruct_n(first, last - first, out[at : at + last - first])
            at += last - first
        if self.step:
            out *= np.float32(self.step)
        return out


def _whole(vectors: Vectors, step: Vectors | np.float32) -> Vectors:
    """Steps in each number, at most 127. FAISS would cut off what is not whole."""
    whole: Vectors = vectors / step
    np.rint(whole, out=whole)
    return np.clip(whole, -127, 127, out=whole)


def build_dense(vectors: Vectors, path: Path) -> float:
    """Write an index of ``vectors`` (already centred and scaled) to ``path``; returns its ``step``.

    ``vectors``: shape ``(passages, dim)``. Raises `EncoderError` where they are no numbers,
    ``OSError`` when the disk does not take it.
    """
    if not np.isfinite(vectors).all():
        raise EncoderError("モデルの出したベクトルに数でない値があります。")
    few = len(vectors) <= FLAT_LIMIT
    index = UnitIndex.exact(vectors) if few else UnitIndex.in_bytes(vectors)
    index.save(path)
    return index.step


@dataclass(frozen=True, slots=True)
class Near:
    """Entries near a question, best first: ``entries``, and for each the cosine of its nearest
    passage (``best``) and that averaged with its next (``pooled``), all of the same length."""

    entries: NDArray[np.int32]
    best: Vectors
    pooled: Vectors


@dataclass(frozen=True)
class DenseIndex:
    """Passages with the entry each belongs to, in order of entries."""

    index: UnitIndex
    entry_of: NDArray[np.int32]
    query_mean: Vectors

    @classmethod
    def load(
        cls, path: Path, step: float, entry_of: NDArray[np.int32], query_mean: Vectors
    ) -> "DenseIndex":
        return cls(UnitIndex.load(path, step), entry_of, query_mean)

    @cached_property
    def _passages(self) -> NDArray[np.int64]:
        """How many passages each entry has."""
        return np.bincount(self.entry_of)

    def centred(self, query: Vectors) -> Vectors:
        """An encoder's query vector, shape ``(dim,)``, in the space that passages lie in."""
        return unit(query - self.query_mean)

    def spans(self, entries: Sequence[int]) -> list[tuple[int, int]]:
        """Where the passages of each entry begin and end."""
        firsts = np.searchsorted(self.entry_of, entries).tolist()
        counts = self._passages[list(entries)].tolist()
        return [(first, first + count) for first, count in zip(firsts, counts, strict=True)]

    def rows(self, spans: Sequence[tuple[int, int]]) -> Vectors:
        """Vectors of the passages of ``spans``, shape ``(passages, dim)``."""
        return self.index.between(spans)

    def near(self, query: Vectors, passages: int) -> Near:
        """Entries of the ``passages`` nearest passages; ``query``: centred, shape ``(dim,)``.

        An entry's score is the mean of its best cosine and the mean of its best `POOLED`: one
        stray passage says less than several. Passages not among the nearest count as the last.
        """
        found, rows = self.index.nearest(query[np.newaxis, :], passages)
        # A row is -1 where a cosine is no number.
        cosines, owners = found[0][rows[0] >= 0], self.entry_of[rows[0][rows[0] >= 0]]
        if not len(owners):
            return Near(owners, cosines, cosines)
        # Stable: within an entry, passages stay in order of their cosine.
        order = np.argsort(owners, kind="stable")
        entries, first, sizes = np.unique(owners[order], return_index=True, return_counts=True)
        place = np.arange(len(order)) - np.repeat(first, sizes)
        group = np.repeat(np.arange(len(entries)), sizes)
        counted = place < POOLED
        sums = np.bincount(group[counted], weights=cosines[order][counted])
        wanted = np.minimum(self._passages[entries], POOLED)
        sums += (wanted - np.minimum(sizes, POOLED)) * cosines[-1]
        best = cosines[order][first]
        pooled = (0.5 * best + 0.5 * sums / wanted).astype(np.float32)
        ranked = np.argsort(-pooled, kind="stable")
        return Near(entries[ranked], best[ranked], pooled[ranked])
