"""LINE webhooks: signatures, what is answered, once, and through which API."""

import dataclasses
import json
import logging

import pytest
from fastapi.testclient import TestClient

from saitei.service.app import create_app
from saitei.service.bots.line import Answered, questions, signature
from saitei.service.chat import chat_length
from saitei.service.settings import Settings
from tests.service.bots.stand_in import StandIn

SECRET, TOKEN = "SECRET-channel", "SECRET-token"
PATH = "/line/webhook"
QUESTION = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"


@pytest.fixture(scope="module")
def line():
    stand_in = StandIn()
    yield stand_in
    stand_in.close()


@pytest.fixture(autouse=True)
def _forgetful(line) -> None:
    line.taken.clear()
    line.statuses.clear()


@pytest.fixture(scope="module")
def client(packaged_kb, line):
    settings = dataclasses.replace(
        Settings(),
        kb=str(packaged_kb),
        rate=0,
        mcp=False,
        line_channel_secret=SECRET,
        line_access_token=TOKEN,
        line_api=line.url,
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def event(text: str, number: str, **changed) -> dict:
    return {
        "type": "message",
        "mode": "active",
        "timestamp": 1700000000000,
        "webhookEventId": f"event-{number}",
        "deliveryContext": {"isRedelivery": False},
        "replyToken": f"SECRET-reply-{number}",
        "source": {"type": "user", "userId": "U1"},
        "message": {"id": "1", "type": "text", "text": text},
    } | changed


def send(client, *events: dict, secret: str = SECRET, body: bytes | None = None, **headers):
    body = json.dumps({"destination": "U0", "events": events}).encode() if body is None else body
    headers = {"x-line-signature": signature(secret, body)} | headers
    return client.post(PATH, content=body, headers=headers)


def test_a_question_is_answered_through_the_messaging_api(client, line) -> None:
    assert send(client, event(QUESTION, "1")).status_code == 200
    (reply,) = line.taken
    assert (reply.method, reply.path) == ("POST", "/v2/bot/message/reply")
    assert reply.headers["authorization"] == f"Bearer {TOKEN}"
    assert reply.body["replyToken"] == "SECRET-reply-1"
    (message,) = reply.body["messages"]
    assert message["type"] == "text"
    assert message["text"].startswith("追放される。")
    assert "出典:" in message["text"]
    assert chat_length(message["text"]) <= 400


def test_the_signature_is_the_documented_one() -> None:
    # Base64 of HMAC-SHA256, computed with openssl for key "key" and body "body".
    assert signature("key", b"body") == "UVquEztDXUAAlWcx9orlz164XU8NxqVG0r/NNZXsGuE="


@pytest.mark.parametrize("headers", [{"x-line-signature": ""}, {"x-line-signature": "不正"}])
def test_a_signature_that_does_not_fit_is_refused(client, line, headers) -> None:
    headers = {name: value.encode() for name, value in headers.items()}
    answer = send(client, event(QUESTION, "2"), **headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
    assert line.taken == []


def test_a_signature_of_another_secret_or_body_is_refused(client, line) -> None:
    assert send(client, event(QUESTION, "3"), secret="other").status_code == 401
    body = b'{"events": []}'
    signed = {"x-line-signature": signature(SECRET, body)}
    assert client.post(PATH, content=body, headers=signed).status_code == 200
    assert client.post(PATH, content=body + b" ", headers=signed).status_code == 401
    assert client.post(PATH, content=body).status_code == 401
    assert line.taken == []


def test_an_event_that_is_delivered_again_is_answered_once(client, line) -> None:
    first = event(QUESTION, "4")
    again = first | {"deliveryContext": {"isRedelivery": True}}
    assert [send(client, each).status_code for each in (first, again, first)] == [200] * 3
    assert send(client, again, event(QUESTION, "5")).status_code == 200
    tokens = [reply.body["replyToken"] for reply in line.taken]
    assert tokens == ["SECRET-reply-4", "SECRET-reply-5"]


def test_a_redelivery_of_what_never_arrived_is_answered(client, line) -> None:
    send(client, event(QUESTION, "6", deliveryContext={"isRedelivery": True}))
    assert len(line.taken) == 1


def test_an_answer_that_failed_is_given_when_the_event_comes_again(client, line) -> None:
    line.statuses = [500]
    failed = send(client, event(QUESTION, "7"))
    assert (failed.status_code, failed.json()["code"]) == (503, "undelivered")
    assert send(client, event(QUESTION, "7")).status_code == 200
    assert len(line.taken) == 2


def test_a_reply_that_can_never_be_taken_is_not_tried_again(client, line) -> None:
    line.statuses = [400]
    assert send(client, event(QUESTION, "8")).status_code == 200
    assert send(client, event(QUESTION, "8")).status_code == 200
    assert len(line.taken) == 1


@pytest.mark.parametrize(
    "ignored",
    [
        {"type": "follow"},
        {"type": "a kind of next year", "message": 3},
        {"mode": "standby"},
        {"message": {"id": "1", "type": "sticker"}},
        {"message": {"id": "1", "type": "text", "text": "   "}},
        {"replyToken": ""},
        {"source": {"type": "group", "groupId": "G"}},
    ],
)
def test_what_asks_nothing_is_ignored(client, line, ignored: dict) -> None:
    assert send(client, event(QUESTION, "9", **ignored)).status_code == 200
    assert line.taken == []


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"{", b'{"events": 3}'])
def test_a_signed_body_that_is_no_webhook_is_a_problem(client, body: bytes) -> None:
    answer = send(client, body=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_body")


def asked(text: str, **changed) -> list[str]:
    body = json.dumps({"events": [event(text, "1", **changed)]}).encode()
    return [each.question for each in questions(body)]


def test_in_a_group_it_answers_when_called_or_mentioned() -> None:
    group = {"source": {"type": "group"}}
    assert asked("腐乱って何？", **group) == []
    assert asked("裁定 腐乱って何？", **group) == ["腐乱って何？"]
    assert asked("裁定：腐乱って何？", **group) == ["腐乱って何？"]
    # The mention's offsets count UTF-16 units: 🐉 is two.
    mention = {"mentionees": [{"index": 3, "length": 4, "type": "user", "isSelf": True}]}
    message = {"type": "text", "text": "🐉 @bot 腐乱って何？", "mention": mention}
    assert asked("", message=message, **group) == ["🐉  腐乱って何？"]


def test_only_the_latest_events_are_remembered() -> None:
    answered = Answered(size=2)
    assert [answered.claim(each) for each in "aab"] == [True, False, True]
    assert answered.claim("c")
    assert answered.claim("a")
    assert answered.claim("")
    assert answered.claim("")


def test_a_question_that_cannot_be_used_is_told_why(client, line) -> None:
    send(client, event("!!!", "10"))
    assert "記号だけ" in line.taken[0].body["messages"][0]["text"]


def test_no_secret_reaches_the_log_or_an_error(client, line, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    line.statuses = [500, 400]
    answers = [send(client, event(QUESTION, number)) for number in ("11", "12")]
    answers.append(send(client, event(QUESTION, "13"), secret="other"))
    assert "not delivered" in caplog.text
    for text in (caplog.text, *(answer.text for answer in answers)):
        assert "SECRET" not in text


def test_without_its_secrets_there_is_no_such_path(packaged_kb) -> None:
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb), mcp=False)
    with TestClient(create_app(settings)) as client:
        assert send(client, event(QUESTION, "14")).json()["code"] == "not_found"
