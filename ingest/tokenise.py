"""Japanese and English text into index terms.

fugashi (MeCab) with unidic-lite gives lemmas. Three things it does badly are done before or beside
it: numbers, P/T changes, mana symbols and rule numbers become one term each; katakana names, which
it shatters, are covered by character n-grams; English words are stemmed by Snowball.
"""

import csv
import re
import shlex
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

# One term each: rule numbers, P/T and P/T changes, mana symbols, plain numbers.
_NOTATION = re.compile(
    r"(?P<rule>(?<!\d)[1-9]\d\d\.\d{1,3}[a-z]?(?![a-z\d]))"
    r"|(?P<pt>[+-]?(?:\d+|x)/[+-]?(?:\d+|x))"
    r"|(?P<mana>\{[^{}]{1,5}\})"
    r"|(?P<number>\d+)"
)
# "1つめ" is an ordinal; the dictionary reads its つめ as a claw.
_ORDINAL = re.compile(r"(\d)つ(?:目|め)")
_HIRAGANA = re.compile(r"[ぁ-ゖ]\Z")
_LATIN = re.compile(r"[a-z][a-z'-]*")
_GRAM_RUN = re.compile(r"[々〆ヵヶ一-鿿]+|[ァ-ヺー]+|[ぁ-ゖ々〆一-鿿ァ-ヺー]+")
_KANJI = re.compile(r"[々一-鿿]")
_HIRAGANA_ONLY = re.compile(r"[ぁ-ゖー]+\Z")
_MINUS = str.maketrans({"−": "-", "‐": "-", "–": "-", "—": "-", "〜": "~", "’": "'"})

# Function words and symbols carry no meaning of their own in a question.
_SKIPPED = frozenset({"助詞", "助動詞", "補助記号", "記号", "空白"})
_STOP_LEMMAS = frozenset(
    {"為る", "有る", "居る", "成る", "其れ", "此れ", "事", "物", "者", "時", "の", "よう", "出来る"}
    | {"その", "この", "どう", "言う", "場合", "其の", "此の", "御", "何", "良い"}
)
_STOP_ENGLISH = frozenset(
    "a an and are as at be by can did do does for from had has have how i if in is it its me my of"
    " on or so that the their them then there they this to was what when which who will with you"
    " your".split()
)


_THREAD = threading.local()
_KATAKANA_OF = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
_HIRAGANA_OF = {katakana: hiragana for hiragana, katakana in _KATAKANA_OF.items()}


def in_katakana(text: str) -> str:
    """The text with hiragana as katakana."""
    return text.translate(_KATAKANA_OF)


def in_hiragana(text: str) -> str:
    """The text with katakana as hiragana."""
    return text.translate(_HIRAGANA_OF)


def normalise(text: str) -> str:
    """NFKC, lower case, one form of dash, tilde and apostrophe; length may change."""
    return unicodedata.normalize("NFKC", text).translate(_MINUS).lower()


def rule_numbers(text: str) -> list[str]:
    """Comprehensive Rules numbers in a text (``702.34a``, ``CR702.34``), each once, in order."""
    found = (match["rule"] for match in _NOTATION.finditer(normalise(text)))
    return list(dict.fromkeys(number for number in found if number))


def tagger(user_dictionary: Path | None = None) -> Any:
    """MeCab with unidic-lite, and with words of our own where a dictionary of them is given.

    One for each thread, loaded on first use (milliseconds, for the files are shared): MeCab
    puts the words of a text where those of the one before were, while these may still be read.
    """
    import fugashi
    import unidic_lite

    taggers: dict[Path | None, Any] = _THREAD.__dict__.setdefault("taggers", {})
    if user_dictionary not in taggers:
        # Named, because another dictionary that is installed too would be taken before it.
        folder = Path(unidic_lite.DICDIR)
        options = ["-r", str(folder / "mecabrc"), "-d", str(folder)]
        options += ["-u", str(user_dictionary)] if user_dictionary else []
        taggers[user_dictionary] = fugashi.Tagger(shlex.join(options))
    return taggers[user_dictionary]


class Features(NamedTuple):
    """What MeCab says of a word, of which unidic-lite has 26 columns; empty where it has nothing.
    ``origin``: its language, or a mark of ours (`saitei.ingest.kana`)."""

    pos1: str
    lemma: str
    origin: str
    kana: str


_COLUMNS = (0, 7, 12, 17)


@lru_cache(maxsize=50_000)
def _features(raw: str) -> Features:
    row = next(csv.reader([raw]))
    # Unknown words have six columns.
    found = (row[column] if column < len(row) else "" for column in _COLUMNS)
    return Features(*("" if text == "*" else text for text in found))


def features(token: Any) -> Features:
    """Of a word that a `tagger` found. Its own ``feature`` is read anew for every word of every
    text, which takes twice as long as finding the words."""
    return _features(token.feature_raw)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    import snowballstemmer

    # A new one each time, microseconds to make: a stemmer keeps the word it works on.
    return str(snowballstemmer.stemmer("english").stemWord(word))


def words(text: str) -> list[str]:
    """Lemmas of content words, English stems and notation terms, in order of the text."""
    return list(_words(_ORDINAL.sub(r"\1番目", normalise(text))))


def _words(text: str) -> Iterator[str]:
    at = 0
    for match in _NOTATION.finditer(text):
        yield from _prose(text[at : match.start()])
        yield match.group()
        at = match.end()
    yield from _prose(text[at:])


def _prose(text: str) -> Iterator[str]:
    if not text.strip():
        return
    at = 0
    for match in _LATIN.finditer(text):
        yield from _japanese(text[at : match.start()])
        word = match.group().strip("'-")
        if word and word not in _STOP_ENGLISH:
            yield _stem(word.removesuffix("'s"))
        at = match.end()
    yield from _japanese(text[at:])


def _japanese(text: str) -> Iterator[str]:
    if not text.strip():
        return
    for token in tagger()(text):
        said = features(token)
        if said.pos1 in _SKIPPED:
            continue
        # unidic-lite writes loan words as カード-card; unknown words have no lemma.
        lemma = (said.lemma or token.surface).split("-")[0]
        if lemma in _STOP_LEMMAS or token.surface in _STOP_LEMMAS or _HIRAGANA.match(lemma):
            continue
        yield lemma


def ngrams(text: str) -> list[str]:
    """Single kanji and pairs of characters, except pairs of hiragana, which match everything."""
    grams: list[str] = []
    for run in _GRAM_RUN.findall(normalise(text)):
        grams.extend(char for char in run if _KANJI.match(char))
        pairs = (run[i : i + 2] for i in range(len(run) - 1))
        grams.extend(pair for pair in pairs if not _HIRAGANA_ONLY.match(pair))
    return grams
