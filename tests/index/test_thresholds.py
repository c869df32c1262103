"""Where the line between an answer and none is drawn."""

import numpy as np
import pytest

from saitei.index.thresholds import Choice, Sure, resampled


def sure(answerable: list[float], unanswerable: list[float], principles: int = 0) -> Sure:
    """The last ``principles`` of the unanswerable have a principle first."""
    odds = np.array([*answerable, *unanswerable])
    place = np.arange(len(odds))
    return Sure(odds, place >= len(odds) - principles, place < len(answerable))


def test_as_many_are_refused_as_asked_for_and_no_more_answers_lost_than_needed() -> None:
    found = sure([0.0, 2.0, 3.0, 4.0], [-2.0, -1.0, 0.5, 0.9, 2.5])
    assert found.refused(found.choice(0.75)) == (0.25, 0.8)
    # All of them, the last one too, which is as sure as it is.
    assert found.refused(found.choice(1.0)) == (0.5, 1.0)


def test_principles_alone_bear_what_only_they_do_wrong() -> None:
    found = sure([1.0, 1.2, 1.4], [-1.0, -1.0, 1.9, 1.9], principles=2)
    choice = found.choice(1.0)
    assert choice.handicap > 0
    assert found.refused(choice) == (0.0, 1.0)


def test_one_answer_more_or_less_is_no_reason_for_a_handicap() -> None:
    unanswerable = [-1.0, -1.0, 2.0]
    few = sure([-2.0, -2.0, 1.9, *[5.0] * 97], unanswerable, principles=1)
    assert few.choice(1.0) == Choice(pytest.approx(2.0, abs=1e-5), 0.0)
    many = sure([-2.0, -2.0, *[1.9] * 8, *[5.0] * 90], unanswerable, principles=1)
    assert many.choice(1.0).handicap == 0.5


def test_without_a_reason_a_principle_needs_no_more_than_a_ruling() -> None:
    assert sure([1.0, 2.0], [-1.0, 0.0]).choice(1.0).handicap == 0


def test_what_search_never_answers_asks_for_no_threshold_beyond_reach() -> None:
    choice = sure([1.0, 2.0], [-np.inf, -np.inf]).choice(1.0)
    assert np.isfinite(choice.odds)
    assert sure([1.0, 2.0], [-np.inf]).refused(choice) == (0.0, 1.0)


def test_the_choice_is_the_mean_of_many_and_each_is_tried_on_what_it_did_not_see() -> None:
    rng = np.random.default_rng(1)
    found = sure(rng.normal(2, 1, 300).tolist(), rng.normal(-1, 1, 300).tolist())
    choice, outside = resampled(found, 0.9)
    assert choice.odds == pytest.approx(found.choice(0.9).odds, abs=0.3)
    assert outside.shape == (200, 2)
    assert outside[:, 1].mean() == pytest.approx(0.9, abs=0.03)
    again, _ = resampled(found, 0.9)
    assert again == choice


def test_a_choice_counts_a_principles_handicap_against_principles_only() -> None:
    found = sure([1.0], [1.0, 1.0], principles=1)
    assert found.refused(Choice(odds=0.5, handicap=1.0)) == (0.0, 0.5)
