"""Tables: what is read, and what is refused with its place."""

from pathlib import Path

import pytest

from saitei.data.tables import TableError, number, read_lines, read_table


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
        (b"said\tofficial\tsaid\na\tb\tc\n", r"t\.tsv:1: a column stands twice"),
        (b"said\tofficial\na\tb\rc\td\n", r"t\.tsv: cannot be read"),
        (b"said\tofficial\n\n\na\n", r"t\.tsv:4: not 2 columns"),
        (b"said\tofficial\na\tb\nc\n", r"t\.tsv:3: not 2 columns"),
        (b"said\tofficial\na\tb\tc\n", r"t\.tsv:2: not 2 columns"),
        (b"said\tofficial\n\xff\tb\n", r"t\.tsv: cannot be read"),
    ],
)
def test_a_damaged_table_is_one_clear_error(tmp_path: Path, raw: bytes, says: str) -> None:
    with pytest.raises(TableError, match=says):
        read(tmp_path, raw)


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xef\xbb\xbfsaid\tofficial\na\tb\n") == [{"said": "a", "official": "b"}]


def test_rows_know_their_line_and_what_is_no_number_is_told_with_it(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("line\n\n12\nx\n", "utf-8")
    rows = list(read_lines(path, "line"))
    assert rows == [(3, {"line": "12"}), (4, {"line": "x"})]
    assert number(path, 3, "12") == 12
    with pytest.raises(TableError, match=r"t\.tsv:4: 'x' is no number"):
        number(path, 4, "x")


def test_a_missing_table_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"none\.tsv: cannot be read"):
        list(read_table(tmp_path / "none.tsv"))
