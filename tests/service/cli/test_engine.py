"""`saitei verify`, `compare`, `replay`, `cards audit`, `faults`: what they print, how they end."""

import gzip
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from saitei.engine.verdicts import Run, Verdict, read_verdicts, write_verdicts
from tests.engine.outcomes import GOOD, LAME, RULING, STUCK, UNTOLD, WRONG, scenario, write
from tests.service.conftest import Ran

Saitei = Callable[..., Ran]
KNOWN = "disturb.countered-is-exiled"


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What failed last is remembered in the user's cache folder."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


# -- verify: exit codes


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        (GOOD, 0, "confirmed 1"),
        (UNTOLD, 0, "unsupported 1"),
        (WRONG, 1, "contradicted 1"),
        (LAME, 1, "inconclusive 1"),
        (STUCK, 1, "error 1"),
    ],
)
def test_verify_ends_by_outcome(
    saitei: Saitei, tmp_path: Path, text: str, code: int, word: str
) -> None:
    ran = saitei("verify", str(write(tmp_path, text)))
    assert ran.code == code, ran.err
    assert word in ran.out


def test_verify_shows_expected_beside_observed_and_the_rulings_source(
    saitei: Saitei, tmp_path: Path
) -> None:
    out = saitei("verify", str(write(tmp_path, WRONG))).out
    assert "    zone: exile | zone: graveyard  <--\n" in out
    assert f"  ruling {RULING}  『イニストラード：真夜中の狩り』リリースノート" in out


def test_verify_counts_by_document_and_mechanic(saitei: Saitei, tmp_path: Path) -> None:
    out = saitei("verify", str(write(tmp_path, GOOD, WRONG))).out
    rows = [line.split() for line in out.splitlines()]
    assert ["『イニストラード：真夜中の狩り』リリースノート", "1", "1"] in rows
    assert ["フラッシュバック", "flashback", "1", "1"] in rows


def test_progress_goes_to_standard_error(saitei: Saitei, tmp_path: Path) -> None:
    ran = saitei("verify", str(write(tmp_path, GOOD)))
    assert "1/1" in ran.err
    assert "1/1" not in ran.out


# -- verify: which scenarios


def test_verify_takes_ids_subjects_and_pytests_names(saitei: Saitei, tmp_path: Path) -> None:
    file = write(tmp_path, GOOD, WRONG)
    assert "場面 1（confirmed 1）" in saitei("verify", f"{file}::burn.good").out
    assert "場面 1（confirmed 1）" in saitei("verify", "flashback.countered-is-exiled").out
    assert "decayed" in saitei("verify", "decayed").out


def test_verify_narrows_by_rule_and_mechanic(saitei: Saitei, tmp_path: Path) -> None:
    other = GOOD.replace("burn.good", "burn.other").replace("702.34a", "702.3b")
    file = str(write(tmp_path, GOOD, other))
    assert "場面 1（" in saitei("verify", file, "--rule", "702.3").out
    assert "場面 2（" in saitei("verify", file, "--rule", "702.3", "--rule", "702.34").out
    assert "場面 1（" in saitei("verify", file, "--mechanic", "flashback").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing-like-it"], "'nothing-like-it' is neither a file, a scenario nor a subject"),
        (["flashbak"], "is it 'flashback'?"),
        (["decayed", "--mechanic", "flashbak"], "no mechanic or card 'flashbak'; is it"),
        (["decayed", "--rule", "999"], "条件に合う場面がありません"),
        (["decayed", "--engine", "xmage"], "no engine 'xmage'; there are: phase"),
        (["decayed", "--cards", "nowhere.json"], "nowhere.json"),
        (["decayed", "--baseline", "{here}"], "burn.scenario.yaml: not a file of verdicts"),
        (["{here}::burn.bad"], "burn.scenario.yaml::burn.bad: no such scenario in that file"),
        (["decayed", "--json", "{folder}/no/such.json"], "such.json: cannot be written"),
        (["decayed", "--junit", "{folder}/no/such.xml"], "such.xml: cannot be written"),
        (["decayed", "--replays", "{folder}/no/such.gz"], "such.gz: cannot be written"),
    ],
)
def test_wrong_use(saitei: Saitei, tmp_path: Path, arguments: list[str], words: str) -> None:
    here = write(tmp_path, GOOD)
    ran = saitei("verify", *(one.format(here=here, folder=tmp_path) for one in arguments))
    assert ran.code == 2
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert "場面" not in ran.out, "nothing was played"


