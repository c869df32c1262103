"""``saitei search`` and ``saitei ask`` on the packaged knowledge base."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from saitei.service.cli import command as border
from saitei.service.cli.options import shown_progress

QUESTION = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"
FIELDS = {"query", "answered", "kind", "confidence", "results", "reading"}
RESULT_FIELDS = {
    "id",
    "fingerprint",
    "occurrences",
    "document",
    "line",
    "subject",
    "text",
    "answer",
    "because",
    "rules",
    "checked",
    "status",
    "kind",
    "principle",
    "verdict",
    "score",
}


def test_search_json_has_the_fields_of_the_design(saitei, packaged_kb) -> None:
    ran = saitei("search", QUESTION, "--kb", str(packaged_kb), "--json", "--limit", "3")
    assert ran.code == 0
    assert set(ran.json) >= FIELDS
    assert len(ran.json["results"]) == 3
    assert set(ran.json["results"][0]) >= RESULT_FIELDS


def test_ask_json_adds_best_alternatives_and_revision(saitei, packaged_kb) -> None:
    answer = saitei("ask", QUESTION, "--kb", str(packaged_kb), "--json").json
    assert answer["object"] == "answer"
    assert answer["best"]["subject"]["id"] == "flashback"
    assert answer["best"]["id"] == answer["results"][0]["id"]
    assert answer["alternatives"]
    assert answer["revision"]


def test_ask_shows_the_answer_first_then_source_rules_and_status(saitei, packaged_kb) -> None:
    lines = saitei("ask", QUESTION, "--kb", str(packaged_kb)).out.splitlines()
    assert lines[0].startswith("追放される")
    shown = "\n".join(lines)
    for label in ("理由: ", "出典: ", "規則: 702.34a", "2025年2月7日版", "状態: 現行"):
        assert label in shown


def test_a_question_of_another_world_is_refused_with_exit_0(saitei, packaged_kb) -> None:
    ran = saitei("ask", "明日の東京の天気と最高気温を教えて", "--kb", str(packaged_kb))
    assert ran.code == 0
    assert ran.out.startswith("該当する裁定は見つかりませんでした")


def test_what_is_near_an_unanswered_question_is_called_near(saitei, packaged_kb) -> None:
    ran = saitei("search", "明日の東京の天気", "--kb", str(packaged_kb), "--limit", "2")
    first, second, *near = ran.out.splitlines()
    assert first == "該当する裁定は見つかりませんでした。"
    assert second == "近い裁定（この質問の答えとは限りません）:"
    assert len(near) == 2


def test_a_batch_answers_every_line_in_order(saitei, packaged_kb, tmp_path) -> None:
    questions = [QUESTION, "", "腐乱のゾンビは殴らないとダメ？", "あ" * 10_000, "？？？"]
    file = tmp_path / "questions.txt"
    file.write_text("\n".join(questions) + "\n", "utf-8")
    ran = saitei("search", "--batch", str(file), "--jsonl", "--kb", str(packaged_kb))
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [line["query"] for line in lines] == questions
    assert [bool(line["results"]) for line in lines] == [True, False, True, False, False]
    assert all(set(line) >= FIELDS for line in lines)


def test_an_explanation_is_given_on_demand(saitei, packaged_kb) -> None:
    ran = saitei("search", QUESTION, "--kb", str(packaged_kb), "--json", "--explain")
    why = ran.json["results"][0]["explain"]
    assert why["terms"]
    assert why["dense_rank"]
    assert [term for term in ran.json["reading"]["terms"] if "フラッシュバック" in term]


@pytest.mark.parametrize(
    ("query", "says"),
    [("", "空"), ("あ" * 10_000, "長すぎ"), ("！？＊", "記号だけ"), ("腐乱\0", "NUL")],
)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_bad_question_is_one_line_and_exit_2(saitei, packaged_kb, command, query, says) -> None:
    ran = saitei(command, query, "--kb", str(packaged_kb))
    assert ran.code == 2
    assert ran.out == ""
    assert says in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("search", "q", "--batch", "-"),
        ("search", "--batch", "/nonexistent"),
        ("search", "q", "--limit", "0"),
        ("search", "q", "--limit", "51"),
        ("ask", "q", "--kb", ""),
        ("ask",),
        ("frobnicate",),
    ],
)
def test_wrong_use_is_exit_2_without_traceback(saitei, arguments) -> None:
    ran = saitei(*arguments)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err


def test_a_damaged_knowledge_base_is_one_line(saitei, tmp_path) -> None:
    kb = tmp_path / "broken"
    kb.mkdir()
    (kb / "current").write_text("000009")
    ran = saitei("ask", QUESTION, "--kb", str(kb))
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err.count("\n") == 1


def test_a_batch_survives_bytes_that_are_no_text(saitei, packaged_kb, tmp_path) -> None:
    file = tmp_path / "questions.txt"
    good = QUESTION.encode()
    file.write_bytes(
        b"\xef\xbb\xbf" + good + b"\r\n\xff\xfe\n" + "腐乱".encode("cp932") + b"\n" + good
    )
    ran = saitei("search", "--batch", str(file), "--jsonl", "--kb", str(packaged_kb))
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [bool(line["results"]) for line in lines] == [True, False, False, True]
    assert lines[0]["query"] == lines[3]["query"] == QUESTION
    assert "UTF-8" in lines[1]["message"]
    assert lines[1]["refused"] == "unreadable"


def test_a_question_in_kana_is_shown_as_it_was_read(saitei, packaged_kb) -> None:
    typed = "しんずいのはりでゆうはつがたのうりょくはとまる？"
    for command in ("ask", "search"):
        ran = saitei(command, typed, "--kb", str(packaged_kb))
        assert ran.out.startswith("読み替え: 真髄の針で")
    ran = saitei("ask", typed, "--json", "--kb", str(packaged_kb))
    assert ran.json["query"] == typed
    assert ran.json["reading"]["written"].startswith("真髄の針で")
    assert [card["ja"] for card in ran.json["reading"]["cards"]] == ["真髄の針"]
    ran = saitei("ask", QUESTION, "--json", "--kb", str(packaged_kb))
    assert ran.json["reading"]["written"] is None


def test_an_evaluation_of_nothing_is_an_error(saitei, packaged_kb, tmp_path) -> None:
    ran = saitei("evaluate", "--split", "no-such-part", "--kb", str(packaged_kb))
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_an_evaluation_by_what_is_not_there_is_an_error(saitei, packaged_kb, tmp_path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text(
        '{"id": "q1", "text": "腐乱とは", "lang": "ja", "kind": "plain", "split": "dev"}\n', "utf-8"
    )
    (tmp_path / "qrels.tsv").write_text("query\ttarget\tgrade\nq1\tno-such-rule\t2\n", "utf-8")
    ran = saitei("evaluate", "--queries", str(queries), "--kb", str(packaged_kb))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "'no-such-rule'" in ran.err


def test_an_address_in_use_is_one_line(saitei, packaged_kb) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = saitei("serve", "--port", port, "--kb", str(packaged_kb))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert port in ran.err


def test_a_penalty_is_never_invented(saitei, packaged_kb) -> None:
    ran = saitei("ask", "腐乱の誘発を忘れたらペナルティは何？", "--kb", str(packaged_kb))
    assert (ran.code, ran.out.splitlines()[0]) == (
        0,
        "大会規定の範囲です。会場のジャッジにお尋ねください。",
    )


def test_a_reader_that_goes_away_is_no_error(packaged_kb) -> None:
    """``saitei search ... | head -1``: the answer was good, the rest of it unwanted."""
    code = "from saitei.service.cli import main; main()"
    command = [sys.executable, "-c", code, "search", QUESTION, "--kb", str(packaged_kb)]
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_said_to_be_one(packaged_kb) -> None:
    code = "from saitei.service.cli import main; main()"
    command = [sys.executable, "-c", code, "search", QUESTION, "--kb", str(packaged_kb)]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "saitei: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("ended_with", "said"),
    [
        (ExceptionGroup("tasks", [OSError(28, "full")]), (2, "saitei: [Errno 28] full\n")),
        (
            ExceptionGroup("tasks", [ExceptionGroup("", [ValueError("x")]), OSError(28, "full")]),
            (2, "saitei: [Errno 28] full\n"),
        ),
        (ExceptionGroup("tasks", [ValueError("x")]), (2, "saitei: 内部エラー (ValueError): x\n")),
    ],
)
def test_what_ended_a_servers_task_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys, ended_with: Exception, said: tuple[int, str]
) -> None:
    monkeypatch.setattr(border.cli, "invoke", Mock(side_effect=ended_with))
    monkeypatch.setattr(sys, "argv", ["saitei", "mcp"])
    with pytest.raises(SystemExit) as ended:
        border.main()
    assert (ended.value.code, capsys.readouterr().err) == said


def test_an_mcp_client_that_goes_away_is_no_error(packaged_kb) -> None:
    code = "from saitei.service.cli import main; main()"
    reader, writer = os.pipe()
    os.close(reader)
    client = {"name": "test", "version": "1"}
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    ended = subprocess.run(
        [sys.executable, "-c", code, "mcp", "--kb", str(packaged_kb)],
        input=json.dumps(asked) + "\n",
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert ended.returncode == 0
    assert "Error" not in ended.stderr


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_mcp_without_its_streams_says_so(packaged_kb, closed: str) -> None:
    # Closed before Python starts, as ``<&-`` and ``>&-`` do.
    code = "from saitei.service.cli import main; main()"
    number = {"stdin": 0, "stdout": 1}[closed]
    ended = subprocess.run(
        [sys.executable, "-c", code, "mcp", "--kb", str(packaged_kb)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: os.close(number),
    )
    assert ended.returncode == 2
    assert "標準入力か標準出力が閉じています" in ended.stderr


def test_a_knowledge_base_that_is_missing_is_built_and_said_to_be(saitei, tmp_path) -> None:
    mistyped = tmp_path / "mistyped"
    ran = saitei("ask", QUESTION, "--kb", str(mistyped))
    assert ran.err.startswith(f"知識ベースを作っています: {mistyped}\n")
    assert saitei("ask", QUESTION, "--kb", str(mistyped)).err == ""


def test_progress_that_cannot_be_shown_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.echo", Mock(side_effect=OSError(28, "full")))
    with shown_progress() as progress:
        progress(0, 1)


def test_jsonl_is_for_batches(saitei, packaged_kb) -> None:
    ran = saitei("search", "腐乱", "--jsonl", "--kb", str(packaged_kb))
    assert ran.code == 2
    assert "--batch" in ran.err


def test_ask_can_say_why(saitei, packaged_kb) -> None:
    ran = saitei("ask", "腐乱持ちは必ず殴る？", "--kb", str(packaged_kb), "--explain")
    assert "読み取ったカード: なし  用語: 腐乱" in ran.out
    assert re.search(r"確からしさ: 0\.\d{4}（0\.\d{4} から答えます）", ran.out)
    assert "確率 0." in ran.out
    assert "答えない理由" not in ran.out


def test_ask_can_say_why_there_is_no_answer(saitei, packaged_kb) -> None:
    for command in ("ask", "search"):
        ran = saitei(command, "墓所這い", "--kb", str(packaged_kb), "--explain")
        assert "カードについて何を知りたいかを書き添えてください。" in ran.out
        assert "答えない理由: 手がかりになる語が足りません" in ran.out
    nameless = saitei("ask", "教えてください", "--kb", str(packaged_kb))
    assert "カード名か、何が起きたかを書き添えてください。" in nameless.out


@pytest.mark.parametrize("question", ["稲妻", "稲妻は何点？", "墓所這いと稲妻"])
def test_a_card_without_rulings_is_said_to_be_one(saitei, packaged_kb, question: str) -> None:
    ran = saitei("ask", question, "--kb", str(packaged_kb))
    assert "《稲妻》についての裁定は収録していません。" in ran.out
    asks_for_more = "カードについて何を知りたいかを書き添えてください。" in ran.out
    assert asks_for_more == ("墓所這い" in question)


@pytest.mark.parametrize(
    "wrapped",
    ["ジャッジー！ {}", "すみません、質問です。{}", "{}、教えてください。", "MTG question: {}"],
)
def test_courtesies_change_no_answer(saitei, packaged_kb, wrapped: str) -> None:
    question = "腐乱持ちは必ず殴る？"
    kb = str(packaged_kb)
    plain = saitei("ask", question, "--kb", kb, "--json").json
    polite = saitei("ask", wrapped.format(question), "--kb", kb, "--json").json
    assert polite["best"]["id"] == plain["best"]["id"]
