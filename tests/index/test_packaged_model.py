"""The packaged vectors and query model were made from the notes as they are now."""

import ast
import inspect
import json
from types import ModuleType

import pytest

from saitei.index import classifier, classifier_training, ranker_training, rehearsal
from saitei.index.bag import MANIFEST, MODEL, packaged_bag
from saitei.index.build import PACKAGED_VECTORS, query_sample
from saitei.index.encoder import DEFAULT_ENCODER, load_encoder
from saitei.index.package import Inputs
from saitei.index.ranker import FOLDER, WEIGHTS, load_ranker
from saitei.index.store import file_hash
from saitei.index.vectors import VectorCache, text_key


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs.load()


@pytest.fixture(scope="module")
def manifest() -> dict[str, object]:
    return json.loads(MANIFEST.read_text("utf-8"))


def test_the_model_was_trained_on_todays_notes(inputs, manifest) -> None:
    assert manifest["inputs"] == inputs.digest(), "notes or terms changed: run `make index`"


def test_the_kana_dictionary_has_the_words_of_todays_texts(inputs, manifest) -> None:
    assert manifest["kana"] == inputs.kana_digest(), "questions changed: run `make index`"


def test_the_ranker_was_fitted_on_todays_questions(inputs) -> None:
    bag = packaged_bag()
    assert bag is not None
    fitted_on = load_ranker(bag).settings.inputs
    digest = inputs.ranker_digest()
    assert fitted_on == digest, "notes or questions changed: run `make index`"
    assert classifier.load_classifier().inputs == digest, (
        "it was fitted for another ranker: run `make index`"
    )


@pytest.mark.parametrize("module", [rehearsal, classifier_training, ranker_training])
def test_no_constant_of_training_is_left_out_of_the_digest(module: ModuleType) -> None:
    statements = ast.parse(inspect.getsource(module)).body
    assigned = [one for one in statements if isinstance(one, ast.Assign | ast.AnnAssign)]
    targets = {name.id: one for one in assigned for name in _names(one) if _stored(name)}
    listed = {name.id for name in _names(targets.pop("CONSTANTS")) if not _stored(name)}
    assert {name for name in targets if name.isupper()} - listed == {"SHOWN"} & targets.keys()


def _names(tree: ast.AST) -> list[ast.Name]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def test_the_thresholds_were_set_for_todays_weights() -> None:
    bag = packaged_bag()
    assert bag is not None
    settings = load_ranker(bag).settings
    fitted = (file_hash(FOLDER / WEIGHTS), file_hash(classifier.FILE))
    assert (settings.weights, settings.classifier) == fitted, (
        "the ranker or the classifier changed: run `python -m benchmarks.calibrate --write`"
    )


def test_the_files_are_those_that_were_trained(manifest) -> None:
    assert manifest["files"] == {
        path.relative_to(MODEL).as_posix(): file_hash(path)
        for path in sorted(MODEL.rglob("*"))
        if path.is_file()
    }


def test_a_first_start_needs_no_encoder(inputs, manifest) -> None:
    """Every text that a fresh knowledge base embeds has its vector."""
    identity = load_encoder(DEFAULT_ENCODER).identity
    assert manifest["encoder"] == identity
    cache = VectorCache.load(PACKAGED_VECTORS, identity)
    keys = [text_key("document", passage.text) for passage in inputs.found]
    keys += [text_key("document", question.text) for question in inputs.asked.unanswered]
    keys += [text_key("query", text) for text in query_sample(inputs.found)]
    assert [key for key in keys if key not in cache] == []


def test_the_model_knows_every_term_of_the_notes_questions(inputs) -> None:
    from saitei.index.lexical import terms

    bag = packaged_bag()
    assert bag is not None
    unknown = {
        term
        for passage in inputs.taught
        if passage.kind == "question"
        for term in terms(passage.text)
        if term not in bag.rows
    }
    assert unknown == set()
