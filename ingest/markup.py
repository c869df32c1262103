"""HTML and Markdown into lines."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from saitei.ingest.encodings import UndecodableError, decode
from saitei.ingest.reading import EDGES, Line, Reading, Role, SourceError, join_wrapped

if TYPE_CHECKING:
    from lxml.etree import _Element
    from markdown_it.token import Token

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_NOT_TEXT = frozenset("script style noscript template head rt rp svg iframe object".split())
# What surrounds an article on a site's pages is not part of the document.
_CHROME = frozenset("nav aside form button select".split())
_BLOCKS = frozenset(
    "address article blockquote body caption center dd details div dl dt fieldset figure figcaption"
    " footer h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot"
    " th thead tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SYMBOL = re.compile(r"[{（(\[].{1,8}[})）\]]\Z")
_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,300}>")
_WHITE = re.compile(r"[ \t\r\n\f\u00a0]+")
_MARKDOWN_ENDS = ("paragraph_close", "bullet_list_close", "ordered_list_close")


def read_html(data: bytes, source: str, declared: str | None = None) -> Reading:
    """A page's main part: headings, list items, paragraphs; line numbers of the HTML file.

    ``declared`` is the charset of an HTTP header, which a ``meta`` element only replaces where it
    is missing. Raises `SourceError` when the bytes are not text or hold no element.
    """
    from lxml import etree, html

    meta = _META_CHARSET.search(data[:4096])
    try:
        text = decode(data, declared or (meta[1].decode("ascii") if meta else None)).text
    except UndecodableError as error:
        raise SourceError(source, str(error)) from None
    text = _XML_DECLARATION.sub("", text)
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise SourceError(source, "HTML として読めません") from None
    title = " ".join((root.findtext(".//title") or "").split())
    walk = _Walk()
    walk.through(_main_part(root))
    return Reading(tuple(walk.lines), title, structured=True)


def _main_part(root: "_Element") -> "_Element":
    """The one ``main`` or ``article`` of a page, else its body, else all of it."""
    for path in (".//main", ".//article", ".//body"):
        found = root.findall(path)
        if len(found) == 1:
            return found[0]
    return root


class _Walk:
    """Text of a tree in document order, cut into lines at block elements and ``br``."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.pieces: list[str] = []
        self.number = 1
        self.role: Role = "text"
        self.level = 0
        self.items = 0

    def through(self, root: "_Element") -> None:
        from lxml import etree

        hidden = 0
        for event, element in etree.iterwalk(root, events=("start", "end")):
            tag = element.tag if isinstance(element.tag, str) else ""
            skipped = tag in _NOT_TEXT or tag in _CHROME
            if event == "start":
                hidden += skipped
                if not hidden:
                    self.enter(tag, element)
            else:
                if not hidden:
                    self.leave(tag)
                hidden -= skipped
                if not hidden and element.tail and element is not root:
                    self.add(element.tail, _line_of(element, self.number))
        self.flush()

    def enter(self, tag: str, element: "_Element") -> None:
        line = _line_of(element, self.number)
        if tag == "li":
            self.flush()
            self.role, self.items = "bullet", self.items + 1
        elif tag in _HEADINGS:
            self.flush()
            self.blank(line)
            self.role, self.level = "heading", _HEADINGS[tag]
        elif tag == "hr":
            self.flush()
            self.lines.append(Line(line, "-----", "rule"))
        elif tag == "br":
            if self.items:
                self.pieces.append("\n")
            else:
                self.flush()
        elif tag == "img":
            alt = (element.get("alt") or "").strip()
            if _SYMBOL.match(alt):
                self.add(alt, line)
        elif tag in _BLOCKS and not self.items:
            self.flush()
            self.blank(line)
        elif tag in ("ul", "ol"):
            self.flush()
        elif tag in _BLOCKS:
            self.pieces.append("\n")
        if element.text:
            self.add(element.text, line)

    def leave(self, tag: str) -> None:
        if tag == "li":
            self.flush()
            self.items -= 1
            self.role = "bullet" if self.items else "text"
        elif tag in _HEADINGS or (tag in _BLOCKS and not self.items):
            self.flush()
            self.blank(self.number)

    def add(self, text: str, line: int) -> None:
        if not any(piece.strip() for piece in self.pieces):
            self.number = line + text[: len(text) - len(text.lstrip())].count("\n")
        self.pieces.append(_WHITE.sub(_white, text))

    def flush(self) -> None:
        text = ""
        for piece in "".join(self.pieces).split("\n"):
            text = join_wrapped(text, piece.strip(EDGES)) if text else piece.strip(EDGES)
        self.pieces.clear()
        if text:
            self.lines.append(Line(self.number, text, self.role, self.level))
        if self.role == "heading":
            self.role, self.level = "text", 0

    def blank(self, line: int) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(Line(max(line, self.lines[-1].number), ""))


def _white(match: re.Match[str]) -> str:
    """White space in a page is one space, a line end of the file a place to join at."""
    return "\n" if "\n" in match[0] else " "


def _line_of(element: "_Element", otherwise: int) -> int:
    line: object = element.sourceline
    return line if isinstance(line, int) and line > 0 else otherwise


def read_markdown(data: bytes, source: str, declared: str | None = None) -> Reading:
    """A Markdown file (CommonMark); line numbers of the file.

    Underlined headings are off: the documents separate with ``-----`` right below a sentence.
    Raises `SourceError` when the bytes are not text.
    """
    from markdown_it import MarkdownIt

    try:
        text = decode(data, declared).text
    except UndecodableError as error:
        raise SourceError(source, str(error)) from None
    parser = MarkdownIt("commonmark").disable(["lheading", "code"]).enable("table")
    return Reading(tuple(_markdown_lines(parser.parse(text))), structured=True)


def _markdown_lines(tokens: list["Token"]) -> Iterator[Line]:
    role: Role = "text"
    level = items = 0
    number = 1
    for token in tokens:
        if token.map:
            number = token.map[0] + 1
        if token.type == "heading_open":
            role, level = "heading", int(token.tag[1:])
            yield Line(number, "")
        elif token.type == "heading_close":
            role, level = "text", 0
        elif token.type == "list_item_open":
            role, items = "bullet", items + 1
        elif token.type == "list_item_close":
            items -= 1
            role = "bullet" if items else "text"
        elif token.type == "hr":
            yield Line(number, "-----", "rule")
        elif token.type in ("inline", "html_block", "fence"):
            yield from _inline_lines(token, number, role, level)
        elif not items and token.type in _MARKDOWN_ENDS:
            yield Line(number, "")


def _inline_lines(token: "Token", number: int, role: Role, level: int) -> Iterator[Line]:
    """One line for a bullet or heading, else one for each line of the paragraph."""
    if token.children is None:
        text = _TAG.sub("", _BREAK_TAG.sub("\n", token.content))
    else:
        text = "".join(_plain(child) for child in token.children)
    pieces = [piece.strip(EDGES) for piece in text.split("\n")]
    if role == "text":
        yield from (Line(number + i, piece) for i, piece in enumerate(pieces))
    else:
        whole = ""
        for piece in pieces:
            whole = join_wrapped(whole, piece) if whole else piece
        yield Line(number, whole, role, level)


def _plain(token: "Token") -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "html_inline":
        return "\n" if _BREAK_TAG.match(token.content) else ""
    return token.content
