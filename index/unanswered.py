"""Questions known to have no answer here, near a question that is asked.

Everything about a known card looks alike; what tells an answered question from another about the
same card is often only that it is nearer to one that is known to be answered by nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.dense import UnitIndex
from saitei.index.encoder import Vectors
from saitei.index.wordlists import WordLists
from saitei.ingest.asked import Unanswered

FILE = "unanswered.npz"


@dataclass(frozen=True)
class UnansweredIndex:
    """``index``: one vector a question, centred as passages are; ``about``: rows by the card or
    mechanic they are about; ``words`` of each."""

    index: UnitIndex
    about: Mapping[str, NDArray[np.int64]]
    words: WordLists

    @classmethod
    def load(cls, path: Path) -> "UnansweredIndex":
        with np.load(path, allow_pickle=False) as stored:
            words = WordLists(stored["numbers"], stored["ends"])
            about: defaultdict[str, list[int]] = defaultdict(list)
            for row, subject in enumerate(stored["about"].tolist()):
                about[subject].append(row)
            rows = {subject: np.array(found) for subject, found in about.items() if subject}
            return cls(UnitIndex.in_bytes(stored["vectors"].astype(np.float32)), rows, words)

    def __len__(self) -> int:
        return len(self.index)

    def nearest(self, queries: Vectors, count: int) -> tuple[Vectors, NDArray[np.int64]]:
        """Cosines of the nearest questions to each of ``queries``, best first, and their rows; both
        of shape ``(queries, count)``, or fewer where there are no more."""
        return self.index.nearest(queries, count)

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """Vectors of questions by their rows, shape ``(rows, dim)``."""
        return self.index.at(rows)

    def own(self, subjects: Iterable[str]) -> NDArray[np.int64]:
        """Rows of the questions about any of ``subjects``."""
        found = (self.about[subject] for subject in subjects if subject in self.about)
        return np.concatenate([np.empty(0, np.int64), *found])


def save_unanswered(
    path: Path, vectors: Vectors, questions: Sequence[Unanswered], words: WordLists
) -> None:
    """Write what `UnansweredIndex.load` reads. Raises ``OSError``."""
    np.savez(
        path,
        vectors=vectors.astype(np.float16),
        about=np.array([question.about or "" for question in questions], dtype=np.str_),
        numbers=words.numbers,
        ends=words.ends,
    )