def test_each_complaint_has_a_line(saitei: Saitei, tmp_path: Path) -> None:
    file = write(
        tmp_path, GOOD.replace("cast: burn", "cats: burn"), WRONG.replace("bear,", "beer,")
    )
    ran = saitei("verify", str(file))
    assert ran.code == 2
    lines = ran.err.splitlines()
    assert all(line.startswith(f"saitei: {file}:") for line in lines)
    assert any("cats" in line for line in lines)
    assert any("beer" in line for line in lines)


def test_failed_runs_those_that_failed_last(saitei: Saitei, tmp_path: Path) -> None:
    file = write(tmp_path, GOOD, WRONG)
    first = saitei("verify", str(file), "--failed")
    assert "前回の実行がない" in first.err
    assert "場面 2（" in first.out
    again = saitei("verify", str(file), "--failed")
    assert "場面 1（contradicted 1）" in again.out
    write(tmp_path, GOOD, scenario("burn.wrong"))
    assert saitei("verify", str(file), "--failed").code == 0
    nothing = saitei("verify", str(file), "--failed")
    assert nothing.code == 0
    assert "前回、期待どおりでなかった場面はありません" in nothing.err


# -- verify: what it writes


def test_json_junit_and_replays(saitei: Saitei, tmp_path: Path) -> None:
    file = write(tmp_path, GOOD, WRONG, UNTOLD)
    names = {kind: tmp_path / f"out.{kind}" for kind in ("json", "xml", "gz")}
    saitei(
        "verify", str(file), "--json", str(names["json"]), "--junit", str(names["xml"]),
        "--replays", str(names["gz"]),
    )  # fmt: skip

    run = read_verdicts(names["json"])
    assert run.engine == "phase"
    assert [one.outcome for one in run.verdicts] == ["confirmed", "contradicted", "unsupported"]
    assert run.of_ruling(RULING) == run.verdicts

    [suite] = ET.parse(names["xml"]).getroot()
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == list("3101")
    good, wrong, untold = suite.iter("testcase")
    properties = {one.get("name"): one.get("value") for one in good.iter("property")}
    assert properties["rulings"] == RULING
    assert properties["rules"] == "120.3 702.34a"
    assert properties["outcome"] == "confirmed"
    assert properties["engine version"] == run.version
    assert wrong.get("line") == "23"
    assert "zone: graveyard" in (wrong.find("failure").text or "")  # type: ignore[union-attr]
    assert untold.find("skipped") is not None

    text = gzip.decompress(names["gz"].read_bytes()).decode()
    replays = [json.loads(line) for line in text.splitlines()]
    assert [one["scenario"] for one in replays] == ["burn.good", "burn.untold", "burn.wrong"]
    assert replays[0]["main"]["frames"]


def test_replays_are_the_same_every_time(saitei: Saitei, tmp_path: Path) -> None:
    file = write(tmp_path, GOOD, WRONG)
    for name in ("first.gz", "second.gz"):
        saitei("verify", str(file), "--replays", str(tmp_path / name))
    assert (tmp_path / "first.gz").read_bytes() == (tmp_path / "second.gz").read_bytes()


# -- verify: against a baseline


def baseline(saitei: Saitei, tmp_path: Path, *texts: str) -> str:
    file = str(tmp_path / "baseline.json")
    saitei("verify", str(write(tmp_path, *texts)), "--json", file)
    return file


def test_a_regression_against_the_baseline(saitei: Saitei, tmp_path: Path) -> None:
    before = baseline(saitei, tmp_path, GOOD)
    now = write(tmp_path, UNTOLD.replace("burn.untold", "burn.good"))
    assert saitei("verify", str(now)).code == 0
    ran = saitei("verify", str(now), "--baseline", before)
    assert ran.code == 1
    assert "newly unsupported: 1" in ran.out
    assert "burn.good  confirmed -> unsupported" in ran.out


