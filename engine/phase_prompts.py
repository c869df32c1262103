"""phase-python's prompts -> questions, and answers -> its actions."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import phase

from saitei.engine.errors import RefusedError
from saitei.engine.phase_observe import ref, words
from saitei.engine.protocol import Attack, Obj, Question, QuestionKind, Ref, Seat, Value
from saitei.engine.words import PLAYERS

Json = dict[str, Any]

_KINDS: dict[str, QuestionKind] = {
    "Priority": "priority",
    "DeclareAttackers": "attackers",
    "DeclareBlockers": "blockers",
    "GameOver": "over",
    "TargetSelection": "targets",
    "TriggerTargetSelection": "targets",
    "MultiTargetSelection": "targets",
    "CopyTargetChoice": "choose",
    "ReturnAsAuraTarget": "choose",
    "EquipTarget": "targets",
    "CopyRetarget": "new_targets",
    "RetargetChoice": "new_targets",
    "ModeChoice": "modes",
    "AbilityModeChoice": "modes",
    "ChooseXValue": "x",
    "PayAmountChoice": "x",
    "OptionalEffectChoice": "may",
    "OpponentMayChoice": "may",
    "MiracleReveal": "may",
    "TributeChoice": "may",
    "CommanderZoneChoice": "may",
    "ResolutionOptionalPaymentChoice": "pay",
    "UnlessPayment": "pay",
    "CombatTaxPayment": "pay",
    "OptionalCostChoice": "kick",
    "NamedChoice": "name",
    "ChooseManaColor": "color",
    "OrderTriggers": "order",
    "ReplacementChoice": "replace",
    "DistributeAmong": "divide",
    "AssignCombatDamage": "divide",
    "AlternativeCastChoice": "how",
    "CastingVariantChoice": "how",
    "CastOffer": "how",
    "ModalFaceChoice": "face",
}
_YES = frozenset({"Pay", "Accept", "Yes", "Cast"})
_NO = frozenset({"Decline", "No", "Skip"})


RESTING: frozenset[QuestionKind] = frozenset({"priority", "attackers", "blockers", "over"})
"""What is asked is what to do next, not a choice."""


def kind_of(waiting: Json) -> QuestionKind:
    """What kind of question a prompt is, as far as its name tells."""
    return _KINDS.get(waiting["type"], "choose")


def question(waiting: Json, actions: Sequence[phase.GameAction]) -> Question:
    """What is asked. ``actions`` are the engine's legal actions at this moment."""
    word, data = waiting["type"], waiting.get("data") or {}
    kind = kind_of(waiting)
    seat = data.get("player")
    if seat is None and data.get("pending"):
        seat = data["pending"][0].get("player")
    player = PLAYERS[seat] if isinstance(seat, int) else None
    if kind in RESTING:
        return Question(kind, player, word=word)
    source = data.get("source_id")
    text = str(data.get("description") or data.get("effect_description") or "")
    if kind == "kick":
        text = words(str((data.get("cost") or {}).get("type", "")))
    low, high, optional = 0, 0, False
    options: tuple[Ref | str, ...] = ()
    if kind == "targets":
        selection = data.get("selection") or {}
        slots = data.get("target_slots") or [{}]
        slot = slots[min(selection.get("current_slot", 0), len(slots) - 1)]
        options = _refs(selection.get("current_legal_targets") or slot.get("legal_targets") or [])
        optional = bool(slot.get("optional")) or _has_null(actions)
    elif kind == "new_targets":
        slots = data.get("target_slots") or [{}]
        slot = slots[min(data.get("current_slot", 0), len(slots) - 1)]
        options = _refs(slot.get("legal_alternatives") or []) or _offered(actions)
    elif kind == "modes":
        modal = data.get("modal") or data
        options = tuple(modal.get("mode_descriptions") or ())
        low, high = modal.get("min_choices", 1), modal.get("max_choices", 1)
    elif kind == "x":
        low, high = data.get("min", 0), data.get("max", 0)
    elif kind == "name":
        options = tuple(str(option) for option in data.get("options") or ())
        text = json.dumps(data.get("choice_type"))
        if "color" in text.lower():
            kind = "color"
            options = tuple(str(option).lower() for option in options)
    elif kind == "color":
        options = tuple(_color_of(action) for action in actions if action.kind == "ChooseManaColor")
    elif kind == "order":
        options = tuple(Obj(item["source_id"]) for item in data["triggers"])
        text = " / ".join(str(item.get("description", "")) for item in data["triggers"])
    elif kind == "replace":
        found = data.get("candidates") or []
        options = tuple(Obj(item["source_id"]) for item in found)
        text = " / ".join(str(item.get("description", "")) for item in found)
        # "You may have ... enter as": the second candidate is to decline the first.
        if len(found) == 2 and len(set(options)) == 1:
            kind = "may"
    elif kind == "divide":
        options = _refs(data.get("targets") or [])
        low = high = data.get("total", 0)
    elif kind in ("how", "face"):
        options = tuple(
            offer_words(action, data) for action in actions if action.kind != "CancelCast"
        )
    elif kind == "choose":
        low, high = data.get("min_count", data.get("count", 0)), data.get("count", 0)
        options = _offered(actions)
        listed = data.get("cards") or data.get("choices") or data.get("selectable_cards")
        if isinstance(listed, list) and all(isinstance(item, int) for item in listed):
            options = tuple(Obj(item) for item in listed)
        optional = low == 0
    return Question(
        kind,
        player,
        options,
        low or 0,
        high or 0,
        optional,
        Obj(source) if isinstance(source, int) else None,
        text,
        word,
    )


