"""A source sorted into blocks of rulings: what the section parser makes of the lines."""

from dataclasses import dataclass, field
from itertools import pairwise

from saitei.ingest.marks import Chapter
from saitei.ingest.models import LineKind, PlacedLine, Unplaced
from saitei.ingest.reading import Line, join_wrapped


@dataclass(slots=True)
class Draft:
    """A ruling as found: its physical lines, the first without its bullet, of whatever kind."""

    line: int
    bulleted: bool
    parts: list[str]
    tail: str = ""

    @property
    def text(self) -> str:
        """The ruling, lines joined; a question and its answer keep their line break."""
        return joined(self.parts)

    @property
    def raw(self) -> str:
        """What the fingerprint is taken of: the source's text with bullet and glued rule.

        The fingerprint drops one bullet, of the few kinds it knows; so every kind is one here.
        """
        return ("• " if self.bulleted else "") + joined(self.parts) + self.tail


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

    def mark(self, line: Line, kind: LineKind) -> None:
        """Note what a line was taken for."""
        self.lines.append(PlacedLine(line.number, kind))

    def lose(self, line: Line, why: str) -> None:
        """Keep a line that has no place, and say why."""
        self.mark(line, "unplaced")
        self.unplaced.append(Unplaced(line.number, line.text, why))
