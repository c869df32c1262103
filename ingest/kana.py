"""A question typed in kana, written as the cards write it: しんずいのはり becomes 真髄の針.

Three things are done. Katakana that is nothing but words of the rules or long names (ボチ,
センセイコウゲキ) is told from loan words. MeCab reads the text with a dictionary of our names and
words in kana beside its own. And words in a row are held against the names by how they are read,
which finds names half in kana (とうの霊) and in other characters of the same sound (声の移し身 for
声の写し身).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from saitei.data import PATH as DATA
from saitei.data.tables import TableError, read_table
from saitei.ingest.catalog import fold_name
from saitei.ingest.glossary import glossary_words
from saitei.ingest.tokenise import Features, features, in_hiragana, in_katakana, tagger

FOLDER = DATA / "model" / "kana"
"""Made by `saitei.ingest.kana_dictionary`."""
WORDS, NAMES = FOLDER / "words.dic", FOLDER / "names.tsv"
COLUMNS = ("sound", "name")

TERM, WORD = "saitei-term", "saitei-word"
"""Mark names and terms, and other words of our dictionary, where MeCab's own says which language a
word is from."""
SHORTEST_NAME = 5
"""Kana of a name that is found by how it is read; shorter ones sound like other words."""
KANJI_SHARE = 0.2
"""Of kanji among kanji and hiragana, below which a text counts as typed in kana. Elsewhere a word
in hiragana is mostly meant as such: シャッフルしたい holds no 死体."""
SURE_TERM = 4
"""Kana of a name or term that is trusted in any text."""

_HALF_WIDTH = re.compile("[ｦ-ﾝ][ﾞﾟ]?")
_COUNTER = {"まい": "枚", "たい": "体", "てん": "点", "かい": "回", "にん": "人"}
_COUNTED = re.compile(
    r"(?<=\d)(まい(?![るりらつ])|たい(?!おう|しょう|せん)|てん(?!かい|し|い)"
    r"|かい(?!しゃく|ふく|けつ|[しか])|にん(?!げん))"
)
_KANJI = re.compile("[々一-龠]")
_HIRAGANA = re.compile("[ぁ-ゖｦ-ﾝ]")
_LATIN = re.compile("[A-Za-z]")
_KATAKANA_ONLY = re.compile("[ァ-ヺー]+")
_KATAKANA_WORD = re.compile("[ァ-ヺー]{2,}")
_SENTENCE = re.compile("[ァ-ヺー]{10}")
_NOT_KATAKANA = re.compile("[ぁ-ゖ々一-龠A-Za-zｦ-ﾝ]")
_DASH = re.compile("(?<=[ァ-ヺ])[―─—]")
"""Typed for the long mark that it looks like."""
_HALF_OF = str.maketrans(
    {unicodedata.normalize("NFKC", chr(half)): chr(half) for half in range(0xFF66, 0xFFA0)}
)
"""Katakana in half width, and the marks that make か が and は ぱ."""
_LOAN = frozenset({"外", "固"})
"""What MeCab's own dictionary calls words from abroad and names."""
_SILENT = frozenset("、,・ 　")
"""Marks inside names that are not heard."""


class KanaError(ValueError):
    """The kana dictionary cannot be used; the message, in Japanese, names the file."""


def written(text: str) -> str:
    """``text`` with kana in place of names and words of the game replaced by these, and a dash by
    the long mark it looks like. Half-width katakana becomes full width. Raises `KanaError`."""
    text = _DASH.sub("ー", text)
    if _SENTENCE.search(text) and not _NOT_KATAKANA.search(text):
        # Words of any kind, as in half width.
        text = unicodedata.normalize("NFD", text).translate(_HALF_OF)
    text = _KATAKANA_WORD.sub(lambda found: _not_from_abroad(found[0]), text)
    if not _HIRAGANA.search(text):
        return text
    counted = _COUNTED.sub(lambda found: _COUNTER[found[1]], text)
    words = list(_words(counted))
    in_kana = kanji_share(text) < KANJI_SHARE
    out: list[str] = []
    place = 0
    while place < len(words):
        named = _name_at(words, place)
        if named is not None:
            name, place = named
            out.append(name)
            continue
        word = words[place]
        trusted = word.ours and (in_kana or (word.term and len(word.sound) >= SURE_TERM))
        # In a text all in kana, half-width ones are particles and verbs as well.
        out.append(word.ours if trusted else word.kana if in_kana else word.text)
        place += 1
    return "".join(out)


