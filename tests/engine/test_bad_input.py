"""Every bad input gets one line that names file, line and key, and says what is wrong."""

import re
from pathlib import Path

import pytest

from saitei.engine.cards import read_cards
from saitei.engine.errors import RefusedError, ScenarioError
from saitei.engine.faults import read_faults
from saitei.engine.phase_adapter import engine_words
from tests.engine.playing import Load, Play

GOOD = """
- id: some.case
  title: 題
  basis: ruling
  rulings: [799029090291]
  rules: [702.10]
  given:
    you: {hand: [burn], mana: "{R}", battlefield: [bear]}
    opponent: {battlefield: [{card: bear, as: foe}]}
  when:
    - cast: burn
      targets: [foe]
    - resolve: all
  then:
    - foe: {zone: graveyard}
      shows: 799029090291
  contrast:
    - title: 対象が違えば残る
      given: {opponent: {battlefield: [{card: big-bear, as: foe}]}}
      then:
        - foe: {zone: battlefield}
"""


def refused(load: Load, text: str) -> list[str]:
    """The complaints, one a line, with the folder of the file taken away."""
    with pytest.raises(ScenarioError) as caught:
        load(text)
    return _lines(caught.value)


def _lines(error: Exception) -> list[str]:
    return [re.sub(r"^/\S*/(?=\w+\.)", "", line) for line in str(error).splitlines()]


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, f"'{old}' must stand once in the good scenario"
    return GOOD.replace(old, new)


def test_the_good_scenario_is_good(play: Play) -> None:
    assert play(GOOD).verdict.outcome == "confirmed"


def test_numbers_that_yaml_would_mangle_survive(load: Load) -> None:
    [scenario] = load(GOOD.replace("799029090291", "21332e308835"))
    assert scenario.rulings == ("21332e308835",)
    assert scenario.rules == ("702.10",)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "rules: [702.10]",
            "rules: [7.021e2]",
            "case.scenario.yaml:5: rules[0]: '7.021e2' does not look right; "
            r"it must match ^\d{3}(\.\d+[a-z]?)?$",
        ),
        (
            "hand: [burn]",
            "hand: [fireball]",
            "case.scenario.yaml:7: given.you.hand: unknown card 'fireball'",
        ),
        (
            "battlefield: [bear]}",
            "battlefeild: [bear]}",
            "case.scenario.yaml:7: given.you.battlefeild: unknown key 'battlefeild'; "
            "is it 'battlefield'?",
        ),
        (
            "battlefield: [bear]}",
            "battlefield: [burn]}",
            "case.scenario.yaml:7: given.you.hand: 'burn' stands in given.you.battlefield too; "
            "give each its own 'as' (or use count)",
        ),
        (
            "targets: [foe]",
            "targets: [enemy]",
            "case.scenario.yaml:10: targets: nothing is called 'enemy'",
        ),
        (
            "    - foe: {zone: graveyard}",
            "    - enemy: {zone: graveyard}",
            "case.scenario.yaml:14: enemy: nothing is called so",
        ),
        (
            "    - foe: {zone: graveyard}",
            "    - foe: {zone: yard}",
            "case.scenario.yaml:14: then[0].foe.zone: input should be",
        ),
        (
            "    - foe: {zone: graveyard}",
            "    - foe: {tapped: maybe}",
            "case.scenario.yaml:14: then[0].foe.tapped: write yes or no",
        ),
        (
            "    - resolve: all",
            "    - resolv: all",
            "case.scenario.yaml:12: when[1]: a step needs exactly one of cast, activate,",
        ),
        (
            "      shows: 799029090291",
            "      shows: 0a1b2c3d4e5f",
            "case.scenario.yaml:14: shows: 0a1b2c3d4e5f is not among the scenario's rulings",
        ),
        (
            "      given: {opponent: {battlefield: [{card: big-bear, as: foe}]}}\n",
            "",
            "case.scenario.yaml:17: contrast: changes neither given nor when",
        ),
        (
            "        - foe: {zone: battlefield}",
            "        - foe: {zone: graveyard}",
            "case.scenario.yaml:17: contrast: expects all that the scenario shows",
        ),
        (
            "{battlefield: [{card: big-bear, as: foe}]}",
            "{battlefield: [{card: big-bear, as: foe, tapd: yes}]}",
            "case.scenario.yaml:18: opponent.battlefield[0].tapd: unknown key 'tapd'; "
            "is it 'tapped'? (after the contrast's patch)",
        ),
        (
            "battlefield: [bear]}",
            "battlefield: [{card: bear, face: back}]}",
            "case.scenario.yaml:7: given.you.battlefield: bear has no back face",
        ),
        ("basis: ruling", "", "case.scenario.yaml:1: basis: 'basis' is missing"),
    ],
)
def test_a_file_that_is_wrong(load: Load, old: str, new: str, complaint: str) -> None:
    assert any(line.startswith(complaint) for line in refused(load, changed(old, new)))


