"""Players' words in a question."""

import pytest

from saitei.ingest import glossary
from saitei.ingest.glossary import expansions


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        "殴る": "攻撃する",
        "殴り倒す": "攻撃して倒す",
        "倒す": "破壊する",
        "etb": "戦場に出たとき",
        "ラス": "破壊",
        "ドロー": "引く",
    }
    monkeypatch.setattr(glossary, "_glossary", lambda: found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("倒すか殴るか、また殴る", ["倒す", "殴る"]),
        # Of those that overlap the first.
        ("殴り倒す", ["殴り倒す"]),
        ("ＥＴＢで殴る", ["etb", "殴る"]),
        ("betbert", []),
        ("プラス1、クラス、ラストの話", []),
        ("ラス撃ってドロートリガー", ["ラス", "ドロー"]),
        ("何もない", []),
    ],
)
def test_each_word_once_in_order(text: str, said: list[str]) -> None:
    assert [one.said for one in expansions(text)] == said


def test_of_words_that_begin_together_the_longest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glossary, "_glossary", lambda: {"墓": "墓地", "墓穴": "墓地"})
    assert [one.said for one in expansions("墓穴の墓")] == ["墓穴", "墓"]
