"""The tables of questions: what is read, and what is refused with its place."""

from pathlib import Path

import pytest

from saitei.data.tables import TableError
from saitei.ingest.asked import AskedQuestions, Unanswered, load_asked

ANSWERED = "target\tlanguage\tquestion\nflashback.a\tja\t一つ目？\nflashback.a\ten\tSecond?\n"
UNANSWERED = "about\tlanguage\tquestion\nflashback\tja\t答えなし？\n-\tmixed\tほかのcard？\n"


def write(folder: Path, answered: str = ANSWERED, unanswered: str = UNANSWERED) -> Path:
    (folder / "answered.tsv").write_text(answered, "utf-8")
    (folder / "unanswered.tsv").write_text(unanswered, "utf-8")
    return folder


def test_questions_are_grouped_by_what_answers_them(tmp_path: Path) -> None:
    assert load_asked(write(tmp_path)) == AskedQuestions(
        {"flashback.a": ("一つ目？", "Second?")},
        (Unanswered("答えなし？", "flashback"), Unanswered("ほかのcard？", None)),
    )


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("\ten\tSecond?", "\tSecond?", r"answered\.tsv:3: not 3 columns"),
        ("\ten\tSecond?", "\ten\tSecond?\tmore", r"answered\.tsv:3: not 3 columns"),
        ("一つ目？", "", r"answered\.tsv:2: an empty column"),
        ("target", "note", r"answered\.tsv:1: no column target"),
        ("\tja\t", "\tfr\t", r"answered\.tsv:2: unknown language 'fr'"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, before: str, after: str, says: str) -> None:
    assert before in ANSWERED
    folder = write(tmp_path, ANSWERED.replace(before, after, 1))
    with pytest.raises(TableError, match=says):
        load_asked(folder)


def test_a_missing_table_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"answered\.tsv: cannot be read"):
        load_asked(tmp_path)
