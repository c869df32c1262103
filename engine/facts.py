"""One compared fact: what was wanted, what was seen, both in the words of the language."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from saitei.engine.expectations import EventMatch
from saitei.engine.words import number_holds


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing an expectation says, and whether it holds."""

    name: str
    wanted: str
    seen: str
    holds: bool


def fact(name: str, wanted: Any, seen: Any) -> Fact:
    """Equal or not."""
    return Fact(name, show(wanted), show(seen), wanted == seen)


def counted(name: str, wanted: str, seen: int | None) -> Fact:
    """A number against a number or comparison; None never holds."""
    return Fact(name, wanted, str(seen), seen is not None and number_holds(wanted, seen))


def listed(name: str, wanted: list[str], seen: list[str]) -> Fact:
    """The same names in any order."""
    return Fact(name, show(wanted), show(seen), sorted(wanted) == sorted(seen))


def all_events(matches: Sequence[EventMatch]) -> str:
    """Descriptions of events in one line."""
    return "; ".join(event_text(match) for match in matches)


def missing_events(matches: Sequence[EventMatch]) -> str:
    """What was looked for in vain."""
    return "missing: " + all_events(matches) if matches else "all of them"


def event_text(match: EventMatch) -> str:
    """One description of an event."""
    said = match.model_dump(exclude_none=True, by_alias=True)
    return (
        " ".join(f"{key} {value}" for key, value in said.items() if key != "event")
        .join((f"{match.event} ", ""))
        .strip()
    )


def show(value: Any) -> str:
    """A value in the words of the language."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)
