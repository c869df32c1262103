"""Scenario files and scenarios as pytest sees them. Imported when the first file is collected."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from saitei.engine.cards import packaged_cards
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import explains, packaged_faults
from saitei.engine.loading import load_scenarios
from saitei.engine.pool import CASE_LIMIT, Job, WorkerPool
from saitei.engine.protocol import load_engine
from saitei.engine.references import mechanics_of
from saitei.engine.report import side_by_side
from saitei.engine.runner import ScenarioResult
from saitei.engine.scenario import Scenario
from saitei.engine.verdicts import Verdict


class NotShownError(Exception):
    """The engine does not play a scenario as expected, or it could not be played."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


class ContradictedError(NotShownError):
    """The engine plays it otherwise than the ruling or the rule says."""


class ScenarioFile(pytest.File):
    """A scenario file."""

    def collect(self) -> Iterator["ScenarioItem"]:
        """One item a scenario. Raises `ScenarioError`."""
        bench = _bench(self.config)
        for scenario in load_scenarios([self.path], bench.cards):
            bench.note(scenario)
            yield ScenarioItem.from_parent(self, name=scenario.id, scenario=scenario, bench=bench)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """What is wrong and where, without a traceback."""
        if isinstance(excinfo.value, ScenarioError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))


class ScenarioItem(pytest.Item):
    """A scenario with its contrasts."""

    def __init__(self, *, scenario: Scenario, bench: "Bench", **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self._scenario, self._bench = scenario, bench
        self.user_properties += [
            ("rulings", " ".join(scenario.rulings)),
            ("rules", " ".join(scenario.rules)),
            ("engine", bench.engine.name),
            ("engine version", bench.engine.version),
        ]
        # For -k: by ruling, rule and mechanic.
        self.extra_keyword_matches.update(
            *(ruling.split("#") for ruling in scenario.rulings),
            scenario.rules,
            mechanics_of(scenario),
        )
        fault = explains(bench.faults, scenario.id, bench.engine.name, bench.engine.version)
        if fault is not None:
            why = f"{fault.id}: {fault.summary}"
            self.add_marker(pytest.mark.xfail(reason=why, strict=True, raises=ContradictedError))

    @property
    def scenario(self) -> Scenario:
        return self._scenario

    def runtest(self) -> None:
        """Play it. Skips where the engine says that it cannot."""
        verdict = self._bench.play(self).verdict
        self.user_properties.append(("outcome", verdict.outcome))
        if verdict.outcome == "unsupported":
            # The place to show is the scenario's, not this line.
            raise pytest.skip.Exception(verdict.reason, _use_item_location=True)
        if verdict.outcome == "contradicted":
            raise ContradictedError(verdict)
        if verdict.outcome not in ("confirmed", "outdated"):
            raise NotShownError(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Expected beside observed, with the ruling's source."""
        if not isinstance(excinfo.value, NotShownError):
            return str(super().repr_failure(excinfo))
        lines = side_by_side(excinfo.value.verdict, self._scenario)
        lines.append(f"  to see it played: saitei replay {self._replay_name()}")
        return "\n".join(lines)

    def _replay_name(self) -> str:
        packaged = self._scenario.file.startswith("data/")
        return self.name if packaged else f"{self._scenario.file}::{self.name}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """File and line (from 0) of the scenario."""
        return self.path, self._scenario.line - 1, f"{self.name} {self._scenario.title}"


class Bench:
    """What all scenarios of a session share: engine, cards, known faults, worker processes."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        name = config.getoption("saitei_engine")
        self.engine = load_engine(name)
        self.cards = packaged_cards()
        file = config.getoption("saitei_cards")
        if file is not None:
            self.cards = self.cards.with_file(file)
        self.faults = packaged_faults()
        self._places: dict[str, str] = {}
        self._done: dict[str, ScenarioResult] = {}
        self._planned: list[Scenario] = []
        self._results: Iterator[ScenarioResult] = iter(())
        # An xdist worker is one of several already.
        alone = 1 if hasattr(config, "workerinput") else os.cpu_count()
        self._pool = WorkerPool(
            Job(name, self.cards, self.faults),
            workers=config.getoption("saitei_workers") or alone,
            limit=config.getoption("saitei_case_limit") or CASE_LIMIT,
        )
        config.add_cleanup(self._pool.close)

    def note(self, scenario: Scenario) -> None:
        """Raises `ScenarioError` for an id that stands in another file, too."""
        place = f"{scenario.file}:{scenario.line}"
        before = self._places.setdefault(scenario.id, place)
        if before != place:
            raise ScenarioError(f"{place}: id: scenario '{scenario.id}' is already in {before}")

    def play(self, item: ScenarioItem) -> ScenarioResult:
        """The result of an item.

        Alone, all items after it are played ahead on the other processors; under xdist nobody
        knows what comes next here.
        """
        wanted = item.scenario
        if wanted.id in self._done:
            return self._done[wanted.id]
        if wanted not in self._planned:
            self._planned = [wanted]
            if not hasattr(self._config, "workerinput"):
                items = item.session.items
                after = items[items.index(item) + 1 :] if item in items else []
                self._planned += [one.scenario for one in after if isinstance(one, ScenarioItem)]
            self._results = self._pool.run(self._planned)
        for result in self._results:
            self._done[result.verdict.scenario] = result
            if result.verdict.scenario == wanted.id:
                return result
        raise AssertionError(f"no result for {wanted.id}")


_BENCH = pytest.StashKey[Bench]()


def _bench(config: pytest.Config) -> Bench:
    if _BENCH not in config.stash:
        config.stash[_BENCH] = Bench(config)
    return config.stash[_BENCH]
