"""Known documents: what ``data/documents.toml`` and ``data/documents/<id>.tsv`` say of them."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from saitei.data import PATH as DATA
from saitei.data.tables import number, read_lines
from saitei.ingest.catalog import load_catalog, slug
from saitei.ingest.models import Document, Ruling, Subject, SubjectKind

PACKAGED = "packaged"
"""Source of a document whose table is packaged and whose text was not ingested."""

KNOWN_SHARE = 0.5
"""Share of a source's fingerprints, and of a known document's, that must be the other's."""


@dataclass(frozen=True, slots=True)
class PackagedRuling:
    """One row of a document table: where a ruling stands, and its verified subject's id."""

    fingerprint: str
    line: int
    ordinal: int
    heading: tuple[str, ...]
    subject: str
    kind: SubjectKind


@dataclass(frozen=True)
class KnownDocument:
    """An official document this project has notes for."""

    id: str
    title: str
    kind: str
    set: str
    updated: str | None
    language: str
    sha256: str

    @cached_property
    def rulings(self) -> tuple[PackagedRuling, ...]:
        """The document's table, in the document's order; empty if none is packaged."""
        return _table(DATA / "documents" / f"{self.id}.tsv")

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        return frozenset(ruling.fingerprint for ruling in self.rulings)

    def subjects(self) -> dict[tuple[str, int], Subject]:
        """Verified subject by fingerprint and repeat: equal texts stand on different cards."""
        seen: Counter[str] = Counter()
        found: dict[tuple[str, int], Subject] = {}
        for ruling in self.rulings:
            seen[ruling.fingerprint] += 1
            if ruling.subject:
                found[ruling.fingerprint, seen[ruling.fingerprint]] = Subject(
                    ruling.subject, ruling.kind, "packaged", 1.0
                )
        return found

    def document(self, sha256: str, source: str) -> Document:
        """This document as read from ``source``, whose bytes have that hash."""
        return Document(
            self.id,
            self.title,
            self.kind,
            self.set,
            self.updated,
            self.language,
            sha256,
            source,
        )


def _table(path: Path) -> tuple[PackagedRuling, ...]:
    if not path.is_file():
        return ()
    mechanics = load_catalog().mechanics
    return tuple(
        PackagedRuling(
            row["fingerprint"],
            number(path, place, row["line"]),
            number(path, place, row["ordinal"]),
            tuple(row["heading"].split(" > ")) if row["heading"] else (),
            row["subject"],
            "mechanic" if row["subject"] in mechanics else "card",
        )
        for place, row in read_lines(path, "fingerprint", "line", "ordinal", "heading", "subject")
    )


@lru_cache(maxsize=1)
def known_documents() -> tuple[KnownDocument, ...]:
    """Every known document, in the order of ``documents.toml``."""
    table = tomllib.loads((DATA / "documents.toml").read_text("utf-8"))
    return tuple(
        KnownDocument(
            id=entry["id"],
            title=entry["title"],
            kind=entry["kind"],
            set=entry["set"],
            updated=entry.get("updated") or None,
            language=entry["language"],
            sha256=entry["sha256"],
        )
        for entry in table["document"]
    )


def packaged_rulings(known: KnownDocument) -> Iterator[Ruling]:
    """A known document's rulings without their wording, for a user who has not ingested it."""
    seen: Counter[str] = Counter()
    for row in known.rulings:
        seen[row.fingerprint] += 1
        repeat = seen[row.fingerprint]
        yield Ruling(
            id=occurrence_id(known.id, row.fingerprint, repeat),
            fingerprint=row.fingerprint,
            document=known.id,
            line=row.line,
            ordinal=row.ordinal,
            heading=row.heading,
            subject=Subject(row.subject or None, row.kind, "packaged", 1.0),
            text="",
            cards=(),
            repeat=repeat,
        )


def occurrence_id(document: str, fingerprint: str, repeat: int) -> str:
    """``<document>.<fingerprint>``, with ``-2``, ``-3`` for repeats in order."""
    return f"{document}.{fingerprint}" + (f"-{repeat}" if repeat > 1 else "")


def identify(sha256: str, fingerprints: frozenset[str]) -> KnownDocument | None:
    """The known document a source is: by the hash of its bytes, else by its rulings.

    A document of the same id replaces what was there, so half is asked of both: a corrected,
    shortened or extended edition is the document; an excerpt of it is not, and must not take its
    place; nor are the notes of a whole set the excerpt of them that is known.
    """
    for known in known_documents():
        if known.sha256 == sha256:
            return known
    shares = [(_share(known.fingerprints, fingerprints), known) for known in known_documents()]
    most, best = max(shares, key=lambda one: one[0], default=(0.0, None))
    return best if most >= KNOWN_SHARE else None


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """The part of the larger set that is common to both, in [0, 1]."""
    return len(one & other) / max(len(one), len(other), 1)


def unknown_document(
    title: str, updated: str | None, language: str, sha256: str, source: str
) -> Document:
    """A document named after its title, else after its file."""
    return Document(
        id=document_id(title, language, source, sha256),
        title=title or _stem(source),
        kind=kind_of(title),
        set=set_of(title),
        updated=updated,
        language=language,
        sha256=sha256,
        source=source,
    )


def document_id(title: str, language: str, source: str, sha256: str) -> str:
    """Slug of title and language, else of the file's stem.

    A Japanese title leaves next to nothing in ASCII, and two of them would share that rest (M15
    よくある質問集, M15 リリースノート): it counts only when most of its letters survive. An excerpt
    saved as ``dka-faq.txt`` must not take the place of the document of that id.
    """
    letters = [char for char in title if char.isalnum()]
    ascii_letters = [char for char in letters if char.isascii()]
    if letters and len(ascii_letters) * 2 > len(letters):
        name = f"{slug(title)}-{language}"
    else:
        name = slug(_stem(source)) or "document"
    taken = {"document", *(known.id for known in known_documents())}
    return f"{name}-{sha256[:12]}" if name in taken else name


def _stem(source: str) -> str:
    if re.match(r"https?://", source):
        parts = urlsplit(source)
        return PurePosixPath(unquote(parts.path)).stem or parts.netloc
    return Path(source).stem


def kind_of(title: str) -> str:
    """``release-notes``, ``faq`` or ``other``, as ``documents.toml`` uses them."""
    if re.search(r"リリース・?ノート|release notes", title, re.IGNORECASE):
        return "release-notes"
    if re.search(r"よくある質問|ＦＡＱ|FAQ|[QＱ]\s*[&＆]\s*[AＡ]", title, re.IGNORECASE):
        return "faq"
    return "other"


def set_of(title: str) -> str:
    """What the title says the document is about: the quoted part, else what precedes the kind."""
    quoted = re.search(r"[『「](.+?)[』」]", title)
    if quoted:
        return quoted[1]
    return re.split(
        r"\s*(?:リリース・?ノート|よくある質問|ＦＡＱ|FAQ|release notes)", title, flags=re.I
    )[0].strip()


def language_of(text: str) -> str:
    """``ja`` where there is any kana, else ``en``."""
    return "ja" if re.search(r"[ぁ-んァ-ヶ]", text) else "en"
