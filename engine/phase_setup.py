"""A position -> a loaded game of phase-python.

The engine starts a game of the decks the position needs; its state is then edited in one go (zones,
counters, attachments, ...) and loaded once, after which the engine computes all characteristics
anew. Editing directly instead of using the engine's debug actions leaves no trace of things that
"happened this turn". Only turning a permanent to its back face is left to the engine.
"""

import functools
import json
from dataclasses import dataclass
from typing import Any

import phase

from saitei.engine.cards import CardBook, CardDefinition
from saitei.engine.errors import SetupError, UnsupportedError
from saitei.engine.given import Given, History, ObjectSpec
from saitei.engine.phase_faces import FILLER, faces_json
from saitei.engine.phase_observe import PHASES, counter_name
from saitei.engine.words import PLAYERS, PlayerWord, ZoneWord

Json = dict[str, Any]
_FILLER_CARD = CardDefinition(
    "saitei-filler", FILLER, None, "normal", "card", False, "", "", (), "", ""
)
_FILLERS = 10
_FORMATS = {"standard": "Standard", "commander": "Commander", "free-for-all": "FreeForAll"}
_ZONES: dict[ZoneWord, str] = {
    "battlefield": "Battlefield",
    "hand": "Hand",
    "graveyard": "Graveyard",
    "exile": "Exile",
    "library": "Library",
    "command": "Command",
}


@dataclass(frozen=True, slots=True)
class Placed:
    """One object of the position and the engine's number for it."""

    handle: str
    spec: ObjectSpec
    card: CardDefinition
    owner: int
    zone: ZoneWord
    number: int


@dataclass(frozen=True, slots=True)
class Started:
    """A position that has been loaded. ``to_turn`` are the objects still to be turned over."""

    engine: phase.Engine
    game: phase.Game
    cards: str
    state: str
    placed: tuple[Placed, ...]


def start_game(given: Given, cards: CardBook) -> Started:
    """The position, loaded. Raises `SetupError`, `UnsupportedError`."""
    wanted = [
        (seat, zone, spec, handle)
        for seat, (_, player) in enumerate(given.players)
        for zone, _, specs in player.zones()
        for spec in specs
        for handle in spec.handles
    ]
    used = tuple(cards.get(card) for card in given.card_ids)
    _distinct_names(used)
    decks: list[list[str]] = [[] for _ in given.players]
    commanders: list[list[str]] = [[] for _ in given.players]
    for seat, _, spec, _ in wanted:
        pile = commanders if spec.commander else decks
        pile[seat].append(cards.get(spec.card).front.en)
    wish = given.format or ("free-for-all" if len(decks) > 2 else "standard")
    if any(commanders) and wish != "commander":
        raise SetupError("a commander needs format: commander")
    fillers = tuple(
        max(_FILLERS, (player.library_size or 0) - len(player.library))
        for _, player in given.players
    )
    book = ", ".join([faces_json(card) for card in used] + [faces_json(_FILLER_CARD)])
    base = _base_state(
        "{" + book + "}",
        tuple(tuple(deck) for deck in decks),
        tuple(tuple(names) for names in commanders),
        fillers,
        _FORMATS[wish],
        PLAYERS.index(given.turn),
    )
    state = json.loads(base)
    editor = _Editor(state["state"])
    placed = tuple(
        Placed(
            handle,
            spec,
            cards.get(spec.card),
            seat,
            zone,
            editor.take(seat, cards.get(spec.card).front.en),
        )
        for seat, zone, spec, handle in wanted
    )
    editor.edit(given, placed)
    text = json.dumps(state)
    engine = _engine("{" + book + "}")
    try:
        game = engine.load_game(text)
    except ValueError as error:
        raise SetupError(f"the engine does not load the position: {error}") from None
    return Started(engine, game, "{" + book + "}", text, placed)


def _distinct_names(cards: tuple[CardDefinition, ...]) -> None:
    seen: dict[str, str] = {}
    for card in cards:
        for name in card.names:
            other = seen.setdefault(name.lower(), card.id)
            if other != card.id:
                raise SetupError(f"{card.id} and {other} have the same English name '{name}'")


@functools.lru_cache(maxsize=64)
def _engine(cards: str) -> phase.Engine:
    return phase.Engine.from_json(cards)


