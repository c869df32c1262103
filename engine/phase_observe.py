"""phase-python's JSON -> the plain views and events of the protocol."""

import re
from collections.abc import Iterator
from typing import Any

from saitei.engine.protocol import Event, Obj, ObjectView, PlayerView, Ref, Seat, StackView
from saitei.engine.words import PLAYERS, PlayerWord, StepWord

Json = dict[str, Any]

PHASES: dict[StepWord, str] = {
    "untap": "Untap",
    "upkeep": "Upkeep",
    "draw": "Draw",
    "precombat main": "PreCombatMain",
    "begin combat": "BeginCombat",
    "declare attackers": "DeclareAttackers",
    "declare blockers": "DeclareBlockers",
    "combat damage": "CombatDamage",
    "end combat": "EndCombat",
    "postcombat main": "PostCombatMain",
    "end": "End",
    "cleanup": "Cleanup",
}
STEP_OF: dict[str, StepWord] = {name: word for word, name in PHASES.items()}
_COUNTERS = {"P1P1": "+1/+1", "M1M1": "-1/-1"}
_COUNTER_NAMES = {word: name for name, word in _COUNTERS.items()}
_LETTER = {"White": "W", "Blue": "U", "Black": "B", "Red": "R", "Green": "G", "Colorless": "C"}
MANA = {letter: name for name, letter in _LETTER.items()}


def counter_name(word: str) -> str:
    """Our word for a counter -> the engine's."""
    return _COUNTER_NAMES.get(word, word)


def words(name: str) -> str:
    """``FirstStrike`` -> ``first strike``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def ref(value: Any) -> Ref | None:
    """``{"Object": 3}``, ``{"Player": 1}`` or ``{"type": "Player", "data": 1}``."""
    if not isinstance(value, dict):
        return None
    if "type" in value:
        value = {value["type"]: value.get("data")}
    if "Player" in value:
        return Seat(PLAYERS[value["Player"]])
    number = value.get("Object", value.get("Planeswalker", value.get("Battle")))
    return Obj(number) if isinstance(number, int) else None


def object_view(data: Json, combat: Json | None, backs: frozenset[str]) -> ObjectView:
    """One object; ``combat`` is the state's combat, when there is one; ``backs`` are the names of
    back faces (a spell or land played as a back face is not marked as transformed)."""
    number = data["id"]
    attack = blocked = None
    blocking: list[int] = []
    if combat:
        mine = [entry for entry in combat["attackers"] if entry["object_id"] == number]
        attack, blocked = (mine[0]["attack_target"], mine[0]["blocked"]) if mine else (None, None)
        blocking = combat["blocker_to_attacker"].get(str(number), [])
    types = data["card_types"]
    zone = data["zone"].lower()
    counters = {
        _COUNTERS.get(name, name): count for name, count in data["counters"].items() if count
    }
    activated = [ability for ability in data["abilities"] if ability.get("kind") == "Activated"]
    token = bool(data.get("is_token"))
    return ObjectView(
        id=number,
        name=data["name"],
        zone=zone,
        owner=PLAYERS[data["owner"]],
        controller=PLAYERS[data["controller"]],
        types=tuple(types["core_types"]),
        subtypes=tuple(types["subtypes"]),
        supertypes=tuple(types["supertypes"]),
        colors=tuple(color.lower() for color in data["color"]),
        keywords=tuple(words(_keyword(keyword)) for keyword in data["keywords"]),
        abilities=len(activated)
        + len(data["trigger_definitions"])
        + len(data["static_definitions"])
        + len(data["replacement_definitions"]),
        mana_value=_mana_value(data["mana_cost"]) + _x_value(data),
        power=data["power"],
        toughness=data["toughness"],
        base_power=data.get("layer_base_power", data.get("base_power")),
        base_toughness=data.get("layer_base_toughness", data.get("base_toughness")),
        loyalty=data["loyalty"],
        counters=counters,
        damage=data["damage_marked"] if zone == "battlefield" else 0,
        tapped=data["tapped"],
        sick=bool(data.get("has_summoning_sickness")),
        back=data["transformed"] or (data.get("printed_ref") or {}).get("face_name") in backs,
        face_down=data["face_down"],
        phased_out=(data.get("phase_status") or {}).get("status") == "PhasedOut",
        token=token and zone != "stack",
        copy=(token and zone == "stack") or bool(data.get("layer1_copy_effect")),
        attached_to=ref(data["attached_to"]),
        attacking=ref(attack),
        blocking=tuple(blocking),
        blocked=bool(blocked),
        incarnation=data.get("incarnation", 0),
    )


def _keyword(value: Any) -> str:
    return value if isinstance(value, str) else next(iter(value))


def _mana_value(cost: Json) -> int:
    if cost.get("type") != "Cost":
        return 0
    return int(cost["generic"]) + sum(1 for shard in cost["shards"] if shard != "X")


def _x_value(data: Json) -> int:
    value = data.get("cost_x_paid")
    return value if isinstance(value, int) and data["zone"] == "Stack" else 0


def stack_view(entry: Json, name: str, copy: bool) -> StackView:
    """One entry of the stack."""
    kind = entry["kind"]
    data = kind.get("data") or {}
    ability = data.get("ability") or {}
    targets = [found for found in map(ref, _targets(ability)) if found is not None]
    spell = kind["type"] == "Spell"
    return StackView(
        object=entry["id"],
        source=entry["source_id"],
        name=name,
        ability=not spell,
        triggered=kind["type"] == "TriggeredAbility",
        controller=PLAYERS[entry["controller"]],
        targets=tuple(dict.fromkeys(targets)),
        text=data.get("description") or ability.get("description") or "",
        copy=copy,
        variant=words(str(data.get("casting_variant") or "")),
    )


def _targets(ability: Json) -> Iterator[Any]:
    """Targets chosen for an ability and for the ones that follow it."""
    yield from ability.get("targets") or []
    following = ability.get("sub_ability")
    if following:
        yield from _targets(following)


def player_view(data: Json) -> PlayerView:
    """One player."""
    return PlayerView(
        player=PLAYERS[data["id"]],
        life=data["life"],
        poison=data["poison_counters"],
        energy=data["energy"],
        mana=tuple(_LETTER[unit["color"]] for unit in data["mana_pool"]["mana"]),
        hand=tuple(data["hand"]),
        library=tuple(data["library"]),
        graveyard=tuple(data["graveyard"]),
        in_game=not data["is_eliminated"],
    )


_PLAIN = {
    "SpellCast": "cast",
    "CardDrawn": "draw",
    "LifeChanged": "life",
    "CounterAdded": "counters",
    "CounterRemoved": "counters",
    "TokenCreated": "token",
    "PermanentSacrificed": "sacrifice",
    "Discarded": "discard",
    "CreatureDestroyed": "destroy",
    "PermanentDestroyed": "destroy",
    "PermanentTapped": "tap",
    "PermanentUntapped": "untap",
    "Transformed": "transform",
    "StackResolved": "resolve",
    "SpellCountered": "countered",
}
# After one of these, what follows did not happen at the same time.
_DIVIDERS = frozenset({"EffectResolved", "StackResolved", "PhaseChanged", "StackPushed"})


def events(raw: list[Json], batch: int, window: int) -> tuple[list[Event], int]:
    """The engine's events of one action, and the next free batch number."""
    out: list[Event] = []
    for item in raw:
        kind, data = item["type"], item.get("data") or {}
        out += _event(kind, data, batch, window)
        if kind in _DIVIDERS:
            batch += 1
    return out, batch + 1


