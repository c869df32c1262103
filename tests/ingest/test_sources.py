"""Bad sources: one typed error, one line, naming the source and what is wrong with it."""

import http.server
import os
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
    assert "\n" not in message
    assert message == f"{source}: {caught.value.why}"
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
    assert refused(str(tmp_path)) == "ファイルではなくフォルダです"
    assert "読めません" in refused("a\0b.txt")
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
    with pytest.raises(SourceError, match="読める文書がありません"):
        expand_sources([str(tmp_path)])


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


@pytest.mark.parametrize("path", ["slow", "drip"])
def test_a_server_that_takes_too_long(site: str, path: str) -> None:
    started = time.perf_counter()
    assert refused(f"{site}/{path}", timeout=0.4) == "0.4 秒以内に応答が終わりませんでした"
    assert time.perf_counter() - started < 1.2


def test_no_server_and_no_url() -> None:
    assert refused("http://127.0.0.1:9/x").startswith("接続できません")
    assert refused("http://") == "URL の形が正しくありません"
    assert refused("http://[bad/") == "URL の形が正しくありません"
