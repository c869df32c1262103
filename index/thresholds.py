"""From which probability a ruling, and from which a principle answers a question.

Of the answerable questions at most, and of those known to have no answer at least a given share is
to be refused. The choice is that farthest from both limits, so that other questions of the kind
keep them too. One choice on some hundreds of questions turns on a handful of them, so it is the
mean of the choices on `SAMPLES` resamples (bagging; Breiman 1996).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HANDICAPS = tuple(np.arange(0.0, 3.01, 0.5).tolist())
"""Log odds that a principle needs beyond those of a ruling, to choose from."""
SUREST = 9.0
"""Log odds beyond which no threshold is set: a probability of .9999."""
SAMPLES, SEED = 200, 20_250_207

Shares = NDArray[np.float64]
Scores = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """The ``most`` of the answerable, and the ``least`` of the unanswerable to be refused."""

    most: float
    least: float


@dataclass(frozen=True, slots=True)
class Choice:
    """From which ``odds``, as logarithms, a ruling answers, and how many more a principle needs."""

    odds: float
    handicap: float


@dataclass(frozen=True, slots=True)
class Sure:
    """How sure search is of each question, ``odds`` as logarithms, -inf of what it never answers;
    whether a ``principle`` stands first; whether the question is ``answerable``."""

    odds: Shares
    principle: Flags
    answerable: Flags

    def refused(self, choice: Choice) -> tuple[float, float]:
        """Shares of the answerable and of the unanswerable that are refused."""
        refused = self.odds - choice.handicap * self.principle < choice.odds
        return float(refused[self.answerable].mean()), float(refused[~self.answerable].mean())

    def of(self, rows: NDArray[np.int64]) -> "Sure":
        return Sure(self.odds[rows], self.principle[rows], self.answerable[rows])

    def choice(self, limits: Limits) -> Choice:
        """What lies farthest from the nearer limit, in standard errors of it; of such as lie
        equally far, what is farther from the other; then the least handicap. Raises ``ValueError``
        unless there are questions of both sorts."""
        if self.answerable.all() or not self.answerable.any():
            raise ValueError("a line needs questions on both sides of it")
        found = [self._farthest(limits, handicap) for handicap in HANDICAPS]
        return max(found, key=lambda one: one[1:])[0]

    def _farthest(self, limits: Limits, handicap: float) -> tuple[Choice, float, float]:
        """The best choice with this handicap, and how far it is from the nearer limit and from the
        other."""
        odds = np.clip(self.odds - handicap * self.principle, -SUREST, SUREST)
        right, wrong = np.sort(odds[self.answerable]), np.sort(odds[~self.answerable])
        # Between two questions one choice does as any other: the middle of it.
        edges = np.unique(np.concatenate([[-SUREST], odds, [SUREST]]))
        between = (edges[1:] + edges[:-1]) / 2
        lost = _beyond(np.searchsorted(right, between), len(right), limits.most)
        refused = _beyond(np.searchsorted(wrong, between), len(wrong), limits.least)
        nearer, other = np.sort([-lost, refused], axis=0)
        best = np.lexsort([other, nearer])[-1]
        return Choice(float(between[best]), handicap), float(nearer[best]), float(other[best])


def _beyond(hits: NDArray[np.int64], size: int, share: float) -> Scores:
    """How far ``hits`` of ``size`` lie above ``share`` of them, in standard errors of that share
    (the score of Wilson 1927)."""
    return np.asarray((hits / size - share) / np.sqrt(share * (1 - share) / size))


def resampled(sure: Sure, limits: Limits) -> tuple[Choice, Shares]:
    """The mean choice, and the shares refused of the questions outside of each resample, shape
    ``(samples, 2)``."""
    rng = np.random.default_rng(SEED)
    choices: list[Choice] = []
    outside: list[tuple[float, float]] = []
    for _ in range(SAMPLES):
        rows = rng.integers(0, len(sure.odds), len(sure.odds))
        others = np.setdiff1d(np.arange(len(sure.odds)), rows)
        choices.append(sure.of(rows).choice(limits))
        outside.append(sure.of(others).refused(choices[-1]))
    odds = float(np.mean([one.odds for one in choices]))
    return Choice(odds, float(np.mean([one.handicap for one in choices]))), np.array(outside)
