"""What the engine gets wrong: verdicts and known faults side by side."""

from dataclasses import dataclass

from saitei.engine.faults import Fault, packaged_faults
from saitei.engine.verdicts import Outcome, Run, TextKind, Verdict
from saitei.service.scenarios import scenario_titles
from saitei.service.verdicts import committed_run

ORDER: tuple[Outcome, ...] = (
    "contradicted", "error", "inconclusive", "unsupported", "outdated", "confirmed",
)  # fmt: skip
TEXTS: tuple[TextKind, ...] = ("as-written", "reworded", "patched")
SHOWN: tuple[Outcome, ...] = ("contradicted", "error", "inconclusive", "unsupported")


@dataclass(frozen=True, slots=True)
class Shown:
    """A verdict with the scenario's title."""

    verdict: Verdict
    title: str


@dataclass(frozen=True, slots=True)
class EngineReport:
    """One run. ``counts`` of an outcome are by `TEXTS`.

    ``groups`` are the outcomes that are not as they should be, worst first.
    """

    engine: str
    version: str
    counts: tuple[tuple[Outcome, tuple[int, ...]], ...]
    total: int
    faults: tuple[Fault, ...]
    groups: tuple[tuple[Outcome, tuple[Shown, ...]], ...]


def _count(run: Run, outcome: Outcome, text: TextKind) -> int:
    return sum(1 for one in run.verdicts if one.outcome == outcome and one.text == text)


def engine_report() -> EngineReport | None:
    """The committed run of the newest version, or None. Raises ``ScenarioError``."""
    run = committed_run()
    if run is None:
        return None
    titles = scenario_titles()
    faults = tuple(
        one for one in packaged_faults() if one.engine == run.engine and run.version in one.versions
    )
    groups = tuple(
        (
            outcome,
            tuple(
                Shown(one, titles.get(one.scenario, one.scenario))
                for one in run.verdicts
                if one.outcome == outcome
            ),
        )
        for outcome in SHOWN
    )
    return EngineReport(
        engine=run.engine,
        version=run.version,
        counts=tuple(
            (outcome, tuple(_count(run, outcome, kind) for kind in TEXTS)) for outcome in ORDER
        ),
        total=len(run.verdicts),
        faults=faults,
        groups=tuple(group for group in groups if group[1]),
    )
