"""The lines of a source, whatever its format: what the section parser reads."""

import re
from dataclasses import dataclass
from typing import Literal

from saitei.ingest.encodings import UndecodableError, decode

Role = Literal["text", "heading", "bullet", "rule"]


class SourceError(ValueError):
    """A source that cannot be used. The message is one line: the source, and what is wrong."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"{source}: {why}")
        self.source = source
        self.why = why


@dataclass(frozen=True, slots=True)
class Line:
    """One line. ``role`` is what the format itself says (``text`` where it says nothing), with
    the heading ``level`` (1 is highest, 0 unknown); ``number`` is the 1-based line of the file
    (paragraph of a DOCX, line of a PDF's extracted text). A blank line has empty ``text``."""

    number: int
    text: str
    role: Role = "text"
    level: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The lines of a source; ``title`` where the format carries one; ``structured`` where the
    format marks bullets and paragraphs, so that a line is a whole paragraph."""

    lines: tuple[Line, ...]
    title: str = ""
    structured: bool = False


_LINE_END = re.compile(r"\r\n|\r|\n")


def text_lines(text: str) -> tuple[Line, ...]:
    """Lines of a plain text, counted as editors count them (LF, CRLF or CR only)."""
    return tuple(
        Line(number, line.replace("\f", "").strip(" \t\u3000\ufeff\u200b"))
        for number, line in enumerate(_LINE_END.split(text), 1)
    )


def read_text(data: bytes, source: str, declared: str | None = None) -> Reading:
    """A plain text file. Raises `SourceError` when it is not text."""
    try:
        return Reading(text_lines(decode(data, declared).text))
    except UndecodableError as error:
        raise SourceError(source, str(error)) from None
