"""DOCX into lines.

Only the three parts that hold text are unpacked, each within the size limit, and table cells are
read as they stand in the file: what a cell claims to span costs nothing.
"""

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from saitei.ingest.reading import EDGES, Line, Reading, Role, SourceError

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_TAGS = 500_000
"""Most tags a part may have; release notes of a hundred pages have about a fifth of that."""
_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    ValueError,
    OverflowError,
    # What zipfile says of flags it does not know.
    RuntimeError,
)
_NOT_DOCX = "DOCX として読めません（壊れているか、別の形式です）"
# Tracked insertions and content controls are text, deletions and text boxes are not; of a word
# with its reading above it, the word.
_WRAPPERS = frozenset("sdt sdtContent ins moveTo customXml smartTag".split())
_AROUND_PARAGRAPHS = _WRAPPERS | {"tbl", "tr", "tc"}
_AROUND_TEXT = _WRAPPERS | {"r", "hyperlink", "fldSimple", "ruby", "rubyBase"}
_SIGNS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-"}
# A line end of the XML is white space; line breaks of the text are elements.
_LINE_END = re.compile(r"[\r\n]+")
_HEADING = re.compile(r"(?:heading|見出し)\s*(\d)", re.IGNORECASE)


def read_docx(data: bytes, source: str, max_bytes: int) -> Reading:
    """A Word document (ECMA-376); ``number`` counts its paragraphs, those in table cells too.

    Raises `SourceError` when it is not one, is locked, or a part of it unpacks to more than
    ``max_bytes`` bytes or `MAX_TAGS` tags.
    """
    from lxml.etree import XMLSyntaxError

    if data.startswith(_OLE):
        raise SourceError(source, "DOCX ではありません（古い Word 形式か、鍵のかかった文書です）")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            package = _Package(archive, source, max_bytes)
            main = package.related("", "officeDocument")
            if main is None:
                raise SourceError(source, _NOT_DOCX)
            body = package.tree(main).find("{*}body")
            if body is None:
                raise SourceError(source, _NOT_DOCX)
            styles = _style_names(package, main)
            title = _title(package)
        return Reading(tuple(_lines(body, styles)), title, structured=True)
    except SourceError:
        raise
    except (XMLSyntaxError, *_BROKEN):
        raise SourceError(source, _NOT_DOCX) from None


class _Package:
    """The parts of a DOCX by name (``word/document.xml``), unpacked within limits."""

    def __init__(self, archive: zipfile.ZipFile, source: str, max_bytes: int) -> None:
        self.archive = archive
        self.names = frozenset(archive.namelist())
        self.source = source
        self.max_bytes = max_bytes

    def related(self, part: str, kind: str) -> str | None:
        """The part that ``part`` (empty: the package) names as its ``kind``."""
        folder, name = posixpath.split(part)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self.names:
            return None
        for relation in self.tree(relations).iterfind("{*}Relationship"):
            if relation.get("Type", "").rpartition("/")[2] == kind:
                target = posixpath.join("/", folder, relation.get("Target", ""))
                return posixpath.normpath(target).lstrip("/")
        return None

    def tree(self, part: str) -> "_Element":
        from lxml import etree

        xml = self._unpacked(part)
        if xml.count(b"<") > MAX_TAGS:
            raise SourceError(self.source, f"DOCX の要素が {MAX_TAGS:,} を超えています")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        return etree.fromstring(xml, parser)

    def _unpacked(self, part: str) -> bytes:
        entry = self.archive.getinfo(part)
        if entry.flag_bits & _ENCRYPTED:
            raise SourceError(self.source, "DOCX に鍵がかかっています")
        # The other methods have no bounded reader, and the format allows just these two.
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise SourceError(self.source, _NOT_DOCX)
        # The size an archive claims may be a lie, so that much and no more is read.
        with self.archive.open(entry) as packed:
            xml = packed.read(self.max_bytes + 1)
        if len(xml) > self.max_bytes:
            why = f"展開すると {self.max_bytes:,} バイトを超え、大きすぎます"
            raise SourceError(self.source, why)
        return xml


def _style_names(package: _Package, main: str) -> dict[str, str]:
    """What the styles are called, by the id that paragraphs use."""
    part = package.related(main, "styles")
    if part is None:
        return {}
    names: dict[str, str] = {}
    for style in package.tree(part).iterfind("{*}style"):
        names[_attribute(style, "styleId")] = _attribute(style.find("{*}name"), "val")
    return names


def _title(package: _Package) -> str:
    part = package.related("", "core-properties")
    return (package.tree(part).findtext("{*}title") or "").strip() if part else ""


def _lines(body: "_Element", styles: dict[str, str]) -> Iterator[Line]:
    paragraphs = (block for block in _inside(body, _AROUND_PARAGRAPHS) if _name(block) == "p")
    for number, paragraph in enumerate(paragraphs, 1):
        role, level = _role(paragraph, styles)
        text = _text(paragraph).strip(EDGES)
        if role == "bullet":
            yield Line(number, text.replace("\n", ""), role)
        else:
            # A line break inside a paragraph: card headers are often set so.
            for piece in text.split("\n"):
                yield Line(number, piece.strip(EDGES), role, level)


def _text(paragraph: "_Element") -> str:
    return "".join(_piece(element) for element in _inside(paragraph, _AROUND_TEXT))


def _piece(element: "_Element") -> str:
    name = _name(element)
    if name == "t":
        return _LINE_END.sub(" ", element.text or "")
    if name == "br":
        return "\n" if _attribute(element, "type") in ("", "textWrapping") else ""
    return _SIGNS.get(name, "")


def _role(paragraph: "_Element", styles: dict[str, str]) -> tuple[Role, int]:
    properties = paragraph.find("{*}pPr")
    if properties is None:
        return "text", 0
    style = styles.get(_attribute(properties.find("{*}pStyle"), "val"), "")
    match = _HEADING.match(style)
    if match:
        return "heading", int(match[1])
    if style in ("Title", "表題"):
        return "heading", 1
    listed = style.startswith(("List", "箇条書き", "リスト"))
    if listed or properties.find("{*}numPr") is not None:
        return "bullet", 0
    return "text", 0


def _inside(element: "_Element", into: frozenset[str]) -> Iterator["_Element"]:
    """Children in document order, those named in ``into`` replaced by theirs."""
    open_elements = [iter(element)]
    while open_elements:
        child = next(open_elements[-1], None)
        if child is None:
            open_elements.pop()
        elif _name(child) in into:
            open_elements.append(iter(child))
        else:
            yield child


def _name(element: "_Element") -> str:
    """Without the namespace: the transitional and the strict edition differ only there. Empty for
    what is no element (an entity left unresolved)."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _attribute(element: "_Element | None", name: str) -> str:
    """The attribute in the element's own namespace, empty if it or the element is missing."""
    if element is None:
        return ""
    return element.get(f"{str(element.tag).rpartition('}')[0]}}}{name}") or ""
