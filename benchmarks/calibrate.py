"""Fit the confidence model on the development questions.

``python -m benchmarks.calibrate [--write]``.

Logistic regression with an L2 penalty on standardised features. The figures printed come from
cross-validation repeated over several splits, stratified by kind; the stored model is fitted on all
development questions. The test part is never read.
"""

import argparse
import json
import tempfile
from dataclasses import astuple, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.confidence import CALIBRATION, Evidence
from saitei.index.evaluation import Question
from saitei.service.evaluation import questions_of
from saitei.service.knowledge import Knowledge

PENALTY = 1.0
FOLDS, REPEATS = 6, 5
SEED = 20_250_207
REFUSED = 0.90
"""Share of the unanswerable that the threshold refuses. The goal of .95 would cost 29 % of the
answerable; what is refused still comes with the nearest rulings, named as such."""
UNFITTED = frozenset({"rule"})

Matrix = NDArray[np.float64]


def fit(features: Matrix, labels: Matrix) -> tuple[Matrix, float]:
    """Weights and intercept on features as they come; Newton's method on standardised ones."""
    mean, scale = features.mean(axis=0), features.std(axis=0)
    scale[scale < 1e-9] = 1.0
    x = np.hstack([(features - mean) / scale, np.ones((len(features), 1))])
    penalty = np.diag([PENALTY] * features.shape[1] + [0.0])
    w = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - labels) + penalty @ w
        w = w - np.linalg.solve((x * (p * (1 - p))[:, np.newaxis]).T @ x + penalty, gradient)
    weights = w[:-1] / scale
    return weights, float(w[-1] - weights @ mean)


def predict(features: Matrix, weights: Matrix, intercept: float) -> Matrix:
    return np.asarray(1 / (1 + np.exp(-(features @ weights + intercept))))


def held_out(features: Matrix, labels: Matrix, kinds: list[str]) -> Matrix:
    """Probabilities of questions the model did not see, one row per repeat."""
    rng = np.random.default_rng(SEED)
    rows = []
    for _ in range(REPEATS):
        order = rng.permutation(len(labels))
        order = order[np.argsort([kinds[i] for i in order], kind="stable")]
        fold = np.empty(len(labels), int)
        fold[order] = np.arange(len(labels)) % FOLDS
        row = np.empty(len(labels))
        for number in range(FOLDS):
            seen = fold != number
            row[~seen] = predict(features[~seen], *fit(features[seen], labels[seen]))
        rows.append(row)
    return np.array(rows)


def threshold_of(probabilities: Matrix, labels: Matrix) -> float:
    """The lowest, to two digits, that refuses `REFUSED` of the unanswerable over all repeats."""
    choices = np.linspace(0.05, 0.95, 91)
    refused = [(probabilities[:, labels == 0] < choice).mean() for choice in choices]
    return float(choices[int(np.argmax(np.array(refused) >= REFUSED))])


def report(probabilities: Matrix, labels: Matrix, kinds: list[str], threshold: float) -> None:
    refused = (probabilities < threshold).mean(axis=0)
    answerable = labels > 0
    print(f"threshold {threshold:.2f}, by cross-validation:")
    print(f"  answerable refused    {refused[answerable].mean():.3f}")
    print(f"  unanswerable refused  {refused[~answerable].mean():.3f}")
    for kind in sorted(set(kinds)):
        chosen = [i for i, k in enumerate(kinds) if k == kind]
        print(f"  {kind:14} n={len(chosen):3}  refused {refused[chosen].mean():.2f}")
    for goal in (0.90, 0.95):
        cut = np.quantile(probabilities[:, ~answerable], goal)
        print(
            f"  refusing {goal:.0%} of the unanswerable would refuse"
            f" {(probabilities[:, answerable] < cut).mean():.0%} of the answerable"
        )
    for share in (0.03, 0.05, 0.10, 0.15):
        cut = np.quantile(probabilities[:, answerable], share)
        print(
            f"  refusing {share:.0%} of the answerable would refuse"
            f" {(probabilities[:, ~answerable] < cut).mean():.0%} of the unanswerable"
        )


def measured(kb: Path | None) -> tuple[list[Question], list[Evidence]]:
    questions = questions_of(None, "dev")
    with tempfile.TemporaryDirectory() as folder:
        knowledge = Knowledge(kb or Path(folder)).open()
        found = [knowledge.search(question.text, 2).evidence for question in questions]
    return questions, [evidence for evidence in found if evidence is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, help="knowledge base; a fresh one by default")
    parser.add_argument("--write", action="store_true", help=f"store the model in {CALIBRATION}")
    options = parser.parse_args()
    questions, evidence = measured(options.kb)
    names = [field.name for field in fields(Evidence) if field.name not in UNFITTED]
    keep = [i for i, field in enumerate(fields(Evidence)) if field.name in names]
    features = np.array([astuple(one) for one in evidence])[:, keep]
    labels = np.array([float(bool(question.grades)) for question in questions])
    kinds = [question.kind for question in questions]
    probabilities = held_out(features, labels, kinds)
    threshold = threshold_of(probabilities, labels)
    report(probabilities, labels, kinds, threshold)
    weights, intercept = fit(features, labels)
    if options.write:
        model = {
            "weights": {n: round(float(w), 4) for n, w in zip(names, weights, strict=True)},
            "intercept": round(intercept, 4),
            "threshold": round(threshold, 2),
        }
        CALIBRATION.write_text(json.dumps(model, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
