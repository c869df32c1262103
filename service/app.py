"""The HTTP application: ``/v1`` for programs, ``/`` for people."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from saitei.service.api import add_api
from saitei.service.knowledge import Knowledge
from saitei.service.opened import Open
from saitei.service.pages import add_pages
from saitei.service.problems import install_problem_handlers
from saitei.service.settings import Settings


def create_app(settings: Settings) -> FastAPI:
    """The application over the knowledge base of ``settings``; opened when it starts."""
    knowledge = Knowledge(settings.kb_path)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        knowledge.open().search("起動")
        yield

    app = FastAPI(title="Saitei", version="1", lifespan=lifespan)
    app.state.knowledge = knowledge
    install_problem_handlers(app)
    add_api(app)
    add_pages(app)
    _add_health(app)
    return app


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", include_in_schema=False)
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False)
    def readyz(knowledge: Open) -> dict[str, str]:
        return {"status": "ok", "revision": knowledge.revision}
