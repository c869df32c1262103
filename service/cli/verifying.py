"""``saitei verify``: choose scenarios, play them, report, and say how it ends."""

import multiprocessing
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import platformdirs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from saitei.engine.cards import CardBook
from saitei.engine.comparing import SHOWN, Comparison, compare, comparison_lines
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import Fault, explains, packaged_faults
from saitei.engine.junit import write_junit
from saitei.engine.pool import Job, run_pool
from saitei.engine.protocol import Adapter, load_engine
from saitei.engine.references import document_titles, documents_of, mechanics, mechanics_of
from saitei.engine.report import side_by_side
from saitei.engine.runner import ScenarioResult
from saitei.engine.scenario import Scenario
from saitei.engine.selecting import find_scenarios, narrowed
from saitei.engine.verdicts import Outcome, Run, Verdict, read_verdicts, write_verdicts

if TYPE_CHECKING:
    from saitei.service.replays.replay import Replay

COLUMNS: tuple[Outcome, ...] = (
    "confirmed", "outdated", "contradicted", "inconclusive", "unsupported", "error",
)  # fmt: skip
_FAILING: frozenset[Outcome] = frozenset({"contradicted", "inconclusive", "error"})


@dataclass(frozen=True, slots=True)
class Verification:
    """What is wished for. ``named``: files, folders, ids; empty for all packaged scenarios."""

    named: Sequence[str]
    rules: Sequence[str]
    subjects: Sequence[str]
    failed_only: bool
    engine: str
    cards: CardBook
    baseline: Path | None = None
    junit: Path | None = None
    json: Path | None = None
    replays: Path | None = None
    workers: int | None = None


def run_verification(wish: Verification) -> int:
    """Play and report; 0 fine, 1 not. Raises `ScenarioError` for wrong input."""
    _check_outputs(wish)
    adapter = load_engine(wish.engine)
    baseline = read_verdicts(wish.baseline) if wish.baseline else None
    memory = Memory(adapter.name)
    scenarios = _chosen(wish, memory)
    faults = packaged_faults()
    run = Run(
        engine=adapter.name,
        version=adapter.version,
        verdicts=[result.verdict for result in _played(scenarios, wish, faults)],
    )
    memory.remember(run)
    by_id = {one.id: one for one in scenarios}
    known = {
        verdict.scenario: fault
        for verdict in run.verdicts
        if verdict.outcome == "contradicted"
        and (fault := explains(faults, verdict.scenario, run.engine, run.version))
    }
    excused = set(known) if baseline else set()
    bad = [one for one in run.verdicts if one.outcome in _FAILING and one.scenario not in excused]
    comparison = _against(baseline, run) if baseline else None
    _report(run, by_id, known, bad)
    if comparison is not None and baseline is not None:
        click.echo()
        for line in comparison_lines(comparison, baseline, run):
            click.echo(line)
    _write(wish, run, by_id, faults, excused)
    return 1 if bad or (comparison is not None and comparison.regressions) else 0


def _check_outputs(wish: Verification) -> None:
    """Said before minutes of playing, not after."""
    for file in filter(None, (wish.json, wish.junit, wish.replays)):
        if not file.parent.is_dir():
            raise ScenarioError(f"{file}: cannot be written: there is no such folder")
        if not os.access(file if file.exists() else file.parent, os.W_OK):
            raise ScenarioError(f"{file}: cannot be written: permission denied")


def _chosen(wish: Verification, memory: "Memory") -> list[Scenario]:
    chosen = find_scenarios(wish.named, wish.cards)
    chosen = narrowed(chosen, rules=wish.rules, subjects=wish.subjects)
    if wish.failed_only:
        failed = memory.failed()
        if failed is None:
            click.echo("前回の実行がないので、すべて動かします。", err=True)
        else:
            chosen = [one for one in chosen if one.id in failed]
    if not chosen:
        if wish.failed_only:
            click.echo("前回、期待どおりでなかった場面はありません。", err=True)
        else:
            raise ScenarioError("条件に合う場面がありません")
    return chosen


def _played(
    scenarios: Sequence[Scenario], wish: Verification, faults: tuple[Fault, ...]
) -> Iterator[ScenarioResult]:
    job = Job(wish.engine, wish.cards, faults)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    # Redrawn on a terminal only; elsewhere its last state is printed.
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("場面", total=len(scenarios))
        for result in run_pool(scenarios, job, workers=wish.workers):
            progress.advance(task)
            yield result


def _against(baseline: Run, run: Run) -> Comparison:
    """Only what was run now counts: a narrower run loses nothing."""
    now = {one.scenario for one in run.verdicts}
    then = [one for one in baseline.verdicts if one.scenario in now]
    return compare(baseline.model_copy(update={"verdicts": then}), run)


