"""What is asked for by name or id: a ruling, a card, a scenario."""

from saitei.index.entries import Entry
from saitei.ingest.catalog import Card, Catalog
from saitei.service.completion import completion_of
from saitei.service.knowledge import OpenKnowledge
from saitei.service.scenarios import ScenarioText, packaged_scenarios

_SHOWN = 10
"""Candidates named when several cards fit."""


class MissingError(LookupError):
    """There is none of this name, or more than one. ``code`` is that of the HTTP API."""

    def __init__(self, code: str, detail: str, candidates: list[str] | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.candidates = code, detail, candidates


def find_ruling(knowledge: OpenKnowledge, ruling: str) -> Entry:
    """The entry of an occurrence id or bare fingerprint. Raises `MissingError`."""
    place = knowledge.database.ruling(ruling)
    number = knowledge.database.entry_number(place.fingerprint if place else ruling)
    entry = None if number is None else knowledge.database.entry(number)
    if entry is None or entry.kind != "ruling":
        raise MissingError("ruling_not_found", f"裁定 '{ruling[:80]}' はありません。")
    return entry


def find_card(catalog: Catalog, name: str, *, fuzzy: bool) -> Card:
    """The card of an id or name; ``fuzzy`` as in `Completion.named`. Raises `MissingError`."""
    found = completion_of(catalog).named(name, fuzzy=fuzzy)
    if found.card is not None:
        return found.card
    if not found.candidates:
        raise MissingError("card_not_found", f"カード '{name[:80]}' は知られていません。")
    names = [card.ja for card in found.candidates[:_SHOWN]]
    said = f"'{name[:80]}' に当てはまるカードが複数あります: {'、'.join(names)}"
    raise MissingError("card_ambiguous", said, names)


def find_scenario(scenario: str) -> ScenarioText:
    """The scenario of an id. Raises `MissingError`."""
    found = packaged_scenarios().get(scenario)
    if found is None:
        raise MissingError("scenario_not_found", f"シナリオ '{scenario[:80]}' はありません。")
    return found
