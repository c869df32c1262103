"""The knowledge base as the doors use it: opened, kept current, ingested into."""

import dataclasses
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path

from saitei.index.build import (
    Packaged,
    build,
    packaged_digest,
    rarely_collected,
    salvaged_contents,
    stored_contents,
)
from saitei.index.database import FILE as DATABASE
from saitei.index.database import Change, Contents, Database
from saitei.index.encoder import DEFAULT_ENCODER
from saitei.index.retrieval import MAX_QUERY, Found, QueryError, Searcher
from saitei.index.store import SCHEMA_VERSION, Generation, Store
from saitei.index.vectors import Progress
from saitei.ingest.asked import load_asked
from saitei.ingest.catalog import Catalog, load_catalog
from saitei.ingest.documents import PACKAGED, known_documents, packaged_rulings
from saitei.ingest.models import Document, Parsed
from saitei.ingest.notes import load_notes
from saitei.ingest.principles import Principle, load_principles
from saitei.ingest.revisions import compare


@dataclass(frozen=True)
class OpenKnowledge:
    """One generation, open for reading."""

    searcher: Searcher
    documents: Mapping[str, Document]
    max_query: int = MAX_QUERY

    @property
    def catalog(self) -> Catalog:
        return self.searcher.catalog

    @property
    def database(self) -> Database:
        return self.searcher.database

    @property
    def revision(self) -> str:
        return self.searcher.generation.manifest.revision

    @cached_property
    def principles(self) -> tuple[Principle, ...]:
        """Every principle, in file order. They stand behind the rulings: read from the end."""
        found: list[Principle] = []
        for number in reversed(range(self.searcher.generation.manifest.entries)):
            principle = self.database.entry(number).principle
            if principle is None:
                break
            found.append(principle)
        return tuple(reversed(found))

    def search(self, query: str, limit: int = 10, explain: bool = False) -> Found:
        """The best ``limit`` entries for a question, with reasons if ``explain``. Raises
        ``QueryError``, in Japanese."""
        if len(query) > self.max_query:
            raise QueryError(f"質問が長すぎます（{len(query)}文字。上限は{self.max_query}文字）。")
        return self.searcher.search(query, limit, explain)


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What publishing one source changed. ``unchanged``: the very same source was there."""

    parsed: Parsed
    changes: tuple[Change, ...]
    unchanged: bool


@lru_cache(maxsize=1)
def _packaged_now() -> str:
    """The packaged files' hash as this process found them: hundreds of files, asked per request."""
    return packaged_digest()


def is_fresh(generation: Generation) -> bool:
    """Whether it was made by this version of the program from what is packaged with it."""
    manifest = generation.manifest
    return manifest.packaged == _packaged_now() and manifest.schema_version == SCHEMA_VERSION


def load_packaged() -> Packaged:
    """Our notes, principles and further questions. Raises ``YamlError`` or ``TableError``."""
    notes = tuple(note for _, note in load_notes())
    return Packaged(notes, tuple(load_principles()), _packaged_now(), load_asked())


