"""What players call cards: each word is one card's."""

from pathlib import Path

import pytest

from saitei.data.tables import TableError
from saitei.ingest.catalog import Called, load_nicknames

CARDS = {"snapcaster-mage", "ragavan-nimble-pilferer"}
GOOD = (
    "card\tsaid\tweight\nsnapcaster-mage\t瞬唱\tlikely\nragavan-nimble-pilferer\tラガバン\tsure\n"
)


def read(tmp_path: Path, text: str) -> tuple[Called, ...]:
    path = tmp_path / "nicknames.tsv"
    path.write_text(text, "utf-8")
    return load_nicknames(path, CARDS)


def test_nicknames_are_read_with_how_far_they_are_trusted(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == (
        Called("snapcaster-mage", "瞬唱", sure=False),
        Called("ragavan-nimble-pilferer", "ラガバン", sure=True),
    )


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("snapcaster-mage\t", "snapcaster\t", ":2: unknown card 'snapcaster'"),
        ("sure", "surely", ":3: a weight is sure or likely, not 'surely'"),
        ("ラガバン", "瞬唱", ":3: '瞬唱' stands here twice"),
        ("ラガバン", "・", ":3: '・' is no name"),
    ],
)
def test_a_faulty_nickname_is_named(tmp_path: Path, before: str, after: str, says: str) -> None:
    assert before in GOOD
    with pytest.raises(TableError, match=says):
        read(tmp_path, GOOD.replace(before, after, 1))
