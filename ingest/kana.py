"""A question typed in kana, written as the cards write it: しんずいのはり becomes 真髄の針.

Two things are done. MeCab reads the text with a dictionary of our names and words in kana beside
its own. And words in a row are held against the names by how they are read, which finds names half
in kana (とうの霊) and in other characters of the same sound (声の移し身 for 声の写し身).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.catalog import fold_name
from saitei.ingest.tokenise import tagger

FOLDER = DATA / "model" / "kana"
"""Made by `saitei.ingest.kana_dictionary`."""
WORDS, NAMES = FOLDER / "words.dic", FOLDER / "names.tsv"

OURS = "saitei"
"""Marks words of our dictionary, where MeCab's own says which language a word is from."""
SHORTEST_NAME = 5
"""Kana of a name that is found by how it is read; shorter ones sound like other words."""
KANJI_SHARE = 0.2
"""Of kanji among kanji and hiragana, below which a text counts as typed in kana. Elsewhere a word
in hiragana is mostly meant as such: シャッフルしたい holds no 死体."""
SURE_WORD = 4
"""Kana of a word of our dictionary that is trusted in any text."""

_HALF_WIDTH = re.compile("[ｦ-ﾝ][ﾞﾟ]?")
_COUNTER = {"まい": "枚", "たい": "体", "てん": "点", "かい": "回", "にん": "人"}
_COUNTED = re.compile(r"(?<=\d)(まい|たい(?!おう)|てん|かい|にん)")
_KANJI = re.compile("[々一-龠]")
_HIRAGANA = re.compile("[ぁ-ゖｦ-ﾝ]")
_LATIN = re.compile("[A-Za-z]")
_KATAKANA_ONLY = re.compile("[ァ-ヺー]+")
_SILENT = frozenset("、,・ 　")
"""Marks inside names that are not heard."""
_TO_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
_TO_HIRAGANA = {code + 0x60: code for code in range(ord("ぁ"), ord("ゖ") + 1)}


def written(text: str) -> str:
    """``text`` with kana in place of names and words of the game replaced by these; what is in no
    need of it stays, character by character."""
    if not _HIRAGANA.search(text):
        return text
    words = list(_words(_COUNTED.sub(lambda found: _COUNTER[found[1]], _full_width(text))))
    in_kana = _kanji_share(text) < KANJI_SHARE
    out: list[str] = []
    place = 0
    while place < len(words):
        named = _name_at(words, place)
        if named is not None:
            name, place = named
            out.append(name)
            continue
        word = words[place]
        trusted = word.ours and (in_kana or len(word.sound) >= SURE_WORD)
        out.append(word.ours if trusted else word.text)
        place += 1
    return "".join(out)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word or white space. ``sound``: the katakana it is read as, empty where it has none;
    ``ours``: what our dictionary has for it."""

    text: str
    sound: str = ""
    ours: str = ""


def _full_width(text: str) -> str:
    """Half-width kana as hiragana: words of ours are looked up as these."""
    return _HALF_WIDTH.sub(
        lambda found: unicodedata.normalize("NFKC", found[0]).translate(_TO_HIRAGANA), text
    )


def _words(text: str) -> Iterator[_Word]:
    rest = len(text)
    # Before our dictionary is made, with MeCab's own alone.
    for word in tagger(WORDS if WORDS.is_file() else None)(text):
        if word.white_space:
            yield _Word(word.white_space)
        ours = word.feature.lemma if word.feature.goshu == OURS else ""
        kana = word.surface if ours or word.is_unk else word.feature.kana or ""
        sound = kana.translate(_TO_KATAKANA)
        yield _Word(word.surface, sound if _KATAKANA_ONLY.fullmatch(sound) else "", ours)
        rest -= len(word.white_space) + len(word.surface)
    if rest:
        yield _Word(text[-rest:])


def _name_at(words: Sequence[_Word], first: int) -> tuple[str, int] | None:
    """The longest name that sounds like the words from ``first`` on, and the place behind them;
    None where they are it already."""
    names, longest = _names()
    sound, said = "", ""
    found = None
    for place in range(first, len(words)):
        word = words[place]
        said += word.text
        if not word.sound:
            if sound and word.text in _SILENT:
                continue
            break
        sound += word.sound
        if len(sound) > longest:
            break
        if sound in names:
            found = (names[sound], place + 1, said)
    return None if found is None or fold_name(found[0]) == fold_name(found[2]) else found[:2]


def _kanji_share(text: str) -> float:
    """Of kanji among kanji and kana other than katakana; 1 of a text mostly in Latin letters."""
    kanji, kana = len(_KANJI.findall(text)), len(_HIRAGANA.findall(text))
    return kanji / (kanji + kana) if kana > len(_LATIN.findall(text)) else 1.0


@lru_cache(maxsize=1)
def _names() -> tuple[dict[str, str], int]:
    """Names by their sound in katakana, and the length of the longest sound."""
    rows = read_table(NAMES) if NAMES.is_file() else ()
    names = {row["sound"]: row["name"] for row in rows}
    return names, max(map(len, names), default=0)
