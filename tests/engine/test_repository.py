"""What the repository carries: scenarios, cards, faults, schema."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from saitei.data import PATH as DATA
from saitei.engine.cards import packaged_cards
from saitei.engine.comparing import matrix_lines
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import packaged_faults
from saitei.engine.loading import load_scenarios
from saitei.engine.protocol import Adapter, load_engine
from saitei.engine.runner import run_scenario
from saitei.engine.schema import schema_text
from saitei.engine.verdicts import Run, packaged_runs, read_verdicts, write_verdicts

ROOT = Path(__file__).resolve().parents[2]


def test_flashback_spell_that_is_countered_is_exiled(engine: Adapter) -> None:
    cards = packaged_cards()
    file = DATA / "scenarios" / "mid-release-notes" / "flashback.scenario.yaml"
    scenarios = {one.id: one for one in load_scenarios([file], cards)}
    verdict = run_scenario(scenarios["flashback.countered-is-exiled"], engine, cards).verdict
    assert verdict.outcome == "confirmed"
    assert verdict.rulings == ["c97ba3070b48"]


def test_every_fault_names_scenarios_that_are_there() -> None:
    scenarios = {one.id for one in load_scenarios([DATA / "scenarios"], packaged_cards())}
    missing = {
        (fault.id, name)
        for fault in packaged_faults()
        for name in fault.scenarios
        if name not in scenarios
    }
    assert missing == set()


@pytest.mark.parametrize("run", packaged_runs(), ids=lambda run: f"{run.engine}-{run.version}")
def test_committed_verdicts_are_of_the_scenarios_as_they_are(run: Run) -> None:
    scenarios = load_scenarios([DATA / "scenarios"], packaged_cards())
    now = {one.id: one.sha256 for one in scenarios}
    stale = {one.scenario for one in run.verdicts if now.get(one.scenario) != one.scenario_sha256}
    missing = set(now) - {one.scenario for one in run.verdicts}
    assert (stale, missing) == (set(), set()), "run make verdicts"


def test_the_pinned_engine_has_committed_verdicts(engine: Adapter) -> None:
    assert engine.version in [run.version for run in packaged_runs()]


def test_the_matrix_is_that_of_the_committed_verdicts() -> None:
    titles = {one.id: one.title for one in load_scenarios([DATA / "scenarios"], packaged_cards())}
    lines = matrix_lines(packaged_runs(), titles, packaged_faults())
    written = (ROOT / "docs" / "verdicts.md").read_text("utf-8")
    assert written.endswith("\n".join(lines) + "\n"), "run make verdicts"


def test_known_faults_are_shown_by_the_committed_verdicts() -> None:
    runs = {run.version: run for run in packaged_runs()}
    unproved = [
        (fault.id, version, name)
        for fault in packaged_faults()
        for version in fault.versions
        for name in fault.scenarios
        if (found := runs[version].verdict(name)) is None or found.outcome != "contradicted"
    ]
    assert unproved == []


def test_the_schema_is_current() -> None:
    written = (ROOT / "docs" / "scenario.schema.json").read_text("utf-8")
    assert written == schema_text(), "run python -m saitei.engine.schema docs/scenario.schema.json"
    assert json.loads(written)["$schema"].startswith("https://json-schema.org/")


def test_the_guide_names_every_key_of_the_language() -> None:
    guide = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    schema = json.loads(schema_text())
    keys = {key for model in schema["$defs"].values() for key in model.get("properties", {})}
    assert {key for key in keys if f"`{key}`" not in guide and f"{key}:" not in guide} == set()


def test_the_guides_scenario_is_confirmed(tmp_path: Path, engine: Adapter) -> None:
    guide = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    file = tmp_path / "guide.scenario.yaml"
    file.write_text(guide.split("```yaml\n", 1)[1].split("```", 1)[0], "utf-8")
    cards = packaged_cards()
    [scenario] = load_scenarios([file], cards)
    assert run_scenario(scenario, engine, cards).verdict.outcome == "confirmed"


def test_verdicts_are_read_without_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "phase-1.json"
    write_verdicts(Run(engine="phase", version="1", verdicts=[]), file)
    code = (
        "import sys; from pathlib import Path; from saitei.engine.verdicts import read_verdicts; "
        f"run = read_verdicts(Path({str(file)!r})); assert run.engine == 'phase'; "
        "assert 'phase' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_verdicts_survive_writing_and_reading(tmp_path: Path, engine: Adapter) -> None:
    cards = packaged_cards()
    file = DATA / "scenarios" / "mid-release-notes" / "decayed.scenario.yaml"
    [scenario, *_] = load_scenarios([file], cards)
    verdict = run_scenario(scenario, engine, cards).verdict
    run = Run(engine="phase", version=engine.version, verdicts=[verdict])
    write_verdicts(run, tmp_path / "run.json")
    again = read_verdicts(tmp_path / "run.json")
    assert again == run
    assert again.of_ruling("ea7ae329335b") == [verdict]
    assert again.verdict("nothing.here") is None


@pytest.mark.parametrize("text", ["", "{}", '{"engine": "phase"}', "[1]"])
def test_a_file_that_holds_no_verdicts(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, "utf-8")
    with pytest.raises(ScenarioError, match=r"bad\.json"):
        read_verdicts(file)


def test_an_engine_that_is_not_there() -> None:
    with pytest.raises(ScenarioError, match="no engine 'xmage'; there are: phase"):
        load_engine("xmage")
    with pytest.raises(ScenarioError, match="engine nowhere:Adapter"):
        load_engine("nowhere:Adapter")


def test_a_reader_that_goes_away_is_no_error() -> None:
    file = DATA / "scenarios" / "mid-release-notes" / "decayed.scenario.yaml"
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "saitei.engine", str(file), "--trace"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == ""
    assert run.returncode == 0


def test_an_engine_of_ones_own_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from saitei.engine.phase_adapter import PhaseAdapter\n"
        "class Mine(PhaseAdapter):\n"
        "    name = 'mine'\n"
        "    def __init__(self):\n"
        "        self.version = '7'\n",
        "utf-8",
    )
    info = tmp_path / "mine-7.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 7\n", "utf-8")
    (info / "entry_points.txt").write_text("[saitei.engines]\nmine = mine:Mine\n", "utf-8")
    file = DATA / "scenarios" / "mid-release-notes" / "decayed.scenario.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "saitei.engine", str(file), "--engine", "mine"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("(mine 7)")
