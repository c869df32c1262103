"""English names of cards in katakana: ヘルライダー is Hellrider, which the cards call 地獄乗り.

A name keeps its consonants when it is written as it is heard; what becomes of its vowels depends on
who hears it (グレイブ, グレーブ). So the two are compared by their consonants, by the vowel they
begin with, and as wholes: a name is all of a row of katakana, or none of it.

The keys of all names are compared once, when the models are made (`transcriptions`).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from saitei.data.tables import TableError, read_table
from saitei.ingest.catalog import Catalog
from saitei.ingest.kana import FOLDER, KanaError
from saitei.ingest.tokenise import tagger

TRANSCRIBED = FOLDER / "transcribed.tsv"
"""Made by `saitei.ingest.kana_dictionary`."""
COLUMNS = ("key", "name")
FEWEST = 4
"""Consonants of a name: of fewer, too many words are made."""
SHORTEST = 5
"""Katakana of a name."""

_ROWS = {
    "カキクケコ": "k",
    "ガギグゲゴ": "g",
    "サシスセソザズゼゾツヅ": "s",
    "ジヂ": "j",
    "チ": "c",
    "タテト": "t",
    "ダデド": "d",
    "ナニヌネノン": "n",
    "ハヒヘホ": "h",
    "フ": "f",
    "バビブベボヴ": "b",
    "パピプペポ": "p",
    "マミムメモ": "m",
    "ラリルレロ": "r",
}
_CONSONANT = {kana: consonant for row, consonant in _ROWS.items() for kana in row}
_VOWELS = {
    "アカガサザタダナハバパマヤラワァャ": "a",
    "イキギシジチヂニヒビピミリィ": "i",
    "ウクグスズツヅヌフブプムユルゥュヴ": "u",
    "エケゲセゼテデネヘベペメレェ": "e",
    "オコゴソゾトドノホボポモヨロヲォョ": "o",
}
_VOWEL = {kana: vowel for row, vowel in _VOWELS.items() for kana in row}
_SMALL = frozenset("ァィゥェォャュョ")
_KATAKANA = "ァ-ヺーｦ-ﾟ"
_NAME = re.compile(f"[{_KATAKANA}]+(?:[・･＝= 　][{_KATAKANA}]+)*")
_ROW = re.compile(f"[{_KATAKANA}・･]+")
_PART = re.compile("[ァ-ヺー]+")

_HEARD = {"a": "aeo", "e": "eiau", "i": "ia", "o": "oau", "u": "auo", "y": "ia"}
"""What the first vowel letter of a name may be heard as."""
_BETWEEN = {"t": "o", "d": "o", "c": "i", "j": "i"}
"""The vowel that breaks up a cluster of consonants, by the first of them; of all others ``u``."""
_SPELT = (
    (r"^of$", "ob"),
    (r"mb$", "m"),
    (r"re$", ""),
    (r"stle", "sl"),
    (r"tch|ch", "C"),
    (r"sh|th", "s"),
    (r"ph", "f"),
    (r"ck|q(?=u)", "k"),
    (r"x", "ks"),
    (r"dge", "J"),
    (r"[ts]ion", "sn"),
    (r"(?:i|au|ou)gh", "i"),
    (r"gh", "g"),
    (r"ts|z", "s"),
    (r"s?c(?=[eiy])", "s"),
    (r"c", "k"),
    (r"v", "b"),
    (r"m(?=[bp])", "n"),
    (r"r(?![aeiouy])", ""),
    (r"(.)\1", r"\1"),
    (r"l", "r"),
)
"""How letters of a word sound, one rule after the other; capitals are sounds already."""
_EITHER = re.compile("(g)(?=[eiy])")
"""What may be hard or soft."""


def in_japanese(text: str) -> str:
    """``text`` with the cards' Japanese names in place of English ones in katakana, which may be of
    half width, its words apart or joined by a mark. Raises `KanaError`."""
    return _NAME.sub(lambda found: _named(found[0]) or _ROW.sub(_of_row, found[0]), text)


def _of_row(found: re.Match[str]) -> str:
    return _named(found[0]) or found[0]


def _named(typed: str) -> str:
    """The Japanese name, empty where ``typed`` is none in katakana."""
    heard = unicodedata.normalize("NFKC", typed)
    names = _names()
    if len(heard) < SHORTEST or heard in names:
        return ""
    name = names.get(heard_key(heard), "")
    return "" if name and _is_word(heard) else name


def _is_word(heard: str) -> bool:
    """Whether MeCab's own dictionary has it: ロレックス is no Loyal Cathar."""
    words = tagger()(heard)
    return len(words) == 1 and not words[0].is_unk


def heard_key(katakana: str) -> str:
    """First vowel and consonants of words in katakana, ``ehrrd`` of ヘルライダー."""
    consonants = "".join(_CONSONANT.get(kana, "") for kana in katakana)
    second = katakana[1:2]
    return _VOWEL.get(second if second in _SMALL else katakana[:1], "") + consonants


def spelt_keys(english: str) -> Iterator[str]:
    """The keys that an English name may have in katakana."""
    words = re.findall(r"[a-z]+", english.lower().replace("'", ""))
    sounds = "".join(map(_sound, words))
    vowel = re.search("[aeiouy]", sounds)
    if vowel is None:
        return
    cluster = _consonants(sounds[: vowel.start()])
    first = _HEARD[vowel[0]] if len(cluster) < 2 else _BETWEEN.get(cluster[0], "u")
    ways = (("g", "j") if part == "g" else (part,) for part in _EITHER.split(sounds))
    for way in product(*ways):
        consonants = _consonants("".join(way))
        if len(consonants) >= FEWEST:
            yield from (start + consonants for start in first)


def _sound(word: str) -> str:
    for spelt, heard in _SPELT:
        word = re.sub(spelt, heard, word)
    return word


def _consonants(sound: str) -> str:
    return re.sub("[aeiouyw]", "", sound).lower()


def transcriptions(catalog: Catalog) -> dict[str, str]:
    """Japanese names of cards with facts by the keys of their English ones.

    Left out are keys that another card's English name has too, or a mechanic's: ディスパース is not
    Despise. What sounds like one of the others but stands in the Japanese name of a card or a
    mechanic has itself for a key, and no name: クイントリウス is not Counterlash.
    """
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for card in catalog.cards.values():
        for face in card.faces:
            for key in spelt_keys(face.en):
                owners[key].add(face.ja if card.facts else "")
    names = {key: name for key, (name, *others) in owners.items() if name and not others}
    said = [face.ja for card in catalog.cards.values() for face in card.faces]
    said += [mechanic.ja for mechanic in catalog.mechanics.values()]
    for mechanic in catalog.mechanics.values():
        # フライング is flying, and not Fling.
        for key in spelt_keys(mechanic.en):
            names.pop(key, None)
    for row in (row for name in said for row in re.findall("[ァ-ヺー・]+", name)):
        for part in (row, *_PART.findall(row)):
            if heard_key(part) in names:
                names[part] = ""
    return names


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    try:
        rows = list(read_table(TRANSCRIBED, *COLUMNS))
    except TableError as error:
        raise KanaError(f"英名の読みの表として読めません: {error}") from None
    return {row["key"]: row["name"] for row in rows}
