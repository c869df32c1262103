"""Questions people ask beside those of the notes: what answers each, or that nothing here does.

Two tables under ``data/asked``, described in its README. A question without an answer is as
telling as one with: it is what separates "about this card" from "answered for this card".
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import read_table

FOLDER = DATA / "asked"


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that no note and no principle answers. ``about``: the card or mechanic of ours it
    is about, None for anything else."""

    text: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    """``answered``: key of a note or id of a principle -> its questions, in file order."""

    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unanswered: tuple[Unanswered, ...] = ()


def load_asked(folder: Path = FOLDER) -> AskedQuestions:
    """The packaged questions. Raises ``OSError``, or ``KeyError`` for a missing column."""
    answered: defaultdict[str, list[str]] = defaultdict(list)
    for row in read_table(folder / "answered.tsv"):
        answered[row["target"]].append(row["question"])
    unanswered = tuple(
        Unanswered(row["question"], None if row["about"] == "-" else row["about"])
        for row in read_table(folder / "unanswered.tsv")
    )
    return AskedQuestions({key: tuple(texts) for key, texts in answered.items()}, unanswered)
