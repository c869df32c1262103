"""What routes are given: the open knowledge base, and query parameters that several share."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query, Request

from saitei.service.knowledge import Knowledge, OpenKnowledge
from saitei.service.settings import Settings


def _opened(request: Request) -> OpenKnowledge:
    knowledge: Knowledge = request.app.state.knowledge
    return knowledge.open()


Open = Annotated[OpenKnowledge, Depends(_opened)]
"""The open knowledge base, as a route's dependency."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """Declarations for ``Annotated``: the bounds are in the OpenAPI document too."""

    question: Any
    limit: Any
    page: Any
    any_page: Any
    name: Any


def parameters(settings: Settings) -> Parameters:
    return Parameters(
        question=Query(
            description="質問（日本語か英語）。文字を1つ以上含むこと",
            examples=["腐乱持ちは必ず攻撃する？"],
            json_schema_extra={"minLength": 1, "maxLength": settings.max_query},
        ),
        limit=Query(ge=1, le=settings.max_limit, description="1ページの数", examples=[10]),
        page=Query(ge=1, le=settings.max_page, description="ページ（1から）", examples=[1]),
        any_page=Query(ge=1, le=1_000_000, description="ページ（1から）", examples=[1]),
        name=Query(
            min_length=1,
            max_length=200,
            description="カード名（日本語か英語）",
            examples=["輝かしい聖戦士、エーデリン"],
        ),
    )
