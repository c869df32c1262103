"""Scenarios from text, played on the real engine."""

from pathlib import Path
from textwrap import dedent

import pytest

from saitei.data import PATH as DATA
from saitei.engine.cards import CardBook, read_cards
from saitei.engine.loading import load_scenarios
from saitei.engine.protocol import Adapter, load_engine
from saitei.engine.runner import ScenarioResult, run_scenario
from saitei.engine.scenario import Scenario
from tests.engine.playing import Load, Play

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def cards() -> CardBook:
    """The packaged cards for common needs, and those of these tests."""
    common = [DATA / "cards" / f"{name}.yaml" for name in ("invented/plain", "lands", "tokens")]
    return read_cards([*common, HERE / "cards.yaml"])


@pytest.fixture(scope="session")
def engine() -> Adapter:
    return load_engine("phase")


@pytest.fixture
def load(tmp_path: Path, cards: CardBook) -> Load:
    """Text of a scenario file -> scenarios. The file is called case.scenario.yaml."""

    def read(text: str) -> list[Scenario]:
        file = tmp_path / "case.scenario.yaml"
        file.write_text(dedent(text).lstrip("\n"), "utf-8")
        return load_scenarios([file], cards)

    return read


@pytest.fixture
def play(load: Load, engine: Adapter, cards: CardBook) -> Play:
    """Text of a file with one scenario -> its result, with the trace."""

    def run(text: str) -> ScenarioResult:
        [scenario] = load(text)
        return run_scenario(scenario, engine, cards, trace=True)

    return run
