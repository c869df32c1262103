"""Replays: scenarios as they were played, picture by picture, kept as data.

A file ``data/verdicts/replays-<engine>-<version>.jsonl.gz`` has one JSON object a line, each a
`Replay`. ``saitei.service.replay_making`` makes them; reading needs no engine.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from saitei.data import PATH as DATA
from saitei.engine.verdicts import Cause, Outcome, TextKind
from saitei.engine.words import PlayerWord, StepWord

FOLDER = DATA / "verdicts"
SCHEMA_VERSION: Literal[1] = 1
_NAME = re.compile(r"replays-(?P<engine>.+)-(?P<version>\d+(?:\.\d+)*)\.jsonl\.gz")


class ReplayError(ValueError):
    """A file of replays that cannot be used; the message names file, line and what is wrong."""


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


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    title: str
    cards: frozenset[str]


class ReplayFile:
    """The replays of one engine version. Read once; a replay is parsed when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _lines(self) -> Mapping[str, _Line]:
        try:
            text = gzip.decompress(self.path.read_bytes()).decode("utf-8")
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise ReplayError(f"{self.path.name}: cannot be read: {error}") from None
        found: dict[str, _Line] = {}
        for number, line in enumerate(text.splitlines(), 1):
            try:
                raw = json.loads(line)
                cards = frozenset(raw["cards"])
                found[raw["scenario"]] = _Line(number, line, str(raw["title"]), cards)
            except (ValueError, KeyError, TypeError):
                raise ReplayError(f"{self.path.name}:{number}: not a replay") from None
        return found

    @property
    def scenarios(self) -> list[str]:
        """Ids of the scenarios it holds, in file order. Raises `ReplayError`."""
        return list(self._lines)

    def using(self, card: str) -> list[tuple[str, str]]:
        """Id and title of the scenarios a card is in. Raises `ReplayError`."""
        return [(one, line.title) for one, line in self._lines.items() if card in line.cards]

    def replay(self, scenario: str) -> Replay | None:
        """The replay of a scenario, if there is one. Raises `ReplayError`."""
        line = self._lines.get(scenario)
        if line is None:
            return None
        try:
            return Replay.model_validate_json(line.text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise ReplayError(f"{self.path.name}:{line.number}: {where}: {first['msg']}") from None


def newest_replays(folder: Path = FOLDER) -> ReplayFile | None:
    """The replays of the highest engine version in ``folder``, or None where there are none."""
    named = [(match, path) for path in folder.glob("*.gz") if (match := _NAME.fullmatch(path.name))]
    newest = max(
        named, key=lambda pair: tuple(map(int, pair[0]["version"].split("."))), default=None
    )
    return ReplayFile(newest[1]) if newest else None


def write_replays(replays: Iterable[Replay], folder: Path = FOLDER) -> Path:
    """Write the replays of one engine version, ordered by scenario; equal input, equal bytes.

    Raises ``ValueError`` when there are none, or they are of several engines or versions.
    """
    ordered = sorted(replays, key=lambda replay: replay.scenario)
    of = {(replay.engine, replay.version) for replay in ordered}
    if len(of) != 1:
        raise ValueError(f"replays of exactly one engine version are needed, not {sorted(of)}")
    engine, version = of.pop()
    lines = (json.dumps(_dump(replay), ensure_ascii=False) + "\n" for replay in ordered)
    path = folder / f"replays-{engine}-{version}.jsonl.gz"
    path.write_bytes(gzip.compress("".join(lines).encode("utf-8"), compresslevel=9, mtime=0))
    return path


def _dump(replay: Replay) -> dict[str, object]:
    return {
        **replay.model_dump(exclude_defaults=True),
        "schema_version": replay.schema_version,
    }
