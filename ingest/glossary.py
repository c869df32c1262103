"""Players' words to the rules' words: ``data/glossary.tsv`` (said, official, language)."""

import re
from dataclasses import dataclass
from functools import cache

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.tokenise import normalise

_PARTS = re.compile("[一-龠々]+|[ァ-ヺー]+")


@dataclass(frozen=True, slots=True)
class Expansion:
    """A word as said and the official wording it stands for."""

    said: str
    official: str


@cache
def _glossary() -> dict[str, str]:
    rows = read_table(DATA / "glossary.tsv", "said", "official")
    return {normalise(row["said"]): row["official"] for row in rows}


@cache
def glossary_words() -> frozenset[str]:
    """What is said, and the words of the official wordings: runs of kanji or of katakana."""
    official = (part for wording in _glossary().values() for part in _PARTS.findall(wording))
    return frozenset({*official, *_glossary()})


def expansions(text: str) -> tuple[Expansion, ...]:
    """The glossary's words in a text, each once, in order; of overlapping ones the first, of those
    that begin together the longest."""
    text = normalise(text)
    # One look for each word is faster than one pattern of hundreds of alternatives.
    places = [
        (match.start(), -match.end(), word)
        for word in _glossary()
        if word in text
        for match in _pattern(word).finditer(text)
    ]
    found: dict[str, None] = {}
    at = 0
    for start, end, word in sorted(places):
        if start >= at:
            found[word] = None
            at = -end
    return tuple(Expansion(said, _glossary()[said]) for said in found)


@cache
def _pattern(word: str) -> re.Pattern[str]:
    """A Latin word counts only whole, and one of two katakana too: "etb" is not part of another
    word, nor ラス of プラス."""
    escaped = re.escape(word)
    if word.isascii():
        return re.compile(rf"(?<![a-z0-9]){escaped}(?![a-z0-9])")
    if re.fullmatch("[ァ-ヺー]{2}", word):
        return re.compile(rf"(?<![ァ-ヺー]){escaped}(?![ァ-ヺー])")
    return re.compile(escaped)
