"""A scenario as it was played, picture by picture, kept as data.

A file ``data/verdicts/replays-<engine>-<version>.jsonl.gz`` has one JSON object a line, each a
`Replay`. ``saitei.service.replays.making`` makes them; reading needs no engine.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from saitei.engine.verdicts import Cause, Outcome, TextKind
from saitei.engine.words import PlayerWord, StepWord

SCHEMA_VERSION: Literal[1] = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Words(_Frozen):
    """The same thing said in Japanese and in English."""

    ja: str
    en: str


class BoardCard(_Frozen):
    """An object in a zone. ``key`` stays the same through zone changes within one case.

    ``card`` is the id of its definition where it has one; ``pt`` as ``"2/2"``.
    """

    key: int
    name: Words
    card: str | None = None
    types: list[str] = []
    colors: list[str] = []
    pt: str = ""
    base_pt: str = ""
    loyalty: int | None = None
    counters: dict[str, int] = {}
    damage: int = 0
    tapped: bool = False
    sick: bool = False
    back: bool = False
    face_down: bool = False
    token: bool = False
    copied: bool = False
    phased_out: bool = False
    attached_to: int | None = None
    attached_player: PlayerWord | None = None
    attacking: Words | None = None
    blocking: list[Words] = []


class BoardPlayer(_Frozen):
    """A player's part of a board. ``library`` is a number of cards, ``mana`` the symbols he has."""

    player: PlayerWord
    life: int
    poison: int = 0
    energy: int = 0
    mana: list[str] = []
    battlefield: list[BoardCard] = []
    hand: list[BoardCard] = []
    graveyard: list[BoardCard] = []
    exile: list[BoardCard] = []
    command: list[BoardCard] = []
    library: int = 0
    in_game: bool = True


class StackItem(_Frozen):
    """A spell or ability on the stack."""

    key: int
    name: Words
    ability: bool = False
    triggered: bool = False
    copied: bool = False
    controller: PlayerWord
    targets: list[Words] = []


class Board(_Frozen):
    """A whole position; ``stack`` is top first."""

    turn: PlayerWord
    turn_number: int
    step: StepWord
    day_night: Literal["day", "night", "neither"] = "neither"
    stack: list[StackItem] = []
    players: list[BoardPlayer]
    winner: str | None = None


class Frame(_Frozen):
    """One picture: what was done, the choices and events on the way, and the board after it."""

    text: Words
    notes: list[Words] = []
    board: Board


class Check(_Frozen):
    """One expectation with what was seen; ``line`` is that of the scenario file."""

    says: Words
    held: bool
    observed: Words
    line: int
    shows: list[str] = []


class ReplayCase(_Frozen):
    """One case. ``failure`` says why it could not be played to its end; no frame: not even begun.

    ``flipped`` belongs to contrasts: their outcome differs as it should. ``main`` are the main
    case's expectations as they stand in a contrast's run.
    """

    title: str
    frames: list[Frame]
    checks: list[Check]
    main: list[Check] = []
    failure: str = ""
    flipped: bool | None = None


class Replay(_Frozen):
    """A scenario as an engine played it."""

    scenario: str
    title: str
    basis: Literal["ruling", "rules"]
    rulings: list[str]
    rules: list[str]
    cards: list[str]
    engine: str
    version: str
    schema_version: Literal[1] = SCHEMA_VERSION
    scenario_sha256: str
    outcome: Outcome
    cause: Cause | None
    text: TextKind
    main: ReplayCase
    contrasts: list[ReplayCase]
