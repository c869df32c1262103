"""Lists as bot authors know them: ``data``, ``has_more``, ``next_page``, ``warnings``."""

from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

from fastapi import Request
from pydantic import Field

from saitei.engine.verdicts import Verdict
from saitei.index.outcome import AnswerKind, Refusal
from saitei.service.http.links import Links
from saitei.service.http.shapes import BulkView, ChangeView, DocumentListed, PrincipleListed
from saitei.service.views import ENGINE_CAVEAT, NEEDED, REFUSED, ReadingView, ResultView, View

Item = TypeVar("Item")


class ListView(View, Generic[Item]):
    """A page. ``next_page`` is a full address, null on the last page."""

    object: Literal["list"] = "list"
    data: list[Item]
    has_more: bool = False
    next_page: str | None = None
    warnings: list[str] = Field(default_factory=list)


class ResultList(ListView[ResultView]):
    """A page of rulings."""


class SearchList(ListView[ResultView]):
    """A page of search results with what the search made of the question."""

    query: str
    answered: bool
    kind: AnswerKind
    confidence: float
    needed: float = NEEDED
    refused: Refusal | None = REFUSED
    reading: ReadingView
    message: str | None


class VerdictList(ListView[Verdict]):
    """A page of what one version of one engine does; reference, not authority."""

    engine: str | None
    version: str | None
    caveat: str = ENGINE_CAVEAT


class DocumentList(ListView[DocumentListed]):
    """The official documents known here."""


class PrincipleList(ListView[PrincipleListed]):
    """A page of principles."""


class ChangeList(ListView[ChangeView]):
    """A page of changes; ``last`` is the number to ask from next time."""

    last: int


class BulkList(ListView[BulkView]):
    """Files that hold everything of a kind."""


def page_of(
    items: Sequence[Item], request: Request, links: Links, limit: int, page: int
) -> tuple[list[Item], bool, str | None]:
    """The items of page ``page`` (from 1), whether more follow, and where."""
    first = limit * (page - 1)
    has_more = len(items) > first + limit
    following = links.here(request, page=page + 1) if has_more else None
    return list(items[first : first + limit]), has_more, following
