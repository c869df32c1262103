"""Damaged and hostile Word files: one line each, in bounded time; odd but sound ones are read."""

import io
import time
import zipfile
from pathlib import Path

import pytest

from saitei.ingest.models import Parsed
from saitei.ingest.sources import read_source, read_sources

DOCUMENT = "word/document.xml"
BULLET = "飛行を持つクリーチャーは傷つかない。"
NOT_DOCX = "DOCX として読めません（壊れているか、別の形式です）"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def document(body: str, namespace: str = WORD) -> bytes:
    return f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'.encode()


def relations(*pairs: tuple[str, str]) -> bytes:
    inside = "".join(f'<Relationship Type="{KINDS}/{kind}" Target="{to}"/>' for kind, to in pairs)
    return f'<Relationships xmlns="{RELATIONS}">{inside}</Relationships>'.encode()


def paragraph(text: str, style: str = "") -> str:
    of_style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{of_style}<w:r><w:t>{text}</w:t></w:r></w:p>"


CARD = "".join(paragraph(text) for text in ("カード別注釈", "《地震》", "{X}{R}", "ソーサリー"))
SOUND = {
    "_rels/.rels": relations(("officeDocument", DOCUMENT), ("core-properties", "core.xml")),
    "word/_rels/document.xml.rels": relations(("styles", "styles.xml")),
    "word/styles.xml": f'<w:styles xmlns:w="{WORD}"><w:style w:styleId="a1"><w:name'
    f' w:val="List Bullet"/></w:style></w:styles>'.encode(),
    "core.xml": "<core><title>題</title></core>".encode(),
    DOCUMENT: document(CARD + paragraph(BULLET, "a1")),
}


def packed(changes: dict[str, bytes | None] | None = None, method: int = 8) -> bytes:
    """A Word file of the sound parts, some replaced or (``None``) left out."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, part in {**SOUND, **(changes or {})}.items():
            if part is not None:
                archive.writestr(name, part)
    return buffer.getvalue()


def patched(offset_in_local: int, offset_in_central: int, value: int) -> bytes:
    """A sound file with one byte of each member's two headers set."""
    data = bytearray(packed())
    for mark, offset in ((b"PK\x03\x04", offset_in_local), (b"PK\x01\x02", offset_in_central)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] = value
            at = data.find(mark, at + 4)
    return bytes(data)


def damaged_data() -> bytes:
    data = bytearray(packed())
    start = data.find(DOCUMENT.encode()) + len(DOCUMENT)
    data[start : start + 8] = b"\xff" * 8
    return bytes(data)


def read(folder: Path, data: bytes) -> Parsed:
    path = folder / "notes.docx"
    path.write_bytes(data)
    return read_source(str(path))


def refused(folder: Path, data: bytes, max_bytes: int = 20_000_000) -> str:
    path = folder / "notes.docx"
    path.write_bytes(data)
    (outcome,) = read_sources([str(path)], max_bytes=max_bytes)
    assert outcome.error is not None
    return outcome.error.why


def test_the_sound_file_that_the_others_are_made_from(tmp_path: Path) -> None:
    found = read(tmp_path, packed())
    assert found.document.title == "題"
    assert [(one.line, one.subject.id, one.text) for one in found.rulings] == [
        (5, "earthquake", BULLET)
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(damaged_data(), NOT_DOCX, id="damaged data"),
        pytest.param(packed()[:-30], NOT_DOCX, id="cut short"),
        pytest.param(patched(6, 8, 1), "DOCX に鍵がかかっています", id="password flag"),
        pytest.param(patched(8, 10, 97), NOT_DOCX, id="unknown compression"),
        pytest.param(packed(method=zipfile.ZIP_LZMA), NOT_DOCX, id="compression not allowed"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "古い Word 形式か、鍵", id="old Word"),
        pytest.param(packed({DOCUMENT: None}), NOT_DOCX, id="no document"),
        pytest.param(packed({DOCUMENT: b""}), NOT_DOCX, id="empty document"),
        pytest.param(packed({DOCUMENT: b"<w:document"}), NOT_DOCX, id="no XML"),
        pytest.param(packed({DOCUMENT: b"<x/>"}), NOT_DOCX, id="wrong root"),
        pytest.param(
            packed({DOCUMENT: f'<w:document xmlns:w="{WORD}"/>'.encode()}), NOT_DOCX, id="no body"
        ),
        pytest.param(packed({"_rels/.rels": b"<x/>"}), NOT_DOCX, id="wrong relations"),
        pytest.param(packed({"_rels/.rels": None}), NOT_DOCX, id="no relations"),
        pytest.param(packed({"word/styles.xml": None}), NOT_DOCX, id="styles missing"),
        pytest.param(packed({"core.xml": b"<core"}), NOT_DOCX, id="broken properties"),
        pytest.param(
            packed({DOCUMENT: document("<w:sdt>" * 300 + "</w:sdt>" * 300)}),
            NOT_DOCX,
            id="nested too deep",
        ),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, data: bytes, why: str) -> None:
    assert why in refused(tmp_path, data)


