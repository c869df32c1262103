"""Each means of the scenario language does on the real engine what it says."""

import json
from pathlib import Path

import pytest

from saitei.data.yaml_text import read_yaml
from saitei.engine.cards import CardBook
from saitei.engine.loading import load_scenarios
from saitei.engine.protocol import Adapter
from saitei.engine.runner import run_case

LANGUAGE = Path(__file__).parent / "language.yaml"


def _cases() -> list[object]:
    cases = read_yaml(LANGUAGE).value
    assert isinstance(cases, list)
    return [pytest.param(case, id=case["title"]) for case in cases if isinstance(case, dict)]


@pytest.mark.parametrize("case", _cases())
def test_expectations_hold(
    case: dict[str, object], tmp_path: Path, cards: CardBook, engine: Adapter
) -> None:
    then = case["then"]
    assert isinstance(then, list)
    shown = [{**then[0], "shows": "aaaaaaaaaaaa"}, *then[1:]]
    scenario = {**case, "id": "a.case", "basis": "ruling", "rulings": ["aaaaaaaaaaaa"]}
    file = tmp_path / "language.scenario.yaml"
    file.write_text(json.dumps([{**scenario, "then": shown}]), "utf-8")  # JSON is YAML

    [loaded] = load_scenarios([file], cards)
    result = run_case(loaded.main, engine, cards)

    assert result.failure is None
    assert [(one.expected, one.observed) for one in result.checked if not one.held] == []
    assert len(result.checked) >= len(then)
