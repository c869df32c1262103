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
from saitei.index.ranker_training import fit
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
    return Ranker(fit(examples, BAG), Settings(threshold=0.5, inputs="toy"), BAG)


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


@pytest.mark.parametrize("file", [WEIGHTS, SETTINGS])
def test_a_damaged_ranker_is_one_clear_error(ranker: Ranker, tmp_path: Path, file: str) -> None:
    folder = tmp_path / "ranker"
    save_ranker(ranker.weights, ranker.settings, folder)
    (folder / file).write_bytes(b"no such thing")
    with pytest.raises(EncoderError, match="順位付けのモデル") as caught:
        load_ranker(BAG, folder)
    assert "\n" not in str(caught.value)


def test_features_have_distinct_names() -> None:
    assert len(set(FEATURES)) == len(FEATURES) > len(OF_CANDIDATE)
