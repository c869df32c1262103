"""Outcomes: flips, order of outcomes, causes, text kinds, vacuity."""

import json

import phase
import pytest

from saitei.engine.cards import CardBook
from saitei.engine.errors import SetupError
from saitei.engine.faults import Fault
from saitei.engine.phase_adapter import PhaseGame
from saitei.engine.phase_setup import start_game
from saitei.engine.protocol import Adapter
from saitei.engine.report import result_lines
from saitei.engine.runner import run_scenario, vacuity
from tests.engine.playing import Load, Play

FP = "0a1b2c3d4e5f"


def scenario(then: str, contrast: str, *, basis: str = "ruling", more: str = "") -> str:
    """Burn for 3 at a 2/2 bear of the opponent, and what is expected of it."""
    return f"""
- id: some.case
  title: 火力
  basis: {basis}
  rulings: [{FP}]
  {more}
  given:
    you: {{hand: [burn], mana: "{{R}}", battlefield: [small-bear]}}
    opponent: {{battlefield: [{{card: bear, as: foe}}]}}
  when:
    - id: aim
      cast: burn
      targets: [foe]
    - id: end
      resolve: all
  then:
    - {then}
      shows: {FP}
  contrast: {contrast}
"""


DIES = "foe: {zone: graveyard}"
BIG = "[{title: 大きければ残る, given: {opponent: {battlefield: [{card: big-bear, as: foe}]}}, " \
    "then: [{foe: {zone: battlefield, damage: 3}}]}]"  # fmt: skip


def test_confirmed_when_all_holds_and_each_contrast_flips(play: Play) -> None:
    verdict = play(scenario(DIES, BIG)).verdict
    assert (verdict.outcome, verdict.cause, verdict.text) == ("confirmed", None, "as-written")
    assert [one.flipped for one in verdict.contrasts] == [True]


def test_outdated_when_the_engine_plays_the_rule_of_today(play: Play) -> None:
    assert play(scenario(DIES, BIG, basis="rules")).verdict.outcome == "outdated"


def test_inconclusive_without_a_contrast(play: Play) -> None:
    assert play(scenario(DIES, "[]")).verdict.outcome == "inconclusive"


def test_inconclusive_when_nothing_that_is_shown_turns_false(play: Play) -> None:
    same = "[{title: 別の熊, given: {you: {life: 19}}, then: [{you: {life: 19}}]}]"
    verdict = play(scenario(DIES, same)).verdict
    assert verdict.outcome == "inconclusive"
    assert "別の熊" in verdict.reason


def test_contradicted_names_line_expected_and_observed(play: Play) -> None:
    verdict = play(scenario("foe: {zone: exile, damage: 0}", BIG)).verdict
    assert (verdict.outcome, verdict.cause) == ("contradicted", "unknown")
    assert verdict.reason.endswith(
        "case.scenario.yaml:16: expected zone: exile, damage: 0; "
        "observed zone: graveyard, damage: 0"
    )
    [one] = verdict.expectations
    assert (one.held, one.line, one.shows) == (False, 16, [FP])


def test_contradicted_names_the_contrast_that_fails(play: Play) -> None:
    verdict = play(scenario(DIES, BIG.replace("damage: 3", "damage: 4"))).verdict
    assert verdict.outcome == "contradicted"
    assert verdict.reason.startswith("contrast '大きければ残る': ")


def test_a_known_fault_gives_the_cause(load: Load, engine: Adapter, cards: CardBook) -> None:
    [loaded] = load(scenario("foe: {zone: exile}", BIG))
    fault = Fault("f", "要約", "rules", "phase", (engine.version,), ("some.case",), "f.yaml:1")
    verdict = run_scenario(loaded, engine, cards, faults=[fault]).verdict
    assert verdict.cause == "rules"
    assert verdict.reason.endswith("[f: 要約]")
    other = Fault("f", "要約", "rules", "phase", ("0.1",), ("some.case",), "f.yaml:1")
    assert run_scenario(loaded, engine, cards, faults=[other]).verdict.cause == "unknown"


def test_a_superseded_claim_says_whether_the_old_rule_is_played(play: Play) -> None:
    old = "old_rule: [{foe: {zone: graveyard}}]"
    verdict = play(scenario("foe: {zone: exile}", BIG, basis="rules", more=old)).verdict
    assert verdict.outcome == "contradicted"
    assert verdict.reason.endswith("; it plays the old rule")


def test_error_comes_before_everything_else(play: Play) -> None:
    stuck = BIG.replace("then:", "when: {insert: [{pass: opponent}], before: aim}, then:")
    verdict = play(scenario("foe: {zone: exile}", stuck)).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "step")


def test_a_position_that_cannot_be_built(play: Play) -> None:
    text = scenario(DIES, BIG).replace("[small-bear]", "[{card: small-bear, commander: yes}]")
    verdict = play(text).verdict
    assert (verdict.outcome, verdict.cause) == ("error", "setup")
    assert verdict.reason.endswith("a commander needs format: commander")


