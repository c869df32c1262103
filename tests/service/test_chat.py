"""The chat-sized answer: what is said first, what is never left out, and how long it may be."""

import dataclasses

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from saitei.service.app import create_app
from saitei.service.chat import CHAT, LINE, chat_length, chat_text, cut
from saitei.service.settings import Settings
from saitei.service.views import ENGINE_CAVEAT, ReadingView
from tests.service.answers_made import CHANGED, SUPERSEDED, answered, refused, ruling

URL = "https://saitei.example/rulings/some-faq.0a1b2c3d4e5f"
LONG = st.text(min_size=1, max_size=900)


def test_an_answer_with_everything_in_its_order() -> None:
    text = chat_text(answered(ruling(outcome="confirmed")), CHAT, URL)
    assert text.splitlines() == [
        "はい。できる。",
        "理由: そう書かれているから。",
        "出典: ある質問集（2012-01-01）「ある札」 7行目",
        "規則: 100.1a（2025年2月7日版の総合ルールで確認）",
        "エンジン: 裁定どおりに動くことを確認（phase 1.2.3）",
        ENGINE_CAVEAT,
        URL,
    ]


def test_an_outdated_ruling_is_led_by_todays_answer_and_called_old() -> None:
    old = ruling(status=SUPERSEDED, oracle_changed=CHANGED, text="昔の公式の文。")
    lines = chat_text(answered(old), LINE).splitlines()
    assert lines[0] == "はい。できる。"
    assert lines[1] == "旧裁定（2018-04-27、移し替えの規則の廃止）"
    assert lines[2] == "カードの文章が変更されています: 移し替えに触れない文になった"
    assert "昔の公式の文" not in "\n".join(lines)


def test_procedure_refers_to_a_judge() -> None:
    text = chat_text(answered(ruling(status="procedure")), CHAT)
    assert "大会規定の範囲です" in text


def test_no_result_can_carry_a_verdict_on_procedure() -> None:
    with pytest.raises(ValueError, match="no engine decides"):
        ruling(status="procedure", outcome="confirmed")


def test_confirmed_is_never_said_without_how_the_card_was_written() -> None:
    reworded = chat_text(answered(ruling(outcome="confirmed", text="reworded")), CHAT)
    assert "カードの文を言い換え" in reworded
    patched = chat_text(answered(ruling(outcome="confirmed", text="patched")), CHAT)
    assert "カードの解釈を補正" in patched
    partial = chat_text(answered(ruling(outcome="partial")), CHAT)
    assert "一部だけを確認" in partial


def test_a_principle_is_called_one() -> None:
    principle = ruling(kind="principle", subject=None, document=None, fingerprint=None)
    assert chat_text(answered(principle), CHAT).startswith("原則では、")


def test_a_question_typed_in_kana_is_shown_as_it_was_read() -> None:
    read = ReadingView(written="墓地から戻る？", cards=[], terms=[])
    for answer in (answered(ruling()), refused(ruling())):
        asked = answer.model_copy(update={"reading": read})
        assert "読み替え: 墓地から戻る？" in chat_text(asked, CHAT).splitlines()
        assert "読み替え" not in chat_text(answer, CHAT)


def test_a_refusal_shows_what_is_near_as_no_answer() -> None:
    lines = chat_text(refused(ruling(), ruling(answer="別の答え。")), LINE).splitlines()
    assert lines == [
        "該当する裁定は見つかりませんでした。",
        "近い裁定（この質問の答えとは限りません）:",
        "・ある札: はい。できる。",
        "・ある札: 別の答え。",
    ]


def test_other_rulings_are_not_mixed_into_an_answer() -> None:
    text = chat_text(answered(ruling(), near=[ruling(answer="別の答え。")]), CHAT)
    assert "別の答え" not in text


@given(LONG, LONG, LONG, st.sampled_from([100, LINE, CHAT]), st.booleans())
def test_it_fits_and_keeps_what_qualifies_it(
    answer: str, because: str, gist: str, limit: int, old: bool
) -> None:
    changed = CHANGED.model_copy(update={"gist": gist})
    status = SUPERSEDED if old else "current"
    best = ruling(
        answer=answer, because=because, oracle_changed=changed, status=status, outcome="confirmed"
    )
    text = chat_text(answered(best), limit, URL)
    assert chat_length(text) <= limit
    assert ("旧裁定" in text) == old or "旧裁定" in answer + because + gist
    assert "カードの文章が変更" in text
    if "エンジン: " in text and "エンジン: " not in answer + because + gist:
        assert ENGINE_CAVEAT in text


@given(st.text(max_size=60), st.integers(1, 40))
def test_cutting_counts_as_chats_do(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert chat_length(short) <= limit
    assert short == text or short.endswith("…")


def test_a_limit_with_no_room_is_refused() -> None:
    with pytest.raises(ValueError, match="99 is too short"):
        chat_text(answered(ruling()), 99)


@pytest.mark.parametrize(("form", "limit"), [("chat", CHAT), ("line", LINE)])
def test_over_http(packaged_kb, form: str, limit: int) -> None:
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb), mcp=False)
    with TestClient(create_app(settings)) as client:
        asked = {"q": "フラッシュバックで唱えた呪文が打ち消されたら？", "format": form}
        chat = client.get("/v1/answer", params=asked).json()
        assert (chat["object"], chat["answered"]) == ("chat", True)
        assert chat["text"].startswith("追放される。")
        assert chat_length(chat["text"]) <= limit
        assert chat["url"] == f"http://testserver/rulings/{chat['id']}"
        assert client.get("/v1/answer", params=asked | {"format": "x"}).status_code == 422
