"""The lines of a source, whatever its format: what the section parser reads."""

import re
from dataclasses import dataclass
from typing import Literal

from saitei.ingest.encodings import UndecodableError, decode

Role = Literal["text", "heading", "bullet", "rule"]


NAME_SHOWN = 160
"""Characters of a source's name in a message."""
WHY_SHOWN = 120
"""Characters of a reason in a message; only a reason that a server words gets near."""


class SourceError(ValueError):
    """A source that cannot be used. The message is one printable line: the source (its middle left
    out where it is long), and what is wrong. ``source`` is the name in full."""

    def __init__(self, source: str, why: str) -> None:
        self.source = source
        self.why = _shown(why, WHY_SHOWN)
        super().__init__(f"{_shown(source, NAME_SHOWN)}: {self.why}")


def _shown(text: str, most: int) -> str:
    if len(text) > most:
        half = (most - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    return "".join(c if c.isprintable() or c == "\u3000" else "\ufffd" for c in text)


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
    """The lines of a source.

    ``title`` is what the format carries beside the text. ``structured``: the format marks
    paragraphs and bullets, so a line is a whole one. ``wrapped``: lines are those of a page.
    """

    lines: tuple[Line, ...]
    title: str = ""
    structured: bool = False
    wrapped: bool = False


EDGES = " \t\u3000\u200b\ufeff"
"""What is no part of a line where it stands at an end of one."""
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_text(data: bytes, source: str, declared: str | None = None) -> Reading:
    """A plain text file, its lines counted as editors count them (LF, CRLF or CR only).

    Raises `SourceError` when the bytes are not text.
    """
    try:
        text = decode(data, declared).text
    except UndecodableError as error:
        raise SourceError(source, str(error)) from None
    return Reading(
        tuple(
            Line(number, line.replace("\f", "").strip(EDGES))
            for number, line in enumerate(_LINE_END.split(text), 1)
        )
    )


def join_wrapped(left: str, right: str) -> str:
    """Two physical lines of one sentence; a space only between Latin words."""
    latin = left[-1:].isascii() and left[-1:] not in "-/" and right[:1].isascii()
    return f"{left} {right}" if left and right and latin and right[:1].isalnum() else left + right
