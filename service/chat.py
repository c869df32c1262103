"""An answer that fits a chat: whole parts in order of need, never half a caveat.

The verdict comes first and what qualifies it is never cut away: that a ruling is superseded, that
the card was reworded since, that a principle is meant and not a ruling of this card. What the
engine does is told with its caveat or not at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from saitei.service.text import (
    NOT_AN_ANSWER,
    candidate_text,
    engine_lines,
    first_line,
    qualifiers,
    reading_lines,
    rules_text,
    source_text,
)
from saitei.service.views import REFUSAL, AnswerView, ResultView

CHAT, LINE = 2_000, 400
"""Longest text, in UTF-16 units: what Discord takes in a message; what reads well in LINE."""
_CANDIDATES, _CANDIDATE = 3, 100
"""Near misses shown, and the longest of them."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines that stand or fall together; ``need`` 0 always stands, higher goes sooner."""

    need: int
    text: str


def chat_length(text: str) -> int:
    """Length in UTF-16 units, the most any chat counts."""
    return len(text.encode("utf-16-le")) // 2


def chat_text(answer: AnswerView, limit: int = CHAT, url: str | None = None) -> str:
    """The answer in at most ``limit`` UTF-16 units (100 at least); ``url`` leads to all of it.

    Raises ``ValueError`` for a limit below 100.
    """
    if limit < 100:
        raise ValueError(f"{limit} is too short for an answer with what qualifies it")
    parts = list(_answered(answer.best) if answer.best else _refused(answer))
    parts[1:1] = (_Part(1, line) for line in reading_lines(answer.reading))
    if url:
        parts.append(_Part(2, url))
    kept = [part for part in parts if part.need == 0]
    must = "\n".join(part.text for part in kept)
    if chat_length(must) > limit:
        # The verdict alone may be shortened; what qualifies it only when it fills half by itself.
        first, *rest = must.split("\n")
        said = cut("\n".join(rest), limit // 2)
        return f"{cut(first, limit - chat_length(said) - 1)}\n{said}".rstrip("\n")
    for part in sorted((p for p in parts if p.need), key=lambda p: p.need):
        if chat_length("\n".join(p.text for p in (*kept, part))) <= limit:
            kept.append(part)
    return "\n".join(part.text for part in parts if part in kept)


def cut(text: str, limit: int) -> str:
    """The text, or as much of it as fits ``limit`` UTF-16 units with an ellipsis."""
    if chat_length(text) <= limit:
        return text
    while chat_length(text) > limit - 1:
        text = text[: -max(1, (chat_length(text) - limit) // 2)]
    return text.rstrip() + "…"


def _refused(answer: AnswerView) -> Iterator[_Part]:
    yield _Part(0, answer.message or REFUSAL)
    near = [f"・{candidate_text(each)}" for each in answer.alternatives[:_CANDIDATES]]
    near = [cut(line, _CANDIDATE) for line in near]
    if near:
        yield _Part(1, "\n".join([NOT_AN_ANSWER, near[0]]))
        for line in near[1:]:
            yield _Part(3, line)


def _answered(best: ResultView) -> Iterator[_Part]:
    yield _Part(0, first_line(best))
    for line in qualifiers(best):
        yield _Part(0, line)
    if best.because:
        yield _Part(3, f"理由: {best.because}")
    source = source_text(best)
    if source:
        yield _Part(1, f"出典: {source}")
    rules = rules_text(best)
    if rules:
        yield _Part(4, f"規則: {rules}")
    engine = list(engine_lines(best))
    if engine:
        yield _Part(5, "\n".join(engine))
