"""What is measured of the first few entries of a search, for `saitei.index.ranker`.

Numbers alone do not tell a ruling that answers from its siblings, so the words of the question, of
the entry's questions nearest to it and of its answer are handed on as well.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saitei.index.wordlists import Numbers

WEIGHED = 8
"""Entries weighed against each other: 97 of 100 questions have theirs among so many."""
NEAREST = 2
"""Questions of an entry whose words are compared."""
RIVALS = 8
"""Unanswered questions whose words are compared."""


Matrix = NDArray[np.float32]
Column = NDArray[np.floating] | NDArray[np.integer]


class OfCandidate(NamedTuple):
    """What is measured of each candidate, arrays of shape ``(candidates,)``. "Content" is the
    question without the cards it names; cosines are with the candidate's passages."""

    fused: Column
    lexical: Column
    lexical_share: Column
    """Of the best among the candidates."""
    lexical_rank: Column
    coverage: Column
    """The BM25 score over that of an entry that has every term at its best, 0 to 1."""
    likeness: Column
    """Of the content's words and the candidate's question most like it (`WordLists.likeness`)."""
    missing: Column
    """Rarity of the rarest word of the content that it does not have, 0 to 1."""
    covered: Column
    """How near the content's words are to their nearest in it, by rarity."""
    least_covered: Column
    """Rarity of the word that is farthest, times how far."""
    pooled: Column
    dense_rank: Column
    nearest: Column
    second: Column
    third: Column
    mean5: Column
    content_nearest: Column
    content_second: Column
    content_mean5: Column
    linked: Column
    subject: Column
    """1 when its subject is named."""
    elsewhere: Column
    """1 when a card with rulings is named, and it is about none such."""
    other_card: Column
    principle: Column
    mechanic: Column
    passages: Column
    """Logarithm of their number."""
    classified: Column
    """Of the classifier: the logarithm of its odds against there being no answer; 0 of what has no
    class, an official text alone."""
    class_share: Column
    """The logarithm of its probability among all classes, `LEAST` of what has none."""
    classless: Column


RELATIVE = (
    "fused",
    "lexical",
    "coverage",
    "likeness",
    "missing",
    "covered",
    "least_covered",
    "pooled",
    "nearest",
    "mean5",
    "content_nearest",
    "content_mean5",
    "class_share",
)
"""These are given once more as the distance from the best of the other candidates."""


class OfQuestion(NamedTuple):
    """What is measured of a question. "Unanswered": by the questions known to have no answer,
    cosines of the nearest first."""

    unanswered_nearest: float
    unanswered_mean3: float
    unanswered_likeness: float
    nameless: float
    """1 when no card is named."""
    cards: float
    ruled: float
    """Cards named that have rulings."""
    mechanics: float
    length: float
    latin: float
    """Share of ASCII characters."""
    class_none: float
    """Of the classifier: the logarithm of the probability that nothing answers."""


OF_CANDIDATE = OfCandidate._fields
FEATURES = (*OF_CANDIDATE, *(f"{name}_lead" for name in RELATIVE), *OfQuestion._fields)


@dataclass(frozen=True, slots=True)
class Measured:
    """Candidates of one question. ``features``: shape ``(candidates, len(FEATURES))``. The words,
    rows of the query model, are those of the question's content and, for each candidate, of its
    questions nearest to it and of its answer."""

    features: Matrix
    question: Numbers
    asked: tuple[Numbers, ...]
    answer: tuple[Numbers, ...]
