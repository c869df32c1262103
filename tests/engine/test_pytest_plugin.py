"""`pytest *.scenario.yaml`: what a developer of an engine sees."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.engine.outcomes import GOOD, LAME, RULING, STUCK, UNTOLD, WRONG, scenario, write

KNOWN = "disturb.countered-is-exiled"
"""A scenario that a fault in `data/faults` explains, on the version of the engine pinned here."""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, text=True, capture_output=True, check=False, timeout=120
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """One of each outcome, played once: what was printed, and the JUnit file."""
    folder = tmp_path_factory.mktemp("run")
    known = scenario(KNOWN, "foe: {zone: exile}")
    write(folder, GOOD, WRONG, LAME, UNTOLD, STUCK, known)
    done = pytest_in(folder, "-rsxf", "-v", "--junitxml", "junit.xml")
    assert done.returncode == 1, done.stderr
    return done.stdout, folder / "junit.xml"


def test_outcomes(run: tuple[str, Path]) -> None:
    printed, _ = run
    assert "burn.scenario.yaml::burn.good PASSED" in printed
    assert "burn.scenario.yaml::burn.wrong FAILED" in printed
    assert "burn.scenario.yaml::burn.lame FAILED" in printed
    assert "burn.scenario.yaml::burn.stuck FAILED" in printed
    assert "burn.scenario.yaml::burn.untold SKIPPED" in printed
    assert f"burn.scenario.yaml::{KNOWN} XFAIL" in printed
    assert "3 failed, 1 passed, 1 skipped, 1 xfailed" in printed


def test_a_contradiction_shows_expected_beside_observed_and_the_source(
    run: tuple[str, Path],
) -> None:
    printed, _ = run
    line = WRONG.count("\n", 0, WRONG.index("foe: {zone: exile")) + GOOD.count("\n") + 1
    assert f"  burn.scenario.yaml:{line}: {{foe: {{zone: exile, damage: 0}}}}" in printed
    assert "    expected    | observed\n    zone: exile | zone: graveyard  <--\n" in printed
    assert "    damage: 0   | damage: 0\n" in printed
    assert f"  ruling {RULING}  『イニストラード：真夜中の狩り』リリースノート" in printed
    assert "  rules 120.3, 702.34a" in printed
    assert "saitei replay burn.scenario.yaml::burn.wrong" in printed
    assert "Traceback" not in printed


def test_a_known_fault_is_named(run: tuple[str, Path]) -> None:
    printed, _ = run
    assert f"{KNOWN} - disturbed-spell-countered: " in printed


def test_unsupported_skips_with_the_engines_words(run: tuple[str, Path]) -> None:
    printed, _ = run
    [line] = [line for line in printed.splitlines() if line.startswith("SKIPPED [1]")]
    assert "burn.scenario.yaml:" in line
    assert "phase" in line.split(": ", 1)[1]


def test_inconclusive_and_error_say_why(run: tuple[str, Path]) -> None:
    printed, _ = run
    assert "contrast '大きな熊なら' changes nothing that is shown" in printed
    assert "you is asked for targets (TargetSelection), and the step does not say" in printed


def test_junit_properties(run: tuple[str, Path]) -> None:
    _, file = run
    cases = {case.get("name"): case for case in ET.parse(file).iter("testcase")}
    found = {one.get("name"): one.get("value") for one in cases["burn.good"].iter("property")}
    version = found.pop("engine version")
    assert version is not None
    assert version[0].isdigit()
    assert found == {
        "rulings": RULING,
        "rules": "120.3 702.34a",
        "engine": "phase",
        "outcome": "confirmed",
    }
    outcomes = [
        one.get("value")
        for case in cases.values()
        for one in case.iter("property")
        if one.get("name") == "outcome"
    ]
    assert outcomes == [
        "confirmed", "contradicted", "inconclusive", "unsupported", "error", "contradicted",
    ]  # fmt: skip


def test_a_known_fault_that_is_gone_fails(tmp_path: Path) -> None:
    write(tmp_path, scenario(KNOWN))
    done = pytest_in(tmp_path)
    assert done.returncode == 1
    assert "[XPASS(strict)] disturbed-spell-countered" in done.stdout


def test_under_xdist(tmp_path: Path) -> None:
    write(tmp_path, GOOD, WRONG, UNTOLD)
    done = pytest_in(tmp_path, "-n", "2")
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 skipped" in done.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "xdist"])
def test_a_file_that_cannot_be_used_is_wrong_use(tmp_path: Path, workers: list[str]) -> None:
    text = GOOD.replace("given: {opp", "givn: {opp")
    file = write(tmp_path, text)
    line = text.count("\n", 0, text.index("givn")) + 1
    done = pytest_in(tmp_path, *workers)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"{file}:{line}: contrast[0].givn: unknown key 'givn'; is it 'given'?" in done.stdout
    assert "Traceback" not in done.stdout


def test_an_id_in_two_files(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    (tmp_path / "second.scenario.yaml").write_text(GOOD, "utf-8")
    done = pytest_in(tmp_path)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert (
        "second.scenario.yaml:2: id: scenario 'burn.good' is already in burn.scenario.yaml:2"
        in done.stdout
    )


def test_chosen_by_rule_ruling_and_mechanic(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    every = f"702.34a and {RULING} and flashback and good"
    done = pytest_in(tmp_path, "--collect-only", "-q", "-k", every)
    assert "burn.scenario.yaml::burn.good" in done.stdout, done.stdout
    assert pytest_in(tmp_path, "--collect-only", "-k", "702.35").returncode == 5


def test_an_engine_of_ones_own_that_dies(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    write(tmp_path, GOOD.replace("  given:\n    you:", "  given:\n    turn_number: 13\n    you:"))
    done = pytest_in(
        tmp_path, "-o", f"pythonpath={root}", "--saitei-engine", "tests.engine.fakes:Dies"
    )
    assert done.returncode == 1
    assert "the engine's process died (SIGABRT)" in done.stdout


def test_cards_of_ones_own(tmp_path: Path) -> None:
    cards = tmp_path / "cards.yaml"
    cards.write_text(
        "- id: bear\n  name: {en: Strong Bear, ja: 強い熊}\n  type: Creature — Bear\n  pt: 4/4\n",
        "utf-8",
    )
    write(tmp_path, scenario("burn.own", "foe: {zone: battlefield}", other="foe: {damage: 3}"))
    done = pytest_in(tmp_path, "--saitei-cards", str(cards))
    # With a bear that big it survives, as it does in the contrast.
    assert "changes nothing that is shown" in done.stdout


def test_nothing_heavy_is_imported_before_there_is_a_scenario() -> None:
    code = (
        "import sys; import saitei.engine.pytest_plugin; "
        "heavy = {'phase', 'pydantic', 'yaml', 'saitei.engine.runner'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