def test_a_known_fault_is_excused_with_a_baseline_only(saitei: Saitei, tmp_path: Path) -> None:
    known = scenario(KNOWN, "foe: {zone: exile}")
    before = baseline(saitei, tmp_path, known)
    file = str(tmp_path / "burn.scenario.yaml")
    assert saitei("verify", file).code == 1
    excused = saitei("verify", file, "--baseline", before, "--junit", str(tmp_path / "out.xml"))
    assert excused.code == 0
    assert f"既知の不具合: {KNOWN}  disturbed-spell-countered" in excused.out
    [suite] = ET.parse(tmp_path / "out.xml").getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")


def test_a_contradiction_nobody_knows_fails_though_the_baseline_has_it(
    saitei: Saitei, tmp_path: Path
) -> None:
    before = baseline(saitei, tmp_path, WRONG)
    file = str(tmp_path / "burn.scenario.yaml")
    assert saitei("verify", file, "--baseline", before).code == 1


def test_scenarios_not_run_now_are_no_regression(saitei: Saitei, tmp_path: Path) -> None:
    before = baseline(saitei, tmp_path, GOOD, scenario("burn.second"))
    file = str(tmp_path / "burn.scenario.yaml")
    ran = saitei("verify", f"{file}::burn.good", "--baseline", before)
    assert ran.code == 0
    assert "0 regressions" in ran.out


# -- compare


def verdict(name: str, outcome: str, sha: str = "0") -> Verdict:
    return Verdict(
        scenario=name, rulings=[RULING], outcome=outcome, cause=None, text="as-written",
        expectations=[], contrasts=[], reason="", scenario_sha256=sha, seconds=0.0,
    )  # type: ignore[arg-type]  # fmt: skip


def written(folder: Path, version: str, *verdicts: Verdict) -> str:
    file = folder / f"{version}.json"
    write_verdicts(Run(engine="phase", version=version, verdicts=list(verdicts)), file)
    return str(file)


@pytest.mark.parametrize(
    ("was", "now", "kind", "code"),
    [
        ("confirmed", "contradicted", "broken", 1),
        ("outdated", "error", "broken", 1),
        ("confirmed", "inconclusive", "broken", 1),
        ("confirmed", "unsupported", "newly unsupported", 1),
        ("contradicted", "confirmed", "fixed", 0),
        ("unsupported", "outdated", "fixed", 0),
        ("contradicted", "unsupported", "other", 0),
        ("error", "contradicted", "other", 0),
    ],
)
def test_compare_names_the_change(
    saitei: Saitei, tmp_path: Path, was: str, now: str, kind: str, code: int
) -> None:
    files = [
        written(tmp_path, version, verdict("a.b", outcome), verdict("a.same", "confirmed"))
        for version, outcome in (("1.0", was), ("2.0", now))
    ]
    ran = saitei("compare", *files)
    assert ran.code == code
    assert f"{kind}: 1\n  a.b  {was} -> {now}  [{RULING}]" in ran.out
    assert "a.same" not in ran.out


def test_compare_says_what_is_in_one_run_only_and_what_was_edited(
    saitei: Saitei, tmp_path: Path
) -> None:
    before = written(tmp_path, "1.0", verdict("a.gone", "confirmed"), verdict("a.b", "error", "1"))
    after = written(tmp_path, "2.0", verdict("a.new", "error"), verdict("a.b", "confirmed", "2"))
    ran = saitei("compare", before, after)
    assert ran.code == 0
    assert "(the scenario changed, too)" in ran.out
    assert "only in the first: 1\n  a.gone  confirmed" in ran.out
    assert "only in the second: 1\n  a.new  error" in ran.out


def test_compare_as_a_matrix(saitei: Saitei, tmp_path: Path) -> None:
    files = [
        written(tmp_path, version, verdict("a.b", outcome), verdict("a.fine", "confirmed"))
        for version, outcome in (
            ("1.0", "contradicted"),
            ("2.0", "unsupported"),
            ("3.0", "outdated"),
        )
    ]
    out = saitei("compare", "--matrix", *files).out
    assert "| outcome | phase 1.0 | phase 2.0 | phase 3.0 |" in out
    assert f"| `a.b`  | {RULING} | ✗ | – | ✓ᵒ |  |" in out
    assert "a.fine" not in out
    assert "1 of 2 scenarios" in out


