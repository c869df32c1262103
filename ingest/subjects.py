"""What each block of rulings is about: from headings, from names in the block, or inferred."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from saitei.ingest.catalog import Catalog, Mechanic
from saitei.ingest.linking import link_ruling
from saitei.ingest.models import Subject
from saitei.ingest.order import CONFIDENT, FEWEST_ANCHORS, Stretch, infer, sets_of
from saitei.ingest.outline import Block

NOTHING = Subject(None, None, "none", 0.0)
FOREIGN = 0.4
"""Confidence in a card that is named, but belongs to no set the document is about."""

# Cards named in an example are not what the ruling is about.
_EXAMPLE = re.compile(
    r"[（(](?:たとえば|例えば)[^（）()]*[）)]|(?:たとえば|例えば|e\.g\.|for example).*", re.I
)
# A misprint notice names the wrong card first and the right one after "correctly".
_CORRECTLY = re.compile(r"正し(?:く|い)")


def subjects_of(blocks: Sequence[Block], catalog: Catalog) -> list[Subject]:
    """One subject per block; what a nameless one is about is guessed only in a document that
    names cards enough to tell which set it is about."""
    subjects = [_plain(block, catalog) for block in blocks]
    found = [one.id for one in subjects if one.kind == "card" and one.id]
    sets = sets_of([id_ for id_ in found if catalog.cards[id_].facts], catalog)
    if not sets:
        return subjects
    subjects = [_at_home(one, sets, catalog) for one in subjects]
    if len(found) < FEWEST_ANCHORS:
        return subjects
    # Cards without facts cannot be candidates: the share of facts bounds what inference can claim.
    with_facts = sum(catalog.cards[id_].facts for id_ in found) / len(found)
    taken = frozenset(one.id for one in subjects if one.kind == "card" and one.id)
    for first, last in _stretches(blocks):
        part = subjects[first:last]
        stretch = Stretch(
            tuple(_text(block) for block in blocks[first:last]),
            tuple(
                one.id if one.kind == "card" else _unknown_card(block)
                for one, block in zip(part, blocks[first:last], strict=True)
            ),
            tuple(block.faces for block in blocks[first:last]),
            tuple(_near(blocks, i, subjects) for i in range(first, last)),
        )
        chapter_sets = sets_of(
            [
                one.id
                for one in part
                if one.id and one.kind == "card" and catalog.cards[one.id].facts
            ],
            catalog,
        )
        inferred = infer(stretch, chapter_sets or sets, taken, catalog)
        for at, subject in enumerate(inferred, first):
            if subject is not None and subject.confidence * with_facts >= CONFIDENT:
                subjects[at] = replace(
                    subject, confidence=round(subject.confidence * with_facts, 2)
                )
    return subjects


def _stretches(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Runs of card blocks under one chapter heading: each is sorted by itself."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, block in enumerate(blocks):
        if block.chapter == "cards":
            groups.setdefault(block.heading, []).append(i)
    runs: list[tuple[int, int]] = []
    for places in groups.values():
        start = previous = places[0]
        for place in places[1:]:
            if place != previous + 1:
                runs.append((start, previous + 1))
                start = place
            previous = place
        runs.append((start, previous + 1))
    return sorted(runs)


def _unknown_card(block: Block) -> str | None:
    """For a block without subject: None, or empty where its header names a card unknown here."""
    return "" if block.names else None


def _text(block: Block) -> str:
    return "\n".join(draft.text for draft in block.drafts)


def _near(blocks: Sequence[Block], place: int, subjects: Sequence[Subject]) -> frozenset[str]:
    """Mechanics of general sections right before or after a block."""
    near: set[str] = set()
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(blocks) and blocks[at].chapter != "cards":
            subject = subjects[at]
            if subject.kind == "mechanic" and subject.id:
                near.add(subject.id.replace("-", " "))
                break
            at += step
    return frozenset(near)


def _plain(block: Block, catalog: Catalog) -> Subject:
    """What can be said of a block from its own heading and words."""
    for name in block.names:
        card = catalog.card_named(name)
        if card:
            return Subject(card.id, "card", "heading", 1.0, name)
    mechanic = _headed(block, catalog)
    votes: Counter[str] = Counter()
    for draft in block.drafts:
        plain = _CORRECTLY.split(_EXAMPLE.sub("", draft.text))[-1]
        mentions = [one for one in link_ruling(plain, catalog) if one.kind == "card"]
        for id_ in dict.fromkeys(one.id for one in mentions):
            votes[id_] += 1
    everywhere = votes and max(votes.values()) == len(block.drafts)
    if block.chapter != "cards" and mechanic and not (everywhere and len(block.drafts) > 2):
        return Subject(mechanic.id, "mechanic", "heading", 0.9, block.heading[-1])
    if votes:
        id_, count = votes.most_common(1)[0]
        return Subject(id_, "card", "named", round(0.6 + 0.4 * count / len(block.drafts), 2))
    return NOTHING


def _at_home(subject: Subject, sets: frozenset[str], catalog: Catalog) -> Subject:
    """A named card of another set is an example unless a heading says it is the subject."""
    if subject.kind != "card" or subject.evidence != "named" or subject.id is None:
        return subject
    card = catalog.cards[subject.id]
    if card.facts and card.set not in sets:
        return NOTHING
    return replace(subject, confidence=FOREIGN) if not card.facts else subject


def _headed(block: Block, catalog: Catalog) -> Mechanic | None:
    """The mechanic the nearest heading names, or a special case of it the rulings speak of."""
    text = _text(block)
    for heading in reversed(block.heading):
        named = [
            catalog.mechanics[mention.id]
            for mention in link_ruling(heading, catalog)
            if mention.kind == "mechanic"
        ]
        if not named:
            named = [one for one in catalog.mechanics.values() if _all_parts(one, heading)]
        if named:
            special = (
                one
                for one in catalog.mechanics.values()
                if one.ja.endswith(named[0].ja)
                and one.ja in text
                and one.category == named[0].category
                and one is not named[0]
            )
            return next(special, named[0])
    return None


def _all_parts(mechanic: Mechanic, heading: str) -> bool:
    """Whether a heading holds both halves of a name such as 昼と夜, in any arrangement."""
    parts = mechanic.ja.split("と")
    return len(parts) == 2 and all(part and part in heading for part in parts)
