"""What there is to browse: rulings by document, card, mechanic, principle and status."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from saitei.index.entries import Entry
from saitei.ingest.catalog import Card, Catalog, Mechanic
from saitei.ingest.models import Document, Ruling
from saitei.ingest.notes import Superseded
from saitei.ingest.principles import Principle
from saitei.service.answers import result_view
from saitei.service.knowledge import OpenKnowledge
from saitei.service.views import ResultView


@dataclass(frozen=True, slots=True)
class Group:
    """Rulings under one subject, with how many there are."""

    id: str
    ja: str
    en: str
    kind: str
    count: int


class Shelf:
    """One generation of the knowledge base in the orders people browse it in. Read once."""

    def __init__(self, knowledge: OpenKnowledge) -> None:
        self.knowledge = knowledge

    @property
    def catalog(self) -> Catalog:
        return self.knowledge.catalog

    @cached_property
    def _rulings(self) -> tuple[Ruling, ...]:
        return self.knowledge.database.contents().rulings

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        subjects = dict.fromkeys(r.subject.id for r in self._rulings if r.subject.id)
        found: dict[str, Entry] = {}
        for ruling in self._rulings:
            if ruling.fingerprint not in found:
                number = self.knowledge.database.entry_number(ruling.fingerprint)
                if number is not None:
                    found[ruling.fingerprint] = self.knowledge.database.entry(number)
        for subject in subjects:
            for entry in self.knowledge.database.entries_about(subject):
                found.setdefault(entry.key, entry)
        return found

    @cached_property
    def _about(self) -> Mapping[str, tuple[Entry, ...]]:
        about: dict[str, list[Entry]] = defaultdict(list)
        for entry in self._entries.values():
            if entry.subject_id:
                about[entry.subject_id].append(entry)
        return {subject: tuple(entries) for subject, entries in about.items()}

    @cached_property
    def _by_note(self) -> Mapping[str, Entry]:
        return {entry.note.key: entry for entry in self._entries.values() if entry.note}

    @property
    def principles(self) -> tuple[Principle, ...]:
        """Every principle, in file order."""
        return self.knowledge.principles

    def principle(self, principle_id: str) -> Principle | None:
        return next((one for one in self.principles if one.id == principle_id), None)

    @property
    def documents(self) -> list[Document]:
        """The documents, newest first; those without a date last."""
        return sorted(
            self.knowledge.documents.values(),
            key=lambda document: (document.updated or "", document.id),
            reverse=True,
        )

    def rulings_of(self, document_id: str) -> int:
        """How many rulings a document has."""
        return sum(1 for ruling in self._rulings if ruling.document == document_id)

    @property
    def total(self) -> int:
        """How many distinct rulings there are."""
        return len(self._entries)

    def set_documents(self, code: str) -> list[Document]:
        """The documents of a set, by its code in either case."""
        return [one for one in self.documents if one.set.lower() == code.lower()]

    def groups(self, documents: Sequence[Document], kind: str) -> list[Group]:
        """The subjects of one kind that have rulings in the documents, in their order."""
        wanted = {document.id for document in documents}
        counts: dict[str, int] = defaultdict(int)
        for ruling in self._rulings:
            subject = self._entries.get(ruling.fingerprint)
            if ruling.document in wanted and subject and subject.subject_kind == kind:
                counts[subject.subject_id or ""] += 1
        return [group for group in (self._group(s, n) for s, n in counts.items()) if group]

    def _group(self, subject: str, count: int) -> Group | None:
        named: Card | Mechanic | None = self.catalog.cards.get(subject)
        kind = "card"
        if named is None or subject in self.catalog.mechanics:
            named, kind = self.catalog.mechanics.get(subject), "mechanic"
        return Group(subject, named.ja, named.en, kind, count) if named else None

    def about(self, subject: str) -> list[ResultView]:
        """The rulings about a card or mechanic."""
        return self._views(self._about.get(subject, ()))

    def instances(self, principle: Principle) -> list[ResultView]:
        """The rulings that are instances of a principle."""
        return self._views([self._by_note[k] for k in principle.instances if k in self._by_note])

    def support(self, principle: Principle) -> list[ResultView]:
        """Those of them that hold today: a superseded ruling supports nothing."""
        return [one for one in self.instances(principle) if not isinstance(one.status, Superseded)]

    def mentioning(self, card: str) -> list[ResultView]:
        """The rulings about other subjects whose text names a card."""
        return self._views(
            [one for one in self._entries.values() if card in one.cards and one.subject_id != card]
        )

    @property
    def superseded(self) -> list[ResultView]:
        """Rulings that no longer hold."""
        return self._views(
            [
                one
                for one in self._entries.values()
                if one.note and isinstance(one.note.status, Superseded)
            ]
        )

    @property
    def narrowed(self) -> list[ResultView]:
        """Rulings of which a part still holds."""
        return self._views(
            [one for one in self._entries.values() if one.note and one.note.status == "narrowed"]
        )

    @property
    def oracle_changed(self) -> list[ResultView]:
        """Current rulings about cards whose text has been changed."""
        return self._views(
            [
                one
                for one in self._entries.values()
                if one.note
                and one.note.oracle_changed
                and not isinstance(one.note.status, Superseded)
            ]
        )

    def by_fingerprint(self, fingerprint: str) -> ResultView | None:
        entry = self._entries.get(fingerprint)
        return self._views([entry])[0] if entry else None

    def entry(self, fingerprint: str) -> Entry | None:
        return self._entries.get(fingerprint)

    def _views(self, entries: Sequence[Entry]) -> list[ResultView]:
        return [result_view(entry, self.knowledge, 1.0) for entry in entries]


class Shelves:
    """The shelf of the generation in use."""

    def __init__(self) -> None:
        self._shelf: Shelf | None = None

    def of(self, knowledge: OpenKnowledge) -> Shelf:
        shelf = self._shelf
        if shelf is None or shelf.knowledge is not knowledge:
            self._shelf = shelf = Shelf(knowledge)
        return shelf
