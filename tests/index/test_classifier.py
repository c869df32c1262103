"""The classifier: whose question it is, or nobody's."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from saitei.index.build import Packaged, build
from saitei.index.classifier import LEAST, Classifier, load_classifier, save_classifier
from saitei.index.classifier_training import EPOCHS, SCALE, Lesson, Network, fit, lessons, terms_by
from saitei.index.database import Contents
from saitei.index.encoder import EncoderError
from saitei.index.features import FEATURES
from saitei.index.retrieval import Searcher
from saitei.index.store import Store
from saitei.ingest.asked import AskedQuestions, Unanswered
from saitei.ingest.catalog import load_catalog
from tests.index.conftest import NOTES, BagEncoder
from tests.index.test_retrieval import RULE, ruling

READ = terms_by(load_catalog())


def question(
    rng: np.random.Generator, words: range, answers: str | None, about: str | None = None
) -> Lesson:
    """Three words of a kind and two that anybody says."""
    own = [f"w{n}" for n in rng.choice(words, 3, replace=False)]
    return Lesson(tuple(own) + tuple(f"any{n}" for n in rng.integers(20, size=2)), answers, about)


KINDS = {
    "card.first": range(10),
    "card.second": range(10, 20),
    "rule": range(20, 30),
    None: range(30, 40),
}


@pytest.fixture(scope="module")
def taught() -> list[Lesson]:
    rng = np.random.default_rng(5)
    return [question(rng, words, name) for name, words in KINDS.items() for _ in range(150)]


@pytest.fixture(scope="module")
def classifier(taught: list[Lesson]) -> Classifier:
    return fit(taught)


@pytest.mark.parametrize("name", KINDS)
def test_a_question_is_known_by_its_words(classifier: Classifier, name: str | None) -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        judged = classifier.judge(question(rng, KINDS[name], name).terms)
        assert np.exp(judged.shares).sum() + np.exp(judged.none) == pytest.approx(1.0, abs=1e-3)
        if name is None:
            assert judged.none > judged.shares.max()
        else:
            assert judged.shares[classifier.classes[name]] > max(judged.none, -0.7)


def test_what_has_no_answer_is_told_apart_by_what_it_is_about() -> None:
    """Two sorts of unanswered questions that have nothing in common are none together."""
    rng = np.random.default_rng(7)
    sorts = [
        question(rng, words, None, about)
        for about, words in (("a", range(9)), ("b", range(20, 29)))
    ]
    taught = [*sorts * 60, *(question(rng, range(40, 49), "card.first") for _ in range(60))]
    classifier = fit(taught)
    assert list(classifier.classes) == ["card.first"]
    assert len(classifier.bias) == 3
    for sort in sorts:
        assert classifier.judge(sort.terms).none > -0.1


def test_unknown_words_and_repeats_say_nothing(classifier: Classifier) -> None:
    once = classifier.judge(["w1", "w2"])
    again = classifier.judge(["w1", "unheard", "w2", "w1"])
    np.testing.assert_array_equal(once.shares, again.shares)
    nothing = classifier.judge(["unheard"])
    assert nothing.shares.max() < -0.3, "nothing is sure of what it cannot read"


def test_shares_have_a_floor(classifier: Classifier) -> None:
    sharp = replace(classifier, scale=1_000.0)
    judged = [sharp.judge([f"w{n}", f"w{n + 1}"]) for n in (1, 35)]
    assert min(one.shares.min() for one in judged) == LEAST
    assert judged[0].none == pytest.approx(LEAST)


def test_numpy_and_torch_agree() -> None:
    import torch

    torch.manual_seed(3)
    weight = np.random.default_rng(8).random(30).astype(np.float32)
    network = Network(weight, 7).eval()
    rows = {f"w{n}": n for n in range(30)}
    vectors = network.bag.weight.detach().numpy() * weight[:, np.newaxis]
    read = Classifier(
        rows,
        vectors.astype(np.float16),
        network.output.weight.detach().numpy().T,
        network.output.bias.detach().numpy(),
        SCALE,
        {f"c{n}": n for n in range(5)},
    )
    with torch.no_grad():
        expected = torch.log_softmax(network([np.array([3, 8, 20])]), 1)[0].numpy()
    judged = read.judge(["w3", "w8", "w20"])
    np.testing.assert_allclose(judged.shares, expected[:5], atol=2e-3)
    assert judged.none == pytest.approx(np.logaddexp.reduce(expected[5:]), abs=2e-3)


def test_fitting_again_gives_the_same(taught: list[Lesson], classifier: Classifier) -> None:
    shown: list[tuple[int, int]] = []
    again = fit(taught, progress=lambda done, total: shown.append((done, total)))
    np.testing.assert_array_equal(again.vectors, classifier.vectors)
    assert shown == [(epoch, EPOCHS) for epoch in range(EPOCHS)]


def test_it_is_stored_whole(classifier: Classifier, tmp_path: Path) -> None:
    save_classifier(replace(classifier, inputs="hash"), tmp_path / "c.npz")
    read = load_classifier(tmp_path / "c.npz")
    assert (read.terms, read.classes) == (classifier.terms, classifier.classes)
    assert (read.inputs, read.scale) == ("hash", classifier.scale)
    terms = ["w21", "w22", "w28"]
    np.testing.assert_array_equal(read.judge(terms).shares, classifier.judge(terms).shares)


def test_one_that_cannot_be_read_is_refused_in_a_line(tmp_path: Path) -> None:
    for content in (None, b"", b"x", b"PK\x03\x04"):
        path = tmp_path / f"{content!r:.5}.npz"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(EncoderError, match="質問を分けるモデルとして読めません") as caught:
            load_classifier(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("vectors", lambda part: part[:, :-1]),
        ("vectors", lambda part: part[:-1]),
        ("vectors", lambda part: part * np.float16(np.nan)),
        ("output", lambda part: part[:, :-1]),
        ("output", lambda part: part.T),
        ("bias", lambda part: part[:3]),
        ("terms", lambda part: np.concatenate([part, part[:0], np.frombuffer(b"\nw1", np.uint8)])),
        ("classes", lambda part: np.tile(part, 9)),
        ("scale", lambda part: np.array(["x"])),
        ("scale", lambda part: part * np.nan),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(
    classifier: Classifier, tmp_path: Path, name: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    path = tmp_path / "c.npz"
    save_classifier(classifier, path)
    with np.load(path) as stored:
        parts = dict(stored)
    np.savez(path, **{**parts, name: change(parts[name])})
    with pytest.raises(EncoderError, match="質問を分けるモデルとして読めません"):
        load_classifier(path)


def test_lessons_are_the_questions_of_all_and_those_without_an_answer() -> None:
    asked = AskedQuestions({RULE.id: ("一般にはどう？",)}, (Unanswered("腐乱は飛ぶ？", "decayed"),))
    found = lessons(NOTES[:1], [RULE], asked, READ)
    own = len(NOTES[0].questions.ja) + len(RULE.questions.ja) + len(RULE.questions.en)
    assert len(found) == own + 2
    assert (found[0].answers, found[-2].answers) == (NOTES[0].key, RULE.id)
    assert (found[-1].answers, found[-1].about) == (None, "decayed")


def test_candidates_are_measured_by_their_classes(store: Store, encoder: BagEncoder) -> None:
    """A note's ruling and a principle have one; an official text alone has none."""
    asked = AskedQuestions({NOTES[3].key: ("腐乱のゾンビは攻撃を強制される？",)})
    classifier = fit(lessons(NOTES, [RULE], asked, READ))
    packaged = Packaged(tuple(NOTES), (RULE,), "digest", asked)
    with store.writing():
        texts = Contents(rulings=(ruling(99, "腐乱のゾンビは攻撃してもしなくてもよい。"),))
        generation = build(store, texts, packaged, load_catalog())
    searcher = Searcher(generation, load_catalog(), encoder, classifier)
    _, entries, measured = searcher.measure("腐乱のゾンビは攻撃する？")
    keys = [entry.key for entry in entries]
    judged = classifier.judge(READ("腐乱のゾンビは攻撃する？"))

    def column(name: str) -> dict[str, float]:
        return dict(zip(keys, measured.features[:, FEATURES.index(name)].tolist(), strict=True))

    text, noted = f"{99:012x}", NOTES[3].rulings[0]
    shares, odds = column("class_share"), column("classified")
    assert [column("classless")[key] for key in (text, noted, RULE.id)] == [1, 0, 0]
    assert (shares[text], odds[text]) == (LEAST, 0)
    for key, name in ((noted, NOTES[3].key), (RULE.id, RULE.id)):
        assert shares[key] == pytest.approx(judged.shares[classifier.classes[name]], abs=1e-5)
        assert odds[key] == pytest.approx(shares[key] - judged.none, abs=1e-4)
    for none in column("class_none").values():
        assert none == pytest.approx(judged.none, abs=1e-5)


def test_one_made_for_another_ranker_is_refused(
    store: Store, encoder: BagEncoder, classifier: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing():
        packaged = Packaged(tuple(NOTES), (RULE,), "digest")
        generation = build(store, Contents(), packaged, load_catalog())
    monkeypatch.setattr("saitei.index.retrieval.load_classifier", lambda: classifier)
    with pytest.raises(EncoderError, match="順位付けのモデルと一緒に作られたものではありません"):
        Searcher(generation, load_catalog(), encoder)
