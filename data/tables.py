"""The tables under ``data/``: UTF-8, a header line, tabs, no quoting."""

import csv
from collections.abc import Iterator
from pathlib import Path


def read_table(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file by column name."""
    with path.open(encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