@functools.lru_cache(maxsize=64)
def _base_state(
    cards: str,
    decks: tuple[tuple[str, ...], ...],
    commanders: tuple[tuple[str, ...], ...],
    fillers: tuple[int, ...],
    format_name: str,
    first: int,
) -> str:
    """A started game of these decks, mulligans over, as JSON."""
    lists: list[Any] = [
        [*deck, *[FILLER.en] * count] for deck, count in zip(decks, fillers, strict=True)
    ]
    if format_name == "Commander":
        lists = [
            {"main_deck": deck, "sideboard": [], "commander": list(names)}
            for deck, names in zip(lists, commanders, strict=True)
        ]
    try:
        game = _engine(cards).new_game(
            lists[0],
            lists[1],
            extra_players=lists[2:] or None,
            seed=1,
            format=format_name,
            first_player=first,
        )
        for _ in range(2 * len(lists)):
            waiting = game.waiting_for()
            if waiting["type"] != "MulliganDecision":
                break
            player = waiting["data"]["pending"][0]["player"]
            game.apply(player, {"type": "MulliganDecision", "data": {"choice": {"type": "Keep"}}})
    except ValueError as error:
        raise UnsupportedError(f"new game: {error}") from None
    state = game.state()
    inner = state["state"]
    inner["debug_mode"] = True
    inner["format_config"]["allow_debug_actions"] = True
    inner["debug_permitted"] = list(range(len(lists)))
    inner["zone_changes_this_turn"] = []  # the opening hands, which no position has drawn
    journal = inner.get("resolved_rules_journal")
    if journal:  # half of the state's size, and of no use to a position
        journal.update(entries=[], nodes=[], next_command_ordinal=0, next_settlement_node_ordinal=0)
    return json.dumps(state)


