"""Set the ranker's thresholds on the development questions.

``python -m benchmarks.calibrate [--write]``.

The ranker is fitted on the further questions of ``data/asked`` (`saitei.index.rehearsal`), never on
these: they only choose from which probability a ruling, and from which a principle answers a
question. The test part is never read.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.ranker import FOLDER, SETTINGS, Settings
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

REFUSED = 0.91
"""Share of the unanswerable that the thresholds refuse; what the goal of .95 would cost is printed.
What is refused still comes with the nearest rulings, named as such. More than this takes it mostly
from what principles answer: at .95, half of it."""
HANDICAPS = tuple(np.arange(0.0, 3.01, 0.5).tolist())
"""Log odds that a principle needs beyond those of a ruling, to choose from."""

Shares = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Sure:
    """How sure search is of each question, ``odds`` as logarithms, -inf of what it never answers;
    whether a ``principle`` stands first; whether the question is ``answerable``."""

    odds: Shares
    principle: Flags
    answerable: Flags

    def handicapped(self, handicap: float) -> Shares:
        return self.odds - handicap * self.principle

    def refusing(self, share: float) -> tuple[float, float, float]:
        """The handicap and the odds that refuse ``share`` of the unanswerable and as few of the
        answerable as can be, and the share of these."""
        best = (2.0, 0.0, 0.0)
        for handicap in HANDICAPS:
            odds = self.handicapped(handicap)
            needed = float(np.quantile(odds[~self.answerable], share, method="higher"))
            # A little above: who is as sure as the last one refused is refused too.
            needed += 1e-6
            best = min(best, (float((odds[self.answerable] < needed).mean()), handicap, needed))
        cost, handicap, needed = best
        return handicap, needed, cost


def probability(odds: float) -> float:
    return round(float(1 / (1 + np.exp(-odds))), 3)


def measured(kb: Path | None) -> Sure:
    """The development questions and how sure search is of each."""
    questions = questions_of(None, "dev")
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(kb or Path(folder)).open()
        found = [knowledge.search(question.text, 1) for question in questions]
    settings = Settings.model_validate_json((FOLDER / SETTINGS).read_bytes())
    shares = np.zeros(len(found))
    for place, one in enumerate(found):
        # What is sure enough and yet not answered never is, whatever the thresholds.
        sure = bool(one.hits) and one.confidence >= settings.needed(one.hits[0].entry.kind)
        shares[place] = one.confidence if one.answered or not sure else 0.0
    with np.errstate(divide="ignore"):
        odds = np.log(shares) - np.log1p(-shares)
    principle = [bool(one.hits) and one.hits[0].entry.kind == "principle" for one in found]
    answerable = [bool(question.grades) for question in questions]
    return Sure(odds, np.array(principle), np.array(answerable))


def report(sure: Sure) -> None:
    for share in (REFUSED, 0.95):
        handicap, needed, cost = sure.refusing(share)
        print(
            f"refusing {share:.0%} of the unanswerable refuses {cost:.1%} of the answerable:"
            f" a ruling from {probability(needed)}, a principle from"
            f" {probability(needed + handicap)}"
        )
    handicap = sure.refusing(REFUSED)[0]
    odds = sure.handicapped(handicap)
    for share in (0.03, 0.05, 0.10):
        cut = np.quantile(odds[sure.answerable], share)
        print(
            f"refusing {share:.0%} of the answerable refuses"
            f" {(odds[~sure.answerable] < cut).mean():.1%} of the unanswerable"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="knowledge base; a fresh one by default")
    parser.add_argument("--write", action="store_true", help=f"store it in {FOLDER / SETTINGS}")
    options = parser.parse_args()
    sure = measured(options.kb)
    report(sure)
    if options.write:
        handicap, needed, _ = sure.refusing(REFUSED)
        settings = Settings.model_validate_json((FOLDER / SETTINGS).read_bytes())
        chosen = {"threshold": probability(needed), "principle": probability(needed + handicap)}
        changed = settings.model_copy(update=chosen)
        (FOLDER / SETTINGS).write_text(changed.model_dump_json(indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
