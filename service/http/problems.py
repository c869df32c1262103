"""One error shape for every path: RFC 9457 problem details with a stable ``code``."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from sqlite3 import DatabaseError
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saitei.index.encoder import EncoderError
from saitei.index.retrieval import QueryError
from saitei.index.store import StoreError
from saitei.ingest.kana import KanaError
from saitei.service.lookups import MissingError

PROBLEM_JSON = "application/problem+json"


Responses = dict[int | str, dict[str, Any]]
"""What FastAPI takes as ``responses``."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of error: its HTTP status, and when it is answered."""

    status: int
    when: str


CODES: Mapping[str, Code] = {
    "bad_body": Code(400, "the body is not what this path reads"),
    "bad_signature": Code(401, "the signature does not fit the body"),
    "not_found": Code(404, "there is no such path"),
    "ruling_not_found": Code(404, "no ruling has this id or fingerprint"),
    "card_not_found": Code(404, "no card has this name"),
    "card_ambiguous": Code(404, "several cards fit the name; `candidates` lists them"),
    "scenario_not_found": Code(404, "no scenario has this id"),
    "principle_not_found": Code(404, "no principle has this id"),
    "replay_not_available": Code(404, "the scenario has no recorded replay"),
    "method_not_allowed": Code(405, "the path does not take this method"),
    "body_too_large": Code(413, "the body is larger than `max_body`"),
    "bad_host": Code(421, "/mcp does not answer under this host name (`mcp_hosts`)"),
    "bad_origin": Code(403, "/mcp does not answer pages of this origin (`mcp_origins`)"),
    "bad_query": Code(422, "the question cannot be searched; `detail` says why"),
    "bad_parameter": Code(422, "a parameter is missing or out of range; `detail` names it"),
    "rate_limited": Code(429, "too many requests; wait `Retry-After` seconds"),
    "http_error": Code(400, "any other error of HTTP, with its own status"),
    "internal_error": Code(500, "our fault"),
    "knowledge_unavailable": Code(503, "the knowledge base cannot be opened"),
    "undelivered": Code(503, "a reply did not reach LINE; it delivers the events again"),
    "timeout": Code(503, "no answer within `request_timeout`; try again"),
}


class Problem(BaseModel):
    """The body of every error answer. ``code`` is stable; ``detail`` is for people."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    candidates: list[str] | None = None


def problem(
    code: str, detail: str, *, status: int | None = None, candidates: list[str] | None = None
) -> Problem:
    """The problem of a known ``code``; its title is HTTP's phrase, as about:blank asks."""
    status = status or CODES[code].status
    try:
        title = HTTPStatus(status).phrase
    except ValueError:
        title = "Error"
    return Problem(title=title, status=status, code=code, detail=detail, candidates=candidates)


def documented(**meanings: str) -> Responses:
    """``responses`` of a route: ``e404="no such card"``."""
    return {
        int(status[1:]): {"model": Problem, "description": text}
        for status, text in meanings.items()
    }


class ProblemError(Exception):
    """Raised by a route to answer with a problem."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = problem(code, detail)


def problem_response(found: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(
        found.model_dump(exclude_none=True),
        status_code=found.status,
        media_type=PROBLEM_JSON,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


_OF_STATUS = {
    403: ("bad_origin", "このオリジンのページには答えません。"),
    404: ("not_found", "そのようなパスはありません。"),
    405: ("method_not_allowed", "このパスはそのメソッドを受け付けません。"),
    413: ("body_too_large", "本文が大きすぎます。"),
    421: ("bad_host", "このホスト名では答えません。"),
}


def problem_of_status(status: int, detail: str = "") -> Problem:
    """The problem of an error known by its HTTP status alone; ``detail`` where we have no words."""
    code, words = _OF_STATUS.get(status, ("http_error", detail))
    return problem(code, words, status=status)


_REASONS = {
    "missing": "指定してください。",
    "greater_than_equal": "{ge} 以上にしてください。",
    "less_than_equal": "{le} 以下にしてください。",
    "string_too_short": "{min_length} 文字以上にしてください。",
    "string_too_long": "{max_length} 文字以下にしてください。",
    "int_parsing": "整数ではありません。",
    "bool_parsing": "true か false にしてください。",
    "literal_error": "使えるのは {expected} です。",
}
"""What is wrong with a parameter, by pydantic's type of error."""


def _reason(error: Mapping[str, Any]) -> str:
    """One of pydantic's errors in Japanese, the parameter's name first."""
    bounds = {name: str(value) for name, value in error.get("ctx", {}).items()}
    if "expected" in bounds:
        bounds["expected"] = bounds["expected"].replace(" or ", ", ").replace("'", "")
    reason = _REASONS.get(error["type"], "値が正しくありません。").format(**bounds)
    return f"{'.'.join(str(part) for part in error['loc'])}: {reason}"


def install_problem_handlers(app: FastAPI) -> None:
    """Make ``app`` answer every error as a problem."""

    @app.exception_handler(ProblemError)
    def _own(request: Request, error: ProblemError) -> JSONResponse:
        return problem_response(error.problem)

    @app.exception_handler(MissingError)
    def _missing(request: Request, error: MissingError) -> JSONResponse:
        found = problem(error.code, error.detail, candidates=error.candidates)
        return problem_response(found)

    @app.exception_handler(QueryError)
    def _query(request: Request, error: QueryError) -> JSONResponse:
        return problem_response(problem("bad_query", str(error)))

    @app.exception_handler(DatabaseError)
    @app.exception_handler(StoreError)
    @app.exception_handler(EncoderError)
    @app.exception_handler(KanaError)
    def _store(request: Request, error: Exception) -> JSONResponse:
        # The message names folders of this machine: it belongs in the log, not in an answer.
        detail = "知識ベースを開けません。管理者は saitei doctor で確かめてください。"
        return problem_response(problem("knowledge_unavailable", detail))

    @app.exception_handler(RequestValidationError)
    def _validation(request: Request, error: RequestValidationError) -> JSONResponse:
        return problem_response(problem("bad_parameter", _reason(error.errors()[0])))

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> JSONResponse:
        found = problem_of_status(error.status_code, str(error.detail))
        return problem_response(found, error.headers)

    @app.exception_handler(Exception)
    def _unexpected(request: Request, error: Exception) -> JSONResponse:
        return problem_response(problem("internal_error", "内部エラーが起きました。"))


class PlainErrors:
    """Turns errors that a mounted application words as plain text into problems.

    What is JSON (a protocol's own errors) or HTML (a page for people) stays as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        held: Message | None = None
        body = bytearray()

        async def replaced(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and _is_plain_error(message):
                held = message
                return
            if held is None:
                await send(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                detail = body.decode("utf-8", "replace").strip() or "error"
                response = problem_response(problem_of_status(held["status"], detail))
                await response(scope, receive, send)

        await self.app(scope, receive, replaced)


def _is_plain_error(start: Message) -> bool:
    kinds = [value for name, value in start["headers"] if name.lower() == b"content-type"]
    plain = not kinds or kinds[0].startswith(b"text/plain")
    return bool(start["status"] >= 400 and plain)
