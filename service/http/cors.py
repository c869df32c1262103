"""Reading from pages of any origin: ``/v1`` has nothing that is one user's own."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}


class ReadingFromAnywhere:
    """CORS headers on ``/v1`` and the OpenAPI document, and the answer to a preflight there.

    Other paths get none: a page of another site may not speak to /mcp for its visitor.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if not path.startswith("/v1/") and path != "/openapi.json":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in asked:
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send)
            return

        async def opened(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Access-Control-Allow-Origin"] = "*"
                headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
            await send(message)

        await self.app(scope, receive, opened)
