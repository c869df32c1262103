"""The open knowledge base as a route's dependency."""

from typing import Annotated

from fastapi import Depends, Request

from saitei.service.following import OpenedKnowledge
from saitei.service.knowledge import OpenKnowledge


def _opened(request: Request) -> OpenKnowledge:
    opened: OpenedKnowledge = request.app.state.opened
    return opened.current()


Open = Annotated[OpenKnowledge, Depends(_opened)]
