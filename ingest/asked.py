"""Questions people ask beside those of the notes: what answers each, or that nothing here does.

Two tables under ``data/asked``, described in its README. A question without an answer is as
telling as one with: it is what separates "about this card" from "answered for this card".
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import TableError, read_lines

FOLDER = DATA / "asked"
LANGUAGES = frozenset({"ja", "en", "mixed"})


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that no note and no principle answers. ``about``: the card or mechanic it is
    about, None where it names none."""

    text: str
    about: str | None = None


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    """``answered``: key of a note or id of a principle -> its questions, in file order."""

    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unanswered: tuple[Unanswered, ...] = ()


def load_asked(folder: Path = FOLDER) -> AskedQuestions:
    """The packaged questions. Raises `TableError`."""
    answered: defaultdict[str, list[str]] = defaultdict(list)
    for row in _rows(folder / "answered.tsv", "target"):
        answered[row["target"]].append(row["question"])
    unanswered = tuple(
        Unanswered(row["question"], None if row["about"] == "-" else row["about"])
        for row in _rows(folder / "unanswered.tsv", "about")
    )
    return AskedQuestions({key: tuple(texts) for key, texts in answered.items()}, unanswered)


def _rows(path: Path, subject: str) -> Iterator[dict[str, str]]:
    for line, row in read_lines(path, subject, "language", "question"):
        if not all(row.values()):
            raise TableError(f"{path}:{line}: an empty column")
        if row["language"] not in LANGUAGES:
            raise TableError(f"{path}:{line}: unknown language '{row['language']}'")
        yield row
