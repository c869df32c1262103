"""``make index``: vectors of the packaged notes and the query model, into ``data/model``.

With them a fresh machine builds its first knowledge base, and answers, without running an encoder.
Training needs torch and sentence-transformers (requirements/test.txt) and takes about a minute on
two cores once all texts are encoded, which takes several. What was encoded is kept under ``build/``
for the next time. The manifest records a hash of what went in (`inputs_digest`), which a test
compares.
"""

import hashlib
import json
import sys
from collections.abc import Sequence

from saitei.data import PATH as DATA
from saitei.index import distil
from saitei.index.bag import MANIFEST, MODEL
from saitei.index.build import PACKAGED_VECTORS, query_sample
from saitei.index.encoder import DEFAULT_ENCODER, load_encoder
from saitei.index.entries import Entry, Passage, make_entries, passages
from saitei.index.lessons import make_course
from saitei.index.lexical import terms
from saitei.index.store import file_hash
from saitei.index.vectors import VectorCache, text_key
from saitei.ingest.catalog import load_catalog
from saitei.ingest.documents import known_documents, packaged_rulings
from saitei.ingest.notes import load_notes
from saitei.ingest.principles import load_principles

WORK_CACHE = DATA.parent / "build" / "encoded.npz"


def packaged_entries() -> list[Entry]:
    """Every entry of a knowledge base into which nothing was ingested."""
    rulings = [ruling for known in known_documents() for ruling in packaged_rulings(known)]
    return make_entries(rulings, [note for _, note in load_notes()], load_principles())


def inputs_digest(found: Sequence[Passage]) -> str:
    """A hash over the passages, their terms and the constants of training.

    Not in it, though they too decide a little of what is learnt: which principles a note names, the
    card names that stand in for others, and the code of `saitei.index.lessons`.
    """
    constants = (distil.SEED, distil.EPOCHS, distil.BATCH, distil.RATE, distil.TEMPERATURE)
    digest = hashlib.sha256(repr((constants, distil.DROPPED)).encode())
    for passage in found:
        digest.update(f"{passage.entry}\t{passage.kind}\t{passage.text}\n".encode())
        digest.update(" ".join(terms(passage.text)).encode())
    return digest.hexdigest()[:16]


def package() -> int:
    """Encode what is new, drop what is gone, train; returns the number of passages."""
    encoder = load_encoder(DEFAULT_ENCODER)
    catalog = load_catalog()
    entries = packaged_entries()
    found = list(passages(entries, catalog))
    cache = VectorCache.load(WORK_CACHE, encoder.identity)
    cache.update(VectorCache.load(PACKAGED_VECTORS, encoder.identity))

    def progress(done: int, total: int) -> None:
        print(f"\r{done}/{total} passages", end="", file=sys.stderr, flush=True)

    texts = [passage.text for passage in found]
    sample = query_sample(found)
    cache.encode(encoder, "document", texts, progress)
    cache.encode(encoder, "query", sample)
    print("\nterms and questions", file=sys.stderr)
    course = make_course(entries, found, catalog, encoder, cache)
    WORK_CACHE.parent.mkdir(exist_ok=True)
    cache.save(WORK_CACHE)
    print(f"training on {len(course.lessons)} lessons", file=sys.stderr)
    vectors = distil.train(course.vocabulary, course.start, course.passages, course.lessons)
    distil.save(course.vocabulary, vectors, MODEL)
    keys = [text_key("document", text) for text in texts]
    kept = cache.kept([*keys, *(text_key("query", text) for text in sample)])
    kept.save(PACKAGED_VECTORS)
    files = sorted(path for path in MODEL.rglob("*") if path.is_file())
    manifest = {
        "encoder": encoder.identity,
        "inputs": inputs_digest(found),
        "files": {path.relative_to(MODEL).as_posix(): file_hash(path) for path in files},
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    return len(keys)


if __name__ == "__main__":
    print(f"{package()} passages")
