"""Evidence into a probability; the packaged calibration fits the evidence that search measures."""

from dataclasses import fields, replace

import pytest

from saitei.index.confidence import Calibration, Evidence, load_calibration

NOTHING = Evidence(**{field.name: 0.0 for field in fields(Evidence)})


def test_evidence_moves_the_probability_by_its_weight() -> None:
    model = Calibration(weights={"likeness": 2.0, "elsewhere": -2.0}, intercept=0.0, threshold=0.7)
    assert model.confidence(NOTHING) == pytest.approx(0.5)
    # 1 / (1 + e^-2)
    assert model.confidence(replace(NOTHING, likeness=1.0)) == pytest.approx(0.880797)
    assert model.confidence(replace(NOTHING, elsewhere=1.0)) == pytest.approx(0.119203)
    assert model.confidence(replace(NOTHING, coverage=1.0)) == pytest.approx(0.5)


def test_a_result_that_cites_the_rule_asked_for_is_answered() -> None:
    model = Calibration(weights={}, intercept=-5.0, threshold=0.7)
    assert model.confidence(NOTHING) < 0.01
    assert model.confidence(replace(NOTHING, rule=1.0)) == 0.7


def test_extreme_evidence_stays_a_probability() -> None:
    model = Calibration(weights={"length": 1e6}, intercept=0.0, threshold=0.7)
    assert 0.0 < model.confidence(replace(NOTHING, length=-1.0)) < 1e-20
    assert model.confidence(replace(NOTHING, length=1.0)) <= 1.0


def test_the_packaged_weights_are_those_of_the_evidence() -> None:
    calibration = load_calibration()
    assert set(calibration.weights) == {field.name for field in fields(Evidence)} - {"rule"}
    assert 0.5 < calibration.threshold < 1.0