@lru_cache(maxsize=4096)
def _not_from_abroad(katakana: str) -> str:
    """The words of the game that ``katakana`` sounds like, as they are written; the same where it
    is a loan word, or anything else beside such words."""
    known, *more = tagger()(katakana)
    if features(known).origin in _LOAN and not known.is_unk and not more:
        return katakana
    words = list(_tagged(in_hiragana(katakana)))
    if not all(map(_of_the_game, words)):
        return katakana
    ours = "".join(features(word).lemma for word in words)
    # Part of it in katakana still: エルブルス is no エルブ留守.
    return katakana if _KATAKANA_WORD.search(ours) else ours


def _of_the_game(word: Any) -> bool:
    """Whether a word from our dictionary is one of the rules or the glossary, or a name too long to
    sound like other words: センコウ is no 専攻, カイカ not the card 開花."""
    said = features(word)
    if said.origin == TERM and len(word.surface) >= SHORTEST_NAME:
        return True
    return said.origin in (TERM, WORD) and said.lemma in glossary_words()


class _Word(NamedTuple):
    """A word or white space, with half-width kana as katakana. ``kana``: the same as MeCab saw it,
    with hiragana in their place; ``sound``: the katakana it is read as, empty where it has none;
    ``ours``: what our dictionary has for it, a name or ``term`` or another word."""

    text: str
    kana: str
    sound: str = ""
    ours: str = ""
    term: bool = False


def _words(text: str) -> Iterator[_Word]:
    """MeCab is given half-width kana as hiragana, by which words of ours are looked up."""
    shown = _HALF_WIDTH.sub(_full_width, text)
    read = _HALF_WIDTH.sub(lambda found: in_hiragana(_full_width(found)), text)
    at = 0
    for word in _tagged(read):
        if space := word.white_space:
            yield _Word(space, space)
            at += len(space)
        surface = word.surface
        end = at + len(surface)
        yield _word(shown[at:end], surface, features(word), word.is_unk)
        at = end
    if at < len(shown):
        yield _Word(shown[at:], shown[at:])


@lru_cache(maxsize=50_000)
def _word(typed: str, surface: str, said: Features, unknown: bool) -> _Word:
    """A word that MeCab found. ``typed``: with half-width kana as katakana, where ``surface`` has
    hiragana."""
    if surface.isspace():
        return _Word(surface, surface)
    ours = said.lemma if said.origin in (TERM, WORD) else ""
    sound = in_katakana(surface if ours or unknown else said.kana)
    heard = sound if _KATAKANA_ONLY.fullmatch(sound) else ""
    return _Word(typed, typed if unknown else surface, heard, ours, said.origin == TERM)


def _full_width(found: re.Match[str]) -> str:
    """One character, so that places stay; a mark that does not fit it is left out."""
    return unicodedata.normalize("NFKC", found[0]).replace("\u3099", "").replace("\u309a", "")


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
        if sound in names and _may_mean(said, names[sound]):
            found = (names[sound], place + 1)
    return found


def _may_mean(said: str, name: str) -> bool:
    """Whether what sounds like a name may be meant as it: not where it is the name already, and in
    kanji only with half of the name's characters (体攻撃 is no 対抗激)."""
    if fold_name(said) == fold_name(name):
        return False
    alike = sum((Counter(said) & Counter(name)).values())
    return not _KANJI.search(said) or (len(name) > 2 and 2 * alike >= len(name))


def kanji_share(text: str) -> float:
    """Of kanji among kanji and kana other than katakana; 1 of a text mostly in Latin letters."""
    kanji, kana = len(_KANJI.findall(text)), len(_HIRAGANA.findall(text))
    return kanji / (kanji + kana) if kana > len(_LATIN.findall(text)) else 1.0


def _tagged(text: str) -> Iterator[Any]:
    if not WORDS.is_file():
        raise KanaError(f"{WORDS}: かな辞書がありません。")
    try:
        yield from tagger(WORDS)(text)
    except RuntimeError as error:
        # fugashi adds a page of advice to what MeCab says.
        reason = next((line for line in str(error).splitlines() if "param" in line), "")
        raise KanaError(f"{WORDS}: かな辞書として読めません: {reason or 'MeCab'}") from None


@lru_cache(maxsize=1)
def _names() -> tuple[dict[str, str], int]:
    """Names by their sound in katakana, and the length of the longest sound."""
    try:
        rows = list(read_table(NAMES, *COLUMNS))
    except TableError as error:
        raise KanaError(f"名前の読みの表として読めません: {error}") from None
    if not rows:
        raise KanaError(f"{NAMES}: 名前の読みの表として読めません: 空です")
    names = {row["sound"]: row["name"] for row in rows}
    return names, max(map(len, names), default=0)
