"""Two or more runs beside each other: what changed, and the matrix of engine versions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from saitei.engine.errors import ScenarioError
from saitei.engine.faults import Fault
from saitei.engine.verdicts import Outcome, Run, Verdict

ChangeKind = Literal["broken", "newly unsupported", "fixed", "other"]
CHANGES: tuple[ChangeKind, ...] = get_args(ChangeKind)
SHOWN: frozenset[Outcome] = frozenset({"confirmed", "outdated"})
"""The outcomes in which the engine plays the scenario as expected."""


@dataclass(frozen=True, slots=True)
class Change:
    """A scenario whose outcome differs. ``edited``: so does the scenario, or one of its cards."""

    kind: ChangeKind
    before: Verdict
    after: Verdict

    @property
    def edited(self) -> bool:
        return self.before.scenario_sha256 != self.after.scenario_sha256

    @property
    def regression(self) -> bool:
        """The engine played it as expected and does so no longer."""
        return self.kind in ("broken", "newly unsupported")


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, the worst kind first, and the scenarios that are in one run only."""

    changes: tuple[Change, ...]
    gone: tuple[Verdict, ...]
    new: tuple[Verdict, ...]

    @property
    def regressions(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.regression)


def compare(before: Run, after: Run) -> Comparison:
    """What ``after`` makes of the scenarios of ``before``.

    ``broken``: as expected before, contradicted, inconclusive or an error now; ``newly
    unsupported``: as expected before, now the engine says that it cannot; ``fixed``: as expected
    only now; ``other``: wrong before and wrong otherwise now.
    """
    old = {one.scenario: one for one in before.verdicts}
    new = {one.scenario: one for one in after.verdicts}
    changes = [
        Change(_kind(was, new[name]), was, new[name])
        for name, was in old.items()
        if name in new and was.outcome != new[name].outcome
    ]
    return Comparison(
        tuple(sorted(changes, key=lambda one: (CHANGES.index(one.kind), one.after.scenario))),
        tuple(one for name, one in old.items() if name not in new),
        tuple(one for name, one in new.items() if name not in old),
    )


def _kind(was: Verdict, now: Verdict) -> ChangeKind:
    if was.outcome in SHOWN:
        if now.outcome in SHOWN:
            return "other"  # the basis of the scenario has changed, not the engine
        return "newly unsupported" if now.outcome == "unsupported" else "broken"
    return "fixed" if now.outcome in SHOWN else "other"


def comparison_lines(found: Comparison, before: Run, after: Run) -> list[str]:
    """The comparison in plain text, rulings named; ends with the numbers."""
    lines = [f"{before.engine} {before.version} -> {after.engine} {after.version}"]
    for kind in CHANGES:
        of_kind = [change for change in found.changes if change.kind == kind]
        if not of_kind:
            continue
        lines.append(f"{kind}: {len(of_kind)}")
        for change in of_kind:
            edited = "  (the scenario changed, too)" if change.edited else ""
            lines.append(
                f"  {change.after.scenario}  {change.before.outcome} -> {change.after.outcome}"
                f"  [{', '.join(change.after.rulings)}]{edited}"
            )
            if change.after.reason and kind != "fixed":
                lines.append(f"      {change.after.reason}")
    for title, only in (("only in the first", found.gone), ("only in the second", found.new)):
        if only:
            lines.append(f"{title}: {len(only)}")
            lines += [f"  {one.scenario}  {one.outcome}" for one in only]
    numbers = ", ".join(
        f"{sum(change.kind == kind for change in found.changes)} {kind}" for kind in CHANGES
    )
    lines.append(f"{numbers}; {len(found.regressions)} regressions")
    return lines


_MARKS: dict[Outcome, str] = {
    "confirmed": "✓",
    "outdated": "✓ᵒ",
    "contradicted": "✗",
    "inconclusive": "?",
    "unsupported": "–",
    "error": "!",
}
_WORST_FIRST: tuple[Outcome, ...] = (
    "contradicted", "error", "inconclusive", "unsupported", "outdated", "confirmed",
)  # fmt: skip


def matrix_lines(
    runs: Sequence[Run], titles: Mapping[str, str], faults: Sequence[Fault] = ()
) -> list[str]:
    """Markdown: numbers of each outcome by version, then the scenarios that are not shown by every
    version, with their rulings and known faults. ``titles`` are those of scenarios, by id.

    Raises `ScenarioError` when two runs are of one engine and version.
    """
    heads = [f"{run.engine} {run.version}" for run in runs]
    if len(set(heads)) != len(heads):
        raise ScenarioError(f"matrix: two files are of the same engine version: {sorted(heads)}")
    lines = ["| outcome | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(runs)]
    for outcome in reversed(_WORST_FIRST):
        numbers = [str(run.counts.get(outcome, 0)) for run in runs]
        lines.append(f"| {_MARKS[outcome]} {outcome} | " + " | ".join(numbers) + " |")
    lines.append("| scenarios | " + " | ".join(str(len(run.verdicts)) for run in runs) + " |")
    lines.append("| rulings | " + " | ".join(str(len(_rulings(run))) for run in runs) + " |")
    by_run = [{one.scenario: one for one in run.verdicts} for run in runs]
    ids = list(dict.fromkeys(one.scenario for run in runs for one in run.verdicts))
    differing = [name for name in sorted(ids) if not _shown_by_all(name, by_run)]
    lines += [
        "",
        f"{len(ids) - len(differing)} of {len(ids)} scenarios are played as expected by every "
        "version here. The others:",
        "",
        "| scenario | rulings | " + " | ".join(heads) + " | known fault |",
        "|---|---|" + ":---:|" * len(runs) + "---|",
    ]
    for name in differing:
        verdicts = [verdicts.get(name) for verdicts in by_run]
        rulings = next(", ".join(one.rulings) for one in reversed(verdicts) if one)
        marks = " | ".join(_MARKS[one.outcome] if one else "" for one in verdicts)
        title = titles.get(name, "")
        fault = next((one.id for one in faults if name in one.scenarios), "")
        lines.append(f"| `{name}` {title} | {rulings} | {marks} | {fault} |")
    return lines


def _rulings(run: Run) -> set[str]:
    return {ruling.partition("#")[0] for one in run.verdicts for ruling in one.rulings}


def _shown_by_all(name: str, by_run: Iterable[dict[str, Verdict]]) -> bool:
    found = [verdicts.get(name) for verdicts in by_run]
    return all(one is not None and one.outcome in SHOWN for one in found)
