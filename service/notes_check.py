"""Is the set of notes complete and honest? Joins notes, catalog, rules and documents."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.catalog import Catalog, load_catalog
from saitei.ingest.notes import Note, load_notes

VERBATIM = 36
"""Characters (white space aside) running in common with an official text that count as copying."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with one note."""

    note: str
    message: str

    def __str__(self) -> str:
        return f"{self.note}: {self.message}"


def solid(text: str) -> str:
    """Text as compared for copying: NFKC, no white space at all."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def official_runs(documents: Path) -> frozenset[str]:
    """Every run of `VERBATIM` characters in the official texts at hand."""
    runs: set[str] = set()
    for path in sorted(documents.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            text = solid(line.lstrip("• "))
            runs.update(text[i : i + VERBATIM] for i in range(len(text) - VERBATIM + 1))
    return frozenset(runs)


def written(note: Note) -> Iterator[str]:
    """Every sentence of ours in a note."""
    yield from note.questions.ja
    yield from note.questions.en
    yield note.answer
    yield note.because
    for claim in note.claims:
        yield claim.says


def known_fingerprints(folder: Path = DATA / "documents") -> dict[str, str]:
    """Fingerprint -> document id, from the packaged document tables."""
    known: dict[str, str] = {}
    for path in sorted(folder.glob("*.tsv")):
        for row in read_table(path):
            known.setdefault(row["fingerprint"], path.stem)
    return known


def check_note(
    note: Note,
    catalog: Catalog,
    known: Mapping[str, str],
    runs: frozenset[str] = frozenset(),
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
    for sentence in written(note):
        text = solid(sentence)
        copied = next(
            (
                text[i : i + VERBATIM]
                for i in range(len(text) - VERBATIM + 1)
                if text[i : i + VERBATIM] in runs
            ),
            None,
        )
        if copied:
            yield f"repeats an official text word for word: {copied}"


def check_notes(documents: Path | None = None, folder: Path = DATA / "notes") -> list[Finding]:
    """Everything wrong with the notes under ``folder``.

    Raises ``YamlError`` when a file does not even load. With ``documents`` (the
    folder of official texts) the wording is compared too.
    """
    catalog, known = load_catalog(), known_fingerprints()
    runs = official_runs(documents) if documents else frozenset()
    notes = list(load_notes(folder))
    findings = [
        Finding(note.key, message)
        for _, note in notes
        for message in check_note(note, catalog, known, runs)
    ]
    for key, count in Counter(note.key for _, note in notes).items():
        if count > 1:
            findings.append(Finding(key, "two notes have this id"))
    owner: dict[str, str] = {}
    asked: dict[str, Note] = {}
    for path, note in notes:
        if path.stem != note.subject.id:
            findings.append(Finding(note.key, f"stands in {path.name}, not in its subject's file"))
        for ruling in note.rulings:
            other = owner.setdefault(ruling, note.key)
            if other != note.key:
                findings.append(Finding(note.key, f"ruling {ruling} already has the note {other}"))
        for question in (*note.questions.ja, *note.questions.en):
            first = asked.setdefault(solid(question).rstrip("?").lower(), note)
            if first.key != note.key and first.answer != note.answer:
                findings.append(Finding(note.key, f"asks what {first.key} asks: {question}"))
    return findings
