"""Worker processes that play scenarios, and are killed and replaced when one hangs or dies.

A native engine that hangs cannot be interrupted inside its process. Each worker tells when it
begins a case; if the case is not over within the limit, the worker is killed.
"""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from saitei.engine.cards import CardBook
from saitei.engine.errors import ScenarioError
from saitei.engine.faults import Fault
from saitei.engine.protocol import load_engine
from saitei.engine.runner import (
    CaseResult,
    Failure,
    ScenarioResult,
    failed_verdict,
    run_scenario,
)
from saitei.engine.scenario import Scenario

CASE_LIMIT = 10.0
"""Seconds one case may take; the slowest known takes well under one."""


@dataclass(frozen=True, slots=True)
class _CaseBegins:
    title: str


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: "Connection[object, object]"
    index: int | None = None
    told: bool = False
    heard: bool = False
    case: str = ""
    deadline: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker of a pool needs. ``engine`` is a name, or ``module:callable``."""

    engine: str
    cards: CardBook
    faults: tuple[Fault, ...] = ()
    trace: bool = False


class WorkerPool:
    """Workers that stay between runs. A context manager: on leaving, the processes end.

    ``workers`` defaults to the number of processors, ``limit`` is in seconds per case. A case that
    hangs or kills its worker gives ``error`` with cause ``timeout`` or ``engine``. Workers that
    die before their first case raise `ScenarioError`: others in their place would die, too.
    """

    def __init__(self, job: Job, *, workers: int | None = None, limit: float = CASE_LIMIT) -> None:
        self._job, self._limit = job, limit
        self._most = max(1, workers or os.cpu_count() or 1)
        self._context = multiprocessing.get_context("spawn")
        self._pool: list[_Worker] = []

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; those at work are killed."""
        while self._pool:
            _end(self._pool.pop())

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[ScenarioResult]:
        """Play the scenarios; results come in the order of the scenarios.

        Leaving the iterator before its end leaves workers busy: close the pool then.
        """
        done: dict[int, ScenarioResult] = {}
        todo = iter(range(len(scenarios)))
        given = 0
        while len(self._pool) < min(self._most, len(scenarios)):
            self._pool.append(self._start())
        for worker in self._pool:
            self._give(worker, todo, scenarios)
        while given < len(scenarios):
            busy = [worker for worker in self._pool if worker.index is not None]
            soonest = min(worker.deadline for worker in busy) - time.monotonic()
            ready = wait([worker.pipe for worker in busy], max(0.0, soonest))
            for worker in busy:
                result = None
                if worker.pipe in ready:
                    result = _hear(worker, scenarios, self._limit)
                elif time.monotonic() >= worker.deadline:
                    what = f"no answer in {self._limit:g} s"
                    result = _broken(worker, scenarios, "timeout", what)
                if result is None:
                    continue
                assert worker.index is not None
                done[worker.index] = result
                worker.index = None
                if not worker.process.is_alive():
                    worker.pipe.close()
                    self._pool[self._pool.index(worker)] = worker = self._start()
                self._give(worker, todo, scenarios)
            while given in done:
                yield done.pop(given)
                given += 1

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        # The job follows by the pipe: as an argument it may be more than the start of a process
        # takes at once, and a worker that dies at its start would leave us writing for ever.
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _give(self, worker: _Worker, todo: Iterator[int], scenarios: Sequence[Scenario]) -> None:
        index = next(todo, None)
        if index is None:
            return
        worker.index, worker.case = index, "start"
        # The first case waits for the process to import the engine.
        worker.deadline = time.monotonic() + self._limit + 60.0
        try:
            if not worker.told:
                worker.pipe.send(self._job)
                worker.told = True
            worker.pipe.send(scenarios[index])
        except ConnectionError:
            pass  # it has died; what is read from it next says how


def run_pool(
    scenarios: Sequence[Scenario],
    job: Job,
    *,
    workers: int | None = None,
    limit: float = CASE_LIMIT,
) -> Iterator[ScenarioResult]:
    """Play the scenarios on a pool of their own; see `WorkerPool`."""
    with WorkerPool(job, workers=workers, limit=limit) as pool:
        yield from pool.run(scenarios)


def _hear(worker: _Worker, scenarios: Sequence[Scenario], limit: float) -> ScenarioResult | None:
    try:
        message = worker.pipe.recv()
    except (EOFError, ConnectionError):
        worker.process.join()
        code = worker.process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        if not worker.heard:
            raise ScenarioError(
                f"the engine's processes cannot start ({how}); is it a script that plays on a "
                'pool without if __name__ == "__main__"?'
            ) from None
        return _broken(worker, scenarios, "engine", f"the engine's process died ({how})")
    worker.heard = True
    if isinstance(message, _CaseBegins):
        worker.case, worker.deadline = message.title, time.monotonic() + limit
        return None
    assert isinstance(message, ScenarioResult)
    return message


def _broken(
    worker: _Worker, scenarios: Sequence[Scenario], cause: str, what: str
) -> ScenarioResult:
    worker.process.kill()
    worker.process.join()
    assert worker.index is not None
    scenario = scenarios[worker.index]
    failure = Failure(
        "timeout" if cause == "timeout" else "engine",
        f"{what} in '{worker.case}'",
        scenario.line,
    )
    result = CaseResult(scenario.title, (), (), failure, None, None, 0.0)
    return ScenarioResult(failed_verdict(scenario, failure), result, ())


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    if worker.index is not None:
        worker.process.kill()
    worker.process.join(1.0)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def _work(pipe: "Connection[object, object]") -> None:
    """The worker's loop: a job, then one scenario in, one result out, until the pipe closes."""
    # An interrupt at the keyboard reaches all; the parent then ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        job = pipe.recv()
        assert isinstance(job, Job)
        adapter = load_engine(job.engine)
        while True:
            scenario = pipe.recv()
            assert isinstance(scenario, Scenario)
            result = run_scenario(
                scenario,
                adapter,
                job.cards,
                faults=job.faults,
                trace=job.trace,
                on_case=lambda title: pipe.send(_CaseBegins(title)),
            )
            pipe.send(result)
    except (EOFError, ConnectionError):
        return
