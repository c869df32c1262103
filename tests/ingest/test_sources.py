"""Bad sources: one typed error, one line, naming the source and what is wrong with it."""

import gzip
import http.server
import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from saitei.ingest.reading import SourceError
from saitei.ingest.sources import expand_sources, read_source, read_sources
from tests.ingest.samples import FIXTURES, pdf_bytes

RULING = "カード別注釈\n\n• 《地震》は飛行を持つクリーチャーを傷つけない。\n"


def refused(source: str, **limits: float) -> str:
    """The one line a source is refused with, without the source's name."""
    with pytest.raises(SourceError) as caught:
        read_source(source, **limits)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 300
    assert message.endswith(f": {caught.value.why}")
    assert caught.value.source == source
    return caught.value.why


def refused_bytes(folder: Path, name: str, data: bytes) -> str:
    path = folder / name
    path.write_bytes(data)
    return refused(str(path))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("empty.txt", b"", "中身が空です"),
        ("blank.txt", b" \n\r\n\t", "中身が空です"),
        ("binary.txt", bytes(range(256)), "テキストではありません（バイナリ）"),
        (
            "latin.txt",
            "• créature enchantée à l’été\n".encode("latin-1", "replace") + b"\xff\xfe\xfd",
            "文字コードが UTF-8、Shift_JIS、EUC-JP のどれでもありません",
        ),
        ("half.txt", b"\xff\xfe\x00", "文字コードが utf-16 ではありません"),
        ("shopping.txt", "• 牛乳を買う。\n• パンを買う。\n".encode(), "裁定が見つかりません"),
        ("prose.txt", "ただの文章で、裁定はない。\n".encode(), "裁定が見つかりません"),
        (
            "page.html",
            "<html><body><p>お探しのページは見つかりませんでした。</p>"
            "<ul><li>アドレスが正しいかどうかをお確かめください。</li></ul></body></html>".encode(),
            "裁定が見つかりません",
        ),
        ("nothing.html", b"<!-- -->", "HTML として読めません"),
        ("notes.docx", b"PK\x03\x04 and then nothing", "DOCX として読めません"),
        ("plain.docx", "DOCX ではない".encode(), "DOCX として読めません"),
        ("notes.pdf", b"%PDF-1.7\nand then nothing", "PDF として読めません"),
        ("plain.pdf", "PDF ではない".encode(), "PDF として読めません"),
        ("scan.pdf", pdf_bytes("")[:-40], "PDF"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_a_file_that_cannot_be_used(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    assert why in refused_bytes(tmp_path, name, data)


def test_a_pdf_cut_short_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    whole = pdf_bytes(RULING)
    path = tmp_path / "cut.pdf"
    for end in range(0, len(whole), 97):
        path.write_bytes(whole[:end])
        (outcome,) = read_sources([str(path)])
        assert (outcome.parsed is None) != (outcome.error is None)


def test_missing_files_folders_and_unreadable_ones(tmp_path: Path) -> None:
    assert refused(str(tmp_path / "no.txt")) == "ファイルがありません"
    assert refused("a\0b.txt") == "読めません（名前に使えない文字があります）"
    assert refused("あ" * 5_000) == "読めません（File name too long）"
    assert refused(str(tmp_path)).startswith("読める文書がありません（.txt、.text、.md")
    (tmp_path / "a.txt").write_text(RULING, "utf-8")
    assert refused(str(tmp_path)) == "ファイルではなくフォルダです"
    if os.geteuid():
        locked = tmp_path / "locked.txt"
        locked.write_text(RULING)
        locked.chmod(0)
        assert refused(str(locked)) == "読めません（Permission denied）"


def test_too_large_a_source_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as handle:
        handle.truncate(20_000_001)
    started = time.perf_counter()
    assert refused(str(path)) == (
        "20,000,001 バイト以上あり、上限の 20,000,000 バイトを超えています"
    )
    assert time.perf_counter() - started < 0.5
    path.write_text(RULING, "utf-8")
    assert "超えています" in refused(str(path), max_bytes=50)
    assert len(read_source(str(path)).rulings) == 1


def test_a_folder_is_every_document_in_it(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("b/notes.md", "a.txt", "c.PDF", "picture.png", ".hidden/x.txt", ".secret.txt"):
        (tmp_path / name).write_text("x")
    assert [str(Path(one).relative_to(tmp_path)) for one in expand_sources([str(tmp_path)])] == [
        "a.txt",
        "b/notes.md",
        "c.PDF",
    ]


def test_sources_are_named_once_and_missing_ones_kept_for_their_own_error(tmp_path: Path) -> None:
    path = str(FIXTURES / "questions.txt")
    url = "https://example.invalid/faq"
    assert expand_sources([path, url, path, "missing.txt"]) == [path, url, "missing.txt"]


def test_an_empty_folder_is_one_bad_source_among_good_ones(tmp_path: Path) -> None:
    empty, good = tmp_path / "empty", tmp_path / "good.txt"
    empty.mkdir()
    good.write_text(RULING, "utf-8")
    first, second = read_sources(expand_sources([str(empty), str(good)]))
    assert first.error is not None
    assert "読める文書がありません" in first.error.why
    assert second.parsed is not None


def test_what_is_named_like_a_document_and_is_none_is_not_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling.md").symlink_to("nowhere")
    (tmp_path / "link.txt").symlink_to(FIXTURES / "questions.txt")
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path)
    outcomes = read_sources(expand_sources([str(tmp_path)]))
    assert {Path(one.source).name: one.error.why if one.error else "" for one in outcomes} == {
        "pipe.txt": "ふつうのファイルではありません",
        "dangling.md": "リンクの先がありません",
        "link.txt": "",
    }


def test_a_folder_that_does_not_open_is_named_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.txt").write_text(RULING, "utf-8")
    locked = tmp_path / "locked"
    locked.mkdir()
    scandir = os.scandir

    def guarded(path: str) -> "os._ScandirIterator[str]":
        # Permissions do not hold root back, so that the tests cannot rely on them.
        if path == str(locked):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    good, bad = read_sources(expand_sources([str(tmp_path)]))
    assert good.parsed is not None
    assert bad.error is not None
    assert (bad.source, bad.error.why) == (str(locked), "読めません（Permission denied）")


def test_an_error_while_a_file_is_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OSError(5, "Input/output error")

    path = tmp_path / "notes.txt"
    path.write_text(RULING, "utf-8")
    monkeypatch.setattr(Path, "open", failing)
    assert refused(str(path)) == "読めません（Input/output error）"


def test_folders_nested_deeper_than_calls_can_be(tmp_path: Path) -> None:
    inner = tmp_path
    for _ in range(1_200):
        inner /= "d"
        inner.mkdir()
    (inner / "a.txt").write_text("x")
    try:
        assert expand_sources([str(tmp_path)]) == [str(inner / "a.txt")]
    finally:
        # pytest clears its folders recursively.
        (inner / "a.txt").unlink()
        while inner != tmp_path:
            inner.rmdir()
            inner = inner.parent


def test_an_empty_name_is_not_the_current_folder() -> None:
    assert expand_sources([""]) == [""]


def test_a_long_or_unprintable_name_stays_one_short_line() -> None:
    error = SourceError("a" * 400 + "\nb\x1b[31m\udcff　" + "c" * 400 + ".txt", "中身が空です")
    assert len(str(error)) < 300
    assert str(error).startswith("aaa")
    assert str(error).endswith("ccc.txt: 中身が空です")
    assert str(SourceError("a\nb\x1b\udcff　c", "x")) == "a\ufffdb\ufffd\ufffd　c: x"


def test_one_bad_source_does_not_keep_the_others_out(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(bytes(range(256)))
    (tmp_path / "good.txt").write_text(RULING, "utf-8")
    bad, good = read_sources(expand_sources([str(tmp_path)]))
    assert bad.parsed is None
    assert bad.error is not None
    assert good.error is None
    assert good.parsed is not None
    assert len(good.parsed.rulings) == 1


# -- URLs ----------------------------------------------------------------------------------------


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
    started = time.perf_counter()
    assert refused(f"{site}/{path}", timeout=0.4) == "0.4 秒以内に応答が終わりませんでした"
    assert time.perf_counter() - started < 1.2


def test_nothing_of_a_fetch_goes_on_after_its_time(site: str) -> None:
    refused(f"{site}/dripping-headers", timeout=0.2)
    until = time.perf_counter() + 2
    while any(thread.name == "saitei-fetch" for thread in threading.enumerate()):
        assert time.perf_counter() < until
        time.sleep(0.02)


def test_a_name_server_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(5) or [])
    started = time.perf_counter()
    assert "応答が終わりませんでした" in refused("http://example.invalid/", timeout=0.2)
    assert time.perf_counter() - started < 1.0
    answered.set()


@pytest.mark.parametrize("timeout", [math.inf, 1e300])
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
