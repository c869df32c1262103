"""The packaged vectors and query model were made from the notes as they are now."""

import json

import pytest

from saitei.index.bag import MANIFEST, MODEL, packaged_bag
from saitei.index.build import PACKAGED_VECTORS, query_sample
from saitei.index.encoder import DEFAULT_ENCODER, load_encoder
from saitei.index.entries import Passage, passages
from saitei.index.package import inputs_digest, packaged_entries
from saitei.index.store import file_hash
from saitei.index.vectors import VectorCache, text_key
from saitei.ingest.catalog import load_catalog


@pytest.fixture(scope="module")
def found() -> list[Passage]:
    return list(passages(packaged_entries(), load_catalog()))


@pytest.fixture(scope="module")
def manifest() -> dict[str, object]:
    return json.loads(MANIFEST.read_text("utf-8"))


def test_the_model_was_trained_on_todays_notes(found, manifest) -> None:
    assert manifest["inputs"] == inputs_digest(found), "notes or terms changed: run `make index`"


def test_the_files_are_those_that_were_trained(manifest) -> None:
    assert manifest["files"] == {
        path.relative_to(MODEL).as_posix(): file_hash(path)
        for path in sorted(MODEL.rglob("*"))
        if path.is_file()
    }


def test_a_first_start_needs_no_encoder(found, manifest) -> None:
    """Every text that a fresh knowledge base embeds has its vector."""
    identity = load_encoder(DEFAULT_ENCODER).identity
    assert manifest["encoder"] == identity
    cache = VectorCache.load(PACKAGED_VECTORS, identity)
    keys = [text_key("document", passage.text) for passage in found]
    keys += [text_key("query", text) for text in query_sample(found)]
    assert [key for key in keys if key not in cache] == []


def test_the_model_knows_every_term_of_the_packaged_questions(found) -> None:
    from saitei.index.lexical import terms

    bag = packaged_bag()
    assert bag is not None
    unknown = {
        term
        for passage in found
        if passage.kind == "question"
        for term in terms(passage.text)
        if term not in bag.rows
    }
    assert unknown == set()
