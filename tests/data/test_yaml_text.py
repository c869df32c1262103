"""YAML under data/ keeps every plain scalar as the string that stands there."""

import pytest
from pydantic import BaseModel

from saitei.data.yaml_text import YamlError, parse_yaml, read_yaml, validated


@pytest.mark.parametrize(
    "scalar",
    ["799029090291", "21332e308835", "702.10", "no", "on", "yes", "null", "~", "0x1f", "12:30:45"],
)
def test_plain_scalars_stay_strings(scalar: str) -> None:
    assert parse_yaml(f"key: {scalar}", "x.yaml").value == {"key": scalar}
    assert parse_yaml(f"- {scalar}", "x.yaml").value == [scalar]


def test_a_duplicate_key_names_file_line_and_key() -> None:
    with pytest.raises(YamlError, match=r"^x\.yaml:3: key 'a' stands twice$"):
        parse_yaml("a: 1\nb: 2\na: 3\n", "x.yaml")


def test_a_syntax_error_names_file_and_line() -> None:
    with pytest.raises(YamlError, match=r"^x\.yaml:2: "):
        parse_yaml("a: 1\n b: [\n", "x.yaml")


def test_a_key_that_is_a_list_is_refused() -> None:
    with pytest.raises(YamlError, match=r"^x\.yaml:1: a key must be a word"):
        parse_yaml("? [a, b]\n: c\n", "x.yaml")


def test_lines_are_found_by_path_and_by_nearest_ancestor() -> None:
    text = parse_yaml("- id: a\n  deep:\n    key: v\n- id: b\n", "x.yaml")
    assert text.line(0, "deep", "key") == 3
    assert text.line(1, "id") == 4
    assert text.line(1, "missing") == 4


def test_an_empty_text_is_an_empty_list() -> None:
    assert parse_yaml("", "x.yaml").value == []


def test_an_unreadable_file_is_one_line(tmp_path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"a: \xff\xfe")
    with pytest.raises(YamlError, match=r"bad\.yaml:1: cannot be read"):
        read_yaml(bad)


class _Pair(BaseModel):
    left: str
    right: int


def test_validated_names_the_line_of_the_wrong_field() -> None:
    text = parse_yaml("- left: a\n  right: 1\n- left: b\n  right: x\n", "x.yaml")
    with pytest.raises(YamlError, match=r"^x\.yaml:4: 1?\.?right: "):
        validated(text, _Pair)


def test_validated_wants_a_list() -> None:
    with pytest.raises(YamlError, match=r"^x\.yaml:1: the file must be a list"):
        validated(parse_yaml("left: a", "x.yaml"), _Pair)
