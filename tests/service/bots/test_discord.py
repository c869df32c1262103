"""Discord interactions: signatures, the command, its completion, answers in time and late."""

import dataclasses
import json
import logging
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi.testclient import TestClient

from saitei.service.app import create_app
from saitei.service.bots.discord import COMMAND, answer_embed, choices, escaped
from saitei.service.settings import Settings
from saitei.service.views import ENGINE_CAVEAT
from tests.service.answers_made import answered, refused, ruling
from tests.service.bots.stand_in import StandIn

QUESTION = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"
KEY = Ed25519PrivateKey.generate()
PATH = "/discord/interactions"
EXAMPLES = Path(__file__).parents[3] / "examples"


def settings_of(packaged_kb, **changed) -> Settings:
    public = KEY.public_key().public_bytes_raw().hex()
    return dataclasses.replace(
        Settings(), kb=str(packaged_kb), rate=0, mcp=False, discord_public_key=public, **changed
    )


@pytest.fixture(scope="module")
def client(packaged_kb):
    with TestClient(create_app(settings_of(packaged_kb))) as client:
        yield client


def send(client, interaction: dict | bytes, *, key=KEY, timestamp="1700000000", **headers):
    body = interaction if isinstance(interaction, bytes) else json.dumps(interaction).encode()
    signature = key.sign(timestamp.encode() + body).hex()
    signs = {"x-signature-ed25519": signature, "x-signature-timestamp": timestamp}
    return client.post(PATH, content=body, headers=signs | headers)


def command(question: str, card: str | None = None, kind: int = 2, focused: str = "") -> dict:
    options = [{"name": "質問", "type": 3, "value": question}]
    options += [{"name": "カード", "type": 3, "value": card}] if card is not None else []
    for option in options:
        option["focused"] = option["name"] == focused
    return {
        "type": kind,
        "id": "1",
        "application_id": "42",
        "token": "SECRET/interaction+token",
        "data": {"id": "7", "name": "裁定", "options": options},
    }


def test_a_ping_is_answered(client) -> None:
    assert send(client, {"type": 1}).json() == {"type": 1}


