"""The tables under ``data/``: UTF-8, a header line, tabs, no quoting."""

import csv
from collections.abc import Iterator
from pathlib import Path


class TableError(ValueError):
    """A table that cannot be used; the message names file and line."""


def read_table(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file by column name.

    Raises `TableError` where the file cannot be read, lacks one of ``columns``, or a row has more
    columns than the header or fewer.
    """
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
            header = tuple(rows.fieldnames or ())
            if missing := [name for name in columns if name not in header]:
                raise TableError(f"{path}:1: no column {', '.join(missing)}")
            for row in rows:
                if None in row or None in row.values():
                    raise TableError(f"{path}:{rows.line_num}: not {len(header)} columns")
                yield row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TableError(f"{path}: cannot be read: {error}") from None
