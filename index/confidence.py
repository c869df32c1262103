"""How sure a search is that its first result answers the question: a calibrated logistic model.

Features are measured on the question and the first result; weights and threshold are fitted on the
development part of ``data/evaluation`` by ``benchmarks/calibrate.py`` and stored as JSON. The
hardest case is a card of the documents with a question none of its rulings answers: its name alone
makes everything about it look right. So likeness is measured once more with the name taken out.
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
    """What speaks for the first result. "Content" is the question without the cards it names."""

    pooled: float
    """Cosine of the question with the result's nearest passages, averaged."""
    content_cosine: float
    """Of the question's content and the result's nearest passage."""
    coverage: float
    """The result's BM25 score over that of an entry that has every term at its best, 0 to 1."""
    likeness: float
    """Words the content shares with the result's own question most like it, over the words of
    both, weighed by rarity."""
    missing: float
    """Rarity of the rarest word of the content that the result does not have, 0 to 1. Speaks for
    the result where likeness is low: the question is told in words of its own."""
    subject: float
    """1 when the question names the first result's subject."""
    elsewhere: float
    """1 when the question names a card that has rulings, and the result is about none such."""
    nameless: float
    """1 when the question names no card."""
    length: float
    """Logarithm of the number of terms of the content, plus one."""
    rule: float
    """1 when the question names a rule that the result cites."""


class Calibration(BaseModel):
    """Weights by feature name, intercept, and the probability from which a question is answered.

    ``rule`` has no weight of its own: no question of the development part names a rule, and a
    result that cites the rule asked for is what was asked for.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: dict[str, float]
    intercept: float
    threshold: float

    def confidence(self, evidence: Evidence) -> float:
        """Probability in (0, 1) that the first result answers the question."""
        names = (field.name for field in fields(evidence))
        pairs = zip(names, astuple(evidence), strict=True)
        logit = self.intercept + sum(self.weights.get(name, 0.0) * value for name, value in pairs)
        probability = float(1.0 / (1.0 + np.exp(-np.clip(logit, -60.0, 60.0))))
        return max(probability, self.threshold) if evidence.rule else probability


@lru_cache(maxsize=1)
def load_calibration(path: Path = CALIBRATION) -> Calibration:
    """The packaged model, or another file like it."""
    return Calibration.model_validate_json(path.read_bytes())
