"""The open knowledge base as a route's dependency."""

from typing import Annotated

from fastapi import Depends, Request

from saitei.service.knowledge import Knowledge, OpenKnowledge


def _opened(request: Request) -> OpenKnowledge:
    knowledge: Knowledge = request.app.state.knowledge
    return knowledge.open()


Open = Annotated[OpenKnowledge, Depends(_opened)]
