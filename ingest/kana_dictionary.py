"""Makes what `saitei.ingest.kana` reads kana with: names by their sound, and a MeCab dictionary.

``make index`` does, from the packaged catalog and the words of our own texts.
"""

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import unidic_lite
from fugashi import build_dictionary

from saitei.ingest.catalog import Catalog
from saitei.ingest.kana import FOLDER, NAMES, OURS, SHORTEST_NAME, WORDS
from saitei.ingest.lexicon import lexicon_of
from saitei.ingest.order import likeliest_reading, readings
from saitei.ingest.tokenise import tagger

LONG_NAME = 4
"""Characters of a name of which less likely readings count too."""
COMMON = 3
"""Times a word stands in the texts to be in the dictionary."""
SHORTEST = 2
"""Kana of a word."""

# MeCab adds up costs of words and of neighbours, and takes the cheapest way through a text; a
# common noun of its own costs 3,000 to 15,000. Below that, what is ours is preferred.
_NAME_COST, _TERM_COST, _WORD_COST, _SHORT_COST = -8_000, -2_000, 2_000, 4_000

COMMON_NOUN = "名詞,普通名詞,一般"
_NOUNS = frozenset({"名詞", "形状詞", "副詞"})
_WRITTEN = re.compile("[一-龠々ァ-ヶー]{2,}")
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
_HEARD = re.compile("[ぁ-ゖー]+")
_TO_HIRAGANA = {code + 0x60: code for code in range(ord("ぁ"), ord("ゖ") + 1)}


@dataclass(frozen=True, slots=True)
class Word:
    """A name or word as written, in hiragana as it is ``heard``, and what it costs MeCab."""

    written: str
    heard: str
    cost: int


def kana_names(catalog: Catalog) -> dict[str, str]:
    """Names of cards with facts, whole or as people shorten them, by their sound in katakana.

    Left out is what another card's name sounds like. A short name counts as read in the likeliest
    way only: the others are mostly wrong, and meet other words.
    """
    names: dict[str, str] = {}
    for name in _known_names(catalog):
        for sound in readings(name)[: 1 if len(name) < LONG_NAME else None]:
            if len(sound) >= SHORTEST_NAME:
                names.setdefault(sound, name)
    for card in catalog.cards.values():
        for name in () if card.facts else card.names:
            if _JAPANESE.search(name):
                names.pop(likeliest_reading(name), None)
    return names


def _known_names(catalog: Catalog) -> Iterator[str]:
    known = [name for card in catalog.cards.values() if card.facts for name in card.names]
    return filter(_JAPANESE.search, (*known, *lexicon_of(catalog).short_names))


def kana_words(catalog: Catalog, texts: Iterable[str]) -> list[Word]:
    """The dictionary's words: names and terms of ``catalog``, and what is common in ``texts``.
    Of words that sound the same, the first by cost."""
    heard = [Word(name, sound, _NAME_COST) for sound, name in kana_names(catalog).items()]
    # Names too short to be found by their sound alone, for texts typed in kana.
    heard += [Word(name, likeliest_reading(name), _WORD_COST) for name in _known_names(catalog)]
    for term in lexicon_of(catalog).terms:
        if _JAPANESE.search(term):
            heard += [Word(term, sound, _TERM_COST) for sound in readings(term) if len(sound) > 3]
    times: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for token in tagger()(text):
            sound = token.surface if token.is_unk else token.feature.kana
            if token.feature.pos1 in _NOUNS and sound and _WRITTEN.fullmatch(token.surface):
                times[token.surface, sound] += 1
    heard += [
        Word(word, sound, _WORD_COST if len(sound) > 3 else _SHORT_COST)
        for (word, sound), count in times.most_common()
        if count >= COMMON
    ]
    found: dict[str, Word] = {}
    for word in sorted(heard, key=lambda one: one.cost):
        hiragana = word.heard.translate(_TO_HIRAGANA)
        if len(hiragana) >= SHORTEST and _HEARD.fullmatch(hiragana) and hiragana != word.written:
            found.setdefault(hiragana, Word(word.written, hiragana, word.cost))
    return list(found.values())


def save_kana(catalog: Catalog, texts: Iterable[str]) -> None:
    """Write what `saitei.ingest.kana.written` reads. Raises ``OSError``; MeCab, where it cannot
    make its dictionary, ends the process."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = [f"{sound}\t{name}\n" for sound, name in sorted(kana_names(catalog).items())]
    NAMES.write_text("".join(["sound\tname\n", *rows]), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "words.csv"
        table.write_text("".join(map(_line, kana_words(catalog, texts))), "utf-8")
        with _no_output():
            # The first word stands for the command's name.
            build_dictionary(
                f"mecab-dict-index -d {unidic_lite.DICDIR} -u {WORDS} -f utf-8 -t utf-8 {table}"
            )


def _line(word: Word) -> str:
    """A word as MeCab's dictionaries have it: surface, contexts left and right, cost, features."""
    noun = _common_noun()
    features = [*COMMON_NOUN.split(","), "*", "*", "*", word.heard, word.written]
    features += [word.heard] * 4 + [OURS] + ["*"] * 13
    return ",".join([word.heard, noun, noun, str(word.cost), *features]) + "\n"


@lru_cache(maxsize=1)
def _common_noun() -> str:
    """The number MeCab's own dictionary gives the context of a common noun."""
    contexts = Path(unidic_lite.DICDIR, "left-id.def").read_text("utf-8").splitlines()
    return next(line.split()[0] for line in contexts if line.split()[1].startswith(COMMON_NOUN))


@contextmanager
def _no_output() -> Iterator[None]:
    """The compiler of dictionaries draws its progress on standard output, past Python's."""
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)