def test_every_single_byte_damaged_is_read_or_refused(tmp_path: Path) -> None:
    whole = packed()
    path = tmp_path / "notes.docx"
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        (outcome,) = read_sources([str(path)])
        assert (outcome.parsed is None) != (outcome.error is None)


def test_properties_of_another_kind_only_lose_the_title(tmp_path: Path) -> None:
    assert len(read(tmp_path, packed({"core.xml": b"<x/>"})).rulings) == 1


def test_a_part_is_unpacked_no_further_than_the_limit(tmp_path: Path) -> None:
    big = packed({DOCUMENT: document(f"<!--{'a' * 50_000_000}-->")})
    assert len(big) < 60_000
    started = time.perf_counter()
    assert "展開すると 1,000,000 バイトを超え" in refused(tmp_path, big, 1_000_000)
    assert time.perf_counter() - started < 0.5


def test_pictures_do_not_count_against_the_limit(tmp_path: Path) -> None:
    found = read(tmp_path, packed({"word/media/map.bmp": bytes(25_000_000)}))
    assert len(found.rulings) == 1


def test_an_understated_size_does_not_get_past_the_limit(tmp_path: Path) -> None:
    data = bytearray(packed({DOCUMENT: document(f"<!--{'a' * 5_000_000}-->")}))
    central = data.find(DOCUMENT.encode(), data.find(b"PK\x01\x02")) - 46
    data[central + 24 : central + 28] = (100).to_bytes(4, "little")
    assert refused(tmp_path, bytes(data), 1_000_000) == NOT_DOCX


def test_more_tags_than_any_document_has_are_refused_unparsed(tmp_path: Path) -> None:
    flood = packed({DOCUMENT: document("<w:p/>" * 3_000_000)})
    started = time.perf_counter()
    assert refused(tmp_path, flood) == "DOCX の要素が 500,000 を超えています"
    assert time.perf_counter() - started < 1.0


def test_a_cell_that_claims_to_span_millions_is_one_cell(tmp_path: Path) -> None:
    span = '<w:tcPr><w:gridSpan w:val="2000000"/></w:tcPr>'
    table = (
        f"<w:tbl><w:tr><w:tc>{span}{CARD}{paragraph(BULLET, 'a1')}</w:tc></w:tr>"
        f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="x"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl><w:tbl/>'
    )
    found = read(tmp_path, packed({DOCUMENT: document(table)}))
    assert [(one.line, one.text) for one in found.rulings] == [(5, BULLET)]


def test_cells_merged_downwards_are_read_once(tmp_path: Path) -> None:
    first = f'<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph(BULLET, "a1")}</w:tc>'
    below = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    table = f"<w:tbl><w:tr>{first}</w:tr><w:tr>{below}</w:tr></w:tbl>"
    assert len(read(tmp_path, packed({DOCUMENT: document(CARD + table)})).rulings) == 1


def test_text_is_what_a_reader_of_the_page_sees(tmp_path: Path) -> None:
    def run(inside: str) -> str:
        return f"<w:r>{inside}</w:r>"

    pieces = (
        run("<w:t>飛行を</w:t>")
        + f"<w:ins>{run('<w:t>持つ</w:t>')}</w:ins>"
        + f"<w:del>{run('<w:delText>持たない</w:delText>')}</w:del>"
        + f"<w:hyperlink>{run('<w:t>クリーチャー</w:t>')}</w:hyperlink>"
        + run(
            "<w:ruby><w:rt><w:r><w:t>は</w:t></w:r></w:rt>"
            "<w:rubyBase><w:r><w:t>は\n</w:t></w:r></w:rubyBase></w:ruby>"
        )
        + f"<w:sdt><w:sdtContent>{run('<w:t>傷つかない。</w:t>')}</w:sdtContent></w:sdt>"
        + run('<w:br w:type="page"/>')
    )
    listed = f'<w:p><w:pPr><w:pStyle w:val="a1"/></w:pPr>{pieces}</w:p>'
    found = read(tmp_path, packed({DOCUMENT: document(CARD + listed)}))
    assert [one.text for one in found.rulings] == ["飛行を持つクリーチャーは 傷つかない。"]


def test_the_strict_edition_of_the_format_differs_in_namespaces_only(tmp_path: Path) -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    found = read(tmp_path, packed({DOCUMENT: document(CARD + paragraph(BULLET, "a1"), strict)}))
    assert [one.subject.id for one in found.rulings] == ["earthquake"]


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("秘密のカード")
    declared = f'<!DOCTYPE w [<!ENTITY s SYSTEM "{secret.as_uri()}">]>'.encode()
    body = document(CARD + paragraph(f"{BULLET}&s;", "a1"))
    found = read(tmp_path, packed({DOCUMENT: declared + body}))
    assert [one.text for one in found.rulings] == [BULLET]
