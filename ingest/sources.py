"""Files, folders and URLs into parsed documents: the front door of ``saitei ingest``."""

import os
import stat
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
    """Single sources, each once: a folder is replaced by what is in it and below that could be
    read, in path order. Left out are hidden names, other endings than `SUFFIXES`, and links to
    folders. What cannot be read stays, and fails by itself when it is read: a missing file, an
    empty folder, a dangling link or a pipe named like a document, a folder with no permission.
    """
    single: list[str] = []
    for source in sources:
        inside = _documents_in(source) if _is_folder(source) else []
        single.extend(inside or [source])
    return list(dict.fromkeys(single))


def _is_folder(source: str) -> bool:
    try:
        # An empty name would be the current folder.
        return bool(source) and not is_url(source) and stat.S_ISDIR(Path(source).stat().st_mode)
    except (OSError, ValueError):
        return False


def _documents_in(folder: str) -> list[str]:
    """Paths below a folder of what is named like a document, and of folders that do not open."""
    found: list[str] = []
    # Not recursive: folders can be nested deeper than calls.
    waiting = [folder]
    while waiting:
        inner = waiting.pop()
        try:
            with os.scandir(inner) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif _suffix(entry.name) in _BY_SUFFIX and not entry.is_dir():
                        found.append(entry.path)
        except OSError:
            found.append(inner)
    return sorted(found, key=lambda path: Path(path).parts)


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


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
        name = urlsplit(source).path
    else:
        data, kind, name = _read_file(source, max_bytes), None, source
    if not data.strip():
        raise SourceError(source, "中身が空です")
    kind = kind or _BY_SUFFIX.get(_suffix(name)) or _sniff(data)
    reading = _read(kind, data, source, charset, max_bytes)
    # A file name need not be text; what is published is.
    name = source.encode("utf-8", "replace").decode("utf-8")
    return parse(reading, data, name, packaged=packaged)


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
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise SourceError(source, _no_document(source))
        if not stat.S_ISREG(found.st_mode):
            raise SourceError(source, "ふつうのファイルではありません")
        with path.open("rb") as file:
            # One byte more tells a file that grows, or whose size was a lie, from one that fits.
            data = file.read(max_bytes + 1) if found.st_size <= max_bytes else b""
        if found.st_size > max_bytes or len(data) > max_bytes:
            raise SourceError(source, too_large(max(found.st_size, len(data)), max_bytes))
        return data
    except SourceError:
        raise
    except FileNotFoundError:
        why = "リンクの先がありません" if path.is_symlink() else "ファイルがありません"
        raise SourceError(source, why) from None
    except OSError as error:
        raise SourceError(source, f"読めません（{error.strerror or error}）") from None
    except ValueError:
        raise SourceError(source, "読めません（名前に使えない文字があります）") from None


def _no_document(folder: str) -> str:
    """Why a folder is no source; raises `OSError` when it does not even open."""
    os.scandir(folder).close()
    if _documents_in(folder):
        return "ファイルではなくフォルダです"
    return f"読める文書がありません（{'、'.join(SUFFIXES)}）"


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
