"""``/v1``: the same objects as the command line, and one error shape on every path."""

import dataclasses

import pytest
from fastapi.testclient import TestClient

from saitei.service.app import create_app
from saitei.service.settings import Settings

QUESTION = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"


@pytest.fixture(scope="module")
def client(packaged_kb):
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb))
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def test_answer_is_the_command_lines_answer(client, saitei, packaged_kb) -> None:
    over_http = client.get("/v1/answer", params={"q": QUESTION}).json()
    assert over_http == saitei("ask", QUESTION, "--kb", str(packaged_kb), "--json").json


def test_search_is_a_list_with_pages(client) -> None:
    first = client.get("/v1/search", params={"q": QUESTION, "limit": 2}).json()
    assert first["object"] == "list"
    assert first["has_more"]
    second = client.get(first["next_page"]).json()
    ids = [result["id"] for result in (*first["data"], *second["data"])]
    assert len(ids) == len(set(ids)) == 4


@pytest.mark.parametrize("path", ["answer", "search"])
@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (QUESTION, None),
        ("墓所這い", "few-words"),
        ("Blorf wugs zxqv the quux plover?", "unknown-words"),
        ("腐乱持ちで殴らなかったら反則をとられた", "penalty"),
    ],
)
def test_a_refusal_has_a_reason(client, path: str, question: str, reason: str | None) -> None:
    found = client.get(f"/v1/{path}", params={"q": question}).json()
    assert (found["answered"], found["refused"]) == (reason is None, reason)
    assert 0 < found["needed"] < 1
    assert reason or found["confidence"] >= found["needed"]


@pytest.mark.parametrize(("path", "results"), [("answer", "results"), ("search", "data")])
def test_reasons_are_given_where_they_are_asked_for(client, path: str, results: str) -> None:
    asked = {"q": QUESTION, "limit": 2}
    plain = client.get(f"/v1/{path}", params=asked).json()[results]
    explained = client.get(f"/v1/{path}", params={**asked, "explain": True}).json()[results]
    assert [result["explain"] for result in plain] == [None, None]
    assert all(result["explain"]["features"]["nearest"] > 0 for result in explained)
    assert [{**result, "explain": None} for result in explained] == plain


def test_a_ruling_by_occurrence_and_by_fingerprint(client) -> None:
    best = client.get("/v1/answer", params={"q": QUESTION}).json()["best"]
    assert best["id"].startswith("mid-release-notes.")
    by_id = client.get(f"/v1/rulings/{best['id']}").json()
    by_fingerprint = client.get(f"/v1/rulings/{best['fingerprint']}").json()
    assert by_id == by_fingerprint
    assert by_id["answer"] == best["answer"]


@pytest.mark.parametrize(
    "name",
    ["輝かしい聖戦士、エーデリン", "Adeline, Resplendent Cathar", "adeline-resplendent-cathar"],
)
def test_a_cards_rulings_by_any_of_its_names(client, name: str) -> None:
    rulings = client.get(f"/v1/cards/{name}/rulings").json()
    assert {r["subject"]["id"] for r in rulings["data"]} == {"adeline-resplendent-cathar"}
    assert len(rulings["data"]) == 5


def test_a_known_card_without_rulings_says_so(client) -> None:
    rulings = client.get("/v1/cards/稲妻/rulings").json()
    assert rulings["data"] == []
    assert rulings["warnings"] == ["《稲妻》の裁定は収録していません。"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/answer", 422, "bad_parameter"),
        ("/v1/answer?q=", 422, "bad_query"),
        ("/v1/answer?q=%00", 422, "bad_query"),
        ("/v1/answer?q=" + "x" * 2000, 422, "bad_query"),
        ("/v1/answer?q=!!!", 422, "bad_query"),
        ("/v1/search?q=x&limit=0", 422, "bad_parameter"),
        ("/v1/search?q=x&limit=51", 422, "bad_parameter"),
        ("/v1/search?q=x&page=no", 422, "bad_parameter"),
        ("/v1/rulings/nothing", 404, "ruling_not_found"),
        ("/v1/cards/nobody-knows-it/rulings", 404, "card_not_found"),
        ("/v1/nothing", 404, "not_found"),
    ],
)
def test_every_error_is_a_problem(client, path: str, status: int, code: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == code
    assert answer.json()["status"] == status
    assert answer.json()["detail"]


def test_a_wrong_method_is_a_problem(client) -> None:
    answer = client.post("/v1/answer")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_the_page_asks_answers_and_refuses(client) -> None:
    assert "<form" in client.get("/").text
    answered = client.get("/", params={"q": QUESTION}).text
    assert "追放される" in answered
    assert "702.34a" in answered
    refused = client.get("/", params={"q": "明日の東京の天気と最高気温を教えて"}).text
    assert "該当する裁定は見つかりませんでした" in refused
    assert client.get("/", params={"q": "!?"}).status_code == 422


def test_what_a_user_types_is_escaped(client) -> None:
    page = client.get("/", params={"q": "<script>alert(1)</script>"}).text
    assert "<script>alert" not in page


def test_health_and_readiness(client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json()["revision"] == client.get("/v1/revision").json()["revision"]
