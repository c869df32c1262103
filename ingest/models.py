"""The nouns that ``ingest`` hands on: document, ruling, mention, and what had no place."""

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


@dataclass(frozen=True, slots=True)
class Parsed:
    """All that was read from one source."""

    document: Document
    rulings: tuple[Ruling, ...]
    unplaced: tuple[Unplaced, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A card or mechanic named in a text, ruling or question; offsets are into that text."""

    kind: SubjectKind
    id: str
    surface: str
    start: int
    end: int
    how: Literal["bracket", "name", "short", "alias", "fuzzy"]