def _report(
    run: Run,
    scenarios: Mapping[str, Scenario],
    known: Mapping[str, Fault],
    bad: Sequence[Verdict],
) -> None:
    for verdict in bad:
        for line in side_by_side(verdict, scenarios[verdict.scenario]):
            click.echo(line)
        if verdict.scenario in known:
            fault = known[verdict.scenario]
            click.echo(f"  known fault {fault.id}: {fault.summary}")
        click.echo()
    excused = [one for one in run.verdicts if one.scenario in known and one not in bad]
    for verdict in excused:
        fault = known[verdict.scenario]
        click.echo(f"既知の不具合: {verdict.scenario}  {fault.id}: {fault.summary}")
    for verdict in run.verdicts:
        if verdict.outcome == "unsupported":
            click.echo(f"未対応: {verdict.scenario}  {verdict.reason}")
    titles = document_titles()
    by_document = [
        (titles.get(document, document), verdict)
        for verdict in run.verdicts
        for document in documents_of(scenarios[verdict.scenario]) or ("（文書不明）",)
    ]
    names = mechanics()
    by_mechanic = [
        (f"{names[one].ja}  {one}" if one in names else one, verdict)
        for verdict in run.verdicts
        for one in mechanics_of(scenarios[verdict.scenario]) or ("（カード固有）",)
    ]
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(_table("文書", by_document, list(titles.values())))
    console.print(_table("能力（１つの場面がいくつにも数えられる）", by_mechanic, []))
    reworded = sum(one.text != "as-written" and one.outcome in SHOWN for one in run.verdicts)
    numbers = "、".join(f"{outcome} {count}" for outcome, count in run.counts.items())
    click.echo(f"{run.engine} {run.version}: 場面 {len(run.verdicts)}（{numbers}）")
    if reworded:
        click.echo(f"期待どおりのうち、カードの文を言い換え・補正したもの {reworded}")
    if known:
        click.echo(f"contradicted のうち既知の不具合 {len(known)}")


def _table(title: str, rows: Sequence[tuple[str, Verdict]], order: Sequence[str]) -> Table:
    counts: dict[str, dict[Outcome, int]] = {name: {} for name in order}
    for name, verdict in rows:
        row = counts.setdefault(name, {})
        row[verdict.outcome] = row.get(verdict.outcome, 0) + 1
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(title, no_wrap=True)
    for column in COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    for name, row in counts.items():
        if row:
            table.add_row(name, *(str(row.get(column, "")) for column in COLUMNS))
    return table


def _write(
    wish: Verification,
    run: Run,
    scenarios: Mapping[str, Scenario],
    faults: Sequence[Fault],
    excused: set[str],
) -> None:
    try:
        if wish.json is not None:
            write_verdicts(run, wish.json)
        if wish.junit is not None:
            write_junit(run, scenarios, faults, wish.junit, excused=excused)
        if wish.replays is not None:
            _write_replays(wish.replays, run, scenarios, wish, faults)
    except OSError as error:
        raise ScenarioError(f"{error.filename}: cannot be written: {error.strerror}") from None


def _write_replays(
    file: Path,
    run: Run,
    scenarios: Mapping[str, Scenario],
    wish: Verification,
    faults: Sequence[Fault],
) -> None:
    from saitei.service.replays.files import write_replays

    # Nothing here ends a process that hangs: those that do are left out.
    playable = [one.scenario for one in run.verdicts if one.cause not in ("engine", "timeout")]
    if not playable:
        raise ScenarioError(f"{file}: there is nothing to replay")
    with ProcessPoolExecutor(
        wish.workers or os.cpu_count(),
        multiprocessing.get_context("spawn"),
        _prepare,
        (wish.engine, wish.cards, tuple(faults)),
    ) as pool:
        made = list(pool.map(_replay, (scenarios[name] for name in playable), chunksize=8))
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        write_replays(made, Path(folder)).replace(file)


_replays_with: tuple[Adapter, CardBook, tuple[Fault, ...]] | None = None
"""In a process that makes replays: what it makes them with."""


def _prepare(engine: str, cards: CardBook, faults: tuple[Fault, ...]) -> None:
    global _replays_with
    _replays_with = (load_engine(engine), cards, faults)


def _replay(scenario: Scenario) -> "Replay":
    from saitei.service.replays.making import make_replay

    assert _replays_with is not None
    adapter, cards, faults = _replays_with
    return make_replay(scenario, adapter, cards, faults=faults)


class Memory:
    """Which scenarios an engine did not play as expected when they were last run.

    One id a line in the user's cache folder; a run of some scenarios leaves the others as they are.
    """

    def __init__(self, engine: str) -> None:
        folder = Path(platformdirs.user_cache_dir("saitei", appauthor=False))
        self._file = folder / f"failed-{re.sub(r'[^A-Za-z0-9._-]', '-', engine)}.txt"

    def failed(self) -> set[str] | None:
        """Their ids, or None where nothing has been run yet."""
        try:
            return set(self._file.read_text("utf-8").split())
        except OSError:
            return None

    def remember(self, run: Run) -> None:
        """A cache that cannot be written is done without."""
        ran = {one.scenario for one in run.verdicts}
        now = {one.scenario for one in run.verdicts if one.outcome not in SHOWN}
        failed = (self.failed() or set()) - ran | now
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text("".join(f"{one}\n" for one in sorted(failed)), "utf-8")
        except OSError:
            return