@pytest.mark.parametrize("files", [0, 1, 3])
def test_compare_wants_two_files(saitei: Saitei, tmp_path: Path, files: int) -> None:
    one = written(tmp_path, "1.0")
    ran = saitei("compare", *[one] * files)
    assert ran.code == 2
    assert "２つ" in ran.err


# -- replay


def test_replay_tells_the_scenario_and_its_contrasts_in_japanese(saitei: Saitei) -> None:
    ran = saitei("replay", "flashback.countered-is-exiled")
    assert ran.code == 0
    out = ran.out
    assert "結果: 裁定どおりに動くことを確認（phase " in out
    assert "■ 本編" in out
    assert "はじめの場面: あなたの第5ターン、戦闘前メイン・フェイズ" in out
    assert "あなたが《思い返し》を唱える" in out
    assert "スタック（上から）: 《ただの打ち消し》→《思い返し》 / 《思い返し》" in out
    assert "《思い返し》：スタック→追放領域" in out
    assert "  ✓ 《思い返し》：追放領域にある" in out
    assert "■ 対照: " in out
    assert "→ 結果が変わる" in out


def test_replay_shows_what_was_seen_instead(saitei: Saitei, tmp_path: Path) -> None:
    ran = saitei("replay", f"{write(tmp_path, WRONG)}::burn.wrong")
    assert ran.code == 0
    assert "エンジンは裁定と違う動きをします" in ran.out
    assert "  ✗ 《ただの熊》：追放領域にある" in ran.out
    assert "      実際: 墓地にある" in ran.out


def test_replay_of_a_scenario_that_takes_the_engine_down(saitei: Saitei, tmp_path: Path) -> None:
    file = write(
        tmp_path, GOOD.replace("  given:\n    you:", "  given:\n    turn_number: 13\n    you:")
    )
    ran = saitei("replay", str(file), "--engine", "tests.engine.fakes:Dies")
    assert ran.code == 1
    assert "the engine's process died (SIGABRT)" in ran.err


def test_replay_wants_one_scenario(saitei: Saitei) -> None:
    ran = saitei("replay", "flashback")
    assert ran.code == 2
    assert "name one: flashback." in ran.err


def test_a_dump_is_played_without_saitei(saitei: Saitei, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    saitei("replay", str(write(tmp_path, GOOD)), "--dump", str(dump))
    code = """
import json, sys
import phase
dump = json.load(open(sys.argv[1]))
for case in dump["cases"]:
    game = phase.Engine.from_json(json.dumps(case["cards"])).load_game(json.dumps(case["state"]))
    for seat, action in case["actions"]:
        game.apply(seat, action)
    print(case["title"], [card["name"] for card in game.graveyard(1)])
assert not any(name.startswith("saitei") for name in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(dump)], text=True, capture_output=True, check=False
    )
    assert done.stdout.splitlines() == ["題burn.good ['Plain Bear']", "大きな熊なら []"], (
        done.stderr
    )


# -- cards audit, faults


def test_cards_audit_lists_what_the_engine_flags_and_what_was_declared(
    saitei: Saitei, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        """
- id: my-riddle
  name: {en: My Riddle, ja: 私の謎}
  cost: "{U}"
  type: Sorcery
  text: Frobnicate each opponent thrice.
- id: my-reworded
  name: {en: My Reworded, ja: 私の言い換え}
  type: Creature — Bear
  pt: 2/2
  text: Flying
  reworded: {reason: said in other words for a test}
""",
        "utf-8",
    )
    ran = saitei("cards", "audit", "--cards", str(mine))
    assert ran.code == 0, ran.err
    assert f"  my-riddle  {mine}:2\n" in ran.out
    assert "Frobnicate" in ran.out
    assert f"  my-reworded  {mine}:7\n      said in other words for a test" in ran.out
    assert "  bear  " not in ran.out


def test_faults_are_listed_with_the_scenarios_that_show_them(saitei: Saitei) -> None:
    ran = saitei("faults")
    assert ran.code in (0, 1), ran.err
    assert "disturbed-spell-countered  [rules]  " in ran.out
    assert f"    {KNOWN}  " in ran.out
