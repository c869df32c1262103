"""How a source as a whole is set out: wrapped or not, its bullet, whether card headers survived."""

from collections import Counter
from dataclasses import dataclass

from saitei.ingest import marks
from saitei.ingest.reading import Reading

WRAPPED_AT = 100
"""Widest line, in columns, of a text that is hard-wrapped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``wrap``: columns a full line has, 0 where lines are whole paragraphs; ``bullet``: the
    usual bullet character, empty if there is none; ``has_headers``: some card's printed name, type
    or cost stands in the source."""

    wrap: int
    bullet: str
    has_bullets: bool
    has_headers: bool


def layout_of(reading: Reading) -> Layout:
    """Measure a source; linear in it."""
    texts = [line.text for line in reading.lines if line.text]
    widest = max(map(width, texts), default=0)
    bullets = Counter(text[0] for text in texts if marks.BULLET.match(text))
    listed = any(line.role == "bullet" for line in reading.lines)
    return Layout(
        wrap=widest if reading.wrapped or widest <= WRAPPED_AT else 0,
        bullet=bullets.most_common(1)[0][0] if bullets else "",
        has_bullets=bool(bullets) or listed,
        has_headers=any(
            marks.is_type_line(text) or marks.is_run_together(text) or bool(marks.names_of(text))
            for text in texts
        ),
    )


def width(text: str) -> int:
    """Columns a line takes: full-width characters count two."""
    return sum(1 if char < "\u0100" or "\uff61" <= char <= "\uff9f" else 2 for char in text)