def test_malformed_yaml(load: Load) -> None:
    [complaint] = refused(load, GOOD.replace("title: 題", "title: [題"))
    assert complaint == "case.scenario.yaml:3: did not find expected ',' or ']'"


def test_an_id_used_twice(load: Load) -> None:
    [complaint] = refused(load, GOOD.strip() + GOOD)
    assert complaint.startswith("case.scenario.yaml:21: id: scenario 'some.case' is already in ")
    assert complaint.endswith("case.scenario.yaml:1")


def test_an_answer_never_asked_for(play: Play) -> None:
    verdict = play(changed("      targets: [foe]", "      targets: [foe]\n      may: yes")).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert verdict.reason.endswith(
        "case.scenario.yaml:10: an answer never asked for: may True (by you)"
    )


def test_a_choice_never_asked_for_is_not_excused_by_a_death(play: Play) -> None:
    verdict = play(changed("    - resolve: all", "    - resolve: all\n      choose: foe")).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert verdict.reason.endswith(
        "case.scenario.yaml:12: an answer never asked for: choose [foe] (by you)"
    )


def test_a_target_said_of_a_trigger_that_took_another(play: Play) -> None:
    verdict = play("""
        - id: some.case
          title: 誘発型能力の適正な対象が１つしかない
          basis: ruling
          rulings: [799029090291]
          given:
            you: {hand: [stinger], mana: "{G}"}
            opponent: {battlefield: [big-bear]}
          when:
            - cast: stinger
            - resolve: all
              targets: [stinger]
          then:
            - big-bear: {damage: 1}
              shows: 799029090291
    """).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert verdict.reason.endswith(
        "case.scenario.yaml:10: an answer never asked for: targets [stinger] (by you)"
    )


def test_a_missing_answer(play: Play) -> None:
    verdict = play(changed("      targets: [foe]\n", "")).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert "case.scenario.yaml:10: you is asked for targets (TargetSelection)" in verdict.reason
    assert "options you, opponent, bear, foe" in verdict.reason


def test_a_missing_answer_where_the_engine_asks_nothing(play: Play) -> None:
    verdict = play("""
        - id: some.case
          title: 対象が１つしかない
          basis: ruling
          rulings: [799029090291]
          given:
            you: {hand: [removal], mana: "{B}"}
            opponent: {battlefield: [bear]}
          when:
            - cast: removal
            - resolve: all
          then:
            - bear: {zone: graveyard}
              shows: 799029090291
    """).verdict
    assert verdict.reason.endswith("only one legal target, say it: targets: [bear]")


def test_a_target_that_is_not_legal(play: Play) -> None:
    text = GOOD.replace("hand: [burn]", "hand: [{card: removal, as: burn}]")
    text = text.replace('mana: "{R}"', 'mana: "{B}"').replace("targets: [foe]", "targets: [you]")
    verdict = play(text).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert "you is not a legal choice for targets: options bear, foe" in verdict.reason


def test_a_cost_that_cannot_be_paid(play: Play) -> None:
    verdict = play(changed('mana: "{R}"', 'mana: "{U}"')).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")
    assert "case.scenario.yaml:10: cast burn:" in verdict.reason
    assert "mana pool {U}" in verdict.reason


def test_the_engines_refusal_is_told_without_a_dump_of_its_state() -> None:
    engine_says = (
        "Cannot perform X while waiting for PayCost { player: PlayerId(0),\n kind: Y { } }"
    )
    with pytest.raises(RefusedError) as caught, engine_words():
        raise ValueError(engine_says)
    assert str(caught.value) == "Cannot perform X while waiting for PayCost"


def test_a_card_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(
        "- id: nameless\n  type: Instant\n"
        "- id: odd\n  name: {en: Odd, ja: 奇妙}\n  type: Instant\n  txt: Draw a card.\n"
        "- id: fling\n  back: {text: Flying}\n"
        "- id: sly\n  name: {en: Sly, ja: 狡猾}\n  type: Instant\n  reworded: {reason: no}\n",
        "utf-8",
    )
    with pytest.raises(ScenarioError) as caught:
        read_cards([file])
    assert _lines(caught.value) == [
        "cards.yaml:1: name: missing (no such card in data/facts/cards.tsv)",
        "cards.yaml:6: txt: unknown key 'txt'",
        "cards.yaml:7: back: fling has one face only",
        "cards.yaml:12: reworded.reason: string should have at least 8 characters, not 'no'",
    ]


def test_a_fault_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "faults.yaml"
    file.write_text("- id: x\n  summary: s\n  cause: bad luck\n  versions: ['1']\n", "utf-8")
    with pytest.raises(ScenarioError) as caught:
        read_faults([file])
    assert "faults.yaml:3: cause: input should be 'rules', 'text-misread'" in str(caught.value)
    assert "faults.yaml:1: scenarios: 'scenarios' is missing" in str(caught.value)
