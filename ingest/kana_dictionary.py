"""Makes what `saitei.ingest.kana` reads kana with: names by their sound, and a MeCab dictionary.

``make index`` does, from the packaged catalog and the words of our own texts.
"""

import os
import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import unidic_lite
from fugashi import build_dictionary

from saitei.ingest.catalog import Catalog
from saitei.ingest.kana import (
    COLUMNS,
    FOLDER,
    KANJI_SHARE,
    NAMES,
    SHORTEST_NAME,
    TERM,
    WORD,
    WORDS,
    kanji_share,
)
from saitei.ingest.lexicon import lexicon_of
from saitei.ingest.order import likeliest_reading, readings
from saitei.ingest.tokenise import features, in_hiragana, tagger
from saitei.ingest.transcription import COLUMNS as TRANSCRIBED_COLUMNS
from saitei.ingest.transcription import TRANSCRIBED, transcriptions

LONG_NAME = 4
"""Characters of a name of which less likely readings count too."""
COMMON = 3
"""Times a word stands in the texts to be in the dictionary."""
FALSE = 50
"""A word that is read where it is not meant once in so many times that it stands is left out."""
SHORTEST = 2
"""Kana of a word."""

# MeCab adds up costs of words and of neighbours, and takes the cheapest way through a text; a
# common noun of its own costs 3,000 to 15,000. Below that, what is ours is preferred.
_NAME_COST, _TERM_COST, _WORD_COST, _SHORT_COST = -8_000, -2_000, 2_000, 4_000

COMMON_NOUN = "名詞,普通名詞,一般"
_NOUNS = frozenset({"名詞", "形状詞", "副詞"})
_WRITTEN = re.compile("[一-龠々ァ-ヶー]{2,}")
_KATAKANA = re.compile("[ァ-ヶー]+")
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
_HEARD = re.compile("[ぁ-ゖー]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, as it is ``heard``, and what it costs MeCab. ``term``: it is a name or a
    term, or as sure as one."""

    written: str
    heard: str
    cost: int
    term: bool = False


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


def kana_words(catalog: Catalog, texts: Sequence[str]) -> list[Word]:
    """The dictionary's words, sorted: names and terms of ``catalog``, and what is common in
    ``texts``. Of those that sound the same, the first by cost, then in order of the names."""
    lexicon = lexicon_of(catalog)
    named = [Word(name, sound, _NAME_COST, True) for sound, name in kana_names(catalog).items()]
    for term in sorted(filter(_JAPANESE.search, lexicon.terms)):
        named += [Word(term, sound, _TERM_COST, True) for sound in readings(term) if len(sound) > 3]
    # Names too short to be found by their sound alone, for texts typed in kana.
    named += [
        Word(name, likeliest_reading(name), _WORD_COST, True) for name in _known_names(catalog)
    ]
    # Hiragana with a long mark, くりーちゃー, is no other word: as sure as a term.
    common = [
        Word(word, sound, _WORD_COST if len(sound) > 3 else _SHORT_COST, "ー" in sound)
        for (word, sound), count in _nouns(texts).most_common()
        if count >= COMMON and not (len(sound) < 3 and _KATAKANA.fullmatch(word))
    ]
    found: dict[str, Word] = {}
    for word in sorted([*named, *common], key=lambda one: (one.cost, not one.term)):
        heard = in_hiragana(word.heard)
        if len(heard) >= SHORTEST and _HEARD.fullmatch(heard) and heard != word.written:
            found.setdefault(heard, replace(word, heard=heard))
    return sorted(found.values(), key=lambda one: one.heard)


def _nouns(texts: Iterable[str]) -> Counter[tuple[str, str]]:
    """How often each noun in kanji or katakana stands in the texts, with its sound."""
    times: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for token in tagger()(text):
            sound = token.surface if token.is_unk else features(token).kana
            if features(token).pos1 in _NOUNS and sound and _WRITTEN.fullmatch(token.surface):
                times[token.surface, sound] += 1
    return times


def without_false_friends(words: Sequence[Word], texts: Sequence[str]) -> list[Word]:
    """The words without those, names and terms apart, that MeCab often reads into ``texts`` which
    are written in kanji (`FALSE`): しょうか in でしょうか is no 消化."""
    with tempfile.TemporaryDirectory() as folder:
        dictionary = Path(folder) / "words.dic"
        compile_dictionary(words, dictionary)
        read: Counter[str] = Counter()
        for text in texts:
            if kanji_share(text) >= KANJI_SHARE:
                found = tagger(dictionary)(text)
                read.update(token.surface for token in found if features(token).origin == WORD)
    meant: Counter[str] = Counter()
    for (word, _), count in _nouns(texts).items():
        meant[word] += count
    return [one for one in words if one.term or read[one.heard] * FALSE < meant[one.written]]


def save_kana(catalog: Catalog, texts: Sequence[str]) -> None:
    """Write what `saitei.ingest.kana.written` and `saitei.ingest.transcription.in_japanese` read.
    Raises ``OSError``; MeCab, where it cannot make its dictionary, ends the process."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = [f"{sound}\t{name}\n" for sound, name in sorted(kana_names(catalog).items())]
    NAMES.write_text("".join(["\t".join(COLUMNS) + "\n", *rows]), "utf-8")
    rows = [f"{key}\t{name}\n" for key, name in sorted(transcriptions(catalog).items())]
    TRANSCRIBED.write_text("".join(["\t".join(TRANSCRIBED_COLUMNS) + "\n", *rows]), "utf-8")
    words = without_false_friends(kana_words(catalog, texts), texts)
    made = WORDS.with_suffix(".new")
    compile_dictionary(words, made)
    # Beside and then in place: the one before may be mapped by a process that reads.
    made.replace(WORDS)


def compile_dictionary(words: Iterable[Word], path: Path) -> None:
    """Write a dictionary that MeCab reads beside its own."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "words.csv"
        table.write_text("".join(map(_line, words)), "utf-8")
        # The first word stands for the command's name.
        options = ["mecab-dict-index", "-d", unidic_lite.DICDIR, "-u", str(path)]
        options += ["-f", "utf-8", "-t", "utf-8", str(table)]
        with _no_output():
            build_dictionary(shlex.join(options))


def _line(word: Word) -> str:
    """A word as MeCab's dictionaries have it: surface, contexts left and right, cost, features."""
    noun = _common_noun()
    features = [*COMMON_NOUN.split(","), "*", "*", "*", word.heard, word.written]
    features += [word.heard] * 4 + [TERM if word.term else WORD] + ["*"] * 13
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
