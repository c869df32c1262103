"""Time and memory of playing scenarios: ``python -m benchmarks.scenarios [--prototype FILE]``.

* a case (one run of one position) in this process: median, 90th percentile, and the same with
  nothing kept from case to case ("no caching")
* with ``--prototype FILE``: the cases that a throw-away harness can play as well (class ``Game``
  and ``Card`` of that module), by both, with the ratio
* 500 scenarios with their contrasts in worker processes: wall time, and memory of all processes

Times of a case are processor time of this process, so that what else the machine does hardly
counts; on an idle machine it is the time on the clock. Scenarios are the packaged ones, in file
order; ``--scenarios N`` takes the first N.
"""

import argparse
import importlib.util
import platform
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.page import hardware
from saitei.engine import phase_faces, phase_setup
from saitei.engine.cards import CardBook, Face, packaged_cards
from saitei.engine.pool import Job, WorkerPool
from saitei.engine.protocol import Adapter, load_engine
from saitei.engine.runner import run_case
from saitei.engine.scenario import Case, Scenario
from saitei.engine.selecting import find_scenarios
from saitei.engine.steps import AttackStep, CastStep, ResolveStep

_CACHES = (phase_faces.faces_json, phase_faces._flags, phase_setup._engine, phase_setup._base_state)
_SEATS = {"you": 0, "opponent": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prototype", type=Path)
    parser.add_argument("--scenarios", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    cards, adapter = packaged_cards(), load_engine("phase")
    scenarios = find_scenarios([], cards)[: options.scenarios]
    cases = [case for one in scenarios for case in (one.main, *one.contrasts)]
    print(f"{adapter.name} {adapter.version}; {hardware()}")
    print(f"{len(scenarios)} scenarios, {len(cases)} cases")
    print(f"a case: {_numbers([_seconds(run_case, one, adapter, cards) for one in cases])}")
    sample = cases[:: max(1, len(cases) // 100)]
    print(f"a case, no caching: {_numbers([_uncached(one, adapter, cards) for one in sample])}")
    if options.prototype:
        _against(options.prototype, scenarios, adapter, cards)
    _pooled(scenarios, cards, options.workers)


def _numbers(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    return (
        f"median {statistics.median(ordered) * 1000:.1f} ms, "
        f"p90 {ordered[int(len(ordered) * 0.9)] * 1000:.1f} ms ({len(ordered)} cases)"
    )


def _seconds(play: Callable[..., object], *arguments: object) -> float:
    start = time.process_time()
    play(*arguments)
    return time.process_time() - start


def _uncached(case: Case, adapter: Adapter, cards: CardBook) -> float:
    for cache in _CACHES:
        cache.cache_clear()
    return _seconds(run_case, case, adapter, cards)


def _pooled(scenarios: Sequence[Scenario], cards: CardBook, workers: int) -> None:
    start = time.perf_counter()
    with WorkerPool(Job("phase", cards), workers=workers) as pool:
        outcomes = [result.verdict.outcome for result in pool.run(scenarios)]
    seconds = time.perf_counter() - start
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = spent.ru_utime + spent.ru_stime
    # In KiB on Linux, in bytes on macOS.
    unit = 1024 if platform.system() == "Linux" else 1
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    largest = spent.ru_maxrss * unit
    print(
        f"{len(outcomes)} scenarios with contrasts, {workers} workers: {seconds:.1f} s "
        f"({busy:.1f} s of processor time in them); memory at "
        f"most {(own + workers * largest) / 1e6:.0f} MB (this process {own / 1e6:.0f}, "
        f"a worker {largest / 1e6:.0f})"
    )


# -- a throw-away harness, for comparison


def _against(file: Path, scenarios: Sequence[Scenario], adapter: Adapter, cards: CardBook) -> None:
    spec = importlib.util.spec_from_file_location("prototype", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    plain = [one.main for one in scenarios if _is_plain(one.main)]
    theirs: list[float] = []
    ours: list[float] = []
    for case in plain:
        try:
            theirs.append(_seconds(_harness_run, module, case, cards))
        except (module.Stuck, ValueError, KeyError, StopIteration):
            continue  # its ways are narrower; only what both can play is compared
        ours.append(_seconds(run_case, case, adapter, cards))
    if not theirs:
        print("prototype: no case that both can play")
        return
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"the prototype: {_numbers(theirs)}; ours on the same: {_numbers(ours)}; {ratio:.1f} x")


def _is_plain(case: Case) -> bool:
    """Two players, and only casting with targets, attacking and resolving."""
    given = case.given
    objects = [spec for _, player in given.players for _, _, specs in player.zones()
               for spec in specs]  # fmt: skip
    return (
        [word for word, _ in given.players] == ["you", "opponent"]
        and given.step == "precombat main"
        and all(spec.count == 1 and spec.attached_to is None and not spec.commander
                and cards_kind(spec) for spec in objects)
        and all(_plain_step(placed.step) for placed in case.when)
    )  # fmt: skip


def cards_kind(spec: Any) -> bool:
    """Nothing the harness has no word for."""
    return spec.copy_of is None and spec.exiled_by is None and spec.chosen is None


def _plain_step(step: Any) -> bool:
    if isinstance(step, CastStep):
        return set(step.given()) <= {"targets"} and not step.paying and step.face is None
    if isinstance(step, ResolveStep):
        return step.resolve in ("all", "top") and not step.given() and not step.answers
    return isinstance(step, AttackStep) and isinstance(step.attack, list) and not step.given()


def _harness_run(module: Any, case: Case, cards: CardBook) -> None:
    """The case's position and steps, and a look at each object named at its end."""
    ids = dict.fromkeys(spec for spec in case.given.card_ids)
    made = [_harness_card(module.Card, card, cards) for card in ids]
    zones = {"battlefield": "bf", "graveyard": "gy", "library": "lib"}
    sides: list[dict[str, list[dict[str, Any]]]] = [{}, {}]
    for seat, (_, player) in enumerate(case.given.players):
        for zone, _, specs in player.zones():
            for spec in specs:
                side = sides[seat].setdefault(zones.get(zone, zone), [])
                side.append({
                    "card": cards.get(spec.card).front.en, "id": spec.handles[0],
                    "tapped": spec.tapped, "sick": spec.sick, "damage": spec.damage,
                })  # fmt: skip
    mana = {
        seat: [*"".join(symbol for symbol in player.mana if symbol in "WUBRG")]
        + ["C"] * sum(int(digit) for digit in player.mana if digit.isdigit())
        for seat, (_, player) in enumerate(case.given.players)
        if player.mana
    }
    game = module.Game(
        made, *sides, active=_SEATS[case.given.turn], mana=mana,
        daynight=None if case.given.day_night == "neither" else case.given.day_night.capitalize(),
    )  # fmt: skip
    names = {"you": "P0", "opponent": "P1"}
    actions: dict[type, Callable[[Any], None]] = {
        CastStep: lambda step: game.cast(
            step.cast, *(names.get(one, one) for one in step.targets or ()), pl=_SEATS[step.by]
        ),
        ResolveStep: lambda step: game.resolve_all() if step.resolve == "all" else game.resolve(),
        AttackStep: lambda step: game.attack(step.attack),
    }
    for placed in case.when:
        actions[type(placed.step)](placed.step)
    for expected in case.then:
        subject = expected.expectation.subject
        if subject in game.ids:
            game.o(subject)


def _harness_card(make: Any, card: str, cards: CardBook) -> Any:
    definition = cards.get(card)

    def face(one: Face, back: Any = None) -> Any:
        layout = definition.layout
        return make(one.en, one.cost or None, one.type, one.text, one.pt or None, back, layout)

    return face(definition.front, face(definition.back) if definition.back else None)


if __name__ == "__main__":
    main()
