"""Known faults of engines: `data/faults/*.yaml`, each proved by the scenarios it names."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from saitei.data import PATH as DATA
from saitei.engine.errors import ScenarioError
from saitei.engine.positions import read_entries
from saitei.engine.words import OneOrMany, as_list

FaultCause = Literal["rules", "text-misread", "our-card", "unknown"]


class _Fault(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    summary: str
    cause: FaultCause
    engine: str = "phase"
    versions: Annotated[list[str], BeforeValidator(as_list), OneOrMany()] = Field(min_length=1)
    scenarios: Annotated[list[str], BeforeValidator(as_list), OneOrMany()] = Field(min_length=1)
    rules: Annotated[list[str], BeforeValidator(as_list), OneOrMany()] = []
    note: str = ""


_FAULT = TypeAdapter(_Fault)


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault: what it is, in which versions, and the scenarios that show it."""

    id: str
    summary: str
    cause: FaultCause
    engine: str
    versions: tuple[str, ...]
    scenarios: tuple[str, ...]
    place: str


def read_faults(files: Iterable[Path]) -> list[Fault]:
    """The faults in ``files``. Raises `ScenarioError`, one line a complaint."""
    faults: dict[str, Fault] = {}
    complaints: list[str] = []
    for one, _, place in read_entries(files, _FAULT, complaints):
        if one.id in faults:
            complaints.append(f"{place}: id: '{one.id}' is already in {faults[one.id].place}")
        faults[one.id] = Fault(one.id, one.summary, one.cause, one.engine,
                               tuple(one.versions), tuple(one.scenarios), place)  # fmt: skip
    if complaints:
        raise ScenarioError("\n".join(complaints))
    return list(faults.values())


@functools.cache
def packaged_faults() -> tuple[Fault, ...]:
    """The faults in `data/faults`. Raises `ScenarioError`."""
    return tuple(read_faults(sorted((DATA / "faults").rglob("*.yaml"))))


def explains(faults: Iterable[Fault], scenario: str, engine: str, version: str) -> Fault | None:
    """The known fault that explains a scenario's failure on this engine, if there is one."""
    for fault in faults:
        if fault.engine == engine and version in fault.versions and scenario in fault.scenarios:
            return fault
    return None
