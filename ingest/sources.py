"""Files, folders and URLs into parsed documents: the front door of ``saitei ingest``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from saitei.ingest.fetching import fetch, is_url, too_large
from saitei.ingest.models import Parsed
from saitei.ingest.parsing import parse
from saitei.ingest.reading import Reading, SourceError, read_text

MAX_BYTES = 20_000_000
"""Largest source read, in bytes."""
TIMEOUT = 30.0
"""Seconds a URL may take in all."""

Format = Literal["text", "markdown", "html", "docx", "pdf"]

_BY_SUFFIX: dict[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".pdf": "pdf",
}
_BY_MEDIA_TYPE: dict[str, Format] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
SUFFIXES = tuple(_BY_SUFFIX)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source: exactly one of the two is set."""

    source: str
    parsed: Parsed | None
    error: SourceError | None


def expand_sources(sources: Iterable[str]) -> list[str]:
    """Single sources, each once: a folder is replaced by the readable files under it, in path
    order (hidden ones left out). What does not exist stays, and fails when it is read.

    Raises `SourceError` for a folder with nothing to read.
    """
    single: list[str] = []
    for source in sources:
        path = Path(source)
        if is_url(source) or not path.is_dir():
            single.append(source)
            continue
        inside = [
            str(found)
            for found in sorted(path.rglob("*"))
            if found.suffix.lower() in _BY_SUFFIX
            and not any(part.startswith(".") for part in found.relative_to(path).parts)
            and found.is_file()
        ]
        if not inside:
            raise SourceError(source, f"読める文書がありません（{'、'.join(SUFFIXES)}）")
        single.extend(inside)
    return list(dict.fromkeys(single))


def read_source(
    source: str,
    *,
    max_bytes: int = MAX_BYTES,
    timeout: float = TIMEOUT,
    packaged: bool = True,
) -> Parsed:
    """Read, decode and parse one file or URL. ``max_bytes`` is checked before anything is parsed;
    ``timeout`` (seconds) is for URLs; ``packaged``: see `saitei.ingest.parsing.parse`.

    Raises `SourceError`, its message one line that names the source and what is wrong with it.
    """
    charset: str | None = None
    if is_url(source):
        fetched = fetch(source, max_bytes, timeout)
        data, charset = fetched.data, fetched.charset
        kind = _BY_MEDIA_TYPE.get(fetched.media_type)
        name = PurePosixPath(urlsplit(source).path)
    else:
        data, kind, name = _read_file(source, max_bytes), None, PurePosixPath(source)
    if not data.strip():
        raise SourceError(source, "中身が空です")
    kind = kind or _BY_SUFFIX.get(name.suffix.lower()) or _sniff(data)
    reading = _read(kind, data, source, charset, max_bytes)
    return parse(reading, data, source, packaged=packaged)


def read_sources(
    sources: Iterable[str], *, max_bytes: int = MAX_BYTES, timeout: float = TIMEOUT
) -> Iterator[Outcome]:
    """Every source by itself: one bad file does not keep the others out."""
    for source in sources:
        try:
            yield Outcome(source, read_source(source, max_bytes=max_bytes, timeout=timeout), None)
        except SourceError as error:
            yield Outcome(source, None, error)


def _read_file(source: str, max_bytes: int) -> bytes:
    path = Path(source)
    try:
        if path.is_dir():
            raise SourceError(source, "ファイルではなくフォルダです")
        if not path.is_file() and path.exists():
            raise SourceError(source, "ふつうのファイルではありません")
        size = path.stat().st_size
        if size > max_bytes:
            raise SourceError(source, too_large(size, max_bytes))
        return path.read_bytes()
    except FileNotFoundError:
        raise SourceError(source, "ファイルがありません") from None
    except (OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        why = error.strerror if isinstance(error, OSError) else None
        raise SourceError(source, f"読めません（{why or error}）") from None


def _sniff(data: bytes) -> Format:
    """The format of bytes whose name and type say nothing."""
    start = data[:1024].lstrip().lower()
    if start.startswith(b"%pdf"):
        return "pdf"
    if start.startswith(b"pk\x03\x04"):
        return "docx"
    return "html" if start.startswith((b"<!doctype html", b"<html")) else "text"


def _read(kind: Format, data: bytes, source: str, charset: str | None, max_bytes: int) -> Reading:
    """Lines by format; what reads a format is imported only when a source has it."""
    if kind == "html":
        from saitei.ingest.markup import read_html

        return read_html(data, source, charset)
    if kind == "markdown":
        from saitei.ingest.markup import read_markdown

        return read_markdown(data, source, charset)
    if kind == "docx":
        from saitei.ingest.word import read_docx

        return read_docx(data, source, max_bytes)
    if kind == "pdf":
        from saitei.ingest.pdf import read_pdf

        return read_pdf(data, source)
    return read_text(data, source, charset)
