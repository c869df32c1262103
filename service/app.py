"""The HTTP application: ``/v1`` for programs, ``/`` for people, and the doors of chats."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from starlette.middleware import Middleware
from starlette.routing import Route

from saitei.service.bots.mcp_door import PATH, McpDoor
from saitei.service.http.api import add_api
from saitei.service.http.caching import NotModified
from saitei.service.http.cors import ReadingFromAnywhere
from saitei.service.http.limits import BodyLimit, RateLimit, TimeLimit
from saitei.service.http.metrics import CONTENT_TYPE, Counted, Metrics
from saitei.service.http.openapi import DESCRIPTION, TAGS, complete_openapi
from saitei.service.http.parameters import Open
from saitei.service.http.problems import PlainErrors, install_problem_handlers
from saitei.service.knowledge import Knowledge
from saitei.service.revision import revision_of
from saitei.service.settings import Settings
from saitei.service.web.pages import add_pages


def create_app(settings: Settings) -> FastAPI:
    """The application over the knowledge base of ``settings``; opened when it starts."""
    knowledge = Knowledge(settings.kb_path, settings.max_query)
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        knowledge.open().search("起動")
        async with AsyncExitStack() as running:
            for door in app.state.doors:
                await running.enter_async_context(door())
            yield

    app = FastAPI(
        title="Saitei 裁定",
        version="1",
        description=DESCRIPTION,
        openapi_tags=TAGS,
        lifespan=lifespan,
        # FastAPI's own pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        middleware=_middleware(settings, metrics),
    )
    app.state.knowledge = knowledge
    app.state.settings = settings
    app.state.doors = []
    install_problem_handlers(app)
    add_api(app, settings)
    if settings.mcp:
        door = McpDoor(settings, knowledge)
        app.state.doors.append(door.running)
        app.router.routes.append(Route(PATH, door, include_in_schema=False))
    add_pages(app)
    _add_chats(app, settings, knowledge)
    _add_health(app, metrics)
    complete_openapi(app)
    return app


def _add_chats(app: FastAPI, settings: Settings, knowledge: Knowledge) -> None:
    """The chats whose keys are set; the others leave no path and load nothing."""
    if settings.discord_public_key:
        from saitei.service.bots.discord_door import add_discord

        add_discord(app, settings, knowledge)
    if settings.line_channel_secret and settings.line_access_token:
        from saitei.service.bots.line_door import add_line

        add_line(app, settings, knowledge)


def _middleware(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """Outermost first: what is refused is counted and readable from any page too."""
    return [
        Middleware(Counted, metrics=metrics),
        Middleware(ReadingFromAnywhere),
        Middleware(
            RateLimit,
            rate=settings.rate,
            burst=settings.burst,
            clients=settings.rate_clients,
            trusted=settings.proxies(),
        ),
        Middleware(TimeLimit, seconds=settings.request_timeout),
        Middleware(BodyLimit, size=settings.max_body),
        Middleware(PlainErrors),
        Middleware(NotModified),
    ]


def _add_health(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/healthz", include_in_schema=False)
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False)
    def readyz(knowledge: Open) -> dict[str, str]:
        return {"status": "ok", "revision": revision_of(knowledge)}

    @app.get("/metrics", include_in_schema=False)
    def measured(knowledge: Open) -> PlainTextResponse:
        entries = knowledge.searcher.generation.manifest.entries
        lines = metrics.lines(entries, revision_of(knowledge))
        return PlainTextResponse("\n".join([*lines, ""]), media_type=CONTENT_TYPE)
