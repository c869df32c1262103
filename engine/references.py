"""What a scenario is about: where its rulings stand, and the mechanics it touches.

From `data/documents` (places of rulings), `data/documents.toml` and `data/facts/mechanics.tsv`; the
official text itself is not here.
"""

import functools
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass

from saitei.data import PATH as DATA
from saitei.data.tables import number, read_lines, read_table
from saitei.engine.scenario import Scenario

_NOT_DEFINED = frozenset({"card cycle", "ability word", "subtype", "removed rule"})
_RULE = re.compile(r"\d{3}(?:\.\d+[a-z]?)?")


@dataclass(frozen=True, slots=True)
class RulingPlace:
    """Where a ruling stands: ``line`` counts from 1 in the document as published in text."""

    document: str
    title: str
    updated: str
    line: int
    heading: str
    subject: str

    def __str__(self) -> str:
        date = f" ({self.updated})" if self.updated else ""
        return f"{self.title}{date} {self.line}行 {self.heading}"


@dataclass(frozen=True, slots=True)
class Mechanic:
    """A row of `data/facts/mechanics.tsv`; ``rules`` are numbers or sections.

    ``defined``: those rules are about it alone, as 702.34 is about flashback. The rules of a cycle
    of cards or an ability word are about much else.
    """

    id: str
    ja: str
    en: str
    rules: tuple[str, ...]
    defined: bool


@functools.cache
def ruling_places() -> dict[str, tuple[RulingPlace, ...]]:
    """Fingerprint -> every place it stands at."""
    known = tomllib.loads((DATA / "documents.toml").read_text("utf-8"))["document"]
    found: dict[str, list[RulingPlace]] = {}
    for document in known:
        path = DATA / "documents" / f"{document['id']}.tsv"
        for line, row in read_lines(path, "fingerprint", "line", "heading", "subject"):
            place = RulingPlace(
                document["id"],
                document["title"],
                str(document.get("updated", "")),
                number(path, line, row["line"]),
                row["heading"],
                row["subject"],
            )
            found.setdefault(row["fingerprint"], []).append(place)
    return {fingerprint: tuple(places) for fingerprint, places in found.items()}


def places_of(ruling: str) -> tuple[RulingPlace, ...]:
    """The places of a ruling, named by fingerprint, with ``#claim`` or without."""
    return ruling_places().get(ruling.partition("#")[0], ())


def document_titles() -> dict[str, str]:
    """Titles of the known documents by id, in the order of `data/documents.toml`."""
    known = tomllib.loads((DATA / "documents.toml").read_text("utf-8"))["document"]
    return {document["id"]: document["title"] for document in known}


def documents_of(scenario: Scenario) -> tuple[str, ...]:
    """Ids of the documents its rulings stand in, in order of `rulings`."""
    places = (place for ruling in scenario.rulings for place in places_of(ruling))
    return tuple(dict.fromkeys(place.document for place in places))


@functools.cache
def mechanics() -> dict[str, Mechanic]:
    """Every mechanic by id."""
    path = DATA / "facts" / "mechanics.tsv"
    rows = read_table(path, "id", "name_ja", "name_en", "category", "rules_2025_02_07")
    return {
        row["id"]: Mechanic(
            row["id"],
            row["name_ja"],
            row["name_en"],
            tuple(_RULE.findall(row["rules_2025_02_07"])),
            row["category"] not in _NOT_DEFINED,
        )
        for row in rows
    }


@functools.cache
def _mechanics_by_rule() -> dict[str, str]:
    """Rule -> the mechanic it defines."""
    return {rule: one.id for one in mechanics().values() if one.defined for rule in one.rules}


def subjects_of(scenario: Scenario) -> tuple[str, ...]:
    """What it is about, the scenario's own subject first.

    Cards and mechanics: the first part of its id, the subjects of its rulings, and mechanics by the
    rules it names.
    """
    subjects = [scenario.id.split(".")[0]]
    subjects += [place.subject for ruling in scenario.rulings for place in places_of(ruling)]
    subjects += [
        mechanic
        for number in scenario.rules
        for rule, mechanic in _mechanics_by_rule().items()
        if within(number, rule)
    ]
    return tuple(dict.fromkeys(subjects))


def mechanics_of(scenario: Scenario) -> tuple[str, ...]:
    """The mechanics among `subjects_of`."""
    return tuple(one for one in subjects_of(scenario) if one in mechanics())


def within(number: str, rule: str) -> bool:
    """Whether a rule number is that rule or lies below it: 702.34a in 702.34, not in 702.3."""
    rest = number[len(rule) :]
    return number.startswith(rule) and (not rest or not rest[0].isdigit())


def source_lines(rulings: Iterable[str]) -> list[str]:
    """A line for each ruling: fingerprint, document, date, line and heading."""
    lines = []
    for ruling in rulings:
        places = places_of(ruling)
        where = " / ".join(map(str, places)) if places else "not in a known document"
        lines.append(f"{ruling}  {where}")
    return lines
