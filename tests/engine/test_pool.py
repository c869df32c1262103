"""Worker processes: results in order, and what hangs or dies is killed and replaced."""

import subprocess
import sys
from pathlib import Path

import pytest

from saitei.engine.cards import CardBook, packaged_cards
from saitei.engine.pool import Job, WorkerPool, run_pool
from saitei.engine.protocol import Adapter
from saitei.engine.runner import run_scenario
from saitei.engine.selecting import find_scenarios
from tests.engine.playing import Load

ONE = """
- id: case.{number}
  title: 題{number}
  basis: ruling
  rulings: [0a1b2c3d4e5f]
  given: {{turn_number: {turn}, you: {{life: {number}}}}}
  when: []
  then: [{{you: {{life: {number}}}, shows: 0a1b2c3d4e5f}}]
  contrast: [{{title: 別, given: {{you: {{life: 30}}}}, then: [{{you: {{life: 30}}}}]}}]
"""


def file(*turns: int) -> str:
    cases = (ONE.format(number=n, turn=turn) for n, turn in enumerate(turns, 1))
    return "".join(cases)


def test_the_pool_gives_what_a_plain_run_gives(
    load: Load, cards: CardBook, engine: Adapter
) -> None:
    scenarios = load(file(5, 5, 5))
    pooled = list(run_pool(scenarios, Job("phase", cards), workers=2))
    plain = [run_scenario(one, engine, cards) for one in scenarios]
    assert [one.verdict.model_copy(update={"seconds": 0}) for one in pooled] == [
        one.verdict.model_copy(update={"seconds": 0}) for one in plain
    ]


@pytest.mark.parametrize(
    ("adapter", "cause", "words"),
    [
        ("tests.engine.fakes:Hangs", "timeout", "no answer in 0.5 s in '題2'"),
        ("tests.engine.fakes:Dies", "engine", "the engine's process died (SIGABRT) in '題2'"),
    ],
)
def test_a_case_that_breaks_its_worker(
    load: Load, cards: CardBook, adapter: str, cause: str, words: str
) -> None:
    scenarios = load(file(5, 13, 5))
    first, broken, last = run_pool(scenarios, Job(adapter, cards), workers=1, limit=0.5)
    assert (first.verdict.outcome, last.verdict.outcome) == ("confirmed", "confirmed")
    assert (broken.verdict.outcome, broken.verdict.cause) == ("error", cause)
    assert words in broken.verdict.reason


def test_a_pool_that_stays_is_used_again(load: Load, cards: CardBook) -> None:
    scenarios = load(file(5, 13, 5))
    with WorkerPool(Job("tests.engine.fakes:Dies", cards), workers=1) as pool:
        first = [one.verdict.outcome for one in pool.run(scenarios)]
        again = [one.verdict.outcome for one in pool.run(scenarios[2:])]
    assert (first, again) == (["confirmed", "error", "confirmed"], ["confirmed"])


UNGUARDED = """
from saitei.engine.cards import packaged_cards
from saitei.engine.errors import ScenarioError
from saitei.engine.pool import Job, run_pool
from saitei.engine.selecting import find_scenarios

cards = packaged_cards()
try:
    list(run_pool(find_scenarios(["decayed"], cards), Job("phase", cards), workers=2))
except ScenarioError as error:
    print(error)
"""


def test_workers_that_cannot_start_are_given_up(tmp_path: Path) -> None:
    """The worker runs the script anew, and ends where it would start workers itself."""
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], text=True, capture_output=True, check=False, timeout=60
    )
    assert done.stdout == (
        "the engine's processes cannot start (exit 1); is it a script that plays on a pool "
        'without if __name__ == "__main__"?\n'
    )


def test_the_same_run_twice_leaves_the_same_trace() -> None:
    """In other processes, whose string hashes differ, and in another order."""
    cards = packaged_cards()
    scenarios = find_scenarios(["flashback", "curse-of-echoes"], cards)
    job = Job("phase", cards, trace=True)
    once = list(run_pool(scenarios, job, workers=1))
    twice = list(run_pool(scenarios[::-1], job, workers=2))[::-1]
    for one, other in zip(once, twice, strict=True):
        for case, same in zip(
            (one.main, *one.contrasts), (other.main, *other.contrasts), strict=True
        ):
            assert case.trace is not None
            assert case.trace == same.trace
            assert case.dump == same.dump
            assert case.checked == same.checked
