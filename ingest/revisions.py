"""What changed between two readings of a document: rulings added, revised, removed."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from saitei.ingest.models import Ruling

SIMILAR = 75.0
"""Least similarity (`rapidfuzz.fuzz.ratio`, 0-100) of two wordings of one ruling.

Rulings of one kind on two cards differ by little but the card's name (about 90), so similarity
alone does not make a revision: the two must be all that is left of the same subject, or pair up
best among what is left.
"""


@dataclass(frozen=True, slots=True)
class Changes:
    """``revised`` holds pairs, old and new; a person has to confirm that they are one ruling."""

    added: tuple[Ruling, ...] = ()
    revised: tuple[tuple[Ruling, Ruling], ...] = ()
    removed: tuple[Ruling, ...] = ()


def compare(old: Sequence[Ruling], new: Sequence[Ruling]) -> Changes:
    """Compare by fingerprint, then pair what is left by wording, most similar first.

    Each ruling is in at most one pair; repeats of one text count once; rulings without text (known
    by fingerprint only) are never taken for revised.
    """
    before = {ruling.fingerprint: ruling for ruling in reversed(old)}
    after = {ruling.fingerprint: ruling for ruling in reversed(new)}
    gone = [one for one in before.values() if one.fingerprint not in after][::-1]
    come = [one for one in after.values() if one.fingerprint not in before][::-1]
    pairs = _pair([one for one in gone if one.text], [one for one in come if one.text])
    paired = {one.fingerprint for pair in pairs for one in pair}
    return Changes(
        tuple(one for one in come if one.fingerprint not in paired),
        tuple(pairs),
        tuple(one for one in gone if one.fingerprint not in paired),
    )


def _pair(gone: Sequence[Ruling], come: Sequence[Ruling]) -> list[tuple[Ruling, Ruling]]:
    """Most similar pairs first; of equally similar ones, those about the same subject first."""
    texts = [one.text for one in gone]
    found: list[tuple[float, bool, int, int]] = []
    for at, ruling in enumerate(come):
        for _, score, place in process.extract(
            ruling.text, texts, scorer=fuzz.ratio, score_cutoff=SIMILAR, limit=5
        ):
            same = ruling.subject.id is not None and ruling.subject.id == gone[place].subject.id
            found.append((score, same, place, at))
    found.sort(key=lambda one: (not one[1], -one[0], one[2], one[3]))
    pairs: list[tuple[int, int]] = []
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, _, place, at in found:
        if place not in used_old and at not in used_new:
            used_old.add(place)
            used_new.add(at)
            pairs.append((at, place))
    return [(gone[place], come[at]) for at, place in sorted(pairs)]
