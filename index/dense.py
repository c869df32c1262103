"""Passage vectors in FAISS, and the best passage of each entry for a query vector.

Exact inner product up to `FLAT_LIMIT` vectors, the same in bytes beyond: a quarter of the memory
and a third of the time. The mean passage vector is taken off passages and the mean query
vector off queries: sentence vectors of one model share a large common part that says nothing about
their order.

No graph and no clusters: a generation is written whole, so an index must be made anew at every
ingest, and one that is searched faster is far slower to make or misses too much
(docs/benchmarks.md).
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import Vectors

FLAT_LIMIT = 10_000
POOLED = 3
"""Passages of an entry that count towards its score."""
_BLOCK = 1 << 16
"""Vectors rounded at once."""


def unit(vectors: Vectors, out: Vectors | None = None) -> Vectors:
    """Rows scaled to length one; a zero row stays zero. ``out``: where to, maybe ``vectors``."""
    norms = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., np.newaxis]
    scaled: Vectors = np.divide(vectors, np.maximum(norms, 1e-12), out=out, dtype=np.float32)
    return scaled


@dataclass(frozen=True)
class UnitIndex:
    """Unit vectors in a FAISS index. ``step``: what one stands for in an index of whole numbers;
    None where the index has the vectors themselves."""

    index: Any
    step: float | None = None

    @classmethod
    def exact(cls, vectors: Vectors) -> "UnitIndex":
        """Of unit ``vectors``, shape ``(count, dim)``, as they are."""
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        return cls(index)

    @classmethod
    def in_bytes(cls, vectors: Vectors) -> "UnitIndex":
        """Of ``vectors`` with one byte for a number, the largest of all being 127 steps long.

        Of all kinds of FAISS' scalar quantizer this one is searched fastest: it multiplies whole
        numbers, of the query too. The cosine of two sentences is off by .0009 (docs/benchmarks.md).
        """
        import faiss

        kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
        index: Any = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
        step = _step(vectors)
        for start in range(0, len(vectors), _BLOCK):
            index.add(np.rint(vectors[start : start + _BLOCK] / np.float32(step)))
        # Stored with the index: a quantizer of this kind has no use for it.
        index.sq.rangestat_arg = step
        return cls(index, step)

    @classmethod
    def load(cls, path: Path) -> "UnitIndex":
        """Read what `save` wrote."""
        import faiss

        index: Any = faiss.read_index(str(path))
        quantizer = getattr(index, "sq", None)
        if quantizer is None or quantizer.qtype != faiss.ScalarQuantizer.QT_8bit_direct_signed:
            return cls(index)
        return cls(index, quantizer.rangestat_arg)

    def save(self, path: Path) -> None:
        """Raises ``OSError`` when the disk does not take it."""
        import faiss

        try:
            faiss.write_index(self.index, str(path))
        except RuntimeError as error:
            raise OSError(str(error).splitlines()[-1]) from None

    def __len__(self) -> int:
        return int(self.index.ntotal)

    def nearest(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """The ``count`` nearest vectors to each of ``queries``, or all where there are fewer:
        cosines, best first, and rows, both of shape ``(queries, count)``."""
        import faiss

        # A pool of threads costs more than it saves in a search this short, and it is each thread
        # that has a setting of its own: a service searches in many.
        faiss.omp_set_num_threads(1)
        count = min(count, len(self))
        if self.step is None:
            cosines, rows = self.index.search(np.ascontiguousarray(queries), count)
            return cosines, rows
        step = _step(queries)
        found, rows = self.index.search(np.rint(queries / np.float32(step)), count)
        return found * np.float32(step * self.step), rows

    def span(self, first: int, last: int) -> Vectors:
        """The vectors from row ``first`` to row ``last``, the last not among them."""
        return self._unit(self.index.reconstruct_n(first, last - first))

    def rows(self, rows: NDArray[np.int64]) -> Vectors:
        """Vectors by their rows, shape ``(rows, dim)``."""
        return self._unit(self.index.reconstruct_batch(rows))

    def _unit(self, stored: Vectors) -> Vectors:
        return stored if self.step is None else stored * np.float32(self.step)


def _step(vectors: Vectors) -> float:
    """Of the largest number in ``vectors``, the 127th part."""
    return max(float(vectors.max(initial=0.0)), -float(vectors.min(initial=0.0)), 1e-9) / 127


def build_dense(vectors: Vectors, path: Path) -> None:
    """Write an index of ``vectors`` (already centred and scaled) to ``path``.

    ``vectors``: shape ``(passages, dim)``. Raises ``OSError`` when the disk does not take it.
    """
    few = len(vectors) <= FLAT_LIMIT
    (UnitIndex.exact(vectors) if few else UnitIndex.in_bytes(vectors)).save(path)


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
    def load(cls, path: Path, entry_of: NDArray[np.int32], query_mean: Vectors) -> "DenseIndex":
        return cls(UnitIndex.load(path), entry_of, query_mean)

    @cached_property
    def _passages(self) -> NDArray[np.int64]:
        """How many passages each entry has."""
        return np.bincount(self.entry_of)

    def centred(self, query: Vectors) -> Vectors:
        """An encoder's query vector, shape ``(dim,)``, in the space that passages lie in."""
        return unit(query - self.query_mean)

    def span(self, entry: int) -> tuple[int, int]:
        """Where an entry's passages begin and end."""
        first, last = np.searchsorted(self.entry_of, [entry, entry + 1])
        return int(first), int(last)

    def rows(self, first: int, last: int) -> Vectors:
        """Vectors of passages, shape ``(last - first, dim)``."""
        return self.index.span(first, last)

    def near(self, query: Vectors, passages: int) -> Near:
        """Entries of the ``passages`` nearest passages; ``query``: centred, shape ``(dim,)``.

        An entry's score is the mean of its best cosine and the mean of its best `POOLED`: one
        stray passage says less than several. Passages not among the nearest count as the last.
        """
        if not len(self.index):
            empty = np.empty(0, np.float32)
            return Near(np.empty(0, np.int32), empty, empty)
        found, rows = self.index.nearest(query[np.newaxis, :], passages)
        cosines, owners = found[0], self.entry_of[rows[0]]
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
