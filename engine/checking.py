"""Expectations against a game: what was expected, what was observed, whether it holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from saitei.engine.errors import (
    MissingAnswerError,
    RefusedError,
    StepError,
    UnsupportedError,
)
from saitei.engine.expectations import (
    Asked,
    Counted,
    Damage,
    EventMatch,
    Events,
    GameFacts,
    ObjectFacts,
    PlayerFacts,
    Triggered,
    Visible,
)
from saitei.engine.facts import (
    Fact,
    all_events,
    counted,
    fact,
    listed,
    missing_events,
    show,
)
from saitei.engine.matching import event_matches, object_matches
from saitei.engine.protocol import Event, Obj, ObjectView, Ref
from saitei.engine.record import Happened
from saitei.engine.scenario import PlacedExpectation
from saitei.engine.steps import Step
from saitei.engine.table import Table
from saitei.engine.words import PLAYERS, PlayerWord, mana_symbols, number_holds


@dataclass(frozen=True, slots=True)
class Checked:
    """One expectation, checked. ``expected`` and ``observed`` say the same things in one order."""

    text: str
    line: int
    held: bool
    expected: str
    observed: str
    shows: tuple[str, ...]


class Checker:
    """Checks expectations on the table as it is at that moment."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def check(self, placed: PlacedExpectation) -> Checked:
        """Raises `UnsupportedError` where the engine cannot tell."""
        model = placed.expectation
        subject = model.subject
        if model.object_facts is not None:
            facts = list(self._object(subject, model.object_facts))
        elif subject in PLAYERS:
            facts = list(self._player(subject, getattr(model, subject)))
        else:
            checks: dict[str, Any] = {
                "game": self._game,
                "stack": self._stack,
                "permanents": self._permanents,
                "cards": self._cards,
                "legal": lambda step: self._trial(step, True),
                "illegal": lambda step: self._trial(step, False),
                "asked": self._asked,
                "triggered": self._triggered,
                "events": self._events,
                "damage": self._damage,
                "visible": self._visible,
            }
            facts = list(checks[subject](getattr(model, subject)))
        return Checked(
            placed.text,
            placed.line,
            all(fact.holds for fact in facts),
            ", ".join(f"{fact.name}: {fact.wanted}" for fact in facts),
            ", ".join(f"{fact.name}: {fact.seen}" for fact in facts),
            tuple(model.shows),
        )

    def check_elsewhere(self, placed: PlacedExpectation) -> Checked:
        """An expectation of the main case in a contrast's run: what it speaks of may not exist."""
        try:
            return self.check(placed)
        except StepError as error:
            shows = tuple(placed.expectation.shows)
            return Checked(placed.text, placed.line, False, placed.text, str(error), shows)

    # -- objects

    def _object(self, handle: str, facts: ObjectFacts) -> Iterator[Fact]:
        number = self._table.handles.get(handle)
        view = None if number is None else self._table.game.object(number)
        if view is not None and view.zone == "none":
            view = None
        for name in type(facts).model_fields:
            wanted = getattr(facts, name)
            if wanted is None:
                continue
            if name == "exists":
                yield fact(name, wanted, view is not None)
            elif view is None:
                absent = name == "zone" and wanted == "none"
                yield Fact(name, show(wanted), "no such object", absent)
            else:
                yield self._one(handle, view, name, wanted)

    def _one(self, handle: str, view: ObjectView, name: str, wanted: Any) -> Fact:
        if name in ("types", "subtypes", "supertypes", "colors"):
            there = {word.lower() for word in getattr(view, name)}
            return Fact(
                name,
                show(wanted),
                show(sorted(there)),
                {word.lower() for word in wanted} == there,
            )
        if name in ("keywords", "no_keywords"):
            have = set(view.keywords)
            asked = {word.lower() for word in wanted}
            holds = asked <= have if name == "keywords" else not asked & have
            return Fact(name, show(wanted), show(sorted(have)), holds)
        if name in ("pt", "base_pt"):
            prefix = "base_" if name == "base_pt" else ""
            power = getattr(view, f"{prefix}power")
            return fact(name, wanted, f"{power}/{getattr(view, f'{prefix}toughness')}")
        if name == "counters":
            return self._counters(view, wanted)
        if name == "face":
            return fact(name, wanted, "back" if view.back else "front")
        if name == "same_object":
            return fact(name, wanted, self._table.born.get(handle) == view.incarnation)
        if name == "attached_to":
            seen = "none" if view.attached_to is None else self._called(view.attached_to)
            return fact(name, wanted, seen)
        if name == "attacking":
            if isinstance(wanted, bool):
                return fact(name, wanted, view.attacking is not None)
            seen = "none" if view.attacking is None else self._called(view.attacking)
            return fact(name, wanted, seen)
        if name == "blocking":
            return listed(name, wanted, [self._called(Obj(number)) for number in view.blocking])
        if name == "targets":
            aims = [entry.targets for entry in self._table.game.stack() if entry.object == view.id]
            return listed(name, wanted, [self._called(aim) for aim in (aims[0] if aims else ())])
        if name == "position":
            library = self._table.game.player(view.owner).library
            place = library.index(view.id) + 1 if view.id in library else 0
            return counted(name, wanted, place)
        seen = getattr(view, name)
        if isinstance(wanted, bool) or name in ("zone", "name", "controller", "owner"):
            return fact(name, wanted, seen)
        return counted(name, wanted, seen)

    def _counters(self, view: ObjectView, wanted: dict[str, str]) -> Fact:
        seen = {name: view.counters.get(name, 0) for name in wanted}
        holds = all(number_holds(number, seen[name]) for name, number in wanted.items())
        return Fact("counters", show(wanted), show({k: str(v) for k, v in seen.items()}), holds)

    def _called(self, who: Ref) -> str:
        return self._table.names.called(who)

    # -- players and the game

    def _player(self, word: str, facts: PlayerFacts) -> Iterator[Fact]:
        player: PlayerWord = next(one for one in PLAYERS if one == word)
        view = self._table.game.player(player)
        for name in type(facts).model_fields:
            wanted = getattr(facts, name)
            if wanted is None:
                continue
            if name == "mana":
                have, asked = sorted(view.mana), sorted(mana_symbols(wanted))
                yield Fact(name, wanted or "none", "".join(have) or "none", have == asked)
            elif name == "in_game":
                yield fact(name, wanted, view.in_game)
            elif name == "exile":
                owned = [
                    item
                    for item in self._table.game.objects()
                    if item.zone == "exile" and item.owner == player
                ]
                yield counted(name, wanted, len(owned))
            else:
                seen = getattr(view, name)
                yield counted(name, wanted, seen if isinstance(seen, int) else len(seen))

    def _game(self, facts: GameFacts) -> Iterator[Fact]:
        view = self._table.game.view()
        seen = {
            "turn": view.active,
            "step": view.step,
            "day_night": view.day_night,
            "over": view.over,
            "winner": view.winner,
            "priority": view.priority,
        }
        for name in type(facts).model_fields:
            wanted = getattr(facts, name)
            if wanted is not None:
                yield fact(name, wanted, seen[name])

    def _stack(self, wanted: list[str]) -> Iterator[Fact]:
        entries = self._table.game.stack()
        shown = [
            self._called(Obj(entry.source if entry.ability else entry.object)) for entry in entries
        ]
        holds = len(entries) == len(wanted) and all(
            self._table.handles.get(handle) == entry.object
            or (entry.ability and self._table.handles.get(handle) == entry.source)
            for handle, entry in zip(wanted, entries, strict=False)
        )
        yield Fact("stack", show(wanted), show(shown), holds)

    def _permanents(self, match: Counted) -> Iterator[Fact]:
        views = [
            view
            for view in self._table.game.objects()
            if view.zone == "battlefield"
            and not view.phased_out
            and object_matches(match, view, self._table)
        ]
        yield counted("count", match.count, len(views))

    def _cards(self, match: Counted) -> Iterator[Fact]:
        views = [
            view for view in self._table.game.objects() if object_matches(match, view, self._table)
        ]
        yield counted("count", match.count, len(views))

    # -- what may be done

    def _trial(self, step: Step, wanted: bool) -> Iterator[Fact]:
        """Try the step and take it back."""
        table = self._table
        happened, asked = len(table.record.happened), len(table.record.asked)
        memory = table.remember()
        moment = table.game.snapshot()
        why = "allowed"
        legal = True
        try:
            table.play(step)
        except RefusedError as error:
            legal, why = False, str(error)
        except MissingAnswerError as error:
            why = f"allowed so far; {error}"
        finally:
            table.game.restore(moment)
            table.recall(memory)
            del table.record.happened[happened:], table.record.asked[asked:]
            table.record.forget_step()
        name = "legal" if wanted else "illegal"
        yield Fact(name, "allowed" if wanted else "refused", why, legal is wanted)

    # -- what happened

    def _in(self, during: str | None) -> list[Happened]:
        return [
            item for item in self._table.record.happened if during is None or item.step == during
        ]

    def _need_events(self) -> None:
        if "events" not in self._table.adapter.capabilities:
            raise UnsupportedError(f"{self._table.adapter.name} does not report events")

    def _asked(self, wanted: Asked) -> Iterator[Fact]:
        found = [
            one
            for one in self._table.record.asked
            if one.kind == wanted.kind
            and (wanted.of is None or one.player == wanted.of)
            and (wanted.during is None or one.step == wanted.during)
        ]
        yield counted("times", wanted.times, len(found))
        options = list(dict.fromkeys(option for one in found for option in one.options))
        if wanted.options is not None:
            yield Fact("options", show(wanted.options), show(options),
                        set(wanted.options) <= set(options))  # fmt: skip
        if wanted.not_options is not None:
            yield Fact("not_options", show(wanted.not_options), show(options),
                        not set(wanted.not_options) & set(options))  # fmt: skip
        if wanted.count is not None:
            yield counted("count", wanted.count, len(options))

    def _triggered(self, wanted: Triggered) -> Iterator[Fact]:
        self._need_events()
        source = self._table.ref(wanted.source) if wanted.source in self._table.handles else None
        found = [
            item
            for item in self._in(wanted.during)
            if item.event.kind == "trigger"
            and item.event.source == source
            and (wanted.controller is None or item.event.player == wanted.controller)
        ]
        yield counted("count", wanted.count, len(found))

    def _damage(self, wanted: Damage) -> Iterator[Fact]:
        self._need_events()
        total = 0
        for item in self._in(wanted.during):
            event = item.event
            if event.kind != "damage":
                continue
            if wanted.from_ is not None and not self._is(wanted.from_, event.source):
                continue
            if wanted.to is not None and not self._is(wanted.to, event.target):
                continue
            if wanted.combat is not None and event.combat != wanted.combat:
                continue
            total += event.amount
        yield counted("amount", wanted.amount, total)

    def _is(self, handle: str, who: Ref | None) -> bool:
        known = handle in self._table.handles or handle in PLAYERS
        return known and self._table.ref(handle) == who

    def _events(self, wanted: Events) -> Iterator[Fact]:
        self._need_events()
        events = [item.event for item in self._in(wanted.during)]
        if wanted.happened is not None:
            missing = [one for one in wanted.happened if not self._find(one, events)]
            yield Fact(
                "happened", all_events(wanted.happened), missing_events(missing), not missing
            )
        if wanted.none is not None:
            there = [one for one in wanted.none if self._find(one, events)]
            seen = "happened: " + all_events(there) if there else "none of them"
            yield Fact("none", all_events(wanted.none), seen, not there)
        if wanted.ordered is not None:
            found = self._sequence(wanted.ordered, events, window=False)
            yield Fact(
                "ordered", all_events(wanted.ordered), self._tell(wanted.ordered, events), found
            )
        if wanted.uninterrupted is not None:
            found = self._sequence(wanted.uninterrupted, events, window=True)
            told = self._tell(wanted.uninterrupted, events)
            yield Fact("uninterrupted", all_events(wanted.uninterrupted), told, found)
        if wanted.together is not None:
            batches = [
                {event.batch for event in self._find(one, events)} for one in wanted.together
            ]
            held = bool(set.intersection(*batches)) if batches else False
            told = self._tell(wanted.together, events)
            yield Fact("together", all_events(wanted.together), told, held)

    def _find(self, match: EventMatch, events: Sequence[Event]) -> list[Event]:
        handles = [match.object, match.source]
        if any(one is not None and not self._there(one) for one in handles):
            return []
        return [event for event in events if event_matches(match, event, self._table)]

    def _there(self, handle: str) -> bool:
        return handle in self._table.handles or handle in PLAYERS

    def _sequence(
        self, wanted: Sequence[EventMatch], events: Sequence[Event], *, window: bool
    ) -> bool:
        """Whether the matches are found one after the other (in one window)."""
        starts = [n for n, event in enumerate(events) if self._find(wanted[0], [event])]
        for start in starts:
            place, first = start + 1, events[start]
            for match in wanted[1:]:
                rest = [
                    n
                    for n in range(place, len(events))
                    if self._find(match, [events[n]])
                    and (not window or events[n].window == first.window)
                ]
                if not rest:
                    break
                place = rest[0] + 1
            else:
                return True
        return False

    def _tell(self, wanted: Sequence[EventMatch], events: Sequence[Event]) -> str:
        words = []
        for match in wanted:
            found = self._find(match, events)
            if found:
                one = found[0]
                words.append(f"{match.event} (time {one.batch}, window {one.window})")
            else:
                words.append(f"{match.event} never")
        return "; ".join(words)

    def _visible(self, wanted: Visible) -> Iterator[Fact]:
        if "visibility" not in self._table.adapter.capabilities:
            raise UnsupportedError(
                f"{self._table.adapter.name} does not tell who may see an object"
            )
        raise UnsupportedError("visibility is not part of the protocol yet")