def test_the_position_is_read_back(load: Load, cards: CardBook) -> None:
    [one] = load(scenario(DIES, BIG))
    [other] = load(scenario(DIES, BIG).replace("you: {hand", "you: {life: 7, hand"))
    game = PhaseGame(start_game(one.main.given, cards))
    game.prepare(one.main.given)
    with pytest.raises(SetupError, match="reads back differently: you: life 20"):
        game.prepare(other.main.given)


def test_unsupported_keeps_the_engines_words(play: Play) -> None:
    text = scenario(DIES, BIG).replace("[small-bear]", "[small-bear, gibberish]")
    assert play(text).verdict.outcome == "confirmed"  # the flagged card does not matter
    text = text.replace("foe: {zone: graveyard}\n", "foe: {zone: exile}\n")
    verdict = play(text).verdict
    assert verdict.outcome == "unsupported"
    assert "Test Gibberish" in verdict.reason


def test_what_the_adapter_does_not_declare_is_unsupported(play: Play) -> None:
    verdict = play(scenario("visible: {object: foe, to: [you]}", BIG)).verdict
    assert verdict.outcome == "unsupported"


def test_the_least_as_written_card_gives_the_text_kind(play: Play) -> None:
    text = scenario(DIES, BIG).replace("[small-bear]", "[small-bear, reworded-bear]")
    assert play(text).verdict.text == "reworded"
    text = text.replace("reworded-bear]", "reworded-bear, patched-bear]")
    result = play(text.replace(DIES, "patched-bear: {keywords: [flying], pt: 5/2}"))
    assert result.verdict.text == "patched"
    assert result.main.held


def test_a_check_with_shows_can_flip_too(play: Play) -> None:
    text = scenario(DIES, BIG).replace(
        "    - id: end\n",
        f"    - check: [{{foe: {{pt: 2/2}}, shows: {FP}}}]\n    - id: end\n",
    )
    text = text.replace(f"{DIES}\n      shows: {FP}", DIES)
    verdict = play(text).verdict
    assert verdict.outcome == "confirmed"


def test_verdicts_do_not_change_from_run_to_run(play: Play) -> None:
    runs = [play(scenario(DIES, BIG)).verdict.model_copy(update={"seconds": 0}) for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


def test_the_hash_covers_the_cards_too(load: Load, cards: CardBook) -> None:
    [one] = load(scenario(DIES, BIG))
    [same] = load(scenario(DIES, BIG))
    [other] = load(scenario(DIES, BIG).replace("card: big-bear", "card: trampler"))
    assert one.sha256 == same.sha256 != other.sha256


def test_vacuity(load: Load, engine: Adapter, cards: CardBook) -> None:
    [rests_on_burn] = load(scenario(DIES, BIG))
    found = vacuity(rests_on_burn, engine, cards)
    assert (found.depends, found.vacuous) == (("burn",), False)

    text = scenario(DIES, BIG, more="depends: [flyer]")
    [names_the_wrong_card] = load(text.replace("[small-bear]", "[flyer]"))
    found = vacuity(names_the_wrong_card, engine, cards)
    assert (found.unchanged, found.vacuous) == (("flyer",), True)

    [rests_on_rules] = load(scenario(DIES, BIG, more="depends: none"))
    assert not vacuity(rests_on_rules, engine, cards).vacuous


def test_the_report_prints_the_note_of_a_scenario(
    load: Load, engine: Adapter, cards: CardBook
) -> None:
    [one] = load(scenario(DIES, BIG, more="note: 代わりのカードを使う。"))
    result = run_scenario(one, engine, cards)
    assert "    note: 代わりのカードを使う。" in result_lines(result, one, steps=True)


def test_the_trace_tells_the_case_in_japanese(play: Play) -> None:
    trace = play(scenario(DIES, BIG)).main.trace
    assert trace is not None
    assert [step.text for step in trace.steps] == [
        "あなたが《ただの火力》を唱える",
        "スタックのすべて解決する",
    ]
    assert trace.steps[0].choices == ("あなたが選ぶ（対象）：ただの熊",)
    assert trace.steps[0].stack == ("《ただの火力》",)
    assert "《ただの火力》がただの熊にダメージ3点" in trace.steps[1].events
    assert trace.before.players[1].battlefield == ("ただの熊（2/2）",)
    assert trace.after is not None
    assert trace.after.players[1].graveyard == ("ただの熊",)


def test_a_dump_replays_without_saitei(play: Play) -> None:
    dump = play(scenario(DIES, BIG)).main.dump
    assert dump is not None
    game = phase.Engine.from_json(dump.cards).load_game(dump.state)
    for line in dump.actions:
        seat, action = json.loads(line)
        game.apply(seat, action)
    assert "Plain Bear" in [card["name"] for card in game.graveyard(1)]


def test_a_shown_expectation_that_cannot_be_asked_of_a_contrast_counts_as_false(
    play: Play,
) -> None:
    gone = (
        "[{title: 火力がない, given: {you: {hand: []}}, "
        "when: {drop: aim}, then: [{foe: {zone: battlefield}}]}]"
    )
    text = scenario("illegal: {cast: burn, targets: [foe]}", gone)
    assert play(text).verdict.outcome == "confirmed"
