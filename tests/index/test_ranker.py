"""The ranker: scores, probabilities, and that it learns what it is fitted on."""

from pathlib import Path

import numpy as np
import pytest

from saitei.index.bag import TermBag
from saitei.index.encoder import EncoderError
from saitei.index.features import FEATURES, OF_CANDIDATE, Measured
from saitei.index.ranker import (
    SETTINGS,
    WEIGHTS,
    Ranker,
    Settings,
    load_ranker,
    probability,
    save_ranker,
)
from saitei.index.ranker_training import Network, fit
from saitei.index.rehearsal import Example

WORDS = 200
rng = np.random.default_rng(3)
BAG = TermBag(
    "none", {f"w{n}": n for n in range(WORDS)}, rng.normal(size=(WORDS, 384)).astype(np.float32)
)


def example(answerable: bool, seed: int) -> Example:
    """Four candidates without telling features: the right one's question has the words asked."""
    draw = np.random.default_rng(seed)
    asked = [draw.choice(WORDS, 6, replace=False).astype(np.int32) for _ in range(4)]
    right = int(draw.integers(4))
    question = asked[right][:4] if answerable else draw.choice(WORDS, 4, replace=False)
    measured = Measured(
        draw.normal(size=(4, len(FEATURES))).astype(np.float32),
        question.astype(np.int32),
        tuple(asked),
        tuple(draw.choice(WORDS, 6).astype(np.int32) for _ in range(4)),
    )
    return Example(measured, tuple(answerable and n == right for n in range(4)), answerable)


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    examples = [example(seed % 4 > 0, seed) for seed in range(1_500)]
    return Ranker(fit(examples, BAG), Settings(threshold=0.5, principle=0.5, inputs="toy"), BAG)


def test_it_learns_to_compare_words(ranker: Ranker) -> None:
    fresh = [example(True, seed) for seed in range(5_000, 5_200)]
    right = [one.right[int(np.argmax(ranker.scores(one.measured)))] for one in fresh]
    assert np.mean(right) > 0.9, "by features alone it would be a quarter"


def test_it_is_surer_where_there_is_an_answer(ranker: Ranker) -> None:
    def sure(one: Example) -> float:
        return float(ranker.scores(one.measured).max())

    answered = [sure(example(True, seed)) for seed in range(6_000, 6_100)]
    without = [sure(example(False, seed)) for seed in range(6_000, 6_100)]
    assert np.median(answered) > np.quantile(without, 0.9)


def test_numpy_and_torch_agree() -> None:
    import torch

    torch.manual_seed(5)
    ones, zeros = (make(len(FEATURES), np.float32) for make in (np.ones, np.zeros))
    network = Network(BAG, zeros, 2 * ones).eval()
    read = Ranker(network.weights(), Settings(threshold=0.5, principle=0.5, inputs=""), BAG)
    questions = [example(True, seed).measured for seed in range(5)]
    with torch.no_grad():
        expected = network(questions).numpy()
    found = np.concatenate([read.scores(one) for one in questions])
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)


def test_a_candidate_scores_the_same_whoever_stands_beside_it(ranker: Ranker) -> None:
    one = example(True, 7).measured
    longer = np.arange(30, dtype=np.int32)
    beside = Measured(one.features, one.question, (*one.asked[:3], longer), one.answer)
    np.testing.assert_allclose(ranker.scores(beside)[:3], ranker.scores(one)[:3], rtol=1e-4)


def test_a_question_or_text_without_known_words_is_scored_by_features(ranker: Ranker) -> None:
    nothing = np.empty(0, np.int32)
    empty = Measured(
        np.zeros((2, len(FEATURES)), np.float32), nothing, (nothing,) * 2, (nothing,) * 2
    )
    first, second = ranker.scores(empty)
    assert np.isfinite(first)
    assert first == second


def test_a_score_is_the_logarithm_of_odds() -> None:
    assert probability(0.0) == pytest.approx(0.5)
    assert probability(float(np.log(3))) == pytest.approx(0.75)
    assert 0.0 < probability(-1e9) < probability(1e9) <= 1.0


def test_it_is_stored_and_read_again(ranker: Ranker, tmp_path: Path) -> None:
    save_ranker(ranker.weights, ranker.settings, tmp_path / "ranker")
    again = load_ranker(BAG, tmp_path / "ranker")
    measured = example(True, 11).measured
    np.testing.assert_allclose(again.scores(measured), ranker.scores(measured), rtol=1e-4)
    assert again.settings == ranker.settings


DAMAGES = {
    "foreign": lambda content: b"no such thing",
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "one byte": lambda content: content[:-200] + b"?" + content[-199:],
}


@pytest.mark.parametrize("file", [WEIGHTS, SETTINGS])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_ranker_is_one_clear_error(
    ranker: Ranker, tmp_path: Path, file: str, damage: str
) -> None:
    folder = tmp_path / "ranker"
    save_ranker(ranker.weights, ranker.settings, folder)
    if (file, damage) == (SETTINGS, "one byte"):
        (folder / file).write_text('{"threshold": 7, "principle": 0.5, "inputs": ""}')
    else:
        (folder / file).write_bytes(DAMAGES[damage]((folder / file).read_bytes()))
    with pytest.raises(EncoderError, match="順位付けのモデル") as caught:
        load_ranker(BAG, folder)
    assert "\n" not in str(caught.value)


def test_a_ranker_for_other_word_vectors_is_refused(ranker: Ranker, tmp_path: Path) -> None:
    save_ranker(ranker.weights, ranker.settings, tmp_path / "ranker")
    narrow = TermBag("none", {"w": 0}, np.ones((1, 16), np.float32))
    with pytest.raises(EncoderError, match="大きさ"):
        load_ranker(narrow, tmp_path / "ranker")


def test_features_have_distinct_names() -> None:
    assert len(set(FEATURES)) == len(FEATURES) > len(OF_CANDIDATE)
