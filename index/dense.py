"""Passage vectors in FAISS, and the best passage of each entry for a query vector.

Exact inner product up to `FLAT_LIMIT` vectors, the same in half precision to `HALF_LIMIT`, then an
HNSW graph. The mean passage vector is taken off passages and the mean query vector off queries:
sentence vectors of one model share a large common part that says nothing about their order.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import Vectors

FLAT_LIMIT = 10_000
HALF_LIMIT = 100_000
HNSW_NEIGHBOURS = 32
HNSW_EF_CONSTRUCTION = 200
HNSW_EF_SEARCH = 256


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to length one; a zero row stays zero."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


def build_dense(vectors: Vectors, path: Path) -> None:
    """Write a FAISS index of ``vectors`` (already centred and scaled) to ``path``."""
    import faiss

    count, dim = vectors.shape
    index: Any
    if count <= FLAT_LIMIT:
        index = faiss.IndexFlatIP(dim)
    elif count <= HALF_LIMIT:
        index = faiss.IndexScalarQuantizer(
            dim, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        )
    else:
        index = faiss.IndexHNSWFlat(dim, HNSW_NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = HNSW_EF_CONSTRUCTION
        index.hnsw.efSearch = HNSW_EF_SEARCH
    if not index.is_trained:
        index.train(vectors)
    index.add(vectors)
    faiss.write_index(index, str(path))


@dataclass(frozen=True)
class DenseIndex:
    """A FAISS index over passages with the entry each passage belongs to."""

    index: Any
    entry_of: NDArray[np.int32]
    query_mean: Vectors

    @classmethod
    def load(cls, path: Path, entry_of: NDArray[np.int32], query_mean: Vectors) -> "DenseIndex":
        import faiss

        # One query at a time on one thread: faiss' thread pool costs more than it saves here.
        faiss.omp_set_num_threads(1)
        return cls(faiss.read_index(str(path)), entry_of, query_mean)

    def best_entries(self, query: Vectors, passages: int) -> tuple[NDArray[np.int32], Vectors]:
        """Entries of the ``passages`` nearest passages, each once with its best cosine.

        ``query`` has shape ``(dim,)``, as the encoder gave it. Best first.
        """
        centred = unit((query - self.query_mean)[np.newaxis, :])
        count = min(passages, int(self.index.ntotal))
        if count == 0:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        scores, rows = self.index.search(centred, count)
        found = rows[0] >= 0
        entries = self.entry_of[rows[0][found]]
        unique, first = np.unique(entries, return_index=True)
        order = np.argsort(first)
        return unique[order], np.asarray(scores[0][found][first[order]], dtype=np.float32)
