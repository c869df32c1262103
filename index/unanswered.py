"""Questions known to have no answer here, near a question that is asked.

Everything about a known card looks alike; what tells an answered question from another about the
same card is often only that it is nearer to one that is known to be answered by nothing.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.dense import UnitIndex
from saitei.index.encoder import Vectors
from saitei.index.wordlists import WordLists

FILE = "unanswered.npz"


@dataclass(frozen=True)
class UnansweredIndex:
    """``index``: one vector a question, centred as passages are; ``words`` of each."""

    index: UnitIndex
    words: WordLists

    @classmethod
    def load(cls, path: Path) -> "UnansweredIndex":
        with np.load(path, allow_pickle=False) as stored:
            words = WordLists(stored["numbers"], stored["ends"])
            return cls(UnitIndex.in_bytes(stored["vectors"].astype(np.float32)), words)

    def __len__(self) -> int:
        return len(self.index)

    def nearest(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """Cosines of the nearest questions to each of ``queries``, best first, and their rows; both
        of shape ``(queries, count)``, or fewer where there are no more."""
        return self.index.nearest(queries, count)


def save_unanswered(path: Path, vectors: Vectors, words: WordLists) -> None:
    """Write what `UnansweredIndex.load` reads. Raises ``OSError``."""
    np.savez(
        path,
        vectors=vectors.astype(np.float16),
        numbers=words.numbers,
        ends=words.ends,
    )
