"""The same invented release notes as text, HTML, Markdown, DOCX and PDF, in every encoding."""

from pathlib import Path

import pytest

from saitei.ingest.models import Parsed
from saitei.ingest.sources import read_source
from tests.ingest.samples import (
    FIXTURES,
    docx_bytes,
    lines_of,
    parsed,
    pdf_bytes,
    source_lines,
    subject_of,
)
from tests.ingest.test_eras import RELEASE_NOTES


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path


def read_bytes(folder: Path, name: str, data: bytes) -> Parsed:
    path = folder / name
    path.write_bytes(data)
    return read_source(str(path))


def said(document: Parsed) -> list[tuple[object, ...]]:
    return [(one.heading, subject_of(one), one.cards, one.text) for one in document.rulings]


TEXT = (FIXTURES / "release-notes-2021.txt").read_text("utf-8")
PRINTS = [one.fingerprint for one in parsed("release-notes-2021.txt").rulings]


@pytest.mark.parametrize("name", ["release-notes.html", "release-notes.md"])
def test_markup_says_what_the_text_says(name: str) -> None:
    found = parsed(name)
    assert said(found) == RELEASE_NOTES
    assert [one.fingerprint for one in found.rulings] == PRINTS
    assert found.document.title == "『架空の真夜中』リリースノート"
    assert found.document.updated == "2021-08-09"


@pytest.mark.parametrize("name", ["release-notes.html", "release-notes.md"])
def test_line_numbers_are_those_of_the_file(name: str) -> None:
    lines = source_lines(name)
    for ruling in parsed(name).rulings:
        assert ruling.text[:7] in lines[ruling.line - 1]


def test_a_page_leaves_out_site_navigation_and_scripts_and_reports_a_link() -> None:
    found = parsed("release-notes.html")
    assert [(one.line, one.text) for one in found.unplaced] == [(37, "公式サイト")]
    assert min(line.line for line in found.lines) == 8
    assert lines_of(found)["legal"] == [38]


def test_word_documents(written: Path) -> None:
    found = read_bytes(written, "notes.docx", docx_bytes(TEXT))
    assert said(found) == RELEASE_NOTES
    assert [one.fingerprint for one in found.rulings] == PRINTS
    assert not found.unplaced
    # Numbers count paragraphs: title, credits, blank, date, ...
    assert lines_of(found)["title"] == [1]
    assert lines_of(found)["updated"] == [4]


def test_word_documents_with_typed_bullets_in_a_table(written: Path) -> None:
    import io

    from docx import Document

    document = Document()
    document.add_paragraph("カード別注釈")
    cell = document.add_table(rows=1, cols=1).rows[0].cells[0]
    cell.text = "《地震》"
    cell.add_paragraph("{X}{R}")
    cell.add_paragraph("ソーサリー")
    cell.add_paragraph("• 飛行を持つクリーチャーは傷つかない。")
    buffer = io.BytesIO()
    document.save(buffer)
    found = read_bytes(written, "table.docx", buffer.getvalue())
    assert [(one.line, one.subject.id, one.text) for one in found.rulings] == [
        (5, "earthquake", "飛行を持つクリーチャーは傷つかない。")
    ]


def test_pdf_wrapped_over_lines_and_pages(written: Path) -> None:
    found = read_bytes(written, "notes.pdf", pdf_bytes(TEXT))
    assert said(found) == RELEASE_NOTES
    assert [one.fingerprint for one in found.rulings] == PRINTS
    assert not found.unplaced


def test_pdf_with_narrow_columns_still_joins_sentences(written: Path) -> None:
    found = read_bytes(written, "narrow.pdf", pdf_bytes(TEXT, columns=52))
    assert [one.fingerprint for one in found.rulings] == PRINTS


def in_encoding(text: str, encoding: str) -> bytes:
    """Text as an edition in that encoding has it: no • or – there, no fullwidth tilde in EUC."""
    plain = text.replace("•", "・").replace("©", "(C)").replace("–", "-")
    if encoding == "euc_jp":
        plain = plain.replace("～", "〜").replace("－", "−")
    return plain.encode(encoding)


DASHES = "カード別注釈\n\n• 「～とき」と書かれた能力は－1/－1の修整を受けても誘発する――たぶん。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp932", "euc_jp"])
@pytest.mark.parametrize("name", ["release-notes-2021.txt", "faq-2002.txt", "lost-headers.txt"])
def test_fingerprints_do_not_depend_on_the_encoding(
    written: Path, name: str, encoding: str
) -> None:
    text = (FIXTURES / name).read_text("utf-8")
    found = read_bytes(written, name, in_encoding(text, encoding))
    assert [one.fingerprint for one in found.rulings] == [
        one.fingerprint for one in parsed(name).rulings
    ]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp"])
def test_wave_dash_and_minus_which_the_encodings_map_apart(written: Path, encoding: str) -> None:
    text = DASHES
    if encoding != "cp932":
        text = text.replace("～", "〜").replace("－", "−")
    utf8 = read_bytes(written, "utf8.txt", DASHES.encode())
    other = read_bytes(written, "other.txt", text.replace("•", "・").encode(encoding))
    assert [one.fingerprint for one in other.rulings] == [one.fingerprint for one in utf8.rulings]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_a_page_in_the_encoding_it_declares(written: Path, encoding: str) -> None:
    label = {"cp932": "Shift_JIS", "euc_jp": "EUC-JP"}[encoding]
    page = (FIXTURES / "release-notes.html").read_text("utf-8").replace("utf-8", label)
    found = read_bytes(written, "page.html", in_encoding(page, encoding))
    assert [one.fingerprint for one in found.rulings] == PRINTS


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems(written: Path, ending: str) -> None:
    found = read_bytes(written, "notes.txt", TEXT.replace("\n", ending).encode())
    assert lines_of(found) == lines_of(parsed("release-notes-2021.txt"))
