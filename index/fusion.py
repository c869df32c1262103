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
    cosines, named = np.zeros(len(lexical)), np.zeros(len(lexical))
    cosines[near.entries] = near.pooled
    named[list(links)] = list(links.values())
    scores = (
        LEXICAL_WEIGHT * lexical[candidates].astype(np.float64) / best
        + DENSE_WEIGHT * cosines[candidates]
        + LINK_WEIGHT * named[candidates]
    )
    # Stable: equals stay in order of their numbers.
    order = np.argsort(-scores, kind="stable")
    return list(zip(candidates[order].tolist(), scores[order].tolist(), strict=True))