def _event(kind: str, data: Json, batch: int, window: int) -> Iterator[Event]:
    def seat(key: str) -> PlayerWord | None:
        value = data.get(key)
        return PLAYERS[value] if isinstance(value, int) else None

    def obj(key: str) -> Obj | None:
        value = data.get(key)
        return Obj(value) if isinstance(value, int) else None

    player = seat("player_id") or seat("controller")
    if kind == "ZoneChanged":
        record = data.get("record") or {}
        yield Event(
            "zone",
            obj("object_id"),
            player=_seat_of(record.get("controller")),
            zone_from=(data["from"] or "none").lower(),
            zone_to=(data["to"] or "none").lower(),
            name=record.get("name", ""),
            types=tuple(record.get("core_types", ())),
            batch=batch,
            window=window,
        )
    elif kind == "DamageDealt":
        yield Event(
            "damage",
            source=obj("source_id"),
            target=ref(data["target"]),
            amount=data["amount"],
            combat=data["is_combat"],
            batch=batch,
            window=window,
        )
    elif kind == "AttackersDeclared":
        for number, target in data["attacks"]:
            yield Event("attack", Obj(number), target=ref(target), batch=batch, window=window)
    elif kind == "BlockersDeclared":
        for blocker, attacker in data["assignments"]:
            yield Event("block", Obj(blocker), target=Obj(attacker), batch=batch, window=window)
    elif kind == "PhaseChanged":
        yield Event(
            "step", name=str(STEP_OF.get(data["phase"], data["phase"])), batch=batch, window=window
        )
    elif kind in _PLAIN:
        counter = data.get("counter_type")
        count = data.get("amount", data.get("count", 0))
        if kind == "CounterRemoved":
            count = -int(count or 0)
        name = _COUNTERS.get(str(counter), str(counter)) if counter else data.get("name", "")
        yield Event(
            _PLAIN[kind],
            obj("object_id"),
            obj("source_id"),
            player,
            name=name,
            amount=count if isinstance(count, int) else 0,
            batch=batch,
            window=window,
        )
    else:
        yield Event(
            "other",
            obj("object_id"),
            obj("source_id"),
            player,
            name=kind,
            batch=batch,
            window=window,
        )


def _seat_of(value: Any) -> PlayerWord | None:
    return PLAYERS[value] if isinstance(value, int) else None