@pytest.mark.parametrize(
    "headers",
    [
        {"x-signature-ed25519": "00" * 64},
        {"x-signature-ed25519": "zz"},
        {"x-signature-ed25519": "00"},
        {"x-signature-ed25519": ""},
        {"x-signature-timestamp": "1700000001"},
        {"x-signature-timestamp": ""},
    ],
)
def test_a_signature_that_does_not_fit_is_refused(client, headers: dict) -> None:
    answer = send(client, {"type": 1}, **headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")


def test_a_signature_of_another_key_or_another_body_is_refused(client) -> None:
    assert send(client, {"type": 1}, key=Ed25519PrivateKey.generate()).status_code == 401
    timestamp, body = "1700000000", b'{"type": 1}'
    signature = KEY.sign(timestamp.encode() + body).hex()
    headers = {"x-signature-ed25519": signature, "x-signature-timestamp": timestamp}
    assert client.post(PATH, content=body, headers=headers).status_code == 200
    assert client.post(PATH, content=body + b" ", headers=headers).status_code == 401
    assert client.post(PATH, content=body).status_code == 401


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"type": 2}', b'{"type": 3, "data": null}'])
def test_a_signed_body_that_is_no_interaction_is_a_problem(client, body: bytes) -> None:
    answer = send(client, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_body")


def test_the_command_answers_with_source_status_verdict_and_link(client) -> None:
    reply = send(client, command(QUESTION)).json()
    assert reply["type"] == 4
    assert reply["data"]["allowed_mentions"] == {"parse": []}
    embed = reply["data"]["embeds"][0]
    assert embed["author"]["name"] == f"Q. {QUESTION}"
    assert embed["description"].startswith("**追放される。")
    fields = {field["name"]: field["value"] for field in embed["fields"]}
    assert "リリースノート" in fields["出典"]
    assert "702.34a" in fields["規則"]
    assert "2025年2月7日版" in fields["規則"]
    assert fields["状態"] == "現行"
    assert "/rulings/mid-release-notes." in embed["url"]


def test_the_card_option_is_part_of_the_question(client) -> None:
    reply = send(
        client, command("攻撃したらトークンは何体出る？", "輝かしい聖戦士、エーデリン")
    ).json()
    assert reply["data"]["embeds"][0]["title"] == "輝かしい聖戦士、エーデリン"


def test_a_refusal_shows_what_is_near_as_no_answer(client) -> None:
    embed = send(client, command("明日の東京の天気と最高気温を教えて")).json()["data"]["embeds"][0]
    assert "見つかりませんでした" in embed["description"]
    assert "title" not in embed
    assert [field["name"] for field in embed["fields"]] == [
        "近い裁定（この質問の答えとは限りません）:"
    ]


def test_a_question_that_cannot_be_used_is_told_to_the_asker_alone(client) -> None:
    reply = send(client, command("!!!")).json()
    assert reply["data"]["flags"] == 64
    assert "記号だけ" in reply["data"]["content"]


def test_completion_of_a_card_and_of_a_question(client) -> None:
    cards = send(client, command("", "えーで", kind=4, focused="カード")).json()
    assert cards["type"] == 8
    assert cards["data"]["choices"][0]["value"] == "輝かしい聖戦士、エーデリン"
    asked = send(client, command("フラッシュバック 打ち消", kind=4, focused="質問")).json()
    values = [choice["value"] for choice in asked["data"]["choices"]]
    assert 0 < len(values) <= 25
    assert any("打ち消" in value for value in values)
    nothing = send(client, command("", kind=4, focused="質問")).json()
    assert nothing["data"]["choices"] == []


def test_choices_are_at_most_25_of_at_most_100_characters() -> None:
    listed = choices([*(f"問{n}" for n in range(40)), "長" * 101])["data"]["choices"]
    assert len(listed) == 25
    assert choices(["長" * 101, "短", "短"])["data"]["choices"] == [{"name": "短", "value": "短"}]


class TestEmbed:
    """What an embed may and may not say."""

    def test_the_engines_verdict_comes_with_its_caveat(self) -> None:
        embed = answer_embed(answered(ruling(outcome="confirmed", text="reworded")), None)
        engine = next(f["value"] for f in embed["fields"] if f["name"] == "エンジン")
        assert "カードの文を言い換え" in engine
        assert embed["footer"]["text"] == ENGINE_CAVEAT

    def test_a_verdict_on_some_claims_is_not_confirmed(self) -> None:
        embed = answer_embed(answered(ruling(outcome="partial")), None)
        engine = next(f["value"] for f in embed["fields"] if f["name"] == "エンジン")
        assert engine.startswith("一部だけを確認")

    def test_procedure_has_no_verdict_and_refers_to_a_judge(self) -> None:
        embed = answer_embed(answered(ruling(status="procedure")), None)
        assert "大会規定の範囲" in embed["description"]
        assert "エンジン" not in [field["name"] for field in embed["fields"]]
        assert "footer" not in embed

    def test_every_part_stays_within_discords_limits(self) -> None:
        long = ruling(answer="答" * 5000, because="理" * 5000, rules=["100.1a"] * 400)
        embed = answer_embed(answered(long, query="問" * 1000), "https://s.example/r")
        values = [field["value"] for field in embed["fields"]]
        all_parts = [embed["author"]["name"], embed["title"], embed["description"], *values]
        assert sum(map(len, all_parts)) < 6000
        assert len(embed["author"]["name"]) <= 256
        assert len(embed["description"]) <= 4096
        assert all(len(field["value"]) <= 1024 for field in embed["fields"])
        near = answer_embed(refused(ruling(answer="近" * 2000)), None)
        assert len(near["fields"][0]["value"]) <= 1024

    def test_markup_is_shown_as_it_is(self) -> None:
        assert escaped("*/4 と @everyone") == "\\*/4 と @everyone"


def test_a_late_answer_is_deferred_and_then_put_in_its_place(packaged_kb, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    stand_in = StandIn()
    settings = settings_of(packaged_kb, discord_timeout=0.0, discord_api=stand_in.url)
    with TestClient(create_app(settings)) as client:
        assert send(client, command(QUESTION)).json() == {"type": 5}
        (late,) = stand_in.wait()
    stand_in.close()
    token = "SECRET%2Finteraction%2Btoken"
    assert (late.method, late.path) == ("PATCH", f"/webhooks/42/{token}/messages/@original")
    assert late.body["allowed_mentions"] == {"parse": []}
    assert late.body["embeds"][0]["description"].startswith("**追放される。")
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize("status", [404, 500])
def test_a_late_answer_that_is_not_taken_is_logged_without_the_token(
    packaged_kb, caplog, status: int
) -> None:
    caplog.set_level(logging.DEBUG)
    stand_in = StandIn()
    stand_in.statuses = [status]
    settings = settings_of(packaged_kb, discord_timeout=0.0, discord_api=stand_in.url)
    with TestClient(create_app(settings)) as client:
        send(client, command(QUESTION))
        stand_in.wait()
        until = time.monotonic() + 2
        while "not delivered" not in caplog.text and time.monotonic() < until:
            time.sleep(0.01)
    stand_in.close()
    assert f"Discord answered {status}" in caplog.text
    assert "SECRET" not in caplog.text


def test_without_a_key_there_is_no_such_path(packaged_kb) -> None:
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb), mcp=False)
    with TestClient(create_app(settings)) as client:
        assert send(client, {"type": 1}).json()["code"] == "not_found"


def test_the_example_registers_this_command() -> None:
    assert json.loads((EXAMPLES / "discord-command.json").read_text("utf-8")) == COMMAND
