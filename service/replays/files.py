"""Files of replays, ``data/verdicts/replays-<engine>-<version>.jsonl.gz``: one JSON object a line,
each a `Replay`. Reading needs no engine.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import ValidationError

from saitei.data import PATH as DATA
from saitei.service.lookups import MissingError, find_scenario
from saitei.service.replays.replay import Replay

FOLDER = DATA / "verdicts"
_NAME = re.compile(r"replays-(?P<engine>.+)-(?P<version>\d+(?:\.\d+)*)\.jsonl\.gz")


class ReplayError(ValueError):
    """A file of replays that cannot be used; the message names file, line and what is wrong."""


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


@lru_cache(maxsize=1)
def committed_replays() -> ReplayFile | None:
    """The replays of the newest engine version, read once; None where none are committed."""
    return newest_replays()


def find_replay(scenario: str) -> Replay:
    """The recorded replay of a scenario. Raises `MissingError`."""
    find_scenario(scenario)
    recorded = committed_replays()
    found = recorded.replay(scenario) if recorded else None
    if found is None:
        said = f"シナリオ '{scenario[:80]}' の再現は収録していません。"
        raise MissingError("replay_not_available", said)
    return found
