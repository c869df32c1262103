"""A source sorted into blocks of rulings: what the section parser makes of the lines."""

from dataclasses import dataclass, field
from itertools import pairwise

from saitei.ingest.marks import Chapter
from saitei.ingest.models import PlacedLine, Unplaced
from saitei.ingest.reading import join_wrapped


@dataclass(slots=True)
class Draft:
    """A ruling as found: its physical lines, the first without its bullet."""

    line: int
    bullet: str
    parts: list[str]
    tail: str = ""

    @property
    def text(self) -> str:
        """The ruling, lines joined; a question and its answer keep their line break."""
        return joined(self.parts)

    @property
    def raw(self) -> str:
        """What the fingerprint is taken of: the source's text with bullet and glued rule."""
        return self.bullet + joined(self.parts) + self.tail


def joined(parts: list[str]) -> str:
    """The lines of one paragraph as one; linear in their number."""
    if len(parts) == 1:
        return parts[0]
    pieces = [parts[0]]
    for left, right in pairwise(parts):
        # Only the edges decide about a space between them.
        pieces.append(join_wrapped(left[-1:], right)[len(left[-1:]) :])
    return "".join(pieces)


@dataclass(slots=True)
class Block:
    """Rulings that belong together, with the card header above them as far as it survived."""

    chapter: Chapter
    heading: tuple[str, ...]
    names: tuple[str, ...] = ()
    header: list[str] = field(default_factory=list)
    faces: int = 0
    drafts: list[Draft] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """A source, sorted: blocks with rulings, in order, and what each line was taken for."""

    title: str = ""
    updated: str | None = None
    blocks: list[Block] = field(default_factory=list)
    lines: list[PlacedLine] = field(default_factory=list)
    unplaced: list[Unplaced] = field(default_factory=list)
