"""The web page, rendered on the server."""

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from saitei.service import text
from saitei.service.views import ENGINE_CAVEAT, PROCEDURE_CAVEAT, REFUSAL, AnswerView


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["status"] = text.status_text
    environment.filters["verdict"] = text.verdict_text
    environment.filters["edition"] = text.edition_text
    environment.filters["source"] = text.source_text
    environment.globals.update(
        refusal=REFUSAL, engine_caveat=ENGINE_CAVEAT, procedure_caveat=PROCEDURE_CAVEAT
    )
    return environment


def render_page(query: str, answer: AnswerView | None, error: str | None = None) -> str:
    """The page with its question box and, where there is one, the answer or the error."""
    template = _environment().get_template("ask.html")
    return template.render(query=query, answer=answer, error=error)
