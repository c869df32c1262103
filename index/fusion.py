"""Words, meaning and named things put together into one order of entries.

Weights come from sweeps over the development part of ``data/evaluation``.
"""

from collections.abc import Mapping

import numpy as np

from saitei.index.dense import Near
from saitei.index.lexical import Scores

CANDIDATES = 100
"""Entries each of words, meaning and names puts forward."""

LEXICAL_WEIGHT, DENSE_WEIGHT, LINK_WEIGHT = 0.8, 1.0, 0.1


def fuse(lexical: Scores, near: Near, links: Mapping[int, float]) -> list[tuple[int, float]]:
    """(entry, score), best first: a weighted sum over the union of candidates.

    Lexical scores are divided by the question's best, since BM25 grows with the question's length;
    cosines are comparable as they are.
    """
    count = min(CANDIDATES, len(lexical))
    top = np.argpartition(-lexical, count - 1)[:count] if count else np.empty(0, np.int64)
    top = top[lexical[top] > 0]
    best = float(lexical[top].max()) if len(top) else 1.0
    linked = np.array(sorted(links, key=lambda n: (-links[n], n))[:CANDIDATES], np.int64)
    together = np.concatenate([top, near.entries[:CANDIDATES], linked])
    candidates = np.unique(together.astype(np.int64))
    cosine_of = dict(zip(near.entries.tolist(), near.pooled.tolist(), strict=True))
    scores = [
        (
            number,
            LEXICAL_WEIGHT * score / best
            + DENSE_WEIGHT * cosine_of.get(number, 0.0)
            + LINK_WEIGHT * links.get(number, 0.0),
        )
        for number, score in zip(candidates.tolist(), lexical[candidates].tolist(), strict=True)
    ]
    return sorted(scores, key=lambda item: (-item[1], item[0]))
