"""The OpenAPI document: errors as problems, and an example of every answer."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from saitei.service.problems import PROBLEM_JSON

DESCRIPTION = """\
Japanese rulings of Magic: The Gathering: searchable by meaning, with what a rules engine makes of
them. Engine verdicts are reference; at an event the head judge's decision is final.

Answers depend on their address and on the revision (`/v1/revision`), which is every answer's
`ETag`. Errors are RFC 9457 problems with a stable `code`. Lists have `data`, `has_more` and
`next_page`. Fields may be added; none is removed or changes its meaning within `/v1`.
"""
TAGS = [
    {"name": "questions", "description": "質問から裁定へ"},
    {"name": "rulings", "description": "裁定"},
    {"name": "cards", "description": "カード"},
    {"name": "engine", "description": "シナリオとエンジンの判定（参考）"},
    {"name": "data", "description": "文書、原則、変更、全件"},
]


def complete_openapi(app: FastAPI) -> None:
    """Let ``app`` describe its errors by the media type they have."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = plain()
            for response in _error_responses(schema):
                content = response.get("content", {})
                if "application/json" in content:
                    content[PROBLEM_JSON] = content.pop("application/json")
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _error_responses(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in schema["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if status.isdigit() and int(status) >= 400:
                    yield response
