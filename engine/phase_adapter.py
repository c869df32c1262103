"""The adapter for phase-python (on PyPI; import name `phase`)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import phase

from saitei.engine import phase_prompts as prompts
from saitei.engine.cards import CardBook, CardDefinition
from saitei.engine.errors import EngineError, RefusedError, SetupError
from saitei.engine.given import Given
from saitei.engine.phase_faces import flags as face_flags
from saitei.engine.phase_observe import (
    MANA,
    STEP_OF,
    events,
    object_view,
    player_view,
    stack_view,
)
from saitei.engine.phase_setup import Placed, Started, start_game
from saitei.engine.protocol import (
    Attack,
    Block,
    Capability,
    Dump,
    Event,
    GameView,
    Obj,
    ObjectView,
    PlayerView,
    Question,
    Seat,
    Snapshot,
    StackView,
    Value,
    Way,
)
from saitei.engine.words import PLAYERS, PlayerWord, StepWord, mana_symbols

Json = dict[str, Any]


class PhaseAdapter:
    """phase-python."""

    name = "phase"
    capabilities: frozenset[Capability] = frozenset(
        ("events", "concede", "commander", "multiplayer", "emblems", "copies", "history",
         "manual mana")
    )  # fmt: skip

    def __init__(self) -> None:
        self.version = version("phase-python")

    def flags(self, card: CardDefinition) -> list[str]:
        """What its text parser marks as not understood."""
        return face_flags(card)

    def start(self, given: Given, cards: CardBook) -> "PhaseGame":
        """A game in the position, read back and compared."""
        game = PhaseGame(start_game(given, cards))
        game.prepare(given)
        return game


class PhaseGame:
    """One game. Each action is logged, so that it can be dumped."""

    def __init__(self, started: Started) -> None:
        self._engine, self._game = started.engine, started.game
        self._cards, self._start = started.cards, started.state
        self._placed = started.placed
        self.handles: Mapping[str, int] = {item.handle: item.number for item in started.placed}
        self._backs = frozenset(
            item.card.back.en for item in started.placed if item.card.back is not None
        )
        self._log: list[str] = []
        self._batch = self._window = 0
        self._actions: list[phase.GameAction] | None = None
        self._state: Json | None = None

    def prepare(self, given: Given) -> None:
        """What is left to the engine itself, then compare with what was asked."""
        for item in self._placed:
            if item.zone == "battlefield" and item.spec.face == "back":
                self._debug(
                    "SetFaceState",
                    object_id=item.number,
                    face_down=None,
                    transformed=True,
                    flipped=None,
                )
        for word, player in given.players:
            if player.mana:
                self.add_mana(word, mana_symbols(player.mana))
        differences = [what for item in self._placed for what in self._differs(item)]
        view = self.view()
        if (view.active, view.step) != (given.turn, given.step):
            differences.append(f"turn and step: {view.active}, {view.step}")
        if view.day_night != given.day_night:
            differences.append(f"day_night: {view.day_night}")
        for word, player in given.players:
            seen = self.player(word)
            if player.life is not None and seen.life != player.life:
                differences.append(f"{word}: life {seen.life}")
            if player.library_size is not None and len(seen.library) != player.library_size:
                differences.append(f"{word}: library {len(seen.library)}")
        if differences:
            raise SetupError("the position reads back differently: " + "; ".join(differences))

    def _differs(self, item: Placed) -> list[str]:
        spec, seen = item.spec, self.object(item.number)
        if seen is None:
            return [f"{item.handle}: not there"]
        found: list[str] = []

        def same(what: str, wanted: object, got: object) -> None:
            if wanted != got:
                found.append(f"{item.handle}: {what} {got} instead of {wanted}")

        same("zone", item.zone, seen.zone)
        same("owner", PLAYERS[item.owner], seen.owner)
        if item.zone == "battlefield":
            same("controller", spec.controller or PLAYERS[item.owner], seen.controller)
            same("tapped", spec.tapped, seen.tapped)
            same("damage", spec.damage, seen.damage)
            same("phased_out", spec.phased_out, seen.phased_out)
            if spec.copy_of is None:
                same("name", item.card.names[1 if spec.face == "back" else 0], seen.name)
            if spec.attached_to is not None:
                target = spec.attached_to
                wanted = (
                    Seat(PLAYERS[[str(word) for word in PLAYERS].index(target)])
                    if target in PLAYERS
                    else Obj(self.handles[target])
                )
                same("attached_to", wanted, seen.attached_to)
        for name, count in spec.counters.items():
            same(f"{name} counters", count, seen.counters.get(name, 0))
        return found

    # -- what is asked, and acting

    def question(self) -> Question:
        waiting = self._game.waiting_for()
        # What may be done is only needed to tell the options of a choice, and takes longest.
        legal = () if prompts.kind_of(waiting) in prompts.RESTING else self._legal()
        return prompts.question(waiting, legal)

    def _legal(self) -> list[phase.GameAction]:
        if self._actions is None:
            self._actions = self._game.actions()
        return self._actions

    def cast_ways(self, player: PlayerWord, card: int) -> Sequence[Way]:
        """Offered ways; none offered: the plain one, so that the engine says why it refuses."""
        return [
            Way(index, prompts.offer_words(found, {}))
            for index, found in enumerate(self._legal())
            if found.kind.startswith("Cast") and prompts.mentions(found, card)
        ]

    def play_ways(self, player: PlayerWord, card: int) -> Sequence[Way]:
        return [
            Way(index, prompts.offer_words(found, {}), bool((found.data or {}).get("back_face")))
            for index, found in enumerate(self._legal())
            if found.kind in ("PlayLand", "PlayFaceDown") and prompts.mentions(found, card)
        ]

    def activate_ways(self, player: PlayerWord, source: int) -> Sequence[Way]:
        """Abilities of the object, offered or not (mana abilities are not listed)."""
        data = self._game.object(source)
        offered = {
            (found.data or {}).get("ability_index"): index
            for index, found in enumerate(self._legal())
            if found.kind == "ActivateAbility" and prompts.mentions(found, source)
        }
        ways = [
            Way(offered.get(index), prompts.ability_text(ability), ability=index)
            for index, ability in enumerate(data["abilities"])
            if ability.get("kind") == "Activated" or index in offered
        ]
        listed = {way.ability for way in ways}
        ways += [
            Way(key, "", ability=index) for index, key in offered.items() if index not in listed
        ]
        ways += [
            Way(index, prompts.offer_words(found, {}))
            for index, found in enumerate(self._legal())
            if found.kind in ("Equip", "CrewVehicle", "Transform", "ActivateNinjutsu", "Foretell")
            and prompts.mentions(found, source)
        ]
        return ways

    def take(
        self, player: PlayerWord, number: int, way: Way, *, manual_mana: bool = False
    ) -> list[Event]:
        if way.key is None:
            data = {"source_id": number, "ability_index": way.ability}
            return self._apply(player, {"type": "ActivateAbility", "data": data})
        action: Any = self._legal()[way.key]
        if manual_mana:
            action = action.to_dict()
            action["data"]["payment_mode"] = {"type": "Manual"}
        return self._apply(player, action)

    def try_cast(self, player: PlayerWord, card: int) -> list[Event]:
        """Cast although it is not offered: the engine refuses and says why."""
        data = {
            "object_id": card,
            "card_id": self._game.object(card)["card_id"],
            "targets": [],
            "payment_mode": {"type": "Auto"},
        }
        return self._apply(player, {"type": "CastSpell", "data": data})

    def finish_payment(self) -> list[Event]:
        return self._apply(self._asked(), {"type": "PassPriority"})

    def pass_priority(self) -> list[Event]:
        return self._apply(self._asked(), {"type": "PassPriority"})

    def attack(self, attacks: Sequence[Attack]) -> list[Event]:
        pairs = [[item.attacker, prompts.attack_target(item)] for item in attacks]
        action = {"type": "DeclareAttackers", "data": {"attacks": pairs, "bands": []}}
        return self._apply(self._asked(), action)

    def block(self, blocks: Sequence[Block]) -> list[Event]:
        pairs = [[item.blocker, item.attacker] for item in blocks]
        action = {"type": "DeclareBlockers", "data": {"assignments": pairs}}
        return self._apply(self._asked(), action)

    def answer(self, value: Value) -> list[Event]:
        waiting = self._game.waiting_for()
        action = prompts.action(waiting, self.question(), self._legal(), value)
        return self._apply(self._asked(), action)

    def concede(self, player: PlayerWord) -> list[Event]:
        seat = PLAYERS.index(player)
        return self._apply(player, {"type": "Concede", "data": {"player_id": seat}})

    def add_mana(self, player: PlayerWord, symbols: Sequence[str]) -> None:
        mana = [MANA[symbol] for symbol in symbols]
        self._debug("AddMana", player_id=PLAYERS.index(player), mana=mana)

    def _asked(self) -> PlayerWord:
        asked = self.question().player
        return asked if asked is not None else PLAYERS[self._game.priority_player()]

    def _debug(self, kind: str, **data: Any) -> None:
        self._apply("you", {"type": "Debug", "data": {"type": kind, "data": data}})

    def _apply(self, player: PlayerWord, action: Any) -> list[Event]:
        before = {entry["id"] for entry in self._game.stack()}
        with engine_words():
            result = self._game.apply(PLAYERS.index(player), action)
        self._actions = self._state = None
        plain = action if isinstance(action, dict) else action.to_dict()
        self._log.append(json.dumps([PLAYERS.index(player), plain]))
        happened, self._batch = events(result.events, self._batch, self._window)
        happened = [self._named(event) for event in happened]
        for entry in self._game.stack():
            if entry["id"] not in before and entry["kind"]["type"] == "TriggeredAbility":
                view = self._stack_view(entry)
                happened.append(
                    Event(
                        "trigger",
                        Obj(view.source),
                        Obj(view.source),
                        view.controller,
                        name=view.text,
                        batch=self._batch,
                        window=self._window,
                    )
                )
        if self._game.waiting_for()["type"] == "Priority":
            self._window += 1
        return happened

    def _named(self, event: Event) -> Event:
        """The engine names objects in few of its events."""
        if event.name or event.object is None or event.kind in ("other", "counters"):
            return event
        try:
            name = self._game.object(event.object.id)["name"]
        except ValueError:
            return event  # it has ceased to exist within the same action
        return replace(event, name=name)

    # -- observing

    def object(self, number: int) -> ObjectView | None:
        try:
            data = self._game.object(number)
        except ValueError:
            return None  # a token or copy that has ceased to exist
        return object_view(data, self._combat(), self._backs)

    def objects(self) -> list[ObjectView]:
        found = self._whole()["objects"].values()
        views = [object_view(data, self._combat(), self._backs) for data in found]
        return sorted((view for view in views if _is_there(view)), key=lambda view: view.id)

    def player(self, player: PlayerWord) -> PlayerView:
        return player_view(self._game.player(PLAYERS.index(player)))

    def stack(self) -> list[StackView]:
        """Top first."""
        return [self._stack_view(entry) for entry in reversed(self._game.stack())]

    def _stack_view(self, entry: Json) -> StackView:
        number = entry["id"] if entry["kind"]["type"] == "Spell" else entry["source_id"]
        try:
            data = self._game.object(number)
        except ValueError:
            data = {"name": entry["kind"].get("data", {}).get("source_name", "?")}
        copy = bool(data.get("is_token")) and entry["kind"]["type"] == "Spell"
        return stack_view(entry, data["name"], copy)

    def view(self) -> GameView:
        waiting = self._game.waiting_for()
        over = waiting["type"] == "GameOver"
        winner = (waiting.get("data") or {}).get("winner") if over else None
        state = self._whole()
        night = state.get("day_night")
        return GameView(
            active=PLAYERS[state["active_player"]],
            step=STEP_OF[self._game.phase],
            turn_number=self._game.turn,
            day_night="day" if night == "Day" else "night" if night == "Night" else "neither",
            over=over,
            winner=(PLAYERS[winner] if isinstance(winner, int) else "nobody") if over else None,
            priority=self.question().player if waiting["type"] == "Priority" else None,
        )

    def turn(self) -> tuple[int, StepWord]:
        """Turn number and step: cheap, for loops."""
        return self._game.turn, STEP_OF[self._game.phase]

    def _whole(self) -> Json:
        """The whole state, read at most once between two actions (it costs milliseconds)."""
        if self._state is None:
            self._state = self._game.state()["state"]
        return self._state

    def _combat(self) -> Json | None:
        if self._game.phase not in (
            "DeclareAttackers", "DeclareBlockers", "CombatDamage", "EndCombat",
        ):  # fmt: skip
            return None
        combat: Json | None = self._whole()["combat"]
        return combat

    # -- moments

    def snapshot(self) -> Snapshot:
        return _Moment(self._game.state(), len(self._log), self._batch, self._window)

    def restore(self, snapshot: Snapshot) -> None:
        assert isinstance(snapshot, _Moment)
        try:
            self._game = self._engine.load_game(snapshot.state)
        except ValueError as error:
            raise SetupError(f"the engine does not load its own state: {error}") from None
        del self._log[snapshot.log :]
        self._batch, self._window = snapshot.batch, snapshot.window
        self._actions = self._state = None

    def dump(self) -> Dump:
        return Dump(self._cards, self._start, tuple(self._log))


@contextmanager
def engine_words() -> Iterator[None]:
    """The engine's refusals and panics as our errors, its words kept."""
    try:
        yield
    except ValueError as error:
        # What it waits for follows as a dump of its own structures; the name of it is enough.
        short = re.sub(r"(waiting for \w+) \{.*", r"\1", str(error), flags=re.DOTALL)
        raise RefusedError(short) from None
    except BaseException as error:
        # A panic of the Rust code is no Exception, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise EngineError(f"the engine panicked: {error}") from None


class _Moment:
    def __init__(self, state: Json, log: int, batch: int, window: int) -> None:
        self.state, self.log, self.batch, self.window = state, log, batch, window


def _is_there(view: ObjectView) -> bool:
    return view.zone != "none"
