"""The nouns that ``ingest`` hands on: document, ruling, mention, and what had no place."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

SubjectKind = Literal["card", "mechanic"]

Evidence = Literal[
    "heading",  # a heading or card block names it
    "named",  # the block's own bullets name it
    "order",  # inferred for a nameless block: sort order, card facts, what the bullets say
    "packaged",  # the packaged document table says so (known documents)
    "none",
]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a ruling is about; ``id`` is None where unknown, ``confidence`` is in [0, 1]."""

    id: str | None
    kind: SubjectKind | None
    evidence: Evidence
    confidence: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One official document, or any source read as one. ``updated`` is ISO 8601 where known."""

    id: str
    title: str
    kind: str
    set: str
    updated: str | None
    language: str
    sha256: str
    source: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling where it stands.

    ``id`` is ``<document>.<fingerprint>`` with ``-2``, ``-3`` for repeats in order; ``line`` is
    1-based in the source as read; ``ordinal`` counts the document's rulings from 1; ``heading`` is
    the path of headings above it; ``cards`` are ids of cards the text mentions, in order;
    ``repeat`` is 1 for the first occurrence of this fingerprint in the document.
    """

    id: str
    fingerprint: str
    document: str
    line: int
    ordinal: int
    heading: tuple[str, ...]
    subject: Subject
    text: str
    cards: tuple[str, ...]
    repeat: int


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A line that is neither ruling, heading nor known boilerplate: kept and reported."""

    line: int
    text: str
    why: str


LineKind = Literal[
    "title",
    "updated",
    "credits",
    "introduction",  # prose about the document, or above the rulings of a section
    "product",  # sale dates, set codes, legality
    "legal",
    "heading",
    "card",  # a card's printed header and text, face markers
    "separator",
    "ruling",
    "unplaced",
]


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """What one line that is not blank was taken for; ``line`` is 1-based."""

    line: int
    kind: LineKind


@dataclass(frozen=True, slots=True)
class Parsed:
    """All that was read from one source; ``lines`` accounts for every line that is not blank."""

    document: Document
    rulings: tuple[Ruling, ...]
    unplaced: tuple[Unplaced, ...]
    lines: tuple[PlacedLine, ...] = ()

    @property
    def evidence(self) -> Counter[Evidence]:
        """How many rulings got their subject by each kind of evidence."""
        return Counter(ruling.subject.evidence for ruling in self.rulings)

    @property
    def kinds(self) -> Counter[LineKind]:
        """How many lines were taken for each kind."""
        return Counter(line.kind for line in self.lines)


@dataclass(frozen=True, slots=True)
class Mention:
    """A card or mechanic named in a text, ruling or question; offsets are into that text."""

    kind: SubjectKind
    id: str
    surface: str
    start: int
    end: int
    how: Literal["bracket", "name", "short", "alias", "fuzzy"]
