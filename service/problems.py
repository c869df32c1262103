"""One error shape for every path: RFC 9457 problem details with a stable ``code``."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from saitei.index.encoder import EncoderError
from saitei.index.retrieval import QueryError
from saitei.index.store import StoreError


class Problem(BaseModel):
    """The body of every error answer. ``code`` is stable; ``detail`` is for people."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str


class ProblemError(Exception):
    """Raised by a route to answer with a problem."""

    def __init__(self, status: int, code: str, title: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = Problem(title=title, status=status, code=code, detail=detail)


def not_found(code: str, detail: str) -> ProblemError:
    return ProblemError(404, code, "Not found", detail)


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(
        problem.model_dump(),
        status_code=problem.status,
        media_type="application/problem+json",
        headers=headers,
    )


_TITLES = {
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
}


def install_problem_handlers(app: FastAPI) -> None:
    """Make ``app`` answer every error as a problem."""

    @app.exception_handler(ProblemError)
    def _own(request: Request, error: ProblemError) -> JSONResponse:
        return problem_response(error.problem)

    @app.exception_handler(QueryError)
    def _query(request: Request, error: QueryError) -> JSONResponse:
        return problem_response(
            Problem(title="Bad query", status=422, code="bad_query", detail=str(error))
        )

    @app.exception_handler(StoreError)
    @app.exception_handler(EncoderError)
    def _store(request: Request, error: Exception) -> JSONResponse:
        # The message names folders of this machine: it belongs in the log, not in an answer.
        return problem_response(
            Problem(
                title="Knowledge base unavailable",
                status=503,
                code="knowledge_unavailable",
                detail="知識ベースを開けません。管理者は saitei doctor で確かめてください。",
            )
        )

    @app.exception_handler(RequestValidationError)
    def _validation(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return problem_response(
            Problem(
                title="Bad request",
                status=422,
                code="bad_parameter",
                detail=f"{where}: {first['msg']}",
            )
        )

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> JSONResponse:
        code, title = _TITLES.get(error.status_code, ("http_error", "Error"))
        return problem_response(
            Problem(title=title, status=error.status_code, code=code, detail=str(error.detail)),
            headers=dict(error.headers or {}),
        )

    @app.exception_handler(Exception)
    def _unexpected(request: Request, error: Exception) -> JSONResponse:
        return problem_response(
            Problem(
                title="Internal error",
                status=500,
                code="internal_error",
                detail="内部エラーが起きました。",
            )
        )
