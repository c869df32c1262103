"""Contents into a published generation: entries, passages, vectors, both indexes, manifest."""

import gc
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from saitei.data import PATH as DATA
from saitei.index.bag import TERMS, packaged_bag
from saitei.index.database import FILE as DATABASE
from saitei.index.database import Contents, Database, is_whole, write_database
from saitei.index.dense import build_dense, unit
from saitei.index.encoder import DEFAULT_ENCODER, Encoder, Vectors, load_encoder
from saitei.index.entries import Entry, Passage, lexical_text, make_entries, passages
from saitei.index.lexical import build_lexical
from saitei.index.store import SCHEMA_VERSION, Generation, Manifest, Store, StoreError, file_hash
from saitei.index.termcache import FILE as TOKENS
from saitei.index.termcache import TermCache
from saitei.index.unanswered import FILE as UNANSWERED
from saitei.index.unanswered import save_unanswered
from saitei.index.vectors import Progress, VectorCache
from saitei.index.wordlists import WordLists
from saitei.ingest.asked import AskedQuestions, Unanswered
from saitei.ingest.catalog import Catalog
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle

PACKAGED_VECTORS = DATA / "model" / "passages.npz"
QUERY_SAMPLE = 256
"""Questions whose mean is taken off every query vector."""


@dataclass(frozen=True, slots=True)
class Packaged:
    """What every knowledge base contains: our notes, principles and further questions, with a hash
    of their files."""

    notes: tuple[Note, ...]
    principles: tuple[Principle, ...]
    digest: str
    asked: AskedQuestions = field(default_factory=AskedQuestions)