def action(
    waiting: Json, asked: Question, actions: Sequence[phase.GameAction], value: Value
) -> Any:
    """The engine's action that gives this answer. Raises `RefusedError` when there is none."""
    word = waiting["type"]
    if asked.kind == "targets":
        return _tagged("ChooseTarget", target=None if value is None else _raw(value))
    if asked.kind == "new_targets":
        if value is None:
            keep = [found for found in actions if found.kind == "KeepAllCopyTargets"]
            return keep[0] if keep else _tagged("RetargetSpell", new_targets=[])
        refs = _as_refs(value)
        if word == "CopyRetarget":
            return _tagged("ChooseTarget", target=_raw(refs[0]) if refs else None)
        return _tagged("RetargetSpell", new_targets=[_raw(item) for item in refs])
    if asked.kind == "modes":
        return _tagged("SelectModes", indices=_ints(value))
    if asked.kind == "x":
        if word == "PayAmountChoice":
            return _tagged("SubmitPayAmount", amount=value)
        return _tagged("ChooseX", value=value)
    if asked.kind == "name" or (asked.kind == "color" and word == "NamedChoice"):
        exact = {str(option).lower(): option for option in (waiting["data"].get("options") or ())}
        return _tagged("ChooseOption", choice=exact.get(str(value).lower(), value))
    if asked.kind == "color":
        fits = [found for found in actions if _color_of(found) == value]
        return _first(fits, asked, value)
    if asked.kind == "order":
        # The engine's list is the order of putting on the stack: its last resolves first.
        return _tagged("OrderTriggers", order=_ints(value)[::-1])
    if asked.kind == "replace":
        return _tagged("ChooseReplacement", index=value)
    if asked.kind == "divide":
        pairs = (
            [pair for pair in value if isinstance(pair, tuple)] if isinstance(value, tuple) else []
        )
        if word == "AssignCombatDamage":
            return _assignment(waiting["data"], pairs)
        return _tagged("DistributeAmong", distribution=[[_raw(who), n] for who, n in pairs])
    if asked.kind in ("may", "pay", "kick"):
        if word == "ReplacementChoice":
            return _tagged("ChooseReplacement", index=0 if value else 1)
        return _first([found for found in actions if _says(found, bool(value))], asked, value)
    if asked.kind in ("how", "face"):
        wanted = str(value).lower()
        data = waiting.get("data") or {}
        return _first(
            [found for found in actions if wanted in offer_words(found, data)], asked, value
        )
    return _chosen(actions, _as_refs(value))


def _chosen(actions: Sequence[phase.GameAction], picked: tuple[Ref, ...]) -> Any:
    """The offered action that names exactly these; else the general way to pick cards."""
    numbers = [item.id for item in picked if isinstance(item, Obj)]
    for found in actions:
        for name, value in (found.data or {}).items():
            listed = name in ("cards", "choices", "chosen", "targets") and isinstance(value, list)
            if (
                listed
                and (value == numbers or _refs(value) == picked)
                and len(value) == len(picked)
            ):
                return found
            if len(picked) == 1 and _one(name, value) == picked[0]:
                return found
    return _tagged("SelectCards", cards=numbers)


