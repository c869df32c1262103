"""From which probability a ruling, and from which a principle answers a question.

Chosen so that a given share of questions known to have no answer is refused, at the least cost in
answers. One choice on some two hundred such questions turns on a handful of them, so it is the mean
of the choices on `SAMPLES` resamples (bagging; Breiman 1996).
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
Flags = NDArray[np.bool_]


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

    def choice(self, share: float) -> Choice:
        """What refuses ``share`` of the unanswerable, of which there is one at least, and as few
        of the answerable as can be; of handicaps that differ by less than one standard error the
        least (Breiman et al. 1984, section 3.4.3): which is best to the last answer is chance."""
        choices: list[Choice] = []
        for handicap in HANDICAPS:
            odds = self.odds - handicap * self.principle
            needed = float(np.quantile(odds[~self.answerable], share, method="higher"))
            # A little above: who is as sure as the last one refused is refused too.
            choices.append(Choice(float(np.clip(needed, -SUREST, SUREST)) + 1e-6, handicap))
        costs = [self.refused(one)[0] for one in choices]
        least = min(costs)
        error = np.sqrt(least * (1 - least) / max(1, int(self.answerable.sum())))
        return next(one for one, cost in zip(choices, costs, strict=True) if cost <= least + error)


def resampled(sure: Sure, share: float) -> tuple[Choice, Shares]:
    """The mean choice, and the shares refused of the questions outside of each resample, shape
    ``(samples, 2)``."""
    rng = np.random.default_rng(SEED)
    choices: list[Choice] = []
    outside: list[tuple[float, float]] = []
    for _ in range(SAMPLES):
        rows = rng.integers(0, len(sure.odds), len(sure.odds))
        others = np.setdiff1d(np.arange(len(sure.odds)), rows)
        choices.append(sure.of(rows).choice(share))
        outside.append(sure.of(others).refused(choices[-1]))
    odds = float(np.mean([one.odds for one in choices]))
    return Choice(odds, float(np.mean([one.handicap for one in choices]))), np.array(outside)
