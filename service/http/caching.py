"""``ETag`` and ``Cache-Control`` from the revision, and the answer to ``If-None-Match``."""

from collections.abc import Callable

from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saitei.service.http.parameters import Open
from saitei.service.knowledge import OpenKnowledge
from saitei.service.revision import revision_of


def tag_headers(knowledge: OpenKnowledge, seconds: int) -> dict[str, str]:
    """Headers of an answer that depends on its address and the revision alone."""
    control = f"public, max-age={seconds}" if seconds else "no-cache"
    return {"ETag": f'"{revision_of(knowledge)}"', "Cache-Control": control}


def tag(seconds: int) -> Callable[..., None]:
    """A route's dependency that sets those headers."""

    def set_headers(response: Response, knowledge: Open) -> None:
        response.headers.update(tag_headers(knowledge, seconds))

    return set_headers


class NotModified:
    """Answers 304 without a body where the client names the tag of what it would get."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope).get("if-none-match") if scope["type"] == "http" else None
        if asked is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        unchanged = False

        async def compared(message: Message) -> None:
            nonlocal unchanged
            if message["type"] == "http.response.start":
                headers = Headers(raw=message["headers"])
                own = headers.get("etag")
                unchanged = message["status"] == 200 and own is not None and _names(asked, own)
                if unchanged:
                    kept = (b"etag", b"cache-control", b"vary")
                    raw = [pair for pair in message["headers"] if pair[0].lower() in kept]
                    message = {**message, "status": 304, "headers": raw}
            elif unchanged:
                message = {**message, "body": b""}
            await send(message)

        await self.app(scope, receive, compared)


def _names(asked: str, own: str) -> bool:
    """Weak comparison (RFC 9110, 8.8.3.2): a proxy that compresses makes tags weak."""
    tags = (each.strip().removeprefix("W/") for each in asked.split(","))
    return any(each in ("*", own.removeprefix("W/")) for each in tags)
