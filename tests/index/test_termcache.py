"""No text is tokenised twice by the same code."""

import pytest

from saitei.index import lexical, termcache
from saitei.index.lexical import terms
from saitei.index.termcache import TermCache


def words_of(cache: TermCache, text: str) -> list[str]:
    return [cache.vocabulary[number] for number in cache.ids(text)]


def test_numbers_stand_for_the_terms_in_order(tmp_path) -> None:
    cache = TermCache()
    for text in ("上陸が誘発し、上陸する", "2/2のゾンビ", ""):
        assert words_of(cache, text) == terms(text)


def test_a_saved_text_is_not_tokenised_again(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = TermCache()
    cache.of(["上陸", "腐乱"])
    cache.save(tmp_path / "t.npz")
    again = TermCache.load(tmp_path / "t.npz")
    monkeypatch.setattr(lexical, "terms", pytest.fail)
    assert words_of(again, "腐乱") == [again.vocabulary[n] for n in cache.ids("腐乱")]


def test_a_text_is_hashed_once_however_often_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hashed: list[str] = []

    def key(role: str, text: str) -> int:
        hashed.append(text)
        return len(text)

    monkeypatch.setattr(termcache, "text_key", key)
    cache = TermCache()
    first = cache.ids("上陸")
    assert cache.ids("上陸") is first
    assert hashed == ["上陸"]


def test_what_was_not_asked_for_is_dropped(tmp_path) -> None:
    cache = TermCache()
    cache.of(["上陸", "腐乱"])
    cache.save(tmp_path / "1.npz")
    second = TermCache.load(tmp_path / "1.npz")
    second.ids("腐乱")
    second.save(tmp_path / "2.npz")
    assert (tmp_path / "2.npz").stat().st_size < (tmp_path / "1.npz").stat().st_size


def test_other_code_makes_other_terms(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = TermCache()
    cache.ids("上陸")
    cache.save(tmp_path / "t.npz")
    monkeypatch.setattr(termcache, "_version", lambda: "newer")
    assert TermCache.load(tmp_path / "t.npz").vocabulary == []


def test_an_empty_cache_can_be_saved(tmp_path) -> None:
    TermCache().save(tmp_path / "t.npz")
    assert TermCache.load(tmp_path / "t.npz").vocabulary == []
