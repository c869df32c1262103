"""The words of many texts as term numbers of a lexical index, to compare a question with them.

Unlike the bags that BM25 scores, a text has each word once here, and n-grams are left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from saitei.index.lexical import GRAM_MARK

Numbers = NDArray[np.int32]
_BLOCK = 1 << 16
"""Texts whose words are sorted at once."""


@dataclass(frozen=True)
class WordLists:
    """``numbers[ends[i]:ends[i + 1]]`` are the words of text ``i``."""

    numbers: Numbers
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, bags: Sequence[Numbers], vocabulary: Sequence[str]) -> "WordLists":
        """From each text's terms, which are places in ``vocabulary``."""
        word = np.array([not term.startswith(GRAM_MARK) for term in vocabulary], np.bool_)
        lists, counts = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
        for start in range(0, len(bags), _BLOCK):
            block = bags[start : start + _BLOCK]
            owner = np.repeat(np.arange(len(block)), [len(bag) for bag in block])
            terms = np.concatenate(block)
            # Sorted together: a call for each of 100,000 texts costs more than the sorting.
            pairs = (owner * len(vocabulary) + terms)[word[terms]]
            pairs.sort()
            pairs = pairs[np.diff(pairs, prepend=-1) > 0]
            owner, terms = np.divmod(pairs, max(1, len(vocabulary)))
            lists.append(terms.astype(np.int32))
            counts.append(np.bincount(owner, minlength=len(block)))
        return cls(np.concatenate(lists), np.cumsum(np.concatenate(counts), dtype=np.int64))

    def __getitem__(self, text: int) -> Numbers:
        return self.numbers[self.ends[text] : self.ends[text + 1]]

    def together(self, texts: Iterable[int]) -> Numbers:
        """The words of several texts, one after the other."""
        return np.concatenate([np.empty(0, np.int32), *(self[text] for text in texts)])

    def span(self, first: int, last: int) -> Numbers:
        """The words of texts ``first`` to ``last``, the last not among them, with repeats."""
        return self.numbers[self.ends[first] : self.ends[last]]

    def likeness(
        self,
        asked: Numbers,
        weight: float,
        rarity: NDArray[np.float32],
        texts: Sequence[int] | NDArray[np.int64],
    ) -> NDArray[np.float32]:
        """How like a question is to each of ``texts``: the words shared over those of both
        together (Jaccard), each weighing its rarity. Shape ``(len(texts),)``, 0 to 1.

        ``asked``: the question's words; ``weight``: what all its words weigh, known or not.
        """
        known = np.zeros(len(rarity), np.bool_)
        known[asked] = True
        chosen = np.asarray(texts, np.int64)
        starts = self.ends[chosen]
        counts = self.ends[chosen + 1] - starts
        owner = np.repeat(np.arange(len(chosen)), counts)
        # Places of the chosen texts' words, one text after the other.
        skipped = np.repeat(starts - np.cumsum(counts) + counts, counts)
        numbers = self.numbers[np.arange(len(owner)) + skipped]
        weights = rarity[numbers]
        whole = np.bincount(owner, weights, len(chosen))
        shared = np.bincount(owner, weights * known[numbers], len(chosen))
        return np.asarray(shared / np.maximum(whole + weight - shared, 1e-9), np.float32)
