"""The OpenAPI document: errors as problems, and an example of every answer."""

from typing import Any

from fastapi import FastAPI

from saitei.service.http.problems import PROBLEM_JSON

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
    """Let ``app`` describe its errors by the media type they have, and give examples."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            for path, operations in plain()["paths"].items():
                for operation in operations.values():
                    for status, response in operation["responses"].items():
                        _complete(path, status, response)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _complete(path: str, status: str, response: dict[str, Any]) -> None:
    from saitei.service.http.openapi_examples import EXAMPLES, PROBLEM_EXAMPLES

    content = response.get("content", {})
    if status == "200":
        response["headers"] = {
            "ETag": {"description": "The revision", "schema": {"type": "string"}}
        }
        if path in EXAMPLES:
            content["application/json"]["examples"] = _answers(path)
        return
    problems = content.pop("application/json", None)
    if problems is not None:
        problems["example"] = PROBLEM_EXAMPLES[int(status)].model_dump(exclude_none=True)
        content[PROBLEM_JSON] = problems
    if status == "429":
        response["headers"] = {
            "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}
        }


def _answers(path: str) -> dict[str, Any]:
    from saitei.service.http.openapi_examples import CHAT_EXAMPLE, EXAMPLES

    examples = {"answer": {"value": EXAMPLES[path].model_dump(mode="json")}}
    if path == "/v1/answer":
        examples["chat"] = {"value": CHAT_EXAMPLE.model_dump(mode="json")}
    return examples
