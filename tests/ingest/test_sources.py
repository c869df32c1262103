"""Bad sources: one typed error, one line, naming the source and what is wrong with it."""

import logging
import os
from pathlib import Path

import pytest

from saitei.ingest.reading import SourceError
from saitei.ingest.sources import expand_sources, read_source, read_sources
from tests.ingest.samples import FIXTURES, RULING, pdf_bytes, refused


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


def test_what_the_pdf_library_warns_of_is_no_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path / "odd.pdf"
    canvas = Canvas(str(path))
    canvas.addLiteral("(no number) w")
    canvas.save()
    monkeypatch.setattr(logging.root, "handlers", [])
    assert refused(str(path)).startswith("文字のない PDF です")
    assert capsys.readouterr().err == ""


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
    assert refused(str(path)) == (
        "20,000,001 バイト以上あり、上限の 20,000,000 バイトを超えています"
    )
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


@pytest.mark.skipif(os.name == "nt", reason="file names are text on Windows")
def test_a_name_that_is_no_text_is_read_and_published_as_text(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")
    Path(path).write_text(RULING, "utf-8")
    document = read_source(path).document
    assert (document.title, document.source) == ("?", f"{tmp_path}/?.txt")


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
