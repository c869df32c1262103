"""Cards whose text the engine's parser marks as not understood."""

from dataclasses import dataclass

from saitei.engine.cards import CardBook
from saitei.engine.errors import UnsupportedError
from saitei.engine.protocol import Adapter


@dataclass(frozen=True, slots=True)
class Flagged:
    """A card and what the engine says of it, in its own words. ``place`` is file and line."""

    card: str
    place: str
    words: tuple[str, ...]


def audit(cards: CardBook, adapter: Adapter) -> list[Flagged]:
    """Every flagged card, by id. Misreadings the engine does not notice are not found so."""
    found = []
    for card in map(cards.get, cards.ids):
        try:
            words = adapter.flags(card)
        except UnsupportedError as error:
            words = [str(error)]
        if words:
            found.append(Flagged(card.id, card.place, tuple(words)))
    return found
