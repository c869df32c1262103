"""Tables: what is read, and what is refused with its place."""

from pathlib import Path

import pytest

from saitei.data.tables import TableError, read_table


def read(tmp_path: Path, raw: bytes) -> list[dict[str, str]]:
    path = tmp_path / "t.tsv"
    path.write_bytes(raw)
    return list(read_table(path, "said", "official"))


def test_rows_by_column_name_in_any_order_and_with_more(tmp_path: Path) -> None:
    rows = read(tmp_path, 'official\tlang\tsaid\n戦場に出る\tja\t"場に出る\n'.encode())
    assert rows == [{"official": "戦場に出る", "lang": "ja", "said": '"場に出る'}]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"said\tlang\na\tja\n", r"t\.tsv:1: no column official"),
        (b"", r"t\.tsv:1: no column said, official"),
        (b"said\tofficial\na\tb\nc\n", r"t\.tsv:3: not 2 columns"),
        (b"said\tofficial\na\tb\tc\n", r"t\.tsv:2: not 2 columns"),
        (b"said\tofficial\n\xff\tb\n", r"t\.tsv: cannot be read"),
    ],
)
def test_a_damaged_table_is_one_clear_error(tmp_path: Path, raw: bytes, says: str) -> None:
    with pytest.raises(TableError, match=says):
        read(tmp_path, raw)


def test_a_missing_table_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"none\.tsv: cannot be read"):
        list(read_table(tmp_path / "none.tsv"))
