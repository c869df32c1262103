"""One error shape on every path of the application, however it fails."""

import dataclasses
import re
from sqlite3 import DatabaseError

import pytest
from fastapi.testclient import TestClient

from saitei.index.store import StoreError
from saitei.service.app import create_app
from saitei.service.http.problems import CODES
from saitei.service.settings import Settings

PROBLEM = "application/problem+json"
SECRETS = {"line_channel_secret": "SECRET-channel", "line_access_token": "SECRET-token"}


def everything(kb: str) -> Settings:
    """Settings with every door open."""
    key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    return dataclasses.replace(Settings(), kb=kb, rate=0, discord_public_key=key, **SECRETS)


def paths() -> list[str]:
    """Every path of the application, its parameters filled with a name of nothing."""
    app = create_app(everything("unused"))
    plain = [route.path for route in app.routes if getattr(route, "path", None)]
    found = [*app.openapi()["paths"], *plain, "/nothing", "/v1/nothing", "/v1", "/v1/"]
    return sorted({re.sub(r"\{.*?\}", "nothing", path) for path in found})


PATHS = paths()


@pytest.fixture(scope="module")
def app(packaged_kb):
    return create_app(everything(str(packaged_kb)))


@pytest.fixture(scope="module")
def client(app):
    with TestClient(app, base_url="http://localhost:8000", raise_server_exceptions=False) as client:
        yield client


def check(answer, path: str) -> None:
    """An error is a problem with a known code; a page for people may be a page instead."""
    if answer.status_code < 400:
        return
    kind = answer.headers["content-type"].partition(";")[0]
    if kind == "text/html" and not path.startswith(("/v1", "/mcp", "/discord", "/line")):
        return
    if path == "/mcp" and kind == "application/json":
        assert "jsonrpc" in answer.json()
        return
    assert kind == PROBLEM, (path, answer.text)
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["code"] in CODES
    assert problem["title"]
    assert problem["detail"]
    assert "etag" not in answer.headers
    assert "SECRET" not in answer.text


def test_there_are_paths_of_every_door() -> None:
    assert {"/v1/answer", "/mcp", "/discord/interactions", "/line/webhook", "/healthz"} <= {*PATHS}
    assert len(PATHS) > 25


@pytest.mark.parametrize("path", PATHS)
def test_as_asked_with_nothing(client, path: str) -> None:
    for method in ("GET", "POST"):
        check(client.request(method, path), path)


@pytest.mark.parametrize("path", PATHS)
def test_by_a_method_it_does_not_take(client, path: str) -> None:
    answer = client.request("PATCH", path)
    assert answer.status_code in (404, 405, 406)
    check(answer, path)


@pytest.mark.parametrize("path", PATHS)
def test_with_a_parameter_that_cannot_be(client, path: str) -> None:
    check(client.get(path, params={"q": "\0", "limit": "many", "page": "-1", "since": "x"}), path)


@pytest.fixture
def broken(app, client, monkeypatch: pytest.MonkeyPatch):
    """Let the knowledge base fail to open with an error."""

    def breaks(error: Exception) -> None:
        def refuse():
            raise error

        monkeypatch.setattr(app.state.knowledge, "open", refuse)

    return breaks


@pytest.mark.parametrize("path", PATHS)
def test_when_the_knowledge_base_cannot_be_opened(client, broken, path: str) -> None:
    broken(StoreError("/home/somebody/kb: SECRET place"))
    answer = client.get(path, params={"q": "腐乱"})
    check(answer, path)
    assert "/home/somebody" not in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_when_something_unexpected_happens(client, broken, path: str) -> None:
    broken(RuntimeError("SECRET inside"))
    answer = client.get(path, params={"q": "腐乱"})
    check(answer, path)
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/v1/answer", "query.q: 指定してください。"),
        ("/v1/search?q=腐乱&limit=51", "query.limit: 50 以下にしてください。"),
        ("/v1/search?q=腐乱&page=0", "query.page: 1 以上にしてください。"),
        ("/v1/search?q=腐乱&limit=many", "query.limit: 整数ではありません。"),
        ("/v1/search?q=腐乱&explain=perhaps", "query.explain: true か false にしてください。"),
        ("/v1/answer?q=腐乱&format=xml", "query.format: 使えるのは json, chat, line です。"),
        ("/v1/cards/named?exact=", "query.exact: 1 文字以上にしてください。"),
        (f"/v1/cards/named?exact={'a' * 201}", "query.exact: 200 文字以下にしてください。"),
        ("/v1/nothing", "そのようなパスはありません。"),
    ],
)
def test_what_is_wrong_is_said_in_japanese(client, path: str, detail: str) -> None:
    assert client.get(path).json()["detail"] == detail


def test_the_two_failures_have_their_codes(client, broken) -> None:
    # SQLite's: a database damaged while the service runs.
    for error in (StoreError("x"), DatabaseError("file is not a database")):
        broken(error)
        answer = client.get("/v1/answer?q=腐乱")
        assert (answer.status_code, answer.json()["code"]) == (503, "knowledge_unavailable")
    broken(RuntimeError("x"))
    answer = client.get("/v1/answer?q=腐乱")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
