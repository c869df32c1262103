"""A note and a scenario of the same ruling may not say different things."""

import dataclasses
from functools import cache

import pytest

from saitei.data import PATH as DATA
from saitei.engine.cards import packaged_cards
from saitei.engine.loading import load_scenarios
from saitei.engine.scenario import Scenario
from saitei.ingest.notes import Note
from saitei.service.agreement import check_agreement

FP = "0a1b2c3d4e5f"
SUPERSEDED = {"superseded": {"since": "unknown", "by": "作り話の改定"}}


@cache
def _scenario() -> Scenario:
    path = DATA / "scenarios" / "mid-release-notes" / "decayed.scenario.yaml"
    return load_scenarios([path], packaged_cards())[0]


def scenario(*rulings: str, basis: str = "ruling") -> Scenario:
    return dataclasses.replace(_scenario(), id="turtle.swims", rulings=rulings, basis=basis)


def note(status: object = "current", executable: object = "yes", **more: object) -> Note:
    return Note.model_validate(
        {
            "id": "swims",
            "rulings": [FP],
            "subject": {"mechanic": "decayed"},
            "questions": {"ja": ["亀は泳ぐ？"], "en": []},
            "answer": "泳ぐ。",
            "because": "亀だから。",
            "checked": "2025-02-07",
            "status": status,
            "executable": executable,
            **more,
        }
    )


CLAIMS = [
    {"id": "a", "says": "泳ぐ。"},
    {"id": "b", "says": "飛ぶ。", "status": SUPERSEDED},
    {"id": "c", "says": "亀とは甲羅を持つものである。", "executable": {"no": "definition"}},
]


@pytest.mark.parametrize(
    ("told", "played", "says"),
    [
        (note(), scenario("ffffffffffff"), "no note"),
        (note(), scenario(f"{FP}#a"), "no claim"),
        (note(SUPERSEDED), scenario(FP), "calls superseded"),
        (note(), scenario(FP, basis="rules"), "its notes say that the ruling holds"),
        (note(executable={"no": "product"}), scenario(FP), "cannot be executed"),
        (note("narrowed", claims=CLAIMS), scenario(f"{FP}#b"), "calls superseded"),
        (note("narrowed", claims=CLAIMS), scenario(f"{FP}#a", basis="rules"), "ruling holds"),
        (note("narrowed", claims=CLAIMS), scenario(f"{FP}#c"), "cannot be executed"),
    ],
)
def test_a_disagreement_is_found(told: Note, played: Scenario, says: str) -> None:
    faults = [finding for finding in check_agreement([told], [played]) if not finding.warning]
    assert len(faults) == 1
    assert faults[0].note == "turtle.swims"
    assert says in faults[0].message


@pytest.mark.parametrize(
    ("told", "played"),
    [
        (note(), scenario(FP)),
        (note(SUPERSEDED), scenario(FP, basis="rules")),
        (note("narrowed"), scenario(FP)),
        (note("narrowed", claims=CLAIMS), scenario(f"{FP}#a")),
        (note("narrowed", claims=CLAIMS), scenario(f"{FP}#b", basis="rules")),
    ],
)
def test_agreement_is_no_fault(told: Note, played: Scenario) -> None:
    assert [f for f in check_agreement([told], [played]) if not f.warning] == []


def test_an_executable_ruling_without_a_scenario_is_a_warning() -> None:
    [finding] = check_agreement([note()], [])
    assert finding.warning
    assert FP in finding.message
    assert list(check_agreement([note(executable={"no": "product"})], [])) == []


def test_the_packaged_notes_and_scenarios_agree_and_every_executable_one_is_shown() -> None:
    from saitei.engine.selecting import find_scenarios
    from saitei.ingest.notes import load_notes

    notes = [each for _, each in load_notes()]
    scenarios = find_scenarios([], packaged_cards())
    assert [str(finding) for finding in check_agreement(notes, scenarios)] == []