def packaged_digest(data: Path = DATA) -> str:
    """A hash over the packaged notes, principles, document tables, card facts, glossary and
    models. Raises ``StoreError``."""
    digest = hashlib.sha256()
    texts = (
        "notes/*/*.yaml",
        "principles.yaml",
        "documents.toml",
        "documents/*.tsv",
        "facts/*.tsv",
        "glossary.tsv",
        "asked/*.tsv",
    )
    models = ("model/manifest.json", "model/ranker/*", "model/classifier.npz", "model/kana/*")
    patterns = (*texts, *models)
    for path in sorted({path for pattern in patterns for path in data.glob(pattern)}):
        try:
            digest.update(f"{path.relative_to(data).as_posix()} {file_hash(path)}\n".encode())
        except OSError as error:
            raise StoreError(f"{path}: 読めません: {error.strerror or error}") from None
    return digest.hexdigest()[:16]


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Fewer searches for unused cycles: millions of objects are made here, hardly any in cycles,
    and to walk through them again and again takes a tenth of the time. Not none: an encoder that
    works for an hour may leave some."""
    before = gc.get_threshold()
    gc.set_threshold(1_000_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def build(
    store: Store,
    contents: Contents,
    packaged: Packaged,
    catalog: Catalog,
    encoder_name: str = DEFAULT_ENCODER,
    progress: Progress | None = None,
) -> Generation:
    """Index ``contents`` with the packaged notes and publish the result.

    The caller holds ``store.writing()``. Raises ``EncoderError`` or ``StoreError``; the published
    generation is then the one before.
    """
    encoder = load_encoder(encoder_name)
    entries = make_entries(
        contents.rulings, packaged.notes, packaged.principles, packaged.asked.answered
    )
    texts = list(passages(entries, catalog))
    cache = VectorCache.load(PACKAGED_VECTORS, encoder.identity)
    before = next(store.sound(TOKENS), None)
    tokens = TermCache()
    if before is not None:
        cache.update(VectorCache.load(before.path / "vectors.npz", encoder.identity))
        tokens = TermCache.load(before.path / TOKENS)

    def fill(folder: Path) -> Manifest:
        bags = [tokens.of(lexical_text(entry, catalog)) for entry in entries]
        said = [tokens.ids(passage.said) for passage in texts]
        unanswered = packaged.asked.unanswered
        rivals = [tokens.ids(question.text) for question in unanswered]
        words = WordLists.of(said, tokens.vocabulary)
        build_lexical(bags, tokens.vocabulary, folder / "lexical")
        vectors, away = _write_dense(folder, texts, words, unanswered, encoder, cache, progress)
        save_unanswered(folder / UNANSWERED, away, WordLists.of(rivals, tokens.vocabulary))
        tokens.save(folder / TOKENS)
        bag = packaged_bag()
        if bag is not None and bag.teacher == encoder.identity:
            # Official texts have words of their own, names above all.
            rows = [row for row, passage in enumerate(texts) if passage.kind == "official"]
            official = [said[row] for row in rows]
            learnt = bag.learn(tokens.vocabulary, official, (vectors[row] for row in rows))
            learnt.save_terms(folder / TERMS)
        write_database(folder / DATABASE, contents, entries)
        return Manifest(
            schema_version=SCHEMA_VERSION,
            encoder=encoder_name,
            encoder_identity=encoder.identity,
            revision=_revision(entries, contents, encoder.identity, packaged.digest),
            packaged=packaged.digest,
            entries=len(entries),
            passages=len(texts),
            files={},
        )

    return store.publish(fill)


def _write_dense(
    folder: Path,
    texts: Sequence[Passage],
    words: WordLists,
    unanswered: Sequence[Unanswered],
    encoder: Encoder,
    cache: VectorCache,
    progress: Progress | None,
) -> tuple[Vectors, Vectors]:
    """Write index and vectors; returns those of passages and of unanswered questions, centred."""
    documents = [passage.text for passage in texts]
    rivals = [question.text for question in unanswered]
    sample = query_sample(texts)
    found = cache.encode(encoder, "document", [*documents, *rivals], progress)
    queries = cache.encode(encoder, "query", sample)
    mean = queries.mean(axis=0) if len(queries) else np.zeros(found.shape[-1], np.float32)
    step = 0.0
    if documents:
        # In place: memory touched for the first time costs more than the arithmetic.
        found -= found[: len(documents)].mean(axis=0)
        found = unit(found, out=found)
        step = build_dense(found[: len(documents)], folder / "dense.faiss")
    np.savez(
        folder / "dense.npz",
        step=step,
        entry_of=np.fromiter((passage.entry for passage in texts), np.int32, len(texts)),
        query_mean=mean.astype(np.float32),
        is_question=np.array([passage.kind == "question" for passage in texts], np.bool_),
        words=words.numbers,
        word_ends=words.ends,
    )
    cache.save(folder / "vectors.npz", cache.used)
    return found[: len(documents)], found[len(documents) :]


def query_sample(texts: Sequence[Passage]) -> list[str]:
    """Evenly spaced questions, standing for what people ask."""
    questions = [passage.text for passage in texts if passage.kind == "question"]
    step = max(1, len(questions) // QUERY_SAMPLE)
    return questions[::step][:QUERY_SAMPLE]


def _revision(entries: Sequence[Entry], contents: Contents, identity: str, packaged: str) -> str:
    """Changes when an answer may change: entries, places, the encoder or what is packaged."""
    digest = hashlib.sha256(f"{identity} {packaged}".encode())
    for entry in entries:
        digest.update(repr(entry).encode())
    for ruling in contents.rulings:
        digest.update(repr((ruling.id, ruling.line, ruling.heading)).encode())
    return digest.hexdigest()[:12]


def stored_contents(store: Store) -> Contents:
    """What the published generation holds; empty when there is none."""
    generation = store.current()
    return Contents() if generation is None else _contents(generation.verified(DATABASE))


def salvaged_contents(store: Store) -> Contents:
    """What the newest generation holds whose database is unharmed; empty when none is."""
    return next((_contents(path) for _, path in store.kept(DATABASE, is_whole)), Contents())


def _contents(path: Path) -> Contents:
    database = Database(path)
    try:
        return database.contents()
    finally:
        database.close()
