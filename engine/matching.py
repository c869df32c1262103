"""Whether an object, a stack entry or an event fits a description of the scenario language."""

from typing import Protocol

from saitei.engine.expectations import EventMatch, Match
from saitei.engine.protocol import Event, Obj, ObjectView, Ref, StackView
from saitei.engine.words import number_holds


class Names(Protocol):
    """Handles -> what they stand for."""

    def ref(self, handle: str) -> Ref: ...


def object_matches(match: Match, view: ObjectView, names: Names) -> bool:
    """All that the description says holds of the object."""
    kinds = {word.lower() for word in (*view.types, *view.subtypes, *view.supertypes)}
    checks = [
        match.zone is None or view.zone == match.zone,
        match.name is None or view.name.lower() == match.name.lower(),
        match.type is None or {word.lower() for word in match.type} <= kinds,
        match.colors is None or set(match.colors) == set(view.colors),
        match.keywords is None or {word.lower() for word in match.keywords} <= set(view.keywords),
        match.pt is None or match.pt == f"{view.power}/{view.toughness}",
        match.controller is None or view.controller == match.controller,
        match.owner is None or view.owner == match.owner,
        match.token is None or view.token == match.token,
        match.tapped is None or view.tapped == match.tapped,
        match.attacking is None or (view.attacking is not None) == match.attacking,
        match.copy_ is None or view.copy == match.copy_,
        match.ability is not True,
    ]
    return all(checks)


def stack_matches(match: Match, entry: StackView, names: Names) -> bool:
    """A description of an ability on the stack."""
    return (
        entry.ability
        and (match.source is None or names.ref(match.source) == Obj(entry.source))
        and (match.name is None or entry.name.lower() == match.name.lower())
        and (match.controller is None or entry.controller == match.controller)
    )


def event_matches(match: EventMatch, event: Event, names: Names) -> bool:
    """All that the description says holds of the event."""
    if not _word_fits(match.event, event):
        return False
    if match.object is not None and not _known(match.object, event.object, event.target, names):
        return False
    if match.source is not None and names.ref(match.source) != event.source:
        return False
    return (
        (match.player is None or event.player == match.player)
        and (match.from_ is None or event.zone_from == match.from_)
        and (match.to is None or event.zone_to == match.to)
        and (match.name is None or event.name.lower() == match.name.lower())
        and (match.amount is None or number_holds(match.amount, event.amount))
        and (match.combat is None or event.combat == match.combat)
    )


def _known(handle: str, first: Ref | None, second: Ref | None, names: Names) -> bool:
    wanted = names.ref(handle)
    return wanted in (first, second)


def _word_fits(word: str, event: Event) -> bool:
    if event.kind != "zone":
        return word == event.kind
    if word == "zone":
        return True
    moves = {
        "enters": event.zone_to == "battlefield",
        "leaves": event.zone_from == "battlefield",
        "exiled": event.zone_to == "exile",
        "dies": event.zone_from == "battlefield"
        and event.zone_to == "graveyard"
        and ("Creature" in event.types or "Planeswalker" in event.types),
    }
    return moves.get(word, False)