class _Editor:
    """Edits the engine's state of a game that has just begun."""

    def __init__(self, state: Json) -> None:
        self.state = state
        self.objects: dict[str, Json] = state["objects"]
        self.players: list[Json] = state["players"]
        self._free: dict[tuple[int, str], list[int]] = {}
        for number in sorted(map(int, self.objects)):
            data = self.objects[str(number)]
            self._free.setdefault((data["owner"], data["name"]), []).append(number)

    def take(self, seat: int, name: str) -> int:
        """The number of a card of that name which nothing else uses."""
        free = self._free.get((seat, name))
        if not free:
            raise SetupError(f"the engine's deck has no '{name}' left")
        return free.pop(0)

    def edit(self, given: Given, placed: tuple[Placed, ...]) -> None:
        state = self.state
        active = PLAYERS.index(given.turn)
        state.update(
            phase=PHASES[given.step],
            turn_number=given.turn_number,
            active_player=active,
            priority_player=active,
            priority_pass_count=0,
            priority_passes=[],
            waiting_for={"type": "Priority", "data": {"player": active}},
            command_zone=[],
        )
        if given.day_night != "neither":
            state["day_night"] = given.day_night.capitalize()
        if given.spells_cast_last_turn is not None:
            state["spells_cast_last_turn"] = given.spells_cast_last_turn
        numbers = {item.handle: item.number for item in placed}
        for item in placed:
            self._place(item)
        for item in placed:
            self._adorn(item, given, numbers)
        for seat, (word, player) in enumerate(given.players):
            data = self.players[seat]
            if player.life is not None:
                data["life"] = player.life
            data["poison_counters"], data["energy"] = player.poison, player.energy
            self._library(seat, player.library_size, placed)
            self._history(seat, word, player.history)
            if player.commander_casts:
                for item in placed:
                    if item.owner == seat and item.spec.commander:
                        state["commander_cast_count"][str(item.number)] = player.commander_casts

    def _place(self, item: Placed) -> None:
        data = self.objects[str(item.number)]
        data["zone"] = _ZONES[item.zone]
        data["incarnation"] = data.get("incarnation", 0) + 1
        owner = self.players[item.owner]
        for pile in ("hand", "library"):
            if item.number in owner[pile]:
                owner[pile].remove(item.number)
        if item.zone == "battlefield":
            self.state["battlefield"].append(item.number)
            data["timestamp"] = self.state["next_timestamp"]
            self.state["next_timestamp"] += 1
            data["entered_battlefield_turn"] = 0
        elif item.zone == "exile":
            self.state["exile"].append(item.number)
        elif item.zone == "command":
            self.state["command_zone"].append(item.number)
        elif item.zone != "library":
            owner[item.zone].append(item.number)

    def _adorn(self, item: Placed, given: Given, numbers: dict[str, int]) -> None:
        spec, data = item.spec, self.objects[str(item.number)]
        counters = {counter_name(name): count for name, count in spec.counters.items()}
        if item.zone == "battlefield":
            loyalty = item.card.front.loyalty
            if loyalty and spec.face == "front":
                counters.setdefault("loyalty", int(loyalty))
            data["tapped"], data["damage_marked"] = spec.tapped, spec.damage
            if spec.sick:
                data["entered_battlefield_turn"] = given.turn_number
                data["summoning_sick"] = data["has_summoning_sickness"] = True
            if spec.controller is not None:
                data["controller"] = data["base_controller"] = _seat(spec.controller)
            if spec.phased_out:
                data["phase_status"] = {"status": "PhasedOut", "cause": "Directly"}
            is_token = spec.token if spec.token is not None else item.card.kind == "token"
            if is_token:
                data.update(is_token=True, card_id=0)
            if spec.attached_to is not None:
                self._attach(item.number, spec.attached_to, numbers)
            if spec.copy_of is not None:
                self._copy(data, self.objects[str(numbers[spec.copy_of])])
        if "loyalty" in counters:
            data["loyalty"] = counters["loyalty"]
        if counters:
            data["counters"] = counters
        if spec.chosen is not None:
            chosen = spec.chosen
            pairs = (
                ("Color", chosen.color and chosen.color.capitalize()),
                ("CardName", chosen.name),
                ("CreatureType", chosen.creature_type),
            )
            data["chosen_attributes"] = [
                {"type": kind, "value": value} for kind, value in pairs if value
            ]
        if spec.exiled_by is not None:
            self._exiled(item, numbers[spec.exiled_by])
        if item.card.kind == "emblem":
            self._emblem(data)

    def _attach(self, number: int, target: str, numbers: dict[str, int]) -> None:
        data = self.objects[str(number)]
        if target in PLAYERS:
            data["attached_to"] = {"type": "Player", "data": _seat(target)}
            return
        data["attached_to"] = {"type": "Object", "data": numbers[target]}
        self.objects[str(numbers[target])]["attachments"].append(number)

    def _copy(self, data: Json, original: Json) -> None:
        """The continuous effect the engine makes for a permanent that entered as a copy."""
        values = {
            key: original.get(f"base_{key}", original.get(key))
            for key in (
                "name", "mana_cost", "color", "card_types", "power", "toughness", "keywords",
                "abilities", "trigger_definitions", "replacement_definitions",
                "static_definitions", "loyalty",
            )
        }  # fmt: skip
        number = self.state["next_continuous_effect_id"]
        self.state["next_continuous_effect_id"] += 1
        identity = {"object_id": data["id"], "incarnation": data["incarnation"]}
        self.state["transient_continuous_effects"].append({
            "affected": {"id": data["id"], "type": "SpecificObject"},
            "affected_recipient": identity,
            "controller": data["controller"],
            "duration": "Permanent",
            "duration_subject": identity,
            "id": number,
            "modifications": [{
                "type": "CopyValues",
                "display_source": "Card",
                "printed_ref": original["base_printed_ref"],
                "token_art": None,
                "token_image_ref": None,
                "values": {**values, "name_origin": "Source", "trigger_printed_origins": []},
            }],
            "source_id": data["id"],
            "source_name": data["name"],
            "timestamp": data["timestamp"],
        })  # fmt: skip

    def _exiled(self, item: Placed, source: int) -> None:
        data = self.objects[str(source)]
        until = "UntilHostLeavesPlay" in json.dumps(data["trigger_definitions"])
        kind: Any = (
            {"UntilSourceLeaves": {"return_zone": "Battlefield"}} if until else "TrackedBySource"
        )
        link = {"exiled_id": item.number, "source_id": source, "kind": kind}
        self.state["exile_links"].append(link)
        self.objects[str(item.number)]["exiled_by"] = data["controller"]

    def _emblem(self, data: Json) -> None:
        """A pseudo-card whose abilities work from the command zone."""
        empty: Json = {"core_types": [], "subtypes": [], "supertypes": []}
        data.update(
            is_emblem=True, card_id=0, card_types=empty, base_card_types=empty,
            mana_cost={"type": "Cost", "generic": 0, "shards": []}, color=[], base_color=[],
        )  # fmt: skip
        for key in ("static_definitions", "base_static_definitions"):
            for ability in data.get(key) or []:
                ability["active_zones"] = ["Command"]
        for key in ("trigger_definitions", "base_trigger_definitions"):
            for ability in data.get(key) or []:
                ability["trigger_zones"] = ["Command"]

    def _library(self, seat: int, size: int | None, placed: tuple[Placed, ...]) -> None:
        """Named cards on top, fillers below; starting hands go back, what is too much goes."""
        data = self.players[seat]
        named = [item.number for item in placed if item.owner == seat and item.zone == "library"]
        fillers = sorted(self._free.get((seat, FILLER.en), []))
        keep = len(fillers) if size is None else size - len(named)
        if keep < 0:
            raise SetupError(f"library_size {size} is less than the cards named in the library")
        for number in fillers[keep:]:
            del self.objects[str(number)]
        for number in fillers[:keep]:
            self.objects[str(number)]["zone"] = "Library"
        data["hand"] = [number for number in data["hand"] if number not in fillers]
        data["library"] = named + fillers[:keep]

    def _history(self, seat: int, word: PlayerWord, history: History) -> None:
        data, state = self.players[seat], self.state
        data["life_lost_this_turn"] = history.life_lost
        data["life_gained_this_turn"] = history.life_gained
        data["cards_drawn_this_turn"] = history.cards_drawn
        data["has_drawn_this_turn"] = history.cards_drawn > 0
        data["lands_played_this_turn"] = history.lands_played
        if history.lands_played:
            state["lands_played_this_turn_by_player"][str(seat)] = history.lands_played
            if seat == state["active_player"]:
                state["lands_played_this_turn"] = history.lands_played
        if history.spells_cast:
            record = {
                "cast_variant": "Normal", "colors": [], "core_types": ["Artifact"],
                "from_zone": "Hand", "keywords": [], "mana_value": 9, "name": FILLER.en,
                "spell_object_id": 0, "subtypes": [], "supertypes": [],
            }  # fmt: skip
            count = history.spells_cast
            state["spells_cast_this_turn_by_player"][str(seat)] = [dict(record)] * count
            state["spells_cast_this_turn"] = state.get("spells_cast_this_turn", 0) + count


def _seat(word: str) -> int:
    return [str(player) for player in PLAYERS].index(word)
