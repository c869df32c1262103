"""URLs: what servers send is read within limits; what they do wrong is one line, in time."""

import gzip
import http.server
import math
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from saitei.ingest.sources import read_source
from tests.ingest.samples import FIXTURES, RULING, pdf_bytes, refused


class Site(http.server.BaseHTTPRequestHandler):
    """A site that misbehaves in a way for each path."""

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name == "loop":
            self.answer(302, b"", {"Location": "/loop"})
        elif name == "moved":
            self.answer(301, b"", {"Location": "/notes"})
        elif name == "elsewhere":
            self.answer(302, b"", {"Location": "ftp://example.invalid/x"})
        elif name == "malformed":
            self.answer(302, b"", {"Location": "http://[::bad/"})
        elif name == "malformed-name":
            self.answer(302, b"", {"Location": "http://a..b/"})
        elif name == "nowhere":
            self.answer(302, b"", {})
        elif name.startswith("charset="):
            headers = {"Content-Type": f"text/plain; {name}"}
            self.answer(200, RULING.encode(), headers)
        elif name == "dripping-headers":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
            self.drip(b"x")
        elif name == "early-hints":
            self.drip(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        elif name == "empty-blocks":
            self.answer(200, gzip.compress(b"")[:10], {"Content-Encoding": "gzip"})
            self.drip(b"\x00\x00\x00\xff\xff")
        elif name == "notes":
            self.answer(200, RULING.encode(), {"Content-Type": "text/plain; charset=utf-8"})
        elif name == "sjis":
            page = RULING.replace("•", "・").encode("cp932")
            self.answer(200, page, {"Content-Type": "text/plain; charset=Shift_JIS"})
        elif name == "page":
            page = (FIXTURES / "release-notes.html").read_bytes()
            self.answer(200, page, {"Content-Type": "text/html"})
        elif name == "file.pdf":
            self.answer(200, pdf_bytes(RULING), {"Content-Type": "application/octet-stream"})
        elif name == "error-page":
            error = "<html><body><h1>エラー</h1><li>時間をおいて、お試しください。</li></body>"
            self.answer(200, error.encode(), {"Content-Type": "text/html; charset=utf-8"})
        elif name == "slow":
            time.sleep(1.5)
            self.answer(200, RULING.encode(), {})
        elif name == "drip":
            self.answer(200, b"", {"Content-Type": "text/plain"})
            for _ in range(20):
                self.wfile.write("• 呪文。\n".encode())
                time.sleep(0.1)
        elif name == "claims-large":
            self.answer(200, b"x", {"Content-Length": "30000000"})
        elif name == "large":
            self.answer(200, b"x" * 200_000, {})
        elif name == "bad-gzip":
            self.answer(200, b"not gzip", {"Content-Encoding": "gzip"})
        elif name == "empty":
            self.answer(200, b"", {"Content-Type": "text/plain"})
        else:
            self.answer(404, b"no", {})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except BrokenPipeError:
            self.close_connection = True

    def drip(self, data: bytes) -> None:
        try:
            for _ in range(100):
                self.wfile.write(data)
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("path", ["notes", "moved", "sjis", "file.pdf"])
def test_a_url_is_read_as_what_the_server_sends(site: str, path: str) -> None:
    found = read_source(f"{site}/{path}")
    assert [one.subject.id for one in found.rulings] == ["earthquake"]
    assert found.document.source == f"{site}/{path}"


def test_a_page_on_the_web(site: str) -> None:
    assert len(read_source(f"{site}/page").rulings) == 7


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("missing", "サーバーの応答が 404 です"),
        ("loop", "転送が 5 回を超えました"),
        ("malformed", "転送先の URL の形が正しくありません"),
        ("malformed-name", "転送先の URL の形が正しくありません"),
        ("nowhere", "サーバーの応答が 302 です"),
        ("elsewhere", "http でも https でもない所へ転送されました"),
        ("error-page", "裁定が見つかりません"),
        ("claims-large", "30,000,000 バイト以上あり、上限の 20,000,000 バイトを超えています"),
        ("bad-gzip", "応答の圧縮が壊れています"),
        ("empty", "中身が空です"),
    ],
)
def test_a_url_that_cannot_be_used(site: str, path: str, why: str) -> None:
    assert why in refused(f"{site}/{path}")


def test_a_download_stops_at_the_limit(site: str) -> None:
    assert "超えています" in refused(f"{site}/large", max_bytes=100_000)


@pytest.mark.parametrize(
    "path", ["slow", "drip", "dripping-headers", "early-hints", "empty-blocks"]
)
def test_a_server_that_takes_too_long(site: str, path: str) -> None:
    # Each of these servers answers properly in the end, so only the deadline can refuse it.
    assert refused(f"{site}/{path}", timeout=0.4) == "0.4 秒以内に応答が終わりませんでした"


def test_nothing_of_a_fetch_goes_on_after_its_time(site: str) -> None:
    refused(f"{site}/dripping-headers", timeout=0.2)
    until = time.perf_counter() + 30
    while any(thread.name == "saitei-fetch" for thread in threading.enumerate()):
        assert time.perf_counter() < until
        time.sleep(0.02)


def test_a_name_server_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(5) or [])
    assert "応答が終わりませんでした" in refused("http://example.invalid/", timeout=0.2)
    assert not answered.is_set()
    answered.set()


@pytest.mark.parametrize("timeout", [math.inf, 1e300, math.nan])
def test_any_timeout_however_long(site: str, timeout: float) -> None:
    assert len(read_source(f"{site}/notes", timeout=timeout).rulings) == 1


@pytest.mark.parametrize(
    "charset", ["undefined", "idna", "unicode_escape", "utf-7", "iso-8859-1", "rot13", "x"]
)
def test_a_charset_that_is_wrong_or_none_is_passed_over(site: str, charset: str) -> None:
    (ruling,) = read_source(f"{site}/charset={charset}").rulings
    assert ruling.text == "《地震》は飛行を持つクリーチャーを傷つけない。"


def test_only_http_and_https_are_read(site: str) -> None:
    assert len(read_source(f"{site}/notes".replace("http://", "HTTP://")).rulings) == 1
    for scheme in ("ftp", "file", "FILE"):
        why = f"{scheme.lower()}: の URL は読めません（http と https だけ読めます）"
        assert refused(f"{scheme}:///etc/hosts") == why


def test_settings_of_the_network_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://127.0.0.1")
    assert refused("http://example.invalid/").startswith("通信の設定に誤りがあります")


def test_no_server_and_no_url() -> None:
    assert refused("http://127.0.0.1:9/x").startswith("接続できません")
    for url in ("http://", "http://[bad/", "http://a..b/", "http://127.0.0.1:x/", "http://\0/"):
        assert refused(url) == "URL の形が正しくありません"
