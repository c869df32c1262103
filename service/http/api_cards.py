"""``/v1/cards``: cards by name, names by their beginning, and the rulings of a card."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request

from saitei.ingest.catalog import Card
from saitei.service.answers import result_view
from saitei.service.completion import completion_of
from saitei.service.http.links import Links
from saitei.service.http.lists import ResultList, page_of
from saitei.service.http.parameters import Open, parameters
from saitei.service.http.problems import ProblemError, documented
from saitei.service.http.shapes import CardView, CatalogView, FaceView
from saitei.service.knowledge import OpenKnowledge
from saitei.service.lookups import find_card
from saitei.service.settings import Settings

MAX_NAMES = 25
"""Names in a completion: what Discord shows."""


def _card_view(card: Card, knowledge: OpenKnowledge, links: Links, request: Request) -> CardView:
    return CardView(
        id=card.id,
        ja=card.ja,
        en=card.en,
        faces=[
            FaceView(ja=face.ja, en=face.en, cost=face.cost, type_line=face.type_line, pt=face.pt)
            for face in card.faces
        ],
        set=card.set,
        layout=card.layout,
        rulings=sum(1 for _ in knowledge.database.entries_about(card.id)),
        rulings_uri=links.to(f"/v1/cards/{quote(card.id)}/rulings", request) or "",
    )


def add_cards(router: APIRouter, settings: Settings, links: Links) -> None:
    """Add the paths under ``/cards``."""
    given = parameters(settings)
    missing = documented(e404="no such card, or several")

    @router.get("/cards/named", tags=["cards"], responses=missing)
    def named(
        request: Request,
        knowledge: Open,
        fuzzy: Annotated[str | None, given.name] = None,
        exact: Annotated[str | None, given.name] = None,
    ) -> CardView:
        """One card: `fuzzy` takes a part, a misspelling or kana of a name, `exact` the whole.

        Exactly one of the two. Several cards that fit are a problem with `candidates`.
        """
        name = fuzzy if exact is None else exact
        if name is None or (fuzzy is not None and exact is not None):
            raise ProblemError("bad_parameter", "fuzzy と exact のどちらか一方を指定してください。")
        card = find_card(knowledge.catalog, name, fuzzy=exact is None)
        return _card_view(card, knowledge, links, request)

    @router.get("/cards/autocomplete", tags=["cards"])
    def autocomplete(
        knowledge: Open,
        q: Annotated[
            str, Query(max_length=100, description="打ったところまで", examples=["輝かしい"])
        ],
        limit: Annotated[int, Query(ge=1, le=MAX_NAMES, description="候補の数")] = 20,
    ) -> CatalogView:
        """Card names from their beginning: Japanese, English, or kana where the reading is known.

        Cards with rulings come first. Nothing typed, nothing found.
        """
        return CatalogView(data=completion_of(knowledge.catalog).complete(q, limit))

    @router.get("/cards/{name}/rulings", tags=["cards"], responses=missing)
    def card_rulings(
        request: Request,
        knowledge: Open,
        name: Annotated[
            str,
            Path(description="id か、日本語か英語の名前", examples=["輝かしい聖戦士、エーデリン"]),
        ],
        limit: Annotated[int, given.limit] = min(10, settings.max_limit),
        page: Annotated[int, given.any_page] = 1,
    ) -> ResultList:
        """Rulings about a card, by id or by whole name in Japanese or English."""
        card = find_card(knowledge.catalog, name, fuzzy=False)
        entries = list(knowledge.database.entries_about(card.id))
        shown, has_more, following = page_of(entries, request, links, limit, page)
        return ResultList(
            data=[result_view(entry, knowledge, 1.0) for entry in shown],
            has_more=has_more,
            next_page=following,
            warnings=[] if entries else [f"《{card.ja}》の裁定は収録していません。"],
        )
