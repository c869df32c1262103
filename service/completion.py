"""Card names from what a user has typed so far, and cards from names spelt nearly right."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from saitei.ingest.catalog import Card, Catalog, fold_name
from saitei.ingest.kana import written
from saitei.ingest.tokenise import features, in_katakana, tagger
from saitei.ingest.transcription import in_japanese

NEAR = 82.0
"""Least similarity, of 100, of a name that may be meant."""
AHEAD = 4.0
"""By how much the nearest card must lead the second to be taken without asking."""


@dataclass(frozen=True, slots=True)
class Named:
    """Who a name means: one card, or several that are as near (``card`` is then None)."""

    card: Card | None
    candidates: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    folded: str
    shown: str
    known: bool


class Completion:
    """Looks names up in one catalog; made once, then read only."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        names = {
            (fold_name(name), name): card.facts
            for card in catalog.cards.values()
            for face in card.faces
            for name in (face.ja, face.en)
            if name
        }
        self._names = sorted(
            (_Name(folded, shown, known) for (folded, shown), known in names.items()),
            key=lambda name: (name.folded, name.shown),
        )
        self._folded = [name.folded for name in self._names]
        # One text to look in: thirty times as fast as name by name.
        self._text = "\n".join(self._folded)
        self._starts = list(accumulate((len(text) + 1 for text in self._folded), initial=0))
        self._readings: tuple[_Name, ...] | None = None

    def complete(self, typed: str, limit: int) -> list[str]:
        """Names that begin with what was typed, then names it stands in; at most ``limit``.

        Japanese names are found by their kana reading too, hiragana or katakana, where the card
        has rulings. Cards with rulings come first, short names before long ones.
        """
        wanted = fold_name(typed)
        if not wanted:
            return []
        kana = in_katakana(wanted)
        found = _shown(self._beginning(wanted))
        if _is_kana(kana):
            found |= _shown(self._beginning(kana))
            found |= _shown(self._read_as(kana))
        if len(found) < limit:
            found |= _shown(self._containing(wanted))
            if kana != wanted:
                found |= _shown(self._containing(kana))
        return list(found)[:limit]

    def _beginning(self, wanted: str) -> Iterator[_Name]:
        at = bisect_left(self._folded, wanted)
        while at < len(self._names) and self._folded[at].startswith(wanted):
            yield self._names[at]
            at += 1

    def _containing(self, wanted: str) -> Iterator[_Name]:
        at = self._text.find(wanted)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield self._names[number]
            at = self._text.find(wanted, self._starts[number + 1])

    def _read_as(self, kana: str) -> Iterator[_Name]:
        if self._readings is None:
            self._readings = tuple(_read(self._catalog))
        return (name for name in self._readings if name.folded.startswith(kana))

    def named(self, name: str, *, fuzzy: bool) -> Named:
        """The card of a name or id; with ``fuzzy`` also of a part of a name, a misspelling, or a
        Japanese or English name in kana. What begins names is taken for no misspelling of others.
        Raises ``KanaError``.

        Of several cards a part fits, one with rulings is taken where there is but one.
        """
        exact = self._catalog.cards.get(name) or self._catalog.card_named(name)
        if exact is not None:
            return Named(exact, (exact,))
        wanted = fold_name(name)
        if not fuzzy or not any(letter.isalnum() for letter in wanted):
            return Named(None, ())
        meant = self._catalog.card_named(written(in_japanese(name)))
        if meant is not None:
            return Named(meant, (meant,))
        beginning = self._cards([found.folded for found in _ranked(self._beginning(wanted))])
        part = self._cards([found.folded for found in _ranked(self._containing(wanted))])
        if beginning:
            # "Delver" begins some names; it is no misspelt "Deliver".
            candidates = tuple(dict.fromkeys((*beginning, *part)))
            known = any(card.facts for card in candidates)
            return Named(_only(candidates if known else beginning), candidates)
        near = self._near(wanted)
        if near.card is not None:
            return near
        return Named(_only(part), part or near.candidates)

    def _near(self, wanted: str) -> Named:
        from rapidfuzz import fuzz, process

        found = process.extract(
            wanted, self._folded, scorer=fuzz.ratio, score_cutoff=NEAR, limit=20
        )
        best: dict[str, float] = {}
        for folded, score, _ in found:
            for card in self._cards([folded]):
                best.setdefault(card.id, score)
        if not best:
            return Named(None, ())
        cards = tuple(self._catalog.cards[card_id] for card_id in best)
        scores = list(best.values())
        if len(scores) == 1 or scores[0] - scores[1] >= AHEAD:
            return Named(cards[0], cards)
        return Named(None, cards)

    def _cards(self, folded: list[str]) -> tuple[Card, ...]:
        by_name = self._catalog.by_name
        found = (by_name[name] for name in folded if name in by_name)
        return tuple({card.id: card for card in found}.values())


def _ranked(names: Iterator[_Name]) -> list[_Name]:
    """Cards with rulings first, short names before long ones."""
    return sorted(names, key=lambda name: (not name.known, len(name.folded), name.folded))


def _shown(names: Iterator[_Name]) -> dict[str, None]:
    return dict.fromkeys(name.shown for name in _ranked(names))


def _only(cards: tuple[Card, ...]) -> Card | None:
    """The one card among ``cards``, or the one with rulings."""
    known = [card for card in cards if card.facts]
    if len(cards) == 1 or len(known) == 1:
        return (known or cards)[0]
    return None


def _is_kana(text: str) -> bool:
    return all("ァ" <= letter <= "ヺ" or letter == "ー" for letter in text)


def _read(catalog: Catalog) -> Iterator[_Name]:
    """Japanese names by their kana reading, of the cards that have rulings."""
    for card in catalog.cards.values():
        for face in card.faces if card.facts else ():
            reading = "".join(
                features(word).kana or word.surface
                for word in tagger()(unicodedata.normalize("NFKC", face.ja))
            )
            yield _Name(in_katakana(fold_name(reading)), face.ja, True)


@lru_cache(maxsize=2)
def completion_of(catalog: Catalog) -> Completion:
    return Completion(catalog)
