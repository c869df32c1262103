"""The example bots, against a service on a local port."""

import dataclasses
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from saitei.service.app import create_app
from saitei.service.settings import Settings

EXAMPLES = Path(__file__).parents[3] / "examples"
ASKED = (
    "フラッシュバックで唱えた呪文が打ち消されたら？\n!!!\n\n明日の東京の天気と最高気温を教えて\n"
)


@pytest.fixture(scope="module")
def service(packaged_kb) -> Iterator[str]:
    """A service that takes two requests at once and then one a second."""
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb), rate=1, burst=2, mcp=False)
    config = uvicorn.Config(create_app(settings), port=0, log_level="error", proxy_headers=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(5)


@pytest.mark.parametrize("language", ["python", "node"])
def test_a_bot_answers_refuses_and_waits_when_it_asks_too_often(service, language: str) -> None:
    command = [sys.executable, "bot.py"]
    if language == "node":
        node = shutil.which("node")
        if node is None:
            pytest.skip("node is not installed")
        command = [node, "bot.mjs"]
    ran = subprocess.run(
        [*command, service],
        input=ASKED,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        cwd=EXAMPLES,
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("追放される。")
    assert "質問に文字がありません（記号だけです）。" in lines
    assert any(line.startswith("該当する裁定は見つかりませんでした。") for line in lines)


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs"])
def test_a_bot_is_about_thirty_lines(name: str) -> None:
    lines = (EXAMPLES / name).read_text("utf-8").splitlines()
    assert len(lines) <= 40
