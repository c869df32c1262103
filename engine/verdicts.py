"""Verdicts: the shape of `saitei verify --json` and of `data/verdicts/phase-<version>.json`.

Reading them needs no engine.
"""

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from saitei.data import PATH as DATA
from saitei.engine.errors import ScenarioError

Outcome = Literal["confirmed", "outdated", "contradicted", "inconclusive", "unsupported", "error"]
Cause = Literal["rules", "text-misread", "our-card", "unknown", "load", "setup", "step", "engine",
                "timeout"]  # fmt: skip
TextKind = Literal["as-written", "reworded", "patched"]
SCHEMA_VERSION: Literal[1] = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectationVerdict(_Frozen):
    """One expectation: ``line`` is that of the scenario file."""

    text: str
    line: int
    held: bool
    expected: str
    observed: str
    shows: list[str] = []


class ContrastVerdict(_Frozen):
    """One contrast; ``flipped`` when it held and a main expectation with `shows` did not."""

    title: str
    flipped: bool
    expectations: list[ExpectationVerdict]


class Verdict(_Frozen):
    """What an engine says of a scenario. ``cause`` belongs to contradicted and to error."""

    scenario: str
    rulings: list[str]
    outcome: Outcome
    cause: Cause | None
    text: TextKind
    expectations: list[ExpectationVerdict]
    contrasts: list[ContrastVerdict]
    reason: str
    scenario_sha256: str
    seconds: float


class Run(_Frozen):
    """A run of scenarios on one version of one engine."""

    engine: str
    version: str
    schema_version: Literal[1] = SCHEMA_VERSION
    verdicts: list[Verdict]

    def verdict(self, scenario: str) -> Verdict | None:
        """The verdict on a scenario, if it was run."""
        return next((one for one in self.verdicts if one.scenario == scenario), None)

    def of_ruling(self, fingerprint: str) -> list[Verdict]:
        """The verdicts on a ruling; claims (``fingerprint#a``) count for their ruling."""
        return [
            one
            for one in self.verdicts
            if any(ruling.split("#")[0] == fingerprint for ruling in one.rulings)
        ]

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many of each outcome, the common ones first."""
        found: dict[Outcome, int] = {}
        for one in self.verdicts:
            found[one.outcome] = found.get(one.outcome, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def read_verdicts(path: Path) -> Run:
    """A run from its JSON file. Raises `ScenarioError` when it cannot be used."""
    try:
        return Run.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ScenarioError(f"{path}: not a file of verdicts: {where}: {first['msg']}") from None


def packaged_runs(folder: Path = DATA / "verdicts") -> list[Run]:
    """The committed runs, oldest engine version first. Raises `ScenarioError`."""
    runs = [read_verdicts(path) for path in folder.glob("*.json")]
    return sorted(runs, key=lambda run: (run.engine, version_key(run.version)))


def version_key(version: str) -> tuple[int, ...]:
    """For sorting: ``0.103.0`` after ``0.83.0``. What is no number counts as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


def write_verdicts(run: Run, path: Path) -> None:
    """Write a run as JSON, one line per verdict so that differences can be read.

    Raises `ScenarioError` when the file cannot be written.
    """
    head = {"engine": run.engine, "version": run.version, "schema_version": run.schema_version}
    lines = [json.dumps(one.model_dump(), ensure_ascii=False) for one in run.verdicts]
    body = json.dumps(head, ensure_ascii=False)[:-1]
    text = body + ', "verdicts": [\n' + ",\n".join(lines) + "\n]}\n"
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be written: {error.strerror}") from None
