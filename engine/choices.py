"""The answers a step carries, and the strict rules for giving them.

An answer the engine never asks for, and a question nobody answers, are errors. Two things an engine
may do by itself are allowed for, and checked instead of trusted: a single legal target, and a
single object for a cost or effect, may be taken without a question; then what was taken must be
what the scenario says.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from saitei.engine.errors import MissingAnswerError, RefusedError, StepError
from saitei.engine.protocol import Event, Game, Obj, Question, Ref, Seat, StackView, Value
from saitei.engine.record import Record
from saitei.engine.steps import StepBase
from saitei.engine.words import PLAYERS, PlayerWord

# One prompt that a writer may see in two ways.
_ALSO = {
    "may": ("may", "pay"),
    "pay": ("pay", "may"),
    "name": ("name", "color"),
    "color": ("color", "name"),
    "replace": ("replace", "may"),
}


@dataclass(slots=True)
class _Answer:
    """One answer of the scenario; ``left`` are its units not used yet."""

    player: PlayerWord
    kind: str
    value: Any
    left: list[Any]
    used: bool = False


@dataclass(slots=True)
class Names:
    """Handles -> what they stand for in the game."""

    handles: dict[str, int]
    record: Record

    def ref(self, handle: str) -> Ref:
        """What a handle or player word stands for. Raises `StepError`."""
        for word in PLAYERS:
            if handle == word:
                return Seat(word)
        if handle not in self.handles:
            raise StepError(f"nothing is called '{handle}' in this game")
        return Obj(self.handles[handle])

    def number(self, handle: str) -> int:
        """The engine's number of an object. Raises `StepError`."""
        found = self.ref(handle)
        if not isinstance(found, Obj):
            raise StepError(f"'{handle}' is a player, not an object")
        return found.id

    def called(self, option: Ref | str) -> str:
        """The handle of an option, else the name of its object."""
        if isinstance(option, str):
            return option
        if isinstance(option, Seat):
            return option.player
        names = [handle for handle, number in self.handles.items() if number == option.id]
        return names[0] if names else f"{self.record.name(option)}({option.id})"


