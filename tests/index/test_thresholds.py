"""Where the line between an answer and none is drawn."""

import numpy as np
import pytest

from saitei.index.thresholds import SEED, Choice, Limits, Sure, resampled


def sure(answerable: list[float], unanswerable: list[float], principles: int = 0) -> Sure:
    """The last ``principles`` of the unanswerable have a principle first."""
    odds = np.array([*answerable, *unanswerable])
    place = np.arange(len(odds))
    return Sure(odds, place >= len(odds) - principles, place < len(answerable))


LIMITS = Limits(most=0.1, least=0.9)
NORMAL = np.random.default_rng(1).normal(0, 1, (2, 300))


def test_the_line_lies_between_the_limits() -> None:
    found = sure((NORMAL[0] + 2).tolist(), (NORMAL[1] - 2).tolist())
    choice = found.choice(LIMITS)
    assert choice == Choice(pytest.approx(0, abs=0.2), 0)
    cost, refused = found.refused(choice)
    assert cost < 0.05
    assert refused > 0.95


def test_the_line_moves_to_where_less_is_asked() -> None:
    found = sure((NORMAL[0] + 2).tolist(), (NORMAL[1] - 2).tolist())
    both = found.choice(LIMITS).odds
    assert found.choice(Limits(most=0.3, least=0.9)).odds > both + 0.3
    assert found.choice(Limits(most=0.1, least=0.7)).odds < both - 0.3


def test_where_both_limits_cannot_be_kept_neither_is_given_up() -> None:
    found = sure((NORMAL[0] + 0.5).tolist(), (NORMAL[1] - 0.5).tolist())
    cost, refused = found.refused(found.choice(LIMITS))
    assert cost == pytest.approx(1 - refused, abs=0.03)


def test_distance_from_a_limit_is_in_its_standard_error() -> None:
    found = sure([*[0.0] * 10, *[1.0] * 9, *[9.0] * 81], [*[-9.0] * 190, *[0.0] * 7, *[1.0] * 3])
    # Of 100 and 200, from .5 on: lost .10, 2.5 errors of .040 to spare; refused .985, 0.5 of .010.
    # From 1.5 on: lost .19, only 0.25 to spare, though .01 is more than .005; refused 1, 2.0.
    assert found.choice(Limits(most=0.2, least=0.98)) == Choice(0.5, 0.0)


def test_of_choices_equally_far_from_one_limit_the_farther_from_the_other_is_taken() -> None:
    found = sure([2.0] * 50, [*[-5.0] * 95, 0.0, 0.5, 1.0, 1.2, 1.4])
    assert found.choice(LIMITS) == Choice(pytest.approx(1.7), 0.0)
    assert found.refused(found.choice(LIMITS)) == (0.0, 1.0)


def test_principles_alone_bear_what_only_they_do_wrong() -> None:
    wrong = [*np.linspace(-2, -1, 60), *np.linspace(1.5, 1.9, 40)]
    found = sure(np.linspace(1, 3, 200).tolist(), wrong, principles=40)
    choice = found.choice(LIMITS)
    assert choice.handicap > 0
    assert found.refused(choice) == (0.0, 1.0)


def test_without_a_reason_a_principle_needs_no_more_than_a_ruling() -> None:
    assert sure([1.0, 2.0], [-1.0, 0.0], principles=1).choice(LIMITS).handicap == 0


@pytest.mark.parametrize(("answerable", "unanswerable"), [([], [1.0]), ([1.0], [])])
def test_there_is_no_line_with_questions_on_one_side(
    answerable: list[float], unanswerable: list[float]
) -> None:
    with pytest.raises(ValueError, match="both sides"):
        sure(answerable, unanswerable).choice(LIMITS)


def test_what_search_never_answers_asks_for_no_threshold_beyond_reach() -> None:
    found = sure([1.0, 2.0], [-np.inf, -np.inf])
    choice = found.choice(LIMITS)
    assert np.isfinite(choice.odds)
    assert found.refused(choice) == (0.0, 1.0)


def test_the_choice_is_the_mean_of_many_and_each_is_tried_on_what_it_did_not_see() -> None:
    found = sure((NORMAL[0] + 2).tolist(), (NORMAL[1] - 1).tolist())
    choice, outside = resampled(found, LIMITS)
    assert choice.odds == pytest.approx(found.choice(LIMITS).odds, abs=0.3)
    assert outside.shape == (200, 2)
    assert outside.mean(0) == pytest.approx(found.refused(choice), abs=0.03)
    rows = np.random.default_rng(SEED).integers(0, 600, 600)
    others = np.setdiff1d(np.arange(600), rows)
    assert tuple(outside[0]) == found.of(others).refused(found.of(rows).choice(LIMITS))
    again, _ = resampled(found, LIMITS)
    assert again == choice


def test_a_choice_counts_a_principles_handicap_against_principles_only() -> None:
    found = sure([1.0], [1.0, 1.0], principles=1)
    assert found.refused(Choice(odds=0.5, handicap=1.0)) == (0.0, 0.5)
