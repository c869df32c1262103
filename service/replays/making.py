"""Plays scenarios and keeps the pictures: an engine's run -> `Replay`.

Engine-neutral: a recording game stands between the runner and any adapter, and looks at the board
after each action. Pictures in which nothing but the step of the turn or the priority changed are
left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast

from saitei.engine.cards import CardBook, CardDefinition
from saitei.engine.faults import Fault
from saitei.engine.given import Given
from saitei.engine.protocol import (
    Adapter,
    Attack,
    Block,
    Event,
    Game,
    Obj,
    Ref,
    Seat,
    Snapshot,
    Value,
    Way,
)
from saitei.engine.runner import CaseResult, run_scenario
from saitei.engine.scenario import Case, Scenario
from saitei.engine.words import PlayerWord
from saitei.service.replays.board import Eyes, Names
from saitei.service.replays.checks import expectation_words, facts_words
from saitei.service.replays.replay import Board, Check, Frame, Replay, ReplayCase, Words
from saitei.service.replays.words import (
    choice_words,
    deed_words,
    event_words,
    listed,
    player_words,
    quoted,
    step_name,
)

_RESTING = ("priority", "attackers", "blockers", "over")
_PASSING = {"step", "turn", "turn_number", "mana", "sick"}
"""What changes when nothing happens but time."""


def make_replay(
    scenario: Scenario,
    adapter: Adapter,
    cards: CardBook,
    *,
    faults: Iterable[Fault] = (),
) -> Replay:
    """Play a scenario with its contrasts and keep what was seen.

    May hang or crash where the engine does: callers leave out scenarios whose verdict is such an
    error.
    """
    recording = _RecordingAdapter(adapter, cards, scenario.card_ids)
    result = run_scenario(scenario, cast(Adapter, recording), cards, faults=faults)
    verdict = result.verdict
    main, *contrasts = [
        recording.case(played, case, scenario.main, cards)
        for played, case in zip(
            (result.main, *result.contrasts), (scenario.main, *scenario.contrasts), strict=True
        )
    ]
    return Replay(
        scenario=scenario.id,
        title=scenario.title,
        basis=scenario.basis,
        rulings=list(scenario.rulings),
        rules=list(scenario.rules),
        cards=scenario.card_ids,
        engine=adapter.name,
        version=adapter.version,
        scenario_sha256=scenario.sha256,
        outcome=verdict.outcome,
        cause=verdict.cause,
        text=verdict.text,
        main=main,
        contrasts=[
            replayed.model_copy(update={"flipped": judged.flipped})
            for replayed, judged in zip(contrasts, verdict.contrasts, strict=True)
        ],
    )


class _RecordingAdapter:
    """An adapter whose games keep their pictures, in the order they were started."""

    def __init__(self, adapter: Adapter, cards: CardBook, used: Sequence[str]) -> None:
        self.name, self.version = adapter.name, adapter.version
        self.capabilities = adapter.capabilities
        self._adapter = adapter
        self._names = Names(cards, used)
        self._games: list[_RecordingGame | None] = []

    def flags(self, card: CardDefinition) -> list[str]:
        return self._adapter.flags(card)

    def start(self, given: Given, cards: CardBook) -> Game:
        self._games.append(None)
        game = _RecordingGame(self._adapter.start(given, cards), self._names)
        self._games[-1] = game
        return cast(Game, game)

    def case(self, played: CaseResult, case: Case, main: Case, cards: CardBook) -> ReplayCase:
        """What the next game in order has kept."""
        game = self._games.pop(0)
        names = self._names.handles({**main.handles, **case.handles})
        return ReplayCase(
            title=case.title,
            frames=game.frames() if game else [],
            checks=_checks(played, case, names),
            main=_main_checks(played, main, names),
            failure=played.failure.message if played.failure else "",
        )


def _checks(played: CaseResult, case: Case, names: Mapping[str, Words]) -> list[Check]:
    placed = [*case.then, *(one for step in case.when for one in step.checks)]
    said = {(one.line, one.text): one.expectation for one in placed}
    return [
        Check(
            says=expectation_words(said[one.line, one.text], one.expected, names),
            held=one.held,
            observed=facts_words(one.observed, names),
            line=one.line,
            shows=list(one.shows),
        )
        for one in played.checked
        if (one.line, one.text) in said
    ]


def _main_checks(played: CaseResult, main: Case, names: Mapping[str, Words]) -> list[Check]:
    said = {one.line: one for one in (*main.then, *(c for step in main.when for c in step.checks))}
    return [
        Check(
            says=expectation_words(said[one.line].expectation, one.expected, names),
            held=one.held,
            observed=facts_words(one.observed, names),
            line=one.line,
            shows=list(one.shows),
        )
        for one in played.main
        if one.line in said
    ]


@dataclass(frozen=True, slots=True)
class _Mark:
    """A moment to come back to: the engine's own, and how many pictures there were."""

    inner: Snapshot
    frames: int
    last: Board


