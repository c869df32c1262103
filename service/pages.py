"""The pages for people."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from saitei.index.retrieval import QueryError
from saitei.service.answers import answer_view
from saitei.service.opened import Open
from saitei.service.page import render_page


def add_pages(app: FastAPI) -> None:
    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    def home(knowledge: Open, q: str = "") -> HTMLResponse:
        if not q.strip():
            return HTMLResponse(render_page("", None))
        try:
            return HTMLResponse(render_page(q, answer_view(knowledge.search(q), knowledge)))
        except QueryError as error:
            return HTMLResponse(render_page(q, None, str(error)), status_code=422)
