"""``/v1``: the knowledge base for programs. Questions and rulings here; the rest beside."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request

from saitei.service.answers import answer_view, result_view, search_view
from saitei.service.chat import CHAT, LINE, chat_text
from saitei.service.http.api_cards import add_cards
from saitei.service.http.api_data import add_data
from saitei.service.http.api_engine import add_engine
from saitei.service.http.caching import tag
from saitei.service.http.links import Links, answer_url
from saitei.service.http.lists import SearchList
from saitei.service.http.parameters import Open, parameters
from saitei.service.http.problems import documented
from saitei.service.http.shapes import ChatView, Revision
from saitei.service.lookups import find_ruling
from saitei.service.revision import revision_of
from saitei.service.settings import Settings
from saitei.service.views import AnswerView, ResultView

Format = Literal["json", "chat", "line"]
LENGTHS = {"chat": CHAT, "line": LINE}
_ERRORS = documented(
    e422="a parameter or the question cannot be used",
    e429="too many requests",
    e500="our fault",
    e503="no knowledge base, or no answer in time",
)


def add_api(app: FastAPI, settings: Settings) -> None:
    """Add every path under ``/v1``."""
    links = Links(settings.public_url)
    router = APIRouter(
        prefix="/v1", dependencies=[Depends(tag(settings.cache_seconds))], responses=_ERRORS
    )
    _add_questions(router, settings, links)
    add_cards(router, settings, links)
    add_engine(router, settings, links)
    add_data(router, settings, links)
    app.include_router(router)


def _add_questions(router: APIRouter, settings: Settings, links: Links) -> None:
    given = parameters(settings)

    @router.get("/search", tags=["questions"])
    def search(
        request: Request,
        knowledge: Open,
        q: Annotated[str, given.question],
        limit: Annotated[int, given.limit] = min(10, settings.max_limit),
        page: Annotated[int, given.page] = 1,
        explain: Annotated[bool, Query(description="順位の理由も返す")] = False,
    ) -> SearchList:
        """Rulings near a question, best first; `answered` tells whether the first answers it."""
        found = knowledge.search(q, limit * page + 1, explain)
        view = search_view(found, knowledge)
        beyond = len(view.results) > limit * page
        has_more = beyond and page < settings.max_page
        last = [f"検索は {settings.max_page} ページまでです。"] if beyond and not has_more else []
        return SearchList(
            data=view.results[limit * (page - 1) : limit * page],
            has_more=has_more,
            next_page=links.here(request, page=page + 1) if has_more else None,
            warnings=last,
            query=view.query,
            answered=view.answered,
            kind=view.kind,
            confidence=view.confidence,
            needed=view.needed,
            refused=view.refused,
            reading=view.reading,
            message=view.message,
        )

    @router.get("/answer", tags=["questions"])
    def answer(
        request: Request,
        knowledge: Open,
        q: Annotated[str, given.question],
        limit: Annotated[int, given.limit] = min(10, settings.max_limit),
        explain: Annotated[bool, Query(description="順位の理由も返す")] = False,
        format: Annotated[
            Format, Query(description="chat: 2000文字まで、line: 400文字までの文")
        ] = "json",
    ) -> AnswerView | ChatView:
        """The answer to a question, or none: `best` is null where no ruling answers it."""
        found = answer_view(knowledge.search(q, limit, explain), knowledge)
        if format == "json":
            return found
        url = answer_url(found, links, request)
        return ChatView(
            query=found.query,
            answered=found.answered,
            kind=found.kind,
            text=chat_text(found, LENGTHS[format], url),
            id=found.best.id if found.best else None,
            url=url,
            revision=found.revision,
        )

    @router.get("/rulings/{ruling}", tags=["rulings"], responses=documented(e404="no such ruling"))
    def ruling(
        knowledge: Open,
        ruling: Annotated[
            str,
            Path(
                description="出典つきの id（文書.指紋）か、指紋だけ",
                examples=["mid-release-notes.0a1b2c3d4e5f"],
            ),
        ],
    ) -> ResultView:
        """One ruling by occurrence id or bare fingerprint."""
        return result_view(find_ruling(knowledge, ruling), knowledge, 1.0)

    @router.get("/revision", tags=["data"])
    def revision(knowledge: Open) -> Revision:
        """The revision that answers may be cached by; it is also every path's ETag."""
        return Revision(revision=revision_of(knowledge))
