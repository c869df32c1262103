"""Files, folders and URLs into parsed documents: the front door of ``saitei ingest``."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from saitei.ingest.models import Parsed
from saitei.ingest.parsing import parse
from saitei.ingest.reading import Reading, SourceError, read_text

MAX_BYTES = 20_000_000
"""Largest source read, in bytes."""
TIMEOUT = 30.0
"""Seconds a URL may take in all."""

SUFFIXES = (".txt", ".text", ".md", ".markdown", ".html", ".htm", ".docx", ".pdf")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source: exactly one of the two is set."""

    source: str
    parsed: Parsed | None
    error: SourceError | None


def is_url(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def expand_sources(sources: Iterable[str]) -> list[str]:
    """Single sources: each folder replaced by the readable files under it, in path order.

    Raises `SourceError` for a path that does not exist and for a folder with nothing to read.
    """
    single: list[str] = []
    for source in sources:
        path = Path(source)
        if is_url(source) or path.is_file():
            single.append(source)
        elif path.is_dir():
            inside = [
                str(found)
                for found in sorted(path.rglob("*"))
                if found.is_file()
                and found.suffix.lower() in SUFFIXES
                and not any(part.startswith(".") for part in found.relative_to(path).parts)
            ]
            if not inside:
                raise SourceError(source, f"no file to read in this folder ({', '.join(SUFFIXES)})")
            single.extend(inside)
        else:
            raise SourceError(source, "no such file or folder")
    return list(dict.fromkeys(single))


def read_source(
    source: str,
    *,
    max_bytes: int = MAX_BYTES,
    timeout: float = TIMEOUT,
    packaged: bool = True,
) -> Parsed:
    """Read, decode and parse one file or URL. ``packaged``: see `saitei.ingest.parsing.parse`.

    Raises `SourceError`, its message one line that names the source and what is wrong with it.
    """
    data = _read_file(source, max_bytes)
    return parse(_reading(data, source), data, source, packaged=packaged)


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
            raise SourceError(source, "a folder, not a file")
        size = path.stat().st_size
        if size > max_bytes:
            raise SourceError(source, f"{size:,} bytes, more than the {max_bytes:,} allowed")
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(source, "no such file") from None
    except OSError as error:
        raise SourceError(source, f"cannot be read: {error.strerror or error}") from None
    if not data.strip():
        raise SourceError(source, "empty")
    return data


def _reading(data: bytes, source: str) -> Reading:
    return read_text(data, source)