class Choices:
    """The answers of one step."""

    def __init__(self, step: StepBase, names: Names) -> None:
        self._names = names
        self._answers: list[_Answer] = []
        self._seen: dict[int, tuple[Ref, ...]] = {}
        face = getattr(step, "face", None)
        if face is not None:
            self._answers.append(_Answer(step.by, "face", face, [face]))
        for player, choices in [(step.by, step), *((one.by, one) for one in step.answers)]:
            for kind, value in choices.given().items():
                self._answers.append(_Answer(player, kind, value, _units(kind, value)))

    def has(self, kind: str) -> bool:
        """Whether the step says anything of this kind."""
        return any(one.kind == kind for one in self._answers)

    def spent(self, kind: str) -> None:
        """An answer that told which of the offers to take."""
        for one in self._answers:
            if one.kind == kind:
                one.used, one.left = True, []

    def saw(self, stack: Sequence[StackView]) -> None:
        """What came onto the stack in this step and may have left it when the step ends."""
        self._seen |= {entry.object: entry.targets for entry in stack}

    def answer(self, game: Game, asked: Question) -> list[Event]:
        """Answer a question. Raises `MissingAnswerError`, `RefusedError`, `StepError`."""
        like = asked.kind == "order" and len(set(asked.options)) == 1
        if like and len(set(asked.text.split(" / "))) == 1:
            return game.answer(tuple(range(len(asked.options))))  # no order to choose
        one = self._find(asked)
        value, shown = self._value(asked, one)
        one.used = True
        self._names.record.add_choice(asked, shown)
        return game.answer(value)

    def finish(self, game: Game, events: Sequence[Event]) -> None:
        """Nothing is left over, or the engine did by itself just what the answer says."""
        for one in self._answers:
            done = one.used and (not one.left or one.kind == "kick")
            nothing = one.kind == "targets" and one.value == []
            if done or nothing:
                continue
            if one.kind == "targets" and self._aimed(game, one):
                continue
            if one.kind == "choose" and not one.used and self._taken(one, events):
                continue
            raise StepError(
                f"an answer never asked for: {one.kind} {_shown(one.value)} (by {one.player})"
            )

    def _aimed(self, game: Game, one: _Answer) -> bool:
        """Whether something on the stack has the targets that were not asked for."""
        left = [self._names.ref(handle) for handle in one.left]
        aims = [entry.targets for entry in game.stack()]
        if any(all(aim in targets for aim in left) for targets in (*aims, *self._seen.values())):
            return True
        if aims and aims[0] and not one.used:
            seen = ", ".join(map(self._names.called, aims[0]))
            raise RefusedError(
                f"target {_shown(one.left)} is not legal: the only legal choice is {seen}"
            )
        return False

    def _taken(self, one: _Answer, events: Sequence[Event]) -> bool:
        moved = {event.object for event in events if _may_be_chosen(event)}
        return bool(one.value) and all(self._names.ref(handle) in moved for handle in one.value)

    def _find(self, asked: Question) -> _Answer:
        kinds = _ALSO.get(asked.kind, (asked.kind,))
        mine = [one for one in self._answers if one.kind in kinds and one.player == asked.player]
        for one in mine:
            if one.left or one.kind == "targets" or (one.kind == "kick" and len(mine) == 1):
                return one
        others = [one for one in self._answers if one.kind in kinds and one.left]
        hint = f"; the answer given is by {others[0].player}" if others else ""
        text = f": {asked.text}" if asked.text else ""
        raise MissingAnswerError(
            f"{asked.player} is asked for {asked.kind} ({asked.word}{text}), "
            f"and the step does not say: {self._options(asked)}{hint}"
        )

    def _options(self, asked: Question) -> str:
        return "options " + (", ".join(map(self._names.called, asked.options)) or "not listed")

    def _value(self, asked: Question, one: _Answer) -> tuple[Value, str]:
        names, record = self._names, self._names.record
        if one.kind == "targets":
            if not one.left:
                if not asked.optional:
                    raise MissingAnswerError(
                        f"{asked.player} is asked for one more target ({asked.word}): "
                        + self._options(asked)
                    )
                return None, "なし"
            handle = one.left.pop(0)
            self._must_offer(asked, handle)
            return names.ref(handle), record.name(names.ref(handle))
        if one.kind == "kick":
            yes = bool(one.left) and one.left.pop(0) is True
            return yes, "はい" if yes else "いいえ"
        value = one.left.pop(0)
        if one.kind == "new_targets":
            if value == "keep":
                return None, "変えない"
            for handle in value:
                self._must_offer(asked, handle)
            return tuple(names.ref(handle) for handle in value), _shown(value)
        if one.kind == "modes":
            return tuple(number - 1 for number in value), _shown(value)
        if one.kind == "choose":
            for handle in value:
                self._must_offer(asked, handle)
            refs = tuple(names.ref(handle) for handle in value)
            return refs, "、".join(map(record.name, refs)) or "なし"
        if one.kind == "order":
            return self._order(asked, value), _shown(value)
        if one.kind == "replace":
            return self._which(asked, value), _shown(value)
        if one.kind == "divide":
            pairs = tuple((names.ref(handle), amount) for handle, amount in value.items())
            return pairs, "、".join(f"{record.name(who)}に{n}" for who, n in pairs)
        if one.kind in ("may", "pay"):
            return value, "はい" if value else "いいえ"
        return value, str(value)

    def _must_offer(self, asked: Question, handle: str) -> None:
        if asked.options and self._names.ref(handle) not in asked.options:
            raise RefusedError(
                f"{handle} is not a legal choice for {asked.kind}: {self._options(asked)}"
            )

    def _order(self, asked: Question, handles: list[str]) -> tuple[int, ...]:
        left = list(range(len(asked.options)))
        order = []
        for handle in handles:
            if handle.isdigit():
                fits = [index for index in left if index == int(handle) - 1]
            else:
                wanted = self._names.ref(handle)
                fits = [index for index in left if asked.options[index] == wanted]
            if not fits:
                raise StepError(f"order: no waiting ability {handle}: {asked.text}")
            order.append(fits[0])
            left.remove(fits[0])
        if left:
            missing = ", ".join(self._names.called(asked.options[index]) for index in left)
            raise StepError(f"order: {missing} is missing")
        return tuple(order)

    def _which(self, asked: Question, value: str) -> int:
        if value in self._names.handles:
            wanted = self._names.ref(value)
            fits = [n for n, option in enumerate(asked.options) if option == wanted]
            if len(fits) == 1:
                return fits[0]
            raise StepError(f"replace: {len(fits)} replacement effects of {value}: {asked.text}")
        if value.isdigit() and 1 <= int(value) <= len(asked.options):
            return int(value) - 1
        raise StepError(f"replace: '{value}' is none of: {asked.text}")


def _units(kind: str, value: Any) -> list[Any]:
    """What one question takes of an answer: one target, one yes to a cost, else all of it."""
    if kind == "targets":
        return list(value)
    return [True] * value if kind == "kick" else [value]


def _may_be_chosen(event: Event) -> bool:
    """Whether a choice can have led to it: not what a spell's own way or mere dying explains."""
    if event.kind == "zone":
        way = (event.zone_from, event.zone_to)
        return "stack" not in way and way != ("battlefield", "graveyard")
    return event.kind in ("sacrifice", "tap", "counters")


def _shown(value: Any) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else str(value)