class Knowledge:
    """A knowledge base folder. Thread-safe; follows what other processes publish.

    ``max_query``: the longest question it takes, in characters.
    """

    def __init__(self, root: Path, max_query: int = MAX_QUERY) -> None:
        self.store = Store(root)
        self._max_query = max_query
        self._lock = threading.Lock()
        self._open: OpenKnowledge | None = None

    def is_ready(self) -> bool:
        """Whether there is a published generation, and `ensure` would leave it as it is. Raises
        ``StoreError``."""
        return self._fresh() is not None

    def _fresh(self) -> Generation | None:
        current = self.store.current()
        return current if current is not None and is_fresh(current) else None

    def ensure(self, progress: Progress | None = None) -> Generation:
        """The published generation, built first if there is none, or if it was made from other
        packaged notes or by an older version of this program.

        Raises ``StoreError``, ``EncoderError``, ``YamlError`` or ``TableError``.
        """
        current = self._fresh()
        if current is not None:
            return current
        with self.store.writing(), rarely_collected():
            current = self.store.current()
            if current is not None and is_fresh(current):
                return current
            name = current.manifest.encoder if current else DEFAULT_ENCODER
            return self._build(stored_contents(self.store), name, progress)

    def rebuild(self, encoder_name: str | None, progress: Progress | None = None) -> Generation:
        """Index everything again, with another encoder if one is named.

        This is also how a damaged knowledge base is repaired: from the newest generation that is
        unharmed, else from what is packaged.
        """
        with self.store.writing(), rarely_collected():
            unharmed = next(self.store.sound(DATABASE), None)
            name = encoder_name or (unharmed.manifest.encoder if unharmed else DEFAULT_ENCODER)
            return self._build(salvaged_contents(self.store), name, progress)

    def ingest(
        self, sources: Sequence[Parsed], progress: Progress | None = None
    ) -> list[IngestOutcome]:
        """Publish one generation with all of ``sources`` in it.

        A document of the same id replaces the stored one; what changed is kept as history. Sources
        equal to what is stored change nothing, and if all are, nothing is published.
        """
        with self.store.writing(), rarely_collected():
            contents = stored_contents(self.store)
            outcomes: list[IngestOutcome] = []
            for parsed in sources:
                contents, outcome = _merge(contents, parsed)
                outcomes.append(outcome)
            current = self.store.current()
            stale = current is None or not is_fresh(current)
            if stale or not all(outcome.unchanged for outcome in outcomes):
                name = current.manifest.encoder if current else DEFAULT_ENCODER
                self._build(contents, name, progress)
            return outcomes

    def _build(
        self, contents: Contents, encoder_name: str, progress: Progress | None
    ) -> Generation:
        return build(
            self.store,
            _with_packaged(contents),
            load_packaged(),
            load_catalog(),
            encoder_name,
            progress,
        )

    def open(self) -> OpenKnowledge:
        """The newest published generation, opened once and shared; asking again costs a look at
        the pointer. Raises as `ensure`."""
        generation = self.ensure()
        with self._lock:
            if self._open is None or self._open.searcher.generation.path != generation.path:
                searcher = Searcher(generation, load_catalog())
                documents = {doc.id: doc for doc in searcher.database.documents()}
                self._open = OpenKnowledge(searcher, documents, self._max_query)
            return self._open


def _with_packaged(contents: Contents) -> Contents:
    """Add the known documents that were not ingested: places and subjects without wording."""
    own = [document for document in contents.documents if document.source != PACKAGED]
    ids = {document.id for document in own}
    added = [known for known in known_documents() if known.id not in ids]
    return dataclasses.replace(
        contents,
        documents=(*own, *(known.document(known.sha256, PACKAGED) for known in added)),
        rulings=(
            *(ruling for ruling in contents.rulings if ruling.document in ids),
            *(ruling for known in added for ruling in packaged_rulings(known)),
        ),
    )


def _merge(contents: Contents, parsed: Parsed) -> tuple[Contents, IngestOutcome]:
    document = parsed.document
    stored = {each.id: each for each in contents.documents}.get(document.id)
    same = stored is not None and stored.source != PACKAGED and stored.sha256 == document.sha256
    if same:
        return contents, IngestOutcome(parsed, (), True)
    before = [each for each in contents.rulings if each.document == document.id and each.text]
    at = datetime.now(UTC).isoformat(timespec="seconds")
    found = compare(before, parsed.rulings)
    changes = (
        *(Change(document.id, "added", new.id, None, new.text, at) for new in found.added),
        *(
            Change(document.id, "revised", new.id, old.text, new.text, at)
            for old, new in found.revised
        ),
        *(Change(document.id, "removed", old.id, old.text, None, at) for old in found.removed),
    )
    others = Contents(
        (*(each for each in contents.documents if each.id != document.id), document),
        (
            *(each for each in contents.rulings if each.document != document.id),
            *parsed.rulings,
        ),
        (*contents.changes, *changes),
    )
    return others, IngestOutcome(parsed, changes, False)
