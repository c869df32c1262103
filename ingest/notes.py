"""Notes: what we say, in our own words, about each official ruling (design section 4).

A file ``data/notes/<document>/<subject>.yaml`` holds a list of notes. Models here are the border:
a note that loads is well-formed; whether the whole set is complete and honest is checked by
``service.notes_check``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from saitei.data import PATH as DATA
from saitei.data.yaml_text import read_yaml, validated

Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*$")]
RuleNumber = Annotated[str, StringConstraints(pattern=r"^[1-9]\d\d(?:\.\d{1,3}[a-z]?)?$")]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

Standing = Literal["current", "reworded", "narrowed", "document-error", "procedure", "product"]
NotExecutable = Literal[
    "product",
    "physical-procedure",
    "misprint",
    "definition",
    "hidden-information",
    "tournament-policy",
    "team-format",
]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Supersession(_Model):
    """Since when (``YYYY-MM-DD``, ``YYYY-MM``, ``YYYY`` or ``unknown``) and by what."""

    since: Annotated[str, StringConstraints(pattern=r"^(?:\d{4}(?:-\d\d){0,2}|unknown)$")]
    by: Text


class Superseded(_Model):
    superseded: Supersession


class OracleChange(_Model):
    """The card's own text has been changed since the ruling."""

    since: Annotated[str, StringConstraints(pattern=r"^(?:\d{4}(?:-\d\d){0,2}|unknown)$")]
    gist: Text


class NotPlayable(_Model):
    """``executable: {no: <kind>}``: why no game on a rules engine can show this ruling."""

    no: NotExecutable


def _yes(value: object) -> object:
    return True if value in ("yes", "true", True) else value


Status = Standing | Superseded
Executable = Annotated[Literal[True] | NotPlayable, BeforeValidator(_yes)]


class Claim(_Model):
    """One of several statements a ruling makes that can be tested apart."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z]$")]
    says: Text
    status: Status = "current"
    executable: Executable = True


class Subject(_Model):
    """What the ruling is about: a card or a mechanic, exactly one."""

    card: Id | None = None
    mechanic: Id | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.card is None) == (self.mechanic is None):
            raise ValueError("a subject names a card or a mechanic, exactly one")
        return self

    @property
    def id(self) -> str:
        return self.card or self.mechanic or ""


class Questions(_Model):
    ja: Annotated[list[Text], Field(min_length=1)]
    en: list[Text] = Field(default_factory=list)


class Note(_Model):
    """Our statement of one official ruling (equal texts share one note)."""

    id: Id
    rulings: Annotated[list[Fingerprint], Field(min_length=1)]
    subject: Subject
    principles: list[Id] = Field(default_factory=list)
    questions: Questions
    answer: Text
    because: Text
    rules: list[RuleNumber] = Field(default_factory=list)
    checked: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
    claims: list[Claim] = Field(default_factory=list)
    status: Status
    oracle_changed: OracleChange | None = None
    executable: Executable
    evidence: Text | None = None
    """How the subject of a nameless block was recognised; only where the text names no card."""

    @property
    def key(self) -> str:
        """Unique over all notes: ``<subject>.<id>``."""
        return f"{self.subject.id}.{self.id}"


def load_notes(folder: Path = DATA / "notes") -> Iterator[tuple[Path, Note]]:
    """Every note under ``folder`` with the file it stands in, in path order.

    Raises `YamlError` with file, line and key of the first fault.
    """
    for path in sorted(folder.glob("*/*.yaml")):
        for note in validated(read_yaml(path), Note):
            yield path, note
