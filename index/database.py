"""The SQLite file of a generation: documents, rulings, entries, links, changes."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from saitei.index.entries import Entry, linked_ids
from saitei.ingest.models import Document, Ruling, Subject
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle

FILE = "rulings.sqlite"

_SCHEMA = """
CREATE TABLE document (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, kind TEXT NOT NULL, code TEXT NOT NULL, updated TEXT,
    language TEXT NOT NULL, sha256 TEXT NOT NULL, source TEXT NOT NULL
);
CREATE TABLE ruling (
    id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, document TEXT NOT NULL, line INTEGER NOT NULL,
    ordinal INTEGER NOT NULL, heading TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL,
    cards TEXT NOT NULL, repeat INTEGER NOT NULL
);
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, subject_id TEXT,
    subject_kind TEXT, note TEXT, principle TEXT, official TEXT, cards TEXT NOT NULL,
    asked TEXT NOT NULL
);
CREATE TABLE link (id TEXT NOT NULL, entry INTEGER NOT NULL, weight REAL NOT NULL);
CREATE TABLE change (
    number INTEGER PRIMARY KEY, document TEXT NOT NULL, kind TEXT NOT NULL, ruling TEXT NOT NULL,
    before TEXT, after TEXT, at TEXT NOT NULL
);
"""
# Made after the rows are in: sorted once, not kept sorted.
_INDEXES = """
CREATE INDEX ruling_fingerprint ON ruling (fingerprint);
CREATE INDEX ruling_document ON ruling (document, ordinal);
CREATE INDEX entry_subject ON entry (subject_id);
CREATE INDEX link_id ON link (id);
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One ruling added, revised or removed by an ingest. ``at`` is ISO 8601 in UTC."""

    document: str
    kind: Literal["added", "revised", "removed"]
    ruling: str
    before: str | None
    after: str | None
    at: str


@dataclass(frozen=True, slots=True)
class Contents:
    """All that a knowledge base holds before it is indexed."""

    documents: tuple[Document, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[Change, ...] = ()


def is_whole(path: Path) -> bool:
    """Whether a file is a database of this version that SQLite finds nothing wrong with, and that
    can be read to its end; for one of which no hash is known."""
    try:
        database = Database(path)
        try:
            return database.sound() and bool(database.contents().documents)
        finally:
            database.close()
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return False


def write_database(path: Path, contents: Contents, entries: Sequence[Entry]) -> None:
    """Create the file at ``path``."""
    with sqlite3.connect(path) as db:
        # No way back is needed in a file that nobody knows before it is whole.
        db.executescript("PRAGMA journal_mode = OFF;" + _SCHEMA)
        db.executemany(
            "INSERT INTO document VALUES (:id, :title, :kind, :set, :updated, :language, :sha256,"
            " :source)",
            (asdict(document) for document in contents.documents),
        )
        db.executemany(
            "INSERT INTO ruling VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_ruling_row(ruling) for ruling in contents.rulings),
        )
        db.executemany(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((number, *_entry_row(entry)) for number, entry in enumerate(entries)),
        )
        db.executemany(
            "INSERT INTO link VALUES (?, ?, ?)",
            (
                (linked, number, weight)
                for number, entry in enumerate(entries)
                for linked, weight in linked_ids(entry).items()
            ),
        )
        db.executemany(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (i, c.document, c.kind, c.ruling, c.before, c.after, c.at)
                for i, c in enumerate(contents.changes, 1)
            ),
        )
        db.executescript(_INDEXES)
    db.close()


def _ruling_row(ruling: Ruling) -> tuple[object, ...]:
    return (
        ruling.id,
        ruling.fingerprint,
        ruling.document,
        ruling.line,
        ruling.ordinal,
        _json(ruling.heading),
        _subject_json(ruling.subject),
        ruling.text,
        _json(ruling.cards),
        ruling.repeat,
    )


# Rulings of one section share heading and subject: the same few values over and over.
@lru_cache(maxsize=4096)
def _json(strings: tuple[str, ...]) -> str:
    return json.dumps(strings, ensure_ascii=False)


@lru_cache(maxsize=4096)
def _strings(stored: str) -> tuple[str, ...]:
    return tuple(json.loads(stored))


@lru_cache(maxsize=4096)
def _subject_json(subject: Subject) -> str:
    return json.dumps(asdict(subject), ensure_ascii=False)


@lru_cache(maxsize=4096)
def _subject(stored: str) -> Subject:
    return Subject(**json.loads(stored))


def _entry_row(entry: Entry) -> tuple[object, ...]:
    return (
        entry.key,
        entry.kind,
        entry.subject_id,
        entry.subject_kind,
        entry.note.model_dump_json() if entry.note else None,
        entry.principle.model_dump_json() if entry.principle else None,
        entry.official,
        _json(entry.cards),
        _json(entry.asked),
    )


class Database:
    """Read access to a generation's SQLite file; may be used from several threads."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._db.row_factory = sqlite3.Row
        # A file never changes, and one search asks for an entry several times.
        self.entry = lru_cache(maxsize=1024)(self._read_entry)

    def close(self) -> None:
        self._db.close()

    def sound(self) -> bool:
        """Whether SQLite finds nothing wrong with the file."""
        return bool(self._db.execute("PRAGMA quick_check").fetchone()[0] == "ok")

    def contents(self) -> Contents:
        """Everything, for building the next generation from."""
        changes = (
            Change(*row)
            for row in self._db.execute(
                "SELECT document, kind, ruling, before, after, at FROM change ORDER BY number"
            )
        )
        rows = self._db.execute("SELECT * FROM ruling ORDER BY document, ordinal")
        return Contents(self.documents(), tuple(map(_ruling, rows)), tuple(changes))

    def documents(self) -> tuple[Document, ...]:
        rows = self._db.execute("SELECT * FROM document ORDER BY id")
        return tuple(
            Document(
                id=r["id"],
                title=r["title"],
                kind=r["kind"],
                set=r["code"],
                updated=r["updated"],
                language=r["language"],
                sha256=r["sha256"],
                source=r["source"],
            )
            for r in rows
        )

    def _read_entry(self, number: int) -> Entry:
        row = self._db.execute("SELECT * FROM entry WHERE number = ?", (number,)).fetchone()
        return _entry(row)

    def entry_number(self, key: str) -> int | None:
        """Position of the entry with a fingerprint or principle id."""
        row = self._db.execute("SELECT number FROM entry WHERE key = ?", (key,)).fetchone()
        return None if row is None else int(row["number"])

    def entries_about(self, subject_id: str) -> Iterator[Entry]:
        """Entries whose subject it is, in order."""
        rows = self._db.execute(
            "SELECT * FROM entry WHERE subject_id = ? ORDER BY number", (subject_id,)
        )
        return map(_entry, rows.fetchall())

    def with_entries(self, subjects: Iterable[str]) -> frozenset[str]:
        """Those of ``subjects`` that an entry is about."""
        query = "SELECT 1 FROM entry WHERE subject_id = ? LIMIT 1"
        return frozenset(one for one in subjects if self._db.execute(query, (one,)).fetchone())

    def occurrences(self, fingerprint: str) -> tuple[Ruling, ...]:
        """Every place where a ruling text stands, in document order."""
        rows = self._db.execute(
            "SELECT * FROM ruling WHERE fingerprint = ? ORDER BY document, ordinal", (fingerprint,)
        )
        return tuple(map(_ruling, rows))

    def ruling(self, occurrence: str) -> Ruling | None:
        row = self._db.execute("SELECT * FROM ruling WHERE id = ?", (occurrence,)).fetchone()
        return None if row is None else _ruling(row)

    def linked(self, ids: Mapping[str, float]) -> dict[int, float]:
        """Entry -> weight of its strongest link to any of ``ids``, times that id's own weight."""
        found: dict[int, float] = {}
        for linked, asked in ids.items():
            rows = self._db.execute("SELECT entry, weight FROM link WHERE id = ?", (linked,))
            for number, weight in rows:
                found[number] = max(asked * weight, found.get(number, 0.0))
        return found

    def changes(self, since: int, limit: int) -> tuple[tuple[int, Change], ...]:
        """Numbered changes after ``since``, at most ``limit``."""
        rows = self._db.execute(
            "SELECT * FROM change WHERE number > ? ORDER BY number LIMIT ?", (since, limit)
        )
        return tuple(
            (
                r["number"],
                Change(r["document"], r["kind"], r["ruling"], r["before"], r["after"], r["at"]),
            )
            for r in rows
        )


def _ruling(row: sqlite3.Row) -> Ruling:
    # By place, in the order of the table: all rulings are read at every ingest.
    id_, print_, document, line, ordinal, heading, subject, text, cards, repeat = row
    return Ruling(
        id=id_,
        fingerprint=print_,
        document=document,
        line=line,
        ordinal=ordinal,
        heading=_strings(heading),
        subject=_subject(subject),
        text=text,
        cards=_strings(cards),
        repeat=repeat,
    )


def _entry(row: sqlite3.Row) -> Entry:
    return Entry(
        key=row["key"],
        kind=row["kind"],
        subject_id=row["subject_id"],
        subject_kind=row["subject_kind"],
        note=Note.model_validate_json(row["note"]) if row["note"] else None,
        principle=Principle.model_validate_json(row["principle"]) if row["principle"] else None,
        official=row["official"],
        cards=_strings(row["cards"]),
        asked=_strings(row["asked"]),
    )