def _one(name: str, value: Any) -> Ref | None:
    """The object or player that a field of an offered action names."""
    if name in ("keep", "source", "creature_id", "object_id", "target", "chosen"):
        return Obj(value) if type(value) is int else ref(value)
    if name in ("player", "player_id", "opponent") and type(value) is int:
        return Seat(PLAYERS[value])
    return None


def _assignment(data: Json, pairs: Iterable[tuple[Any, int]]) -> Json:
    """Combat damage: to blockers by number, to the player as trample damage."""
    blockers = [[who.id, n] for who, n in pairs if isinstance(who, Obj)]
    players = sum(n for who, n in pairs if isinstance(who, Seat))
    return _tagged(
        "AssignCombatDamage", mode="Normal", assignments=blockers, trample_damage=players
    )


def _tagged(kind: str, **data: Any) -> Json:
    return {"type": kind, "data": data}


def _raw(value: Any) -> Json:
    return (
        {"Player": PLAYERS.index(value.player)} if isinstance(value, Seat) else {"Object": value.id}
    )


def _refs(raws: Iterable[Any]) -> tuple[Ref, ...]:
    return tuple(found for found in map(ref, raws) if found is not None)


def _as_refs(value: Value) -> tuple[Ref, ...]:
    if isinstance(value, Obj | Seat):
        return (value,)
    return (
        tuple(item for item in value if isinstance(item, Obj | Seat))
        if isinstance(value, tuple)
        else ()
    )


def _ints(value: Value) -> list[int]:
    return [item for item in value if isinstance(item, int)] if isinstance(value, tuple) else []


def _has_null(actions: Sequence[phase.GameAction]) -> bool:
    return any(
        found.kind == "ChooseTarget" and (found.data or {}).get("target") is None
        for found in actions
    )


def _offered(actions: Sequence[phase.GameAction]) -> tuple[Ref, ...]:
    """Every object and player the offered actions name."""
    seen: dict[Ref, None] = {}
    for found in actions:
        for name, value in (found.data or {}).items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, bool) or name in ("index", "count", "amount", "value"):
                    continue
                if isinstance(item, int):
                    player = name in ("player", "player_id", "opponent")
                    seen[Seat(PLAYERS[item]) if player else Obj(item)] = None
                elif (one := ref(item)) is not None:
                    seen[one] = None
    return tuple(seen)


def _says(found: phase.GameAction, yes: bool) -> bool:
    data = found.data or {}
    if found.kind.endswith("AndRemember"):
        return False
    for key in ("accept", "pay", "pay_cost", "top"):
        if key in data:
            return bool(data[key]) is yes
    choice = data.get("choice")
    if isinstance(choice, dict):
        choice = choice.get("type")
    return choice in (_YES if yes else _NO)


def offer_words(found: phase.GameAction, prompt: Json) -> str:
    """An offered action in lower-case words: ``normal``, ``evoke``, ``back``, ..."""
    data = found.data or {}
    if "back_face" in data:
        return "back" if data["back_face"] else "front"
    choice = data.get("choice")
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "Alternative" and prompt.get("keyword"):
        keyword = prompt["keyword"]
        return words(str(keyword.get("type") if isinstance(keyword, dict) else keyword))
    if kind is not None:
        return words(str(kind))
    return words(found.kind) + (" " + words(json.dumps(data)) if data else "")


def _color_of(found: phase.GameAction) -> str:
    choice = (found.data or {}).get("choice")
    return str(choice.get("data", "")).lower() if isinstance(choice, dict) else ""


def _first(fits: Sequence[phase.GameAction], asked: Question, value: Value) -> phase.GameAction:
    if not fits:
        raise RefusedError(f"{asked.word}: the engine offers nothing that means '{value}'")
    return fits[0]


def mentions(found: phase.GameAction, number: int) -> bool:
    """Whether an offered action is one of this object."""
    data = found.data or {}
    keys = ("object_id", "source_id", "equipment_id", "hand_object", "vehicle_id")
    return any(data.get(key) == number for key in keys)


def attack_target(item: Attack) -> Json:
    """What is attacked, as the engine writes it."""
    if isinstance(item.target, Seat):
        return {"type": "Player", "data": PLAYERS.index(item.target.player)}
    return {"type": "Planeswalker", "data": item.target.id}


def ability_text(ability: Json) -> str:
    """An ability by its text, else by the kind of its effect."""
    return str(ability.get("description") or ability.get("effect", {}).get("type", "ability"))
