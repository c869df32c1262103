"""Set the ranker's threshold on the development questions.

``python -m benchmarks.calibrate [--write]``.

The ranker is fitted on the further questions of ``data/asked`` (`saitei.index.rehearsal`), never on
these: they only choose from which probability a question is answered. The test part is never read.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.evaluation import Question
from saitei.index.ranker import FOLDER, SETTINGS, Settings
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

REFUSED = 0.90
"""Share of the unanswerable that the threshold refuses; what the goal of .95 would cost is printed.
What is refused still comes with the nearest rulings, named as such."""

Shares = NDArray[np.float64]


def threshold_of(unanswerable: Shares) -> float:
    """The lowest, to two digits, that refuses `REFUSED` of them. Raises ``ValueError``."""
    choices = np.linspace(0.01, 0.99, 99)
    refused = (unanswerable[np.newaxis, :] < choices[:, np.newaxis]).mean(axis=1)
    if refused[-1] < REFUSED:
        raise ValueError(f"even {choices[-1]:.2f} refuses no more than {refused[-1]:.0%}")
    return round(float(choices[int(np.argmax(refused >= REFUSED))]), 2)


def measured(kb: Path | None) -> tuple[list[Question], Shares]:
    """The development questions and how sure search is of each; 0 of what it never answers."""
    questions = questions_of(None, "dev")
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(kb or Path(folder)).open()
        found = [knowledge.search(question.text, 1) for question in questions]
    return questions, np.array([0.0 if one.reading.penalty else one.confidence for one in found])


def report(questions: list[Question], sure: Shares, threshold: float) -> None:
    answerable = np.array([bool(question.grades) for question in questions])
    print(f"threshold {threshold:.2f}:")
    print(f"  answerable refused    {(sure[answerable] < threshold).mean():.3f}")
    print(f"  unanswerable refused  {(sure[~answerable] < threshold).mean():.3f}")
    for goal in (0.90, 0.95):
        cut = np.quantile(sure[~answerable], goal)
        print(
            f"  refusing {goal:.0%} of the unanswerable refuses"
            f" {(sure[answerable] < cut).mean():.1%} of the answerable"
        )
    for share in (0.03, 0.05, 0.10):
        cut = np.quantile(sure[answerable], share)
        print(
            f"  refusing {share:.0%} of the answerable refuses"
            f" {(sure[~answerable] < cut).mean():.1%} of the unanswerable"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="knowledge base; a fresh one by default")
    parser.add_argument("--write", action="store_true", help=f"store it in {FOLDER / SETTINGS}")
    options = parser.parse_args()
    questions, sure = measured(options.kb)
    threshold = threshold_of(sure[[not question.grades for question in questions]])
    report(questions, sure, threshold)
    if options.write:
        settings = Settings.model_validate_json((FOLDER / SETTINGS).read_bytes())
        changed = settings.model_copy(update={"threshold": threshold})
        (FOLDER / SETTINGS).write_text(changed.model_dump_json(indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
