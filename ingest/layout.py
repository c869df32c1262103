"""How a source as a whole is set out: wrapped or not, its bullet, whether card headers survived."""

from collections import Counter
from dataclasses import dataclass

from saitei.ingest import marks
from saitei.ingest.reading import Reading

WRAPPED_AT = 100
"""Widest line, in columns, of a text that is hard-wrapped."""
NARROWEST = 50
"""Fewest columns a full line has where paragraphs are taken to be wrapped."""
NEARLY_FULL = 0.8
"""Share of the line width from which a line that ends a sentence may still go on below."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``wrap``: columns a full line has, 0 where lines are whole paragraphs; ``bullet``: the
    usual bullet character, empty if there is none; ``has_headers``: some card's printed name, type
    or cost stands in the source."""

    wrap: int
    bullet: str
    has_bullets: bool
    has_headers: bool

    def is_full(self, text: str) -> bool:
        """Whether a line is as wide as lines get, so that its paragraph may go on below."""
        return self.wrap >= NARROWEST and width(text) >= self.wrap * NEARLY_FULL


def layout_of(reading: Reading) -> Layout:
    """Measure a source; linear in it."""
    texts = [line.text for line in reading.lines if line.text]
    widest = max(map(width, texts), default=0)
    wrapped = reading.wrapped or (widest <= WRAPPED_AT and not reading.structured)
    bullets = Counter(text[0] for text in texts if marks.BULLET.match(text))
    listed = any(line.role == "bullet" for line in reading.lines)
    return Layout(
        wrap=widest if wrapped else 0,
        bullet=bullets.most_common(1)[0][0] if bullets else "",
        has_bullets=bool(bullets) or listed,
        has_headers=any(
            marks.is_type_line(text) or marks.is_run_together(text) or bool(marks.names_of(text))
            for text in texts
        ),
    )


def goes_on(above: str, text: str) -> bool:
    """Whether a line can be the rest of the paragraph that the full line above it belongs to."""
    return bool(text) and not (
        marks.BULLET.match(text)
        or marks.is_rule(text)
        or marks.starred(text)
        or marks.names_of(text)
        or marks.chapter_of(text)
        or marks.QUESTION.match(text)
        or (marks.is_card_line(text) and marks.ends_sentence(above))
    )


def width(text: str) -> int:
    """Columns a line takes: full-width characters count two."""
    return sum(1 if char < "\u0100" or "\uff61" <= char <= "\uff9f" else 2 for char in text)
