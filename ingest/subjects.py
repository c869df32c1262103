"""What each block of rulings is about: from headings, from names in the block, or inferred."""

from collections import Counter
from collections.abc import Sequence

from saitei.ingest.catalog import Catalog, Mechanic
from saitei.ingest.linking import link
from saitei.ingest.models import Subject
from saitei.ingest.sections import Block

NOTHING = Subject(None, None, "none", 0.0)


def subjects_of(
    blocks: Sequence[Block], cards: Sequence[tuple[str, ...]], catalog: Catalog
) -> list[Subject]:
    """One subject per block. ``cards`` are the cards each ruling mentions, over all blocks."""
    result: list[Subject] = []
    at = 0
    for block in blocks:
        mentioned = cards[at : at + len(block.drafts)]
        at += len(block.drafts)
        result.append(_plain(block, mentioned, catalog))
    return result


def _plain(block: Block, mentioned: Sequence[tuple[str, ...]], catalog: Catalog) -> Subject:
    """What can be said of a block from its own heading and words."""
    for name in block.names:
        card = catalog.card_named(name)
        if card:
            return Subject(card.id, "card", "heading", 1.0, name)
    votes: Counter[str] = Counter()
    for ids in mentioned:
        votes.update(ids)
    mechanic = _headed(block, catalog)
    if block.chapter != "cards" and mechanic:
        return Subject(mechanic.id, "mechanic", "heading", 0.9, block.heading[-1])
    if votes:
        id_, count = votes.most_common(1)[0]
        return Subject(id_, "card", "named", 0.6 + 0.4 * count / len(block.drafts))
    return NOTHING


def _headed(block: Block, catalog: Catalog) -> Mechanic | None:
    """The mechanic the nearest heading names."""
    for text in reversed(block.heading):
        for mention in link(text, catalog):
            if mention.kind == "mechanic":
                return catalog.mechanics[mention.id]
    return None
