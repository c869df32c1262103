"""Subjects for nameless blocks, from the order blocks stand in, card facts and what they say.

Card chapters are sorted: by English name (2012) or by Japanese reading (2021). The blocks that do
name their card show by which; the names before and after a nameless block then leave few cards of
the set, and what its rulings speak of (equipment, mana symbols, keywords, types) tells them apart.
Cards without facts cannot be candidates, so the more named cards lack facts, the less is claimed.
"""

import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rapidfuzz import fuzz

from saitei.ingest.catalog import Card, Catalog
from saitei.ingest.clues import likeness, subtypes
from saitei.ingest.models import Subject
from saitei.ingest.tokenise import features, in_katakana, tagger

CONFIDENT = 0.5
"""Least confidence at which an inferred subject is given; below it the subject is unknown."""
SORTED_SHARE = 0.85
"""Share of the named blocks that must stand in an order for the order to be believed."""
MOST_BLOCKS = 2000
"""Most card blocks of a chapter looked at: no set has a quarter as many cards."""
READINGS = 8
"""Readings of a Japanese name that are tried."""
UNLIKELY_READING = 0.3
"""Weight of a card that only another reading than the likeliest puts in a window."""
FEWEST_ANCHORS = 6
"""Fewest named blocks from which a set or an order can be read off."""
MISPLACED = 0.05
"""Chance that a block's card stands outside its window: readings are sometimes wrong."""
OTHER_CARD = 0.06
"""Weight of the card being none of the candidates, against one with nothing to be said for it."""


ALIKE = 60.0
"""Least similarity (`rapidfuzz.fuzz.ratio`, 0-100) of two blocks that say much the same."""

LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Window:
    """The sort keys between which a block's card must lie."""

    before: str = ""
    after: str = LAST

    def holds(self, key: str) -> bool:
        return self.before < key < self.after


@dataclass(frozen=True, slots=True)
class Stretch:
    """The card blocks of one chapter, in order: what each says, and its card where that is known
    (empty for a card that is named but in no catalog).

    ``faces`` is the number of face markers a block's header kept; ``near`` are ids of mechanics
    that sections next to the block explain.
    """

    texts: tuple[str, ...]
    known: tuple[str | None, ...]
    faces: tuple[int, ...]
    near: tuple[frozenset[str], ...]


def infer(
    stretch: Stretch, sets: frozenset[str], taken: frozenset[str], catalog: Catalog
) -> list[Subject | None]:
    """A subject for each block whose ``known`` is None, or None where nothing is sure enough.

    ``sets`` are the set codes the document is about, ``taken`` the cards its other blocks are
    about: no card has two blocks.
    """
    candidates = [
        card
        for card in catalog.cards.values()
        if card.facts and card.set in sets and card.id not in taken
    ]
    result: list[Subject | None] = [None] * len(stretch.texts)
    nameless = [i for i, known in enumerate(stretch.known) if known is None]
    if not candidates or not nameless or len(result) > MOST_BLOCKS:
        return result
    order = _order_of(stretch, catalog)
    windows = _windows(stretch, nameless, order, catalog) if order else [Window()] * len(nameless)
    weights = [
        _weights(stretch, place, window, candidates, order, catalog)
        for place, window in zip(nameless, windows, strict=True)
    ]
    posteriors = _posteriors(weights, windows, candidates, order)
    for place, posterior in zip(nameless, posteriors, strict=True):
        if not posterior:
            continue
        best = max(posterior, key=lambda id_: posterior[id_])
        if posterior[best] >= CONFIDENT:
            how = {"english": "English order", "kana": "kana order", "": "no order"}[order]
            result[place] = Subject(best, "card", "order", round(posterior[best], 2), how)
    return result


# -- order ---------------------------------------------------------------------------------------


def english_key(name: str) -> str:
    """An English name as sorted: letters and digits only, no accents."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9 ]", "", plain)


@lru_cache(maxsize=4096)
def readings(name: str) -> tuple[str, ...]:
    """How a Japanese name may be read, in katakana, the dictionary's likeliest reading first."""
    found = map(_sound, tagger().nbestToNodeList(name, READINGS))
    return tuple(dict.fromkeys(found))


def likeliest_reading(name: str) -> str:
    """The first of `readings`, at a tenth of the cost."""
    return _sound(tagger()(name))


def _sound(words: Sequence[Any]) -> str:
    kana = "".join(features(word).kana or word.surface for word in words)
    return re.sub(r"[、・\s]", "", in_katakana(kana))


def order_keys(order: str, card: Card) -> tuple[str, ...]:
    """The sort keys a card may have, the likeliest first."""
    return readings(card.ja) if order == "kana" else (english_key(card.en),)


def _order_of(stretch: Stretch, catalog: Catalog) -> str:
    """``english``, ``kana`` or nothing: the order the named blocks stand in."""
    cards = [catalog.cards[id_] for id_ in stretch.known if id_]
    if len(cards) < FEWEST_ANCHORS:
        return ""
    best, most = "", SORTED_SHARE
    for order in ("english", "kana"):
        if order == "kana" and not all(card.ja for card in cards):
            continue
        keys = [order_keys(order, card)[0] for card in cards]
        share = len(longest_rise(keys)) / len(keys)
        if share > most:
            best, most = order, share
    return best


def longest_rise(keys: Sequence[str]) -> list[int]:
    """Indices of a longest non-falling subsequence: the keys that can be trusted."""
    tails: list[str] = []
    last: list[int] = []
    previous: list[int] = []
    for i, key in enumerate(keys):
        at = bisect_left(tails, key + "\0")
        previous.append(last[at - 1] if at else -1)
        if at == len(tails):
            tails.append(key)
            last.append(i)
        else:
            tails[at], last[at] = key, i
    chain: list[int] = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(at)
        at = previous[at]
    return chain[::-1]


