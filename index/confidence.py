"""How sure a search is that its first result answers the question: a calibrated logistic model.

Features are measured on the first results and on the question; the weights are fitted on the
development part of ``data/evaluation`` (``benchmarks/calibrate.py``) and stored as JSON.
"""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from saitei.data import PATH as DATA

CALIBRATION = DATA / "model" / "confidence.json"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the first result; each feature is about 0 to 1."""

    cosine: float
    """Of the question and the nearest passage."""
    coverage: float
    """Share of the question's weighted terms found in the first result."""
    margin: float
    """Score of the first result over the second."""
    agreement: float
    """1 when words and meaning put the same entry first, else what rank puts it."""
    subject: float
    """1 when the question names the first result's subject."""
    stranger: float
    """1 when the question names a card, and the first result is not linked to it."""
    terms: float
    """Share of the question's terms the knowledge base knows at all."""


class Calibration(BaseModel):
    """Weights by feature name, intercept, and the probability from which a question is answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: dict[str, float]
    intercept: float
    threshold: float

    def confidence(self, evidence: Evidence) -> float:
        """Probability in (0, 1) that the first result answers the question."""
        names = (field.name for field in fields(evidence))
        pairs = zip(names, astuple(evidence), strict=True)
        logit = self.intercept + sum(self.weights.get(name, 0.0) * value for name, value in pairs)
        return float(1.0 / (1.0 + np.exp(-logit)))


@lru_cache(maxsize=1)
def load_calibration(path: Path = CALIBRATION) -> Calibration:
    return Calibration.model_validate_json(path.read_bytes())
