"""The tables under ``data/``: UTF-8, a header line, tabs, no quoting."""

import csv
from collections.abc import Iterator
from pathlib import Path


class TableError(ValueError):
    """A table that cannot be used; the message names file and line."""


def read_table(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file by column name. Raises `TableError` as `read_lines` does."""
    return (row for _, row in read_lines(path, *columns))


def read_lines(path: Path, *columns: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The same with the line that each row stands in; the header's is 1.

    Raises `TableError` where the file cannot be read, lacks one of ``columns`` or has one twice, or
    a row has more columns than the header or fewer.
    """
    try:
        # Editors may put a byte order mark before the first column's name.
        with path.open(encoding="utf-8-sig", newline="\n") as handle:
            rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
            header = rows.fieldnames or ()
            if missing := [name for name in columns if name not in header]:
                raise TableError(f"{path}:1: no column {', '.join(missing)}")
            if len(set(header)) < len(header):
                raise TableError(f"{path}:1: a column stands twice")
            for row in rows:
                if None in row or None in row.values():
                    raise TableError(f"{path}:{rows.line_num}: not {len(header)} columns")
                yield rows.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        # What the system says names the file once more.
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"{path}: cannot be read: {reason}") from None


def number(path: Path, line: int, text: str) -> int:
    """A whole number that stands in a table. Raises `TableError`."""
    try:
        return int(text)
    except ValueError:
        raise TableError(f"{path}:{line}: '{text}' is no number") from None
