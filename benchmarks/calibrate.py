"""Set the ranker's thresholds on development questions.

``python -m benchmarks.calibrate [--write]``.

The ranker is fitted on the further questions of ``data/asked`` (`saitei.index.rehearsal`), never on
these: they only choose from which probability on it answers (`saitei.index.thresholds`). What the
choice on each resample makes of the questions outside of it is printed. The test part is not read.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from saitei.index import classifier
from saitei.index.ranker import FOLDER, SETTINGS, WEIGHTS, Settings, probability
from saitei.index.store import file_hash
from saitei.index.thresholds import Choice, Limits, Shares, Sure, resampled
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

LIMITS = Limits(most=0.03, least=0.95)
"""What search is to keep on questions nobody tuned it on. What is refused still comes with the
nearest rulings, named as such."""

SINCE = 1486
"""Number of the first question it is set on. The development questions before were worked on:
questions of ``data/asked`` were written to what went wrong with them, so that search is surer of
them than it is of others."""


def measured(kb: Path | None) -> Sure:
    """The development questions from `SINCE` on and how sure search is of each."""
    questions = [one for one in questions_of(None, "dev") if int(one.id[1:]) >= SINCE]
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(kb or Path(folder)).open()
        searcher = knowledge.searcher
        if searcher.ranker is not None:
            # With the least of thresholds, what is not answered never is.
            least = Settings(threshold=1e-9, principle=1e-9, inputs="")
            searcher.ranker = replace(searcher.ranker, settings=least)
        found = [knowledge.search(question.text, 1) for question in questions]
    shares = np.array([one.confidence if one.answered else 0.0 for one in found])
    with np.errstate(divide="ignore"):
        odds = np.log(shares) - np.log1p(-shares)
    principle = [bool(one.hits) and one.hits[0].entry.kind == "principle" for one in found]
    answerable = [bool(question.grades) for question in questions]
    return Sure(odds, np.array(principle), np.array(answerable))


def report(sure: Sure, choice: Choice, outside: Shares) -> str:
    """What the choice makes of the questions, and each choice on a resample of those outside."""
    ruling, principle = probability(choice.odds), probability(choice.odds + choice.handicap)
    cost, refused = sure.refused(choice)
    low, high = np.quantile(outside, [0.025, 0.975], axis=0)
    return (
        f"a ruling from {ruling:.3f}, a principle from {principle:.3f}\n"
        f"  of all:  answerable {cost:.3f}, unanswerable {refused:.3f} refused\n"
        f"  outside: answerable {outside[:, 0].mean():.3f} [{low[0]:.3f}, {high[0]:.3f}],"
        f" unanswerable {outside[:, 1].mean():.3f} [{low[1]:.3f}, {high[1]:.3f}]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="knowledge base; a fresh one by default")
    parser.add_argument("--write", action="store_true", help=f"store it in {FOLDER / SETTINGS}")
    options = parser.parse_args()
    sure = measured(options.kb)
    choice, outside = resampled(sure, LIMITS)
    if options.write:
        before = Settings.model_validate_json((FOLDER / SETTINGS).read_bytes())
        settings = Settings(
            threshold=round(probability(choice.odds), 4),
            principle=round(probability(choice.odds + choice.handicap), 4),
            inputs=before.inputs,
            weights=file_hash(FOLDER / WEIGHTS),
            classifier=file_hash(classifier.FILE),
        )
        (FOLDER / SETTINGS).write_text(settings.model_dump_json(indent=1) + "\n", "utf-8")
    print(report(sure, choice, outside))


if __name__ == "__main__":
    main()
