"""``make index``: the vectors of the packaged notes into ``data/model``.

With them a fresh machine builds its first knowledge base without running an encoder over three
thousand texts. The manifest records the hash of what went in; a test compares it, so that vectors
cannot go stale unnoticed.
"""

import json
import sys
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.index.build import PACKAGED_VECTORS, packaged_digest, query_sample
from saitei.index.encoder import DEFAULT_ENCODER, load_encoder
from saitei.index.entries import Passage, make_entries, passages
from saitei.index.vectors import VectorCache, text_key
from saitei.ingest.catalog import load_catalog
from saitei.ingest.documents import known_documents, packaged_rulings
from saitei.ingest.notes import load_notes
from saitei.ingest.principles import load_principles

MANIFEST = DATA / "model" / "manifest.json"


def packaged_passages() -> list[Passage]:
    """Every passage of a knowledge base into which nothing was ingested."""
    rulings = [ruling for known in known_documents() for ruling in packaged_rulings(known)]
    entries = make_entries(rulings, [note for _, note in load_notes()], load_principles())
    return list(passages(entries, load_catalog()))


def package(vectors: Path = PACKAGED_VECTORS, manifest: Path = MANIFEST) -> int:
    """Encode what is new, drop what is gone; returns the number of vectors."""
    encoder = load_encoder(DEFAULT_ENCODER)
    cache = VectorCache.load(vectors, encoder.identity)
    found = packaged_passages()
    texts = [passage.text for passage in found]
    sample = query_sample(found)

    def progress(done: int, total: int) -> None:
        print(f"\r{done}/{total} texts", end="", file=sys.stderr, flush=True)

    cache.encode(encoder, "document", texts, progress)
    cache.encode(encoder, "query", sample)
    keys = [text_key("document", text) for text in texts]
    kept = cache.kept([*keys, *(text_key("query", text) for text in sample)])
    kept.save(vectors)
    manifest.write_text(
        json.dumps({"encoder": encoder.identity, "inputs": packaged_digest()}, indent=1) + "\n",
        "utf-8",
    )
    return len(keys)


if __name__ == "__main__":
    print(f"\n{package()} passages")
