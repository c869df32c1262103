"""What can be found: one entry per ruling text (fingerprint) or principle, and its passages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from saitei.ingest.catalog import Catalog
from saitei.ingest.models import Ruling, SubjectKind
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle

EntryKind = Literal["ruling", "principle"]
PassageKind = Literal["question", "answer", "official"]


RULE_PARENT = 0.6
"""Of a link from one rule number to the one it stands under, 702.34a to 702.34, either way."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One findable thing.

    ``key`` is a fingerprint or a principle's id. A ruling has a note, an official text (once a
    document was ingested), or both.
    """

    key: str
    kind: EntryKind
    subject_id: str | None = None
    subject_kind: SubjectKind | None = None
    note: Note | None = None
    principle: Principle | None = None
    official: str | None = None
    cards: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """Questions it answers beside those of its note or principle."""

    @property
    def answers_as(self) -> str | None:
        """What its questions go by (`saitei.ingest.asked`): the key of its note, or the id of the
        principle; None for an official text alone."""
        if self.kind == "principle":
            return self.key
        return self.note.key if self.note else None


@dataclass(frozen=True, slots=True)
class Passage:
    """One text that is embedded; ``entry`` is the position of its entry.

    ``said`` is the text as a person would say it, without the subject that leads ``text``.
    """

    entry: int
    kind: PassageKind
    text: str
    said: str


def make_entries(
    rulings: Iterable[Ruling],
    notes: Iterable[Note],
    principles: Iterable[Principle],
    asked: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> list[Entry]:
    """Entries in a stable order: rulings as given (first occurrence), then principles.

    A note without any ruling in ``rulings`` still makes an entry, one per fingerprint. ``asked``:
    further questions by key of a note or id of a principle.
    """
    by_fingerprint: dict[str, Note] = {fp: note for note in notes for fp in note.rulings}
    entries: dict[str, Entry] = {}
    for ruling in rulings:
        found = entries.get(ruling.fingerprint)
        if found is not None and (found.official or not ruling.text):
            continue
        note = by_fingerprint.get(ruling.fingerprint)
        subject_id, subject_kind = _note_subject(note)
        entries[ruling.fingerprint] = Entry(
            key=ruling.fingerprint,
            kind="ruling",
            subject_id=subject_id or ruling.subject.id,
            subject_kind=subject_kind or ruling.subject.kind,
            note=note,
            official=ruling.text or None,
            cards=ruling.cards,
            asked=asked.get(note.key, ()) if note else (),
        )
    for fp, note in by_fingerprint.items():
        if fp not in entries:
            subject_id, subject_kind = _note_subject(note)
            more = asked.get(note.key, ())
            entries[fp] = Entry(fp, "ruling", subject_id, subject_kind, note, asked=more)
    result = [entry for entry in entries.values() if entry.note or entry.official]
    result.extend(
        Entry(item.id, "principle", principle=item, asked=asked.get(item.id, ()))
        for item in principles
    )
    return result


def _note_subject(note: Note | None) -> tuple[str | None, SubjectKind | None]:
    if note is None:
        return None, None
    if note.subject.card:
        return note.subject.card, "card"
    return note.subject.mechanic, "mechanic"


def subject_names(entry: Entry, catalog: Catalog) -> tuple[str, ...]:
    """Names of the subject, Japanese first; a card gives every face."""
    if entry.subject_kind == "card" and entry.subject_id in catalog.cards:
        return catalog.cards[entry.subject_id].names
    if entry.subject_kind == "mechanic" and entry.subject_id in catalog.mechanics:
        mechanic = catalog.mechanics[entry.subject_id]
        return (mechanic.ja, mechanic.en)
    return ()


def questions_of(entry: Entry) -> tuple[str, ...]:
    """The questions we say an entry answers; its official text where there is no note."""
    source = entry.note or entry.principle
    if source is None:
        return (entry.official,) if entry.official else ()
    return (*source.questions.ja, *source.questions.en, *entry.asked)


def passages(entries: Sequence[Entry], catalog: Catalog) -> Iterator[Passage]:
    """The texts to embed: each question apart, our answer with its reason, the official text.

    Each is led by the subject's Japanese name, since questions name the card and rulings often do
    not.
    """
    for number, entry in enumerate(entries):
        names = subject_names(entry, catalog)
        lead = f"{names[0]}: " if names else ""
        for kind, said in _said(entry):
            yield Passage(number, kind, lead + said, said)


def _said(entry: Entry) -> Iterator[tuple[PassageKind, str]]:
    if entry.note is not None or entry.principle is not None:
        for question in questions_of(entry):
            yield "question", question
    if entry.note is not None:
        yield "answer", entry.note.answer + entry.note.because
    if entry.principle is not None:
        yield "answer", entry.principle.statement + entry.principle.condition
    if entry.official is not None:
        yield "official", entry.official


def lexical_text(entry: Entry, catalog: Catalog) -> Iterator[str]:
    """Every text of an entry that words are looked up in."""
    yield from subject_names(entry, catalog)
    if entry.note is not None or entry.principle is not None:
        yield from questions_of(entry)
    if entry.note is not None:
        yield entry.note.answer
        yield entry.note.because
        yield " ".join(entry.note.rules)
    if entry.principle is not None:
        yield entry.principle.statement
        yield entry.principle.condition
        yield " ".join(entry.principle.rules)
    if entry.official is not None:
        yield entry.official


def rule_id(number: str) -> str:
    """The link id of a rule number; no card or mechanic has a dot or colon in its id."""
    return f"rule:{number}"


def rule_parents(number: str) -> tuple[str, ...]:
    """The rule a subrule stands under: 702.34 for 702.34a; none for 702.34, whose chapter says
    too little."""
    stem = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return () if stem == number else (stem,)


def linked_ids(entry: Entry) -> Mapping[str, float]:
    """What an entry is linked to, and how firmly.

    Ids of cards and mechanics it is about (1.0) or mentions (0.3); rules it cites (1.0) and the
    rules those stand under (`RULE_PARENT`), as `rule_id` names them.
    """
    linked = dict.fromkeys(entry.cards, 0.3)
    if entry.subject_id:
        linked[entry.subject_id] = 1.0
    cited = entry.note.rules if entry.note else entry.principle.rules if entry.principle else ()
    for number in cited:
        for parent in rule_parents(number):
            linked.setdefault(rule_id(parent), RULE_PARENT)
    linked.update((rule_id(number), 1.0) for number in cited)
    return linked