class _RecordingGame:
    """A game that keeps a picture after each action; all else is the engine's own."""

    def __init__(self, game: Game, names: Names) -> None:
        self._game, self._names = game, names
        self._eyes = Eyes(game, names)
        self._ways: dict[tuple[int, Way], str] = {}
        self._last = self._eyes.board()
        self._frames = [
            Frame(text=Words(ja="はじめの場面", en="Starting position"), board=self._last)
        ]
        self._text: Words | None = None
        self._notes: list[Words] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def frames(self) -> list[Frame]:
        """The pictures; the last one shows the end even if only time has passed since."""
        board = self._eyes.board()
        if self._notes or board != self._last:
            text = self._text or step_name(board.step)
            self._frames.append(Frame(text=text, notes=_counted(self._notes), board=board))
            self._last, self._text, self._notes = board, None, []
        return self._frames

    # -- what the runner does

    def cast_ways(self, player: PlayerWord, card: int) -> Sequence[Way]:
        return self._offered("cast", card, self._game.cast_ways(player, card))

    def activate_ways(self, player: PlayerWord, source: int) -> Sequence[Way]:
        return self._offered("activate", source, self._game.activate_ways(player, source))

    def play_ways(self, player: PlayerWord, card: int) -> Sequence[Way]:
        return self._offered("play", card, self._game.play_ways(player, card))

    def _offered(self, kind: str, number: int, ways: Sequence[Way]) -> Sequence[Way]:
        self._ways.update(((number, way), kind) for way in ways)
        return ways

    def take(
        self, player: PlayerWord, number: int, way: Way, *, manual_mana: bool = False
    ) -> list[Event]:
        kind = self._ways.get((number, way), "activate")
        card, by = quoted(self._eyes.name(Obj(number))), player_words(player)
        text = deed_words(kind, by, card)
        return self._did(self._game.take(player, number, way, manual_mana=manual_mana), text)

    def try_cast(self, player: PlayerWord, card: int) -> list[Event]:
        name, by = quoted(self._eyes.name(Obj(card))), player_words(player)
        return self._did(self._game.try_cast(player, card), deed_words("cast", by, name))

    def finish_payment(self) -> list[Event]:
        return self._did(self._game.finish_payment(), None)

    def add_mana(self, player: PlayerWord, symbols: Sequence[str]) -> None:
        self._game.add_mana(player, symbols)
        by = player_words(player)
        self._did([], Words(ja=f"{by.ja}がマナを加える", en=f"{by.en}: add mana"))

    def attack(self, attacks: Sequence[Attack]) -> list[Event]:
        by = player_words(self._game.question().player)
        cards = listed([quoted(self._eyes.name(Obj(one.attacker))) for one in attacks])
        text = deed_words("attack", by, cards)
        if not attacks:
            text = Words(ja=f"{by.ja}は攻撃しない", en=f"{by.en}: no attack")
        return self._did(self._game.attack(attacks), text)

    def block(self, blocks: Sequence[Block]) -> list[Event]:
        by = player_words(self._game.question().player)
        cards = listed([quoted(self._eyes.name(Obj(one.blocker))) for one in blocks])
        text = deed_words("block", by, cards)
        if not blocks:
            text = Words(ja=f"{by.ja}はブロックしない", en=f"{by.en}: no block")
        return self._did(self._game.block(blocks), text)

    def concede(self, player: PlayerWord) -> list[Event]:
        by = player_words(player)
        text = Words(ja=f"{by.ja}が投了する", en=f"{by.en}: concede")
        return self._did(self._game.concede(player), text)

    def pass_priority(self) -> list[Event]:
        top = next(iter(self._game.stack()), None)
        events = self._game.pass_priority()
        left = top is not None and all(top.object != one.object for one in self._game.stack())
        if top is not None and left:
            name = quoted(self._names.words(top.name))
            ability = ("の能力", "ability of ") if top.ability else ("", "")
            text = Words(
                ja=f"{name.ja}{ability[0]}が解決する", en=f"Resolve: {ability[1]}{name.en}"
            )
        else:
            text = step_name(self._game.view().step)
        return self._did(events, text)

    def answer(self, value: Value) -> list[Event]:
        asked = self._game.question()
        shown = self._value(value, asked.kind, asked.options)
        words = choice_words(asked.kind, player_words(asked.player), shown)
        if words is not None:
            self._notes.append(words)
        return self._did(self._game.answer(value), None)

    def snapshot(self) -> Snapshot:
        return cast(Snapshot, _Mark(self._game.snapshot(), len(self._frames), self._last))

    def restore(self, snapshot: Snapshot) -> None:
        """A trial is taken back, and its pictures with it."""
        mark = cast(_Mark, snapshot)
        self._game.restore(mark.inner)
        del self._frames[mark.frames :]
        self._last, self._text, self._notes = mark.last, None, []

    # -- the pictures

    def _did(self, events: list[Event], text: Words | None) -> list[Event]:
        self._text = self._text or text
        drawn = {event.object for event in events if event.kind in ("draw", "discard", "sacrifice")}
        for event in events:
            if event.kind == "zone" and event.object in drawn and event.zone_to != "battlefield":
                continue
            words = event_words(
                event,
                self._event_object(event),
                self._eyes.quoted(event.source),
                self._eyes.quoted(event.target),
            )
            if words is not None:
                self._notes.append(words)
        if self._game.question().kind in _RESTING:
            self._close()
        return events

    def _event_object(self, event: Event) -> Words:
        if event.name and event.kind == "zone":
            return quoted(self._names.words(event.name))
        return self._eyes.quoted(event.object)

    def _close(self) -> None:
        board = self._eyes.board()
        if _lasting(board) == _lasting(self._last):
            self._text = None
            return
        text = self._text or step_name(board.step)
        self._frames.append(Frame(text=text, notes=_counted(self._notes), board=board))
        self._last, self._text, self._notes = board, None, []

    def _value(self, value: Value, kind: str, options: tuple[Ref | str, ...]) -> Words:
        if value is None:
            return Words(ja="なし", en="none")
        if isinstance(value, bool):
            return Words(ja="はい" if value else "いいえ", en="yes" if value else "no")
        if isinstance(value, Obj | Seat):
            return self._eyes.quoted(value)
        if isinstance(value, tuple):
            return (
                listed([self._item(one, kind, options) for one in value])
                if value
                else Words(ja="なし", en="none")
            )
        return self._item(value, kind, options)

    def _item(self, one: object, kind: str, options: tuple[Ref | str, ...]) -> Words:
        if isinstance(one, Obj | Seat):
            return self._eyes.quoted(one)
        if isinstance(one, tuple):
            name = self._item(one[0], kind, options)
            return Words(ja=f"{name.ja}に{one[1]}", en=f"{one[1]} to {name.en}")
        if isinstance(one, int) and kind == "modes":
            return Words(ja=f"{one + 1}つ目", en=f"no. {one + 1}")
        if isinstance(one, int) and kind == "kick":
            return Words(ja="はい" if one else "いいえ", en="yes" if one else "no")
        if isinstance(one, int) and kind in ("order", "replace") and one < len(options):
            option = options[one]
            return self._eyes.quoted(option) if isinstance(option, Obj | Seat) else _same(option)
        return _same(one)


def _counted(notes: Sequence[Words]) -> list[Words]:
    """Runs of equal notes as one, with how often."""
    runs = [(words, len(list(run))) for words, run in groupby(notes)]
    return [
        words if times == 1 else Words(ja=f"{words.ja}（{times}回）", en=f"{words.en} (×{times})")
        for words, times in runs
    ]


def _same(value: object) -> Words:
    return Words(ja=str(value), en=str(value))


def _lasting(board: Board) -> object:
    """A board without what mere time changes."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in _PASSING}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return strip(board.model_dump())
