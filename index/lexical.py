"""BM25 over lemmas and character n-grams.

bm25s (Lù 2024, arXiv:2407.03618) scores every (term, entry) pair at build time. Serving reads its
files with numpy alone: importing bm25s costs more than a search, and here each query term carries
a weight of its own and has to be explained.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.ingest.tokenise import ngrams, words

Scores = NDArray[np.float32]

# Parameters of BM25+lucene idf; n-grams repeat the lemmas' evidence, so they weigh less.
K1, B = 1.2, 0.6
GRAM_WEIGHT = 0.4
GRAM_MARK = "\u241f"
"""Leads an n-gram's term, so that the gram 破壊 and the lemma 破壊 stay two terms."""


def terms(text: str) -> list[str]:
    """All index terms of a text: words, then marked n-grams."""
    return [*words(text), *(GRAM_MARK + gram for gram in ngrams(text))]


def query_weights(text: str) -> dict[str, float]:
    """Distinct query terms with their weight."""
    return {
        term: GRAM_WEIGHT if term.startswith(GRAM_MARK) else 1.0
        for term in dict.fromkeys(terms(text))
    }


def build_lexical(texts: Sequence[Iterable[str]], folder: Path) -> None:
    """Index one bag of texts per entry into ``folder`` (bm25s' own format)."""
    import bm25s

    corpus = [[term for text in bag for term in terms(text)] or [GRAM_MARK] for bag in texts]
    index = bm25s.BM25(k1=K1, b=B, method="lucene")
    index.index(corpus, show_progress=False)
    index.save(str(folder), show_progress=False)


@dataclass(frozen=True)
class LexicalIndex:
    """A term-major sparse matrix of BM25 scores: ``data[indptr[t]:indptr[t+1]]`` for term ``t``."""

    vocabulary: dict[str, int]
    data: Scores
    indices: NDArray[np.int32]
    indptr: NDArray[np.int64]
    size: int

    @cached_property
    def best(self) -> Scores:
        """Each term's largest score, shape ``(terms,)``."""
        filled = np.append(self.data, np.float32(0))
        starts = self.indptr[:-1]
        return np.where(np.diff(self.indptr) > 0, np.maximum.reduceat(filled, starts), 0)

    @cached_property
    def rarest(self) -> float:
        return float(self.best.max(initial=0.0))

    @classmethod
    def load(cls, folder: Path) -> "LexicalIndex":
        """Read what `build_lexical` wrote; arrays are memory-mapped."""
        params = json.loads((folder / "params.index.json").read_text("utf-8"))
        read = {
            name: np.load(folder / f"{name}.csc.index.npy", mmap_mode="r")
            for name in ("data", "indices", "indptr")
        }
        vocabulary = json.loads((folder / "vocab.index.json").read_text("utf-8"))
        return cls(
            vocabulary, read["data"], read["indices"], read["indptr"], int(params["num_docs"])
        )

    def scores(self, weights: Mapping[str, float]) -> Scores:
        """BM25 score of every entry, shape ``(size,)``."""
        total = np.zeros(self.size, dtype=np.float32)
        for term, weight in weights.items():
            row = self.vocabulary.get(term)
            if row is not None:
                span = slice(self.indptr[row], self.indptr[row + 1])
                total[self.indices[span]] += weight * self.data[span]
        return total

    def reach(self, weights: Mapping[str, float]) -> tuple[float, float]:
        """Weighted share of the terms known here, and the score of an entry that has them all.

        An unknown term counts in the ideal as the rarest known one would.
        """
        if not weights:
            return 0.0, 0.0
        known = ideal = 0.0
        for term, weight in weights.items():
            row = self.vocabulary.get(term)
            known += weight * (row is not None)
            ideal += weight * (self.rarest if row is None else float(self.best[row]))
        return known / sum(weights.values()), ideal

    def matched(self, weights: Mapping[str, float], entry: int) -> dict[str, float]:
        """What each query term gave one entry, largest first; for explanations."""
        found: dict[str, float] = {}
        for term, weight in weights.items():
            row = self.vocabulary.get(term)
            if row is None:
                continue
            span = slice(self.indptr[row], self.indptr[row + 1])
            here = np.flatnonzero(self.indices[span] == entry)
            if here.size:
                found[term.removeprefix(GRAM_MARK)] = float(weight * self.data[span][here[0]])
        return dict(sorted(found.items(), key=lambda item: -item[1]))
