"""``/v1``: the knowledge base for programs."""

from typing import Annotated, Literal

from fastapi import FastAPI, Path, Query, Request
from pydantic import BaseModel

from saitei.service.answers import answer_view, result_view, search_view
from saitei.service.opened import Open
from saitei.service.problems import not_found
from saitei.service.views import AnswerKind, AnswerView, ReadingView, ResultView

MAX_LIMIT = 50
MAX_PAGE = 20


class ResultList(BaseModel):
    """A page of results. ``next_page`` is a full address, null on the last page."""

    object: Literal["list"] = "list"
    data: list[ResultView]
    has_more: bool
    next_page: str | None
    warnings: list[str]


class SearchList(ResultList):
    """A page of search results with what the search made of the question."""

    query: str
    answered: bool
    kind: AnswerKind
    confidence: float
    reading: ReadingView
    message: str | None


class Revision(BaseModel):
    """Changes exactly when an answer may change."""

    object: Literal["revision"] = "revision"
    revision: str


Question = Annotated[str, Query(description="質問", examples=["腐乱持ちは必ず攻撃する？"])]
Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
Page = Annotated[int, Query(ge=1, le=MAX_PAGE)]


def _next_page(request: Request, page: int, has_more: bool) -> str | None:
    if not has_more or page >= MAX_PAGE:
        return None
    return str(request.url.include_query_params(page=page + 1))


def add_api(app: FastAPI) -> None:
    @app.get("/v1/search")
    def search(
        request: Request,
        knowledge: Open,
        q: Question,
        limit: Limit = 10,
        page: Page = 1,
        explain: bool = False,
    ) -> SearchList:
        """Rulings near a question, best first."""
        found = knowledge.search(q, limit * page + 1)
        view = search_view(found, knowledge, explain)
        has_more = len(view.results) > limit * page
        return SearchList(
            data=view.results[limit * (page - 1) : limit * page],
            has_more=has_more,
            next_page=_next_page(request, page, has_more),
            warnings=[],
            **view.model_dump(exclude={"results"}),
        )

    @app.get("/v1/answer")
    def answer(
        knowledge: Open, q: Question, limit: Limit = 10, explain: bool = False
    ) -> AnswerView:
        """The answer to a question, or none."""
        return answer_view(knowledge.search(q, limit), knowledge, explain)

    @app.get("/v1/rulings/{ruling}")
    def ruling(
        knowledge: Open, ruling: Annotated[str, Path(description="occurrence id or fingerprint")]
    ) -> ResultView:
        """One ruling by occurrence id or bare fingerprint."""
        place = knowledge.database.ruling(ruling)
        number = knowledge.database.entry_number(place.fingerprint if place else ruling)
        if number is None:
            raise not_found("ruling_not_found", f"裁定 '{ruling[:80]}' はありません。")
        return result_view(knowledge.database.entry(number), knowledge, 1.0)

    @app.get("/v1/cards/{name}/rulings")
    def card_rulings(
        request: Request, knowledge: Open, name: str, limit: Limit = 10, page: Page = 1
    ) -> ResultList:
        """Rulings about a card, by id or by name in Japanese or English."""
        catalog = knowledge.catalog
        card = catalog.cards.get(name) or catalog.card_named(name)
        if card is None:
            raise not_found("card_not_found", f"カード '{name[:80]}' は知られていません。")
        entries = list(knowledge.database.entries_about(card.id))
        shown = entries[limit * (page - 1) : limit * page]
        has_more = len(entries) > limit * page
        return ResultList(
            data=[result_view(entry, knowledge, 1.0) for entry in shown],
            has_more=has_more,
            next_page=_next_page(request, page, has_more),
            warnings=[] if entries else [f"《{card.ja}》の裁定は収録していません。"],
        )

    @app.get("/v1/revision")
    def revision(knowledge: Open) -> Revision:
        """The revision answers may be cached by."""
        return Revision(revision=knowledge.revision)
