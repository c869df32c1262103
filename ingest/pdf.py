"""PDF into lines."""

import io
import logging
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from saitei.ingest.reading import Line, Reading, SourceError

if TYPE_CHECKING:
    from pdfminer.layout import LTComponent, LTTextLine

# It warns of whatever is odd in a file. Without a handler of its own that would go to stderr, where
# a source has one line; an application that sets up logging still gets it.
logging.getLogger("pdfminer").addHandler(logging.NullHandler())
_DIGITS = re.compile(r"\d+")
# What a reader of hostile bytes raises: there is no one base class in pdfminer for it.
_BROKEN = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    AssertionError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    struct.error,
    zlib.error,
)


def read_pdf(data: bytes, source: str) -> Reading:
    """A PDF's text by place on the page; ``number`` counts the lines read, over all pages.

    A wider gap than usual between lines is a blank line. Running heads and page numbers, which
    recur at the edge of most pages, are left out. Raises `SourceError` when it is no PDF, is
    locked, or holds no text (a scan).
    """
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
    from pdfminer.psexceptions import PSException

    if not data.lstrip()[:5].startswith(b"%PDF"):
        raise SourceError(source, "PDF として読めません（壊れているか、別の形式です）")
    try:
        pages = [
            _rows(_text_lines(page))
            for page in extract_pages(io.BytesIO(data), laparams=LAParams(boxes_flow=None))
        ]
    except (PDFPasswordIncorrect, PDFEncryptionError):
        raise SourceError(source, "PDF に鍵がかかっています") from None
    except (PSException, *_BROKEN):
        raise SourceError(source, "PDF として読めません（壊れているか、別の形式です）") from None
    if not any(pages):
        raise SourceError(source, "文字のない PDF です（画像だけの PDF は読めません）")
    return Reading(tuple(_pdf_lines(pages)), wrapped=True)


def _text_lines(component: "LTComponent") -> Iterator["LTTextLine"]:
    from pdfminer.layout import LTContainer, LTTextLine

    if isinstance(component, LTTextLine):
        yield component
    elif isinstance(component, LTContainer):
        for inner in component:
            yield from _text_lines(inner)


Row = tuple[float, float, str]
"""Upper and lower edge (points from the page's foot) and text."""


def _rows(lines: Iterable["LTTextLine"]) -> list[Row]:
    """Lines from top to bottom; pieces on one base line (bullet and text) joined."""
    pieces = sorted(lines, key=lambda line: (-line.y1, line.x0))
    rows: list[Row] = []
    for line in pieces:
        text = line.get_text().strip()
        if not text:
            continue
        if rows and line.y0 > rows[-1][1] - line.height / 2 and line.y1 > rows[-1][1] + 1:
            top, bottom, before = rows[-1]
            rows[-1] = (top, min(bottom, line.y0), f"{before} {text}")
        else:
            rows.append((line.y1, line.y0, text))
    return rows


def _pdf_lines(pages: list[list[Row]]) -> Iterator[Line]:
    running = _running(pages)
    gaps = Counter(
        round(upper[1] - lower[0], 1) for rows in pages for upper, lower in pairwise(rows)
    )
    usual = min(gaps.items(), key=lambda item: (-item[1], item[0]))[0] if gaps else 0.0
    number = 0
    for rows in pages:
        for at, (top, bottom, text) in enumerate(rows):
            if at in (0, len(rows) - 1) and _DIGITS.sub("#", text) in running:
                continue
            if at and rows[at - 1][1] - top > usual + 0.35 * (top - bottom):
                yield Line(number, "")
            number += 1
            yield Line(number, text)


def _running(pages: list[list[Row]]) -> frozenset[str]:
    """First and last lines, digits aside, that most of three or more pages have."""
    edges = Counter(
        edge
        for rows in pages
        if rows
        for edge in {_DIGITS.sub("#", rows[0][2]), _DIGITS.sub("#", rows[-1][2])}
    )
    return frozenset(edge for edge, count in edges.items() if count >= 3 and count * 2 > len(pages))
