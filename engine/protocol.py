"""What an engine adapter offers, and the plain values that pass between it and the rest.

An adapter knows one rules engine. It starts a game from a position, lists what is asked, takes
actions and answers, and lets the game be observed. It declares its capabilities, so that what it
cannot do is known before it is tried. Other adapters are found by entry point, group
``saitei.engines``: the entry point is a callable without arguments that returns an `Adapter`.

Not every native engine can be interrupted: callers that need a time limit use worker processes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Literal, Protocol

from saitei.engine.cards import CardBook, CardDefinition
from saitei.engine.errors import ScenarioError
from saitei.engine.given import Given
from saitei.engine.words import PlayerWord, StepWord

Capability = Literal[
    "events",  # actions report what happened
    "concede",
    "commander",
    "multiplayer",
    "emblems",  # an emblem can be part of a position
    "copies",  # a permanent that is a copy can be part of a position
    "history",  # what happened this turn can be part of a position
    "manual mana",  # mana abilities can be activated in the middle of a cast
    "visibility",  # who may see an object can be observed
]


@dataclass(frozen=True, slots=True)
class Obj:
    """An object by the engine's number, which stays the same through zone changes."""

    id: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player."""

    player: PlayerWord


Ref = Obj | Seat

QuestionKind = Literal[
    "priority", "attackers", "blockers", "over",
    "targets", "new_targets", "modes", "x", "may", "pay", "kick", "choose", "name", "color",
    "order", "replace", "divide", "how", "face", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """What the engine waits for.

    ``options`` are what may be picked: objects, players or words. ``optional`` means that none
    may be picked. ``word`` is the engine's own name for the prompt, ``text`` what it says.
    """

    kind: QuestionKind
    player: PlayerWord | None
    options: tuple[Ref | str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    optional: bool = False
    source: Obj | None = None
    text: str = ""
    word: str = ""


Value = (
    None | bool | int | str | Ref | tuple[Ref, ...] | tuple[int, ...] | tuple[tuple[Ref, int], ...]
)
"""An answer, by kind of question: targets one `Ref` or None; new_targets a tuple or None (keep);
modes 0-based; choose a tuple of `Ref`; order 0-based indices into the options, first
resolves first; replace an index;
divide pairs."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``kind`` is a word of `expectations.EventWord`, or ``other``; ``name`` and ``types`` are those
    of the object at that time.

    ``batch`` is equal for events that happened at the same time as far as the engine tells, and
    ``window`` for events between which no player had priority.
    """

    kind: str
    object: Obj | None = None
    source: Obj | None = None
    player: PlayerWord | None = None
    target: Ref | None = None
    zone_from: str | None = None
    zone_to: str | None = None
    name: str = ""
    types: tuple[str, ...] = ()
    amount: int = 0
    combat: bool = False
    batch: int = 0
    window: int = 0


@dataclass(frozen=True, slots=True)
class ObjectView:
    """An object as it is now. ``incarnation`` changes when it becomes a new object."""

    id: int
    name: str
    zone: str
    owner: PlayerWord
    controller: PlayerWord
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    supertypes: tuple[str, ...]
    colors: tuple[str, ...]
    keywords: tuple[str, ...]
    abilities: int
    mana_value: int
    power: int | None
    toughness: int | None
    base_power: int | None
    base_toughness: int | None
    loyalty: int | None
    counters: Mapping[str, int]
    damage: int
    tapped: bool
    sick: bool
    back: bool
    face_down: bool
    phased_out: bool
    token: bool
    copy: bool
    attached_to: Ref | None
    attacking: Ref | None
    blocking: tuple[int, ...]
    blocked: bool
    incarnation: int


@dataclass(frozen=True, slots=True)
class StackView:
    """A spell or ability on the stack. ``object`` is the spell, or the ability itself.

    ``variant`` says in words how a spell was cast (``normal``, ``flashback``, ...).
    """

    object: int
    source: int
    name: str
    ability: bool
    triggered: bool
    controller: PlayerWord
    targets: tuple[Ref, ...]
    text: str
    copy: bool
    variant: str


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as he is now. Zones hold object ids; the library is top first."""

    player: PlayerWord
    life: int
    poison: int
    energy: int
    mana: tuple[str, ...]
    hand: tuple[int, ...]
    library: tuple[int, ...]
    graveyard: tuple[int, ...]
    in_game: bool


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as it is now. ``winner`` is None while it goes on, ``nobody`` for a draw."""

    active: PlayerWord
    step: StepWord
    turn_number: int
    day_night: Literal["day", "night", "neither"]
    over: bool
    winner: PlayerWord | Literal["nobody"] | None
    priority: PlayerWord | None


@dataclass(frozen=True, slots=True)
class Dump:
    """What it takes to see the same without Saitei: in the engine's own formats, as JSON text."""

    cards: str
    state: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way of casting or activating.

    ``key`` is the engine's offer, or None when it does not list the way; then ``ability`` is the
    number of the ability, from 0, and taking it may be refused.
    """

    key: int | None
    text: str
    back: bool = False
    ability: int | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """An attacker and what it attacks."""

    attacker: int
    target: Ref


@dataclass(frozen=True, slots=True)
class Block:
    """A blocker and what it blocks."""

    blocker: int
    attacker: int


class Snapshot(Protocol):
    """A moment of a game to come back to; opaque."""


class Game(Protocol):
    """A game in progress.

    Actions and answers return what happened, in order. They raise `RefusedError` when the engine
    does not allow them and `UnsupportedError` when it says that it cannot do them.
    """

    handles: Mapping[str, int]

    def question(self) -> Question: ...
    def cast_ways(self, player: PlayerWord, card: int) -> Sequence[Way]: ...
    def activate_ways(self, player: PlayerWord, source: int) -> Sequence[Way]: ...
    def play_ways(self, player: PlayerWord, card: int) -> Sequence[Way]: ...
    def take(
        self, player: PlayerWord, number: int, way: Way, *, manual_mana: bool = False
    ) -> list[Event]: ...
    def try_cast(self, player: PlayerWord, card: int) -> list[Event]: ...
    def finish_payment(self) -> list[Event]: ...
    def pass_priority(self) -> list[Event]: ...
    def attack(self, attacks: Sequence[Attack]) -> list[Event]: ...
    def block(self, blocks: Sequence[Block]) -> list[Event]: ...
    def answer(self, value: Value) -> list[Event]: ...
    def concede(self, player: PlayerWord) -> list[Event]: ...
    def add_mana(self, player: PlayerWord, symbols: Sequence[str]) -> None: ...

    def object(self, number: int) -> ObjectView | None: ...
    def objects(self) -> list[ObjectView]: ...
    def player(self, player: PlayerWord) -> PlayerView: ...
    def stack(self) -> list[StackView]: ...
    def view(self) -> GameView: ...
    def turn(self) -> tuple[int, StepWord]: ...

    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    def dump(self) -> Dump: ...


class Adapter(Protocol):
    """One rules engine."""

    name: str
    version: str
    capabilities: frozenset[Capability]

    def flags(self, card: CardDefinition) -> list[str]:
        """What the engine says it did not understand of a card, in its own words."""
        ...

    def start(self, given: Given, cards: CardBook) -> Game:
        """A game in the position. Raises `SetupError`, `UnsupportedError`."""
        ...


def _from_path(name: str) -> Adapter:
    module, _, attribute = name.partition(":")
    try:
        adapter: Adapter = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError) as error:
        raise ScenarioError(f"engine {name}: {error}") from None
    return adapter


def load_engine(name: str = "phase") -> Adapter:
    """The adapter called ``name``, or made by ``module:callable``. Raises `ScenarioError`."""
    if name == "phase":
        from saitei.engine.phase_adapter import PhaseAdapter

        return PhaseAdapter()
    if ":" in name:
        return _from_path(name)
    found = {point.name: point for point in entry_points(group="saitei.engines")}
    if name not in found:
        there = ", ".join(sorted({"phase", *found}))
        raise ScenarioError(f"no engine '{name}'; there are: {there}")
    return _from_path(found[name].value)
