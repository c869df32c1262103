"""Shapes that only the HTTP API has; what all doors share is in ``views``."""

from typing import Any, Literal

from saitei.engine.verdicts import Verdict
from saitei.index.outcome import AnswerKind
from saitei.service.replays.replay import Replay
from saitei.service.views import ENGINE_CAVEAT, View


class Revision(View):
    """Changes when an answer may change."""

    object: Literal["revision"] = "revision"
    revision: str


class ChatView(View):
    """An answer that fits a chat. ``id`` is that of the ruling or principle it rests on."""

    object: Literal["chat"] = "chat"
    query: str
    answered: bool
    kind: AnswerKind
    text: str
    id: str | None
    url: str | None
    revision: str


class FaceView(View):
    """One face of a card: cost such as ``{1}{W}``, English type line, P/T or loyalty."""

    ja: str
    en: str
    cost: str
    type_line: str
    pt: str


class CardView(View):
    """A card. Faces beyond their names are known for cards of the documents read."""

    object: Literal["card"] = "card"
    id: str
    ja: str
    en: str
    faces: list[FaceView]
    set: str
    layout: str
    rulings: int
    rulings_uri: str


class CatalogView(View):
    """Names that complete what was typed."""

    object: Literal["catalog"] = "catalog"
    data: list[str]


class ScenarioView(View):
    """A scenario as written: ``given``, ``when``, ``then`` and ``contrast`` with every scalar a
    string, ``yaml`` the very lines. ``verdict`` is null where it was not run."""

    object: Literal["scenario"] = "scenario"
    id: str
    title: str
    basis: Literal["ruling", "rules"]
    rulings: list[str]
    rules: list[str]
    given: dict[str, Any]
    when: list[Any]
    then: list[Any]
    contrast: list[Any]
    file: str
    line: int
    yaml: str
    verdict: Verdict | None
    engine: str | None
    version: str | None
    caveat: str = ENGINE_CAVEAT


class ReplayView(View):
    """A scenario as it was played once; reference, not authority."""

    object: Literal["replay"] = "replay"
    caveat: str = ENGINE_CAVEAT
    replay: Replay


class DocumentListed(View):
    """A document: ``text`` tells whether its official wording was ingested here."""

    object: Literal["document"] = "document"
    id: str
    title: str
    kind: str
    set: str
    updated: str | None
    language: str
    rulings: int
    text: bool


class PrincipleListed(View):
    """A rule of play with the notes that are instances of it."""

    object: Literal["principle"] = "principle"
    id: str
    statement: str
    condition: str
    exceptions: str
    rules: list[str]
    questions: list[str]
    instances: list[str]
    scenarios: list[str]


class ChangeView(View):
    """One ruling added, revised or removed by an ingest. ``at`` is ISO 8601 in UTC."""

    object: Literal["change"] = "change"
    number: int
    document: str
    kind: Literal["added", "revised", "removed"]
    ruling: str
    before: str | None
    after: str | None
    at: str


class BulkView(View):
    """Everything of a kind as JSON lines."""

    object: Literal["bulk"] = "bulk"
    type: Literal["notes", "scenarios", "verdicts", "principles"]
    description: str
    download_uri: str
    content_type: str = "application/jsonl"
