"""Passage vectors in FAISS, and the best passage of each entry for a query vector.

Exact inner product up to `FLAT_LIMIT` vectors, the same in half precision (bfloat16) beyond: half
the memory and half the time. The mean passage vector is taken off passages and the mean query
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


def unit(vectors: Vectors, out: Vectors | None = None) -> Vectors:
    """Rows scaled to length one; a zero row stays zero. ``out``: where to, maybe ``vectors``."""
    norms = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., np.newaxis]
    scaled: Vectors = np.divide(vectors, np.maximum(norms, 1e-12), out=out, dtype=np.float32)
    return scaled


def half_index(vectors: Vectors) -> Any:
    """A FAISS index of unit ``vectors``, shape ``(count, dim)``, in half precision. Of the two
    kinds, bfloat16 is searched a quarter faster than float16 (docs/benchmarks.md)."""
    import faiss

    kind = faiss.ScalarQuantizer.QT_bf16
    index: Any = faiss.IndexScalarQuantizer(vectors.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    index.add(vectors)
    return index


def search_index(index: Any, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
    """The ``count`` nearest vectors to each of ``queries``: cosines, best first, and rows, both of
    shape ``(queries, count)``; row -1 where there are no more."""
    import faiss

    # A pool of threads costs more than it saves in a search this short, and it is each thread that
    # has a setting of its own: a service searches in many.
    faiss.omp_set_num_threads(1)
    cosines, rows = index.search(np.ascontiguousarray(queries), count)
    return cosines, rows


def build_dense(vectors: Vectors, path: Path) -> None:
    """Write a FAISS index of ``vectors`` (already centred and scaled) to ``path``.

    ``vectors``: shape ``(passages, dim)``. Raises ``OSError`` when the disk does not take it.
    """
    import faiss

    index: Any
    if len(vectors) <= FLAT_LIMIT:
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
    else:
        index = half_index(vectors)
    try:
        faiss.write_index(index, str(path))
    except RuntimeError as error:
        raise OSError(str(error).splitlines()[-1]) from None


@dataclass(frozen=True, slots=True)
class Near:
    """Entries near a question, best first: ``entries``, and for each the cosine of its nearest
    passage (``best``) and that averaged with its next (``pooled``), all of the same length."""

    entries: NDArray[np.int32]
    best: Vectors
    pooled: Vectors


@dataclass(frozen=True)
class DenseIndex:
    """A FAISS index over passages with the entry each passage belongs to, in order of entries."""

    index: Any
    entry_of: NDArray[np.int32]
    query_mean: Vectors

    @classmethod
    def load(cls, path: Path, entry_of: NDArray[np.int32], query_mean: Vectors) -> "DenseIndex":
        import faiss

        return cls(faiss.read_index(str(path)), entry_of, query_mean)

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
        return np.asarray(self.index.reconstruct_n(first, last - first))

    def near(self, query: Vectors, passages: int) -> Near:
        """Entries of the ``passages`` nearest passages; ``query``: centred, shape ``(dim,)``.

        An entry's score is the mean of its best cosine and the mean of its best `POOLED`: one
        stray passage says less than several. Passages not among the nearest count as the last.
        """
        count = min(passages, int(self.index.ntotal))
        if count == 0:
            empty = np.empty(0, np.float32)
            return Near(np.empty(0, np.int32), empty, empty)
        found, rows = search_index(self.index, query[np.newaxis, :], count)
        cosines = found[0][rows[0] >= 0]
        owners = self.entry_of[rows[0][rows[0] >= 0]]
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
