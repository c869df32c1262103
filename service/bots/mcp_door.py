"""``/mcp``: the tools over streamable HTTP, inside the service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio.to_thread
from starlette.types import ASGIApp, Receive, Scope, Send

from saitei.service.http.problems import problem_of_status, problem_response
from saitei.service.knowledge import Knowledge
from saitei.service.settings import Settings, listed

PATH = "/mcp"


class McpDoor:
    """An ASGI application that is made when it is first asked: importing the SDK takes longer
    than all the rest of the service's start.

    Each request stands alone (no sessions), so several processes can share one address.
    """

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        self._settings, self._knowledge = settings, knowledge
        self._app: ASGIApp | None = None
        self._served: asyncio.Task[None] | None = None
        self._asked = asyncio.Event()
        self._ready = asyncio.Event()
        self._closing = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the service runs; one task opens and closes what the SDK needs."""
        self._asked, self._ready, self._closing = (asyncio.Event() for _ in range(3))
        self._served = asyncio.create_task(self._serve())
        try:
            yield
        finally:
            self._closing.set()
            self._asked.set()
            await asyncio.wait({self._served})
            self._app = None

    async def _serve(self) -> None:
        await self._asked.wait()
        if self._closing.is_set():
            return
        from mcp.server.transport_security import TransportSecuritySettings

        from saitei.service.bots.mcp_server import Source, create_mcp

        source = Source(self._knowledge.open, self._settings.public_url)
        server = await anyio.to_thread.run_sync(create_mcp, source)
        self._app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=self._settings.max_body,
            transport_security=TransportSecuritySettings(
                allowed_hosts=listed(self._settings.mcp_hosts),
                allowed_origins=listed(self._settings.mcp_origins),
            ),
        )
        async with server.session_manager.run():
            self._ready.set()
            await self._closing.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # Without sessions nothing would ever come on a stream that is only listened to.
            found = problem_of_status(405)
            await problem_response(found, {"Allow": "POST"})(scope, receive, send)
            return
        self._asked.set()
        assert self._served is not None
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait({ready, self._served}, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            self._served.result()  # raises what kept the server from starting
        assert self._app is not None
        await self._app(scope, receive, send)
