"""The invented release notes of `fixtures/release-notes-2021.txt` in the formats built here, and
what tests of sources share."""

import io
from pathlib import Path

import pytest

from saitei.ingest.layout import width
from saitei.ingest.models import Parsed, Ruling
from saitei.ingest.reading import SourceError
from saitei.ingest.sources import read_source

FIXTURES = Path(__file__).parent / "fixtures"

ROWS_A_PAGE = 18
RULING = "カード別注釈\n\n• 《地震》は飛行を持つクリーチャーを傷つけない。\n"


def parsed(name: str) -> Parsed:
    return read_source(str(FIXTURES / name))


def lines_of(document: Parsed) -> dict[str, list[int]]:
    """Line numbers by what the lines were taken for."""
    found: dict[str, list[int]] = {}
    for line in document.lines:
        found.setdefault(line.kind, []).append(line.line)
    return found


def subject_of(ruling: Ruling) -> tuple[str | None, str, str]:
    """Id, kind and evidence."""
    return ruling.subject.id, ruling.subject.kind or "", ruling.subject.evidence


def source_lines(name: str) -> list[str]:
    return (FIXTURES / name).read_text("utf-8").split("\n")


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


def docx_bytes(text: str) -> bytes:
    """A Word file of a text: short lines as headings, bullets as list paragraphs, the lines of a
    card's header as line breaks in one paragraph."""
    from docx import Document

    document = Document()
    for part in text.strip().split("\n\n"):
        lines = [line.strip("\u3000") for line in part.split("\n")]
        if len(lines) == 1 and len(part) < 30 and not part.endswith("。") and "最終" not in part:
            document.add_paragraph(part, style="Heading 2" if "注釈" in part else "Heading 3")
            continue
        modes = any(line.endswith("選ぶ。") for line in lines)
        listed = [line for line in lines if line[0] in "•・" and not modes]
        if plain := [line for line in lines if line not in listed]:
            document.add_paragraph("\n".join(plain))
        for line in listed:
            document.add_paragraph(line.lstrip("•・ "), style="List Bullet")
        document.add_paragraph("")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def pdf_bytes(text: str, columns: int = 72) -> bytes:
    """A PDF of a text, wrapped at a number of half-width columns, with page numbers."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    rows = [row for line in text.strip().split("\n") for row in _wrapped(line, columns)]
    for page, start in enumerate(range(0, len(rows), ROWS_A_PAGE), 1):
        canvas.setFont("HeiseiMin-W3", 12)
        for at, row in enumerate(rows[start : start + ROWS_A_PAGE]):
            canvas.drawString(60, 780 - 16 * at, row)
        canvas.drawString(290, 30, f"- {page} -")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _wrapped(line: str, columns: int) -> list[str]:
    rows = [""]
    for char in line:
        if width(rows[-1] + char) > columns:
            rows.append("")
        rows[-1] += char
    return rows
