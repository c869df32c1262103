"""Are notes, principles and the table of rules complete and honest?

Joins notes, principles, catalog, document tables, `data/facts/rules.tsv` and, where they are at
hand, the official documents and the text of the Comprehensive Rules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.asked import AskedQuestions, load_asked
from saitei.ingest.catalog import Catalog, load_catalog
from saitei.ingest.notes import Note, Superseded, load_notes
from saitei.ingest.principles import Principle, load_principles
from saitei.service.rules import NO_TEXT, Rule, RulesText, load_rules, number_order, solid

VERBATIM = 36
"""Characters (white space aside) running in common with an official text that count as copying."""

VERBATIM_RULES = 90
"""The same for the English text of the Comprehensive Rules, whose words carry less a letter."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with the note, principle, rule or ruling named by ``note``.

    A ``warning`` deserves a look and is no fault.
    """

    note: str
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.note}: {'warning: ' if self.warning else ''}{self.message}"


@dataclass(frozen=True)
class Sources:
    """What our words are compared with; empty where nothing is at hand."""

    runs: frozenset[str] = frozenset()
    rules: RulesText = NO_TEXT

    def copied(self, sentence: str) -> str | None:
        """The first run of a sentence of ours that repeats an official text."""
        text = solid(sentence)
        for run in _runs(text, VERBATIM) if self.runs else ():
            if run in self.runs:
                return run
        for run in _runs(text, VERBATIM_RULES):
            if run in self.rules.solid:
                return run
        return None


def _runs(text: str, length: int) -> Iterator[str]:
    for start in range(len(text) - length + 1):
        yield text[start : start + length]


def official_runs(documents: Path) -> frozenset[str]:
    """Every run of `VERBATIM` characters in the official texts at hand."""
    runs: set[str] = set()
    for path in sorted(documents.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            runs.update(_runs(solid(line.lstrip("• ")), VERBATIM))
    return frozenset(runs)


def written(note: Note) -> Iterator[str]:
    """Every sentence of ours in a note."""
    yield from note.questions.ja
    yield from note.questions.en
    yield note.answer
    yield note.because
    for claim in note.claims:
        yield claim.says


def stated(principle: Principle) -> Iterator[str]:
    """Every sentence of ours in a principle."""
    yield principle.statement
    yield principle.condition
    yield principle.exceptions
    yield from principle.questions.ja
    yield from principle.questions.en


def known_fingerprints(folder: Path = DATA / "documents") -> dict[str, str]:
    """Fingerprint -> document id, from the packaged document tables."""
    known: dict[str, str] = {}
    for path in sorted(folder.glob("*.tsv")):
        for row in read_table(path, "fingerprint"):
            known.setdefault(row["fingerprint"], path.stem)
    return known


def check_note(
    note: Note, catalog: Catalog, known: Mapping[str, str], sources: Sources
) -> Iterator[str]:
    """What is wrong with one note, apart from the others."""
    card, mechanic = note.subject.card, note.subject.mechanic
    if card and card not in catalog.cards:
        yield f"unknown card '{card}'"
    if mechanic and mechanic not in catalog.mechanics:
        yield f"unknown mechanic '{mechanic}'"
    for ruling in note.rulings:
        if known and ruling not in known:
            yield f"no official ruling has the fingerprint {ruling}"
    if len(note.questions.ja) < 3 and note.status != "product":
        yield "fewer than three questions in Japanese"
    if not note.questions.en and note.status != "product":
        yield "no question in English"
    if len(note.answer) > 130:
        yield f"answer of {len(note.answer)} characters; about 80 is the aim, 130 the limit"
    for copied in filter(None, map(sources.copied, written(note))):
        yield f"repeats an official text word for word: {copied}"


def check_set(notes: Sequence[tuple[Path, Note]], known: Mapping[str, str]) -> Iterator[Finding]:
    """What is wrong between notes: double ids and rulings, wrong files, rulings without a note."""
    for key, count in Counter(note.key for _, note in notes).items():
        if count > 1:
            yield Finding(key, "two notes have this id")
    owner: dict[str, str] = {}
    for path, note in notes:
        if path.stem != note.subject.id:
            yield Finding(note.key, f"stands in {path.name}, not in its subject's file")
        for ruling in note.rulings:
            other = owner.setdefault(ruling, note.key)
            if other != note.key:
                yield Finding(note.key, f"ruling {ruling} already has the note {other}")
    for ruling, document in known.items():
        if ruling not in owner:
            yield Finding(ruling, f"ruling of {document} without a note")


def check_questions(notes: Iterable[Note], principles: Iterable[Principle]) -> Iterator[Finding]:
    """Equal questions that are answered differently: search could not tell them apart."""
    asked: dict[str, tuple[str, str]] = {}
    entries = [
        *((note.key, note.questions, note.answer) for note in notes),
        *((item.id, item.questions, item.statement) for item in principles),
    ]
    for key, questions, answer in entries:
        for question in (*questions.ja, *questions.en):
            first, answered = asked.setdefault(_plain(question), (key, answer))
            if first != key and answered != answer:
                yield Finding(key, f"asks what {first} asks: {question}")


def check_asked(
    asked: AskedQuestions,
    notes: Sequence[Note],
    principles: Sequence[Principle],
    catalog: Catalog,
    sources: Sources,
) -> Iterator[Finding]:
    """What is wrong with the further questions, apart and beside those of notes and principles."""
    owners: dict[str, str] = {}
    answers: dict[str, str] = {}
    for key, answer, questions in [
        *((note.key, note.answer, note.questions) for note in notes),
        *((item.id, item.statement, item.questions) for item in principles),
    ]:
        answers[key] = answer
        owners.update((_plain(one), key) for one in (*questions.ja, *questions.en))
    for key, texts in asked.answered.items():
        if key not in answers:
            yield Finding(key, "asked about, but no note or principle has this name")
            continue
        for text in texts:
            first = owners.setdefault(_plain(text), key)
            if first != key and answers[first] != answers[key]:
                yield Finding(key, f"asks what {first} asks: {text}")
    subjects = catalog.cards.keys() | catalog.mechanics.keys()
    for one in asked.unanswered:
        if one.about is not None and one.about not in subjects:
            yield Finding(one.about, "asked about, but no card or mechanic has this name")
        if _plain(one.text) in owners:
            key = owners[_plain(one.text)]
            yield Finding(key, f"answers a question that is said to have no answer: {one.text}")
    every = [*asked.answered.items(), ("unanswered", [one.text for one in asked.unanswered])]
    for key, found in every:
        for copied in filter(None, map(sources.copied, found)):
            yield Finding(key, f"repeats an official text word for word: {copied}")


def _plain(question: str) -> str:
    return solid(question).rstrip("?").lower()


def check_principles(
    principles: Sequence[Principle], notes: Sequence[Note], sources: Sources
) -> Iterator[Finding]:
    """What is wrong with principles, and between them and the notes that name them."""
    by_id = {item.id: item for item in principles}
    by_key = {note.key: note for note in notes}
    for name, count in Counter(item.id for item in principles).items():
        if count > 1:
            yield Finding(name, "two principles have this id")
    for note in notes:
        for name in note.principles:
            if name not in by_id:
                yield Finding(note.key, f"unknown principle '{name}'")
            elif note.key not in by_id[name].instances and not superseded(note):
                yield Finding(name, f"lacks the instance {note.key}, which names it")
    for item in principles:
        if len(item.questions.ja) < 4 or len(item.questions.en) < 2:
            yield Finding(item.id, "fewer than four questions in Japanese or two in English")
        if len(item.instances) == 1:
            yield Finding(item.id, f"a single instance, {item.instances[0]}", warning=True)
        elif not item.instances:
            yield Finding(item.id, "no instance: it rests on the rules alone", warning=True)
        for key, count in Counter(item.instances).items():
            if count > 1:
                yield Finding(item.id, f"names the instance {key} twice")
            if key not in by_key:
                yield Finding(item.id, f"unknown instance '{key}'")
            elif item.id not in by_key[key].principles:
                yield Finding(item.id, f"instance {key} does not name this principle")
            elif superseded(by_key[key]):
                yield Finding(item.id, f"instance {key} is superseded")
        for copied in filter(None, map(sources.copied, stated(item))):
            yield Finding(item.id, f"repeats an official text word for word: {copied}")


def superseded(note: Note) -> bool:
    """Whether the ruling no longer holds at all, so that it supports nothing."""
    return isinstance(note.status, Superseded)


def check_rules(
    rules: Sequence[Rule],
    notes: Iterable[Note],
    principles: Iterable[Principle],
    text: RulesText,
) -> Iterator[Finding]:
    """What is wrong with the table of rules, and with the numbers notes and principles cite.

    With a rules ``text``, every row of that edition must exist there under the same title.
    """
    rows = {rule.number: rule for rule in rules}
    numbers = [rule.number for rule in rules]
    for number, count in Counter(numbers).items():
        if count > 1:
            yield Finding(number, "stands twice in the table of rules")
    for before, after in pairwise(numbers):
        if number_order(before) > number_order(after):
            yield Finding(after, f"out of order in the table of rules, after {before}")
    cited: set[str] = set()
    for note in notes:
        cited.update(note.rules)
        for number in note.rules:
            if number not in rows:
                yield Finding(note.key, f"rule {number} is not in the table of rules")
            elif rows[number].edition != note.checked:
                yield Finding(
                    note.key,
                    f"checked against {note.checked}; the table has rule {number} "
                    f"of {rows[number].edition}",
                )
    for item in principles:
        cited.update(item.rules)
        for number in item.rules:
            if number not in rows:
                yield Finding(item.id, f"rule {number} is not in the table of rules")
    for rule in rules:
        if rule.number not in cited:
            yield Finding(rule.number, "cited by no note and no principle", warning=True)
        if not rule.gloss:
            yield Finding(rule.number, "has no gloss in the table of rules")
    if text.text:
        yield from _check_edition(rules, text)


def _check_edition(rules: Sequence[Rule], text: RulesText) -> Iterator[Finding]:
    """Compare the table with the rules themselves; existence alone would miss renumbering."""
    if not any(rule.edition == text.edition for rule in rules):
        yield Finding(
            "rules text",
            f"no rule of the table is of its edition ({text.edition or 'not stated'})",
        )
    for rule in rules:
        if rule.edition != text.edition:
            continue
        if rule.number not in text.numbers:
            yield Finding(rule.number, f"no such rule in the edition of {text.edition}")
        elif text.title(rule.number) != rule.title:
            title = text.title(rule.number)
            yield Finding(rule.number, f"titled '{title}' in the edition, '{rule.title}' here")


def check_notes(
    documents: Path | None = None, rules: Path | None = None, data: Path = DATA
) -> list[Finding]:
    """Everything wrong with the notes, principles and table of rules under ``data``.

    ``documents``: folder of official texts; with it our wording is compared with theirs.
    ``rules``: a UTF-8 text of the Comprehensive Rules; with it numbers, titles and wording are.
    Raises `YamlError` or `TableError` when a file does not even load, `OSError` or
    `UnicodeDecodeError` when an official text cannot be read.
    """
    catalog, known = load_catalog(), known_fingerprints(data / "documents")
    # The publisher's file begins with a byte order mark and ends its lines in CR LF.
    text = RulesText(rules.read_text("utf-8-sig")) if rules else NO_TEXT
    sources = Sources(official_runs(documents) if documents else frozenset(), text)
    filed = list(load_notes(data / "notes"))
    notes = [note for _, note in filed]
    principles = load_principles(data / "principles.yaml")
    findings = [
        Finding(note.key, message)
        for note in notes
        for message in check_note(note, catalog, known, sources)
    ]
    findings.extend(check_set(filed, known))
    findings.extend(check_questions(notes, principles))
    asked = load_asked(data / "asked")
    findings.extend(check_asked(asked, notes, principles, catalog, sources))
    findings.extend(check_principles(principles, notes, sources))
    table = load_rules(data / "facts" / "rules.tsv")
    findings.extend(check_rules(table, notes, principles, text))
    return findings