def _windows(
    stretch: Stretch, nameless: Sequence[int], order: str, catalog: Catalog
) -> list[Window]:
    """For each nameless block, the keys of the trusted named blocks before and after it."""
    named = [(i, catalog.cards[id_]) for i, id_ in enumerate(stretch.known) if id_]
    keys = [order_keys(order, card)[0] for _, card in named]
    trusted = [(named[j][0], keys[j]) for j in longest_rise(keys)]
    places = [place for place, _ in trusted]
    bounds = ["", *(key for _, key in trusted), LAST]
    windows: list[Window] = []
    for place in nameless:
        at = bisect_left(places, place)
        windows.append(Window(bounds[at], bounds[at + 1]))
    return windows


# -- choice --------------------------------------------------------------------------------------


def _weights(
    stretch: Stretch,
    place: int,
    window: Window,
    candidates: Sequence[Card],
    order: str,
    catalog: Catalog,
) -> list[float]:
    """Unnormalised chance of each candidate for one block."""
    fits = [_fit(order, card, window) for card in candidates]
    outside = MISPLACED / max(1, fits.count(0.0))
    text, faces, near = stretch.texts[place], stretch.faces[place], stretch.near[place]
    kin = _kin(stretch, place, catalog)
    return [
        math.exp(likeness(text, faces, near, card) + (1.0 if kin & subtypes(card) else 0.0))
        * (fit or outside)
        for card, fit in zip(candidates, fits, strict=True)
    ]


def _fit(order: str, card: Card, window: Window) -> float:
    """Weight of a card by its place: 0 outside the window, 1 within by its likeliest reading."""
    if not order:
        return 1.0
    likeliest, *others = order_keys(order, card)
    if window.holds(likeliest):
        return 1.0
    return UNLIKELY_READING if any(window.holds(key) for key in others) else 0.0


def _kin(stretch: Stretch, place: int, catalog: Catalog) -> frozenset[str]:
    """The subtype most of the named cards share whose blocks say much the same as this one.

    In one set, vampires are given one ability and werewolves another.
    """
    counts: Counter[str] = Counter()
    alike = 0
    for text, id_ in zip(stretch.texts, stretch.known, strict=True):
        if id_ and fuzz.ratio(text, stretch.texts[place], score_cutoff=ALIKE):
            alike += 1
            counts.update(subtypes(catalog.cards[id_]))
    return frozenset(word for word, count in counts.items() if count * 2 > alike)


def _posteriors(
    weights: Sequence[list[float]],
    windows: Sequence[Window],
    candidates: Sequence[Card],
    order: str,
) -> list[dict[str, float]]:
    """For each nameless block, how likely each card is its card.

    Blocks in one window are weighed together: their cards must rise in order and differ.
    """
    if not order:
        return [_normal(row, candidates) for row in weights]
    result: list[dict[str, float]] = []
    start = 0
    while start < len(weights):
        end = start + 1
        while end < len(weights) and windows[end] == windows[start]:
            end += 1
        ranked = sorted(
            range(len(candidates)), key=lambda i: _key_in(order, candidates[i], windows[start])
        )
        rows = [[row[i] for i in ranked] for row in weights[start:end]]
        for marginal in _rising(rows):
            result.append(
                {candidates[i].id: share for i, share in zip(ranked, marginal, strict=True)}
            )
        start = end
    return result


def _key_in(order: str, card: Card, window: Window) -> str:
    """The likeliest sort key of a card that lies in a window, or the likeliest of all."""
    keys = order_keys(order, card)
    return next((key for key in keys if window.holds(key)), keys[0])


def _normal(row: Sequence[float], candidates: Sequence[Card]) -> dict[str, float]:
    total = sum(row) + OTHER_CARD
    return {card.id: weight / total for card, weight in zip(candidates, row, strict=True)}


def _rising(weight: Sequence[Sequence[float]]) -> list[list[float]]:
    """Marginal probability of each card for each block over all rising assignments.

    ``forward[i][j]``: weight of all ways to assign the blocks before i to the cards before j;
    ``backward`` the same from behind. A block may also be about none of the cards.
    """
    n, m = len(weight), len(weight[0])
    forward = [[1.0] * (m + 1)] + [[0.0] * (m + 1) for _ in range(n)]
    backward = [[0.0] * (m + 1) for _ in range(n)] + [[1.0] * (m + 1)]
    for i in range(1, n + 1):
        gathered = 0.0
        for j in range(m + 1):
            if j:
                gathered += forward[i - 1][j - 1] * weight[i - 1][j - 1]
            forward[i][j] = forward[i - 1][j] * OTHER_CARD + gathered
    for i in range(n - 1, -1, -1):
        gathered = 0.0
        for j in range(m, -1, -1):
            if j < m:
                gathered += backward[i + 1][j + 1] * weight[i][j]
            backward[i][j] = backward[i + 1][j] * OTHER_CARD + gathered
    total = forward[n][m]
    return [
        [forward[i][j] * weight[i][j] * backward[i + 1][j + 1] / total for j in range(m)]
        for i in range(n)
    ]


def sets_of(ids: Sequence[str], catalog: Catalog) -> frozenset[str]:
    """The set codes a document is about: of three or more of the cards named, and a twentieth."""
    counts = Counter(catalog.cards[id_].set for id_ in ids if catalog.cards[id_].set)
    least = max(3.0, sum(counts.values()) / 20) if sum(counts.values()) > 6 else 1.0
    return frozenset(code for code, count in counts.items() if count >= least)
