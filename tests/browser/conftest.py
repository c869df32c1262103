"""A real browser on a real server; without a browser these tests skip and say why."""

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from saitei.service.knowledge import Knowledge
from tests.browser.site import recorded, site

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}


def browser_path() -> str | None:
    """The browser of the system, if it has one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for the tests of this folder: its event loop would be in the way of others'."""
    path = browser_path()
    if path is None:
        pytest.skip(f"no browser found ({', '.join(NAMES)})")
    with sync_playwright() as running:
        try:
            started = running.chromium.launch(executable_path=path, args=list(QUIET))
        except Error as error:
            pytest.skip(f"{path} does not start: {str(error).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the packaged knowledge base and a few replays."""
    kb = tmp_path_factory.mktemp("kb")
    Knowledge(kb).ensure()
    with recorded(tmp_path_factory.mktemp("replays")), serving(kb) as where:
        yield where


class serving:  # noqa: N801 - read as a verb: `with serving(kb) as address`
    """Serves a knowledge base on a free port while it lasts."""

    def __init__(self, kb: Path) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._server = uvicorn.Server(uvicorn.Config(site(kb), log_level="error"))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    def __enter__(self) -> str:
        self._thread.start()
        until = time.monotonic() + 30
        while not self._server.started:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)


Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Open]:
    """Opens a page of the site; keywords go to the browser's context.

    What a page writes to the console, and every request that leaves the site, fails the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, **context: object) -> Page:
        settings = {"viewport": DESK, "locale": "ja-JP", "reduced_motion": "reduce", **context}
        made = browser.new_context(**settings)
        contexts.append(made)
        page = made.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if line.type == "error" else None,
        )
        page.on(
            "request",
            lambda sent: None if sent.url.startswith(address) else complaints.append(sent.url),
        )
        page.goto(address + path)
        return page

    yield open_page
    for made in contexts:
        made.close()
    assert complaints == []
