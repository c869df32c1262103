"""``/v1/documents``, ``principles``, ``changes``, ``bulk``: everything, to keep a copy of."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from saitei.index.database import FILE as DATABASE
from saitei.index.database import Database
from saitei.ingest.documents import PACKAGED
from saitei.ingest.principles import Principle
from saitei.service.answers import result_view
from saitei.service.http.api_engine import scenario_view
from saitei.service.http.caching import tag_headers
from saitei.service.http.links import Links
from saitei.service.http.lists import BulkList, ChangeList, DocumentList, PrincipleList, page_of
from saitei.service.http.parameters import Open, parameters
from saitei.service.http.problems import ProblemError, documented
from saitei.service.http.shapes import BulkView, ChangeView, DocumentListed, PrincipleListed
from saitei.service.knowledge import OpenKnowledge
from saitei.service.scenarios import packaged_scenarios
from saitei.service.settings import Settings
from saitei.service.verdicts import chosen_verdicts

BulkType = Literal["notes", "scenarios", "verdicts", "principles"]
JSON_LINES = "application/jsonl"
_BULK: dict[BulkType, str] = {
    "notes": "Rulings with what we say of them: the objects of /v1/rulings",
    "scenarios": "Scenarios as written, with verdicts: the objects of /v1/scenarios",
    "verdicts": "Verdicts of the newest engine version: the data of /v1/verdicts",
    "principles": "Rules of play: the data of /v1/principles",
}


@lru_cache(maxsize=2)
def _rulings_of(generation: FilePath) -> Counter[str]:
    """Rulings a document, of a generation; those never change."""
    database = Database(generation / DATABASE)
    try:
        return Counter(ruling.document for ruling in database.contents().rulings)
    finally:
        database.close()


def _principle_listed(principle: Principle) -> PrincipleListed:
    return PrincipleListed(
        id=principle.id,
        statement=principle.statement,
        condition=principle.condition,
        exceptions=principle.exceptions,
        rules=principle.rules,
        questions=[*principle.questions.ja, *principle.questions.en],
        instances=principle.instances,
        scenarios=principle.scenarios,
    )


def _bulk_objects(kind: BulkType, knowledge: OpenKnowledge) -> Iterator[BaseModel]:
    if kind == "notes":
        for number in range(knowledge.searcher.generation.manifest.entries):
            entry = knowledge.database.entry(number)
            if entry.kind == "ruling":
                yield result_view(entry, knowledge, 1.0)
    elif kind == "scenarios":
        yield from map(scenario_view, packaged_scenarios().values())
    elif kind == "verdicts":
        yield from chosen_verdicts(None, None)
    else:
        yield from map(_principle_listed, knowledge.principles)


def add_data(router: APIRouter, settings: Settings, links: Links) -> None:
    """Add documents, principles, changes and bulk."""
    given = parameters(settings)
    few = min(10, settings.max_limit)

    @router.get("/documents", tags=["data"])
    def documents(knowledge: Open) -> DocumentList:
        """The official documents: those packaged by place and subject, those ingested by text."""
        counts = _rulings_of(knowledge.searcher.generation.path)
        return DocumentList(
            data=[
                DocumentListed(
                    id=document.id,
                    title=document.title,
                    kind=document.kind,
                    set=document.set,
                    updated=document.updated,
                    language=document.language,
                    rulings=counts[document.id],
                    text=document.source != PACKAGED,
                )
                for document in knowledge.documents.values()
            ]
        )

    @router.get("/principles", tags=["data"])
    def principles(
        request: Request,
        knowledge: Open,
        limit: Annotated[int, given.limit] = few,
        page: Annotated[int, given.any_page] = 1,
    ) -> PrincipleList:
        """Rules of play, with the rulings that are instances of each."""
        shown, has_more, following = page_of(knowledge.principles, request, links, limit, page)
        data = [_principle_listed(each) for each in shown]
        return PrincipleList(data=data, has_more=has_more, next_page=following)

    @router.get(
        "/principles/{principle}",
        tags=["data"],
        responses=documented(e404="no such principle"),
    )
    def principle(
        knowledge: Open,
        principle: Annotated[str, Path(description="原則の id")],
    ) -> PrincipleListed:
        """One rule of play."""
        found = next((each for each in knowledge.principles if each.id == principle), None)
        if found is None:
            raise ProblemError("principle_not_found", f"原則 '{principle[:80]}' はありません。")
        return _principle_listed(found)

    @router.get("/changes", tags=["data"])
    def changes(
        request: Request,
        knowledge: Open,
        since: Annotated[
            int,
            Query(ge=0, le=2**53, description="この番号より後（前回の `last`）", examples=[0]),
        ] = 0,
        limit: Annotated[int, given.limit] = few,
    ) -> ChangeList:
        """What ingesting documents changed, oldest first, after change number `since`."""
        found = knowledge.database.changes(since, limit + 1)
        shown = found[:limit]
        last = shown[-1][0] if shown else since
        has_more = len(found) > limit
        return ChangeList(
            data=[
                ChangeView(
                    number=number,
                    document=change.document,
                    kind=change.kind,
                    ruling=change.ruling,
                    before=change.before,
                    after=change.after,
                    at=change.at,
                )
                for number, change in shown
            ],
            has_more=has_more,
            next_page=links.here(request, since=last) if has_more else None,
            last=last,
        )

    @router.get("/bulk", tags=["data"])
    def bulk(request: Request) -> BulkList:
        """The files that hold everything of a kind."""
        return BulkList(
            data=[
                BulkView(
                    type=kind,
                    description=description,
                    download_uri=links.to(f"/v1/bulk/{kind}", request) or "",
                )
                for kind, description in _BULK.items()
            ]
        )

    @router.get(
        "/bulk/{kind}",
        tags=["data"],
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "one JSON object a line",
                "content": {JSON_LINES: {"schema": {"type": "string"}}},
            }
        },
    )
    def bulk_file(
        knowledge: Open, kind: Annotated[BulkType, Path(description="種類", examples=["notes"])]
    ) -> StreamingResponse:
        """Everything of a kind, one JSON object a line."""
        return StreamingResponse(
            (f"{each.model_dump_json()}\n" for each in _bulk_objects(kind, knowledge)),
            media_type=JSON_LINES,
            headers=tag_headers(knowledge, settings.cache_seconds),
        )
