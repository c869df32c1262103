"""The pytest plugin: ``pytest data/scenarios`` plays scenarios on a rules engine.

Every file called ``*.scenario.yaml`` is collected, an item a scenario. This module is imported by
every pytest in the environment, so it imports nothing but pytest; `pytest_items` does the work once
there is a scenario file.
"""

from pathlib import Path

import pytest

SUFFIX = ".scenario.yaml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of a run; each begins with ``--saitei``."""
    group = parser.getgroup("saitei", "scenarios on a rules engine (saitei)")
    group.addoption(
        "--saitei-engine",
        default="phase",
        metavar="NAME",
        help="engine: phase, an entry point of group saitei.engines, or module:callable",
    )
    group.addoption(
        "--saitei-cards",
        type=Path,
        metavar="FILE",
        help="card texts from your own MTGJSON AtomicCards file, or definitions of yours (YAML)",
    )
    group.addoption(
        "--saitei-workers",
        type=int,
        metavar="N",
        help="engine processes (default: one a processor; under xdist one for each worker)",
    )
    group.addoption(
        "--saitei-case-limit",
        type=float,
        metavar="SECONDS",
        help="seconds a case may take before its process is killed (default: 10)",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Scenario files are ours."""
    if not file_path.name.endswith(SUFFIX):
        return None
    from saitei.engine.pytest_items import ScenarioFile

    collector: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
    return collector


class _LoadErrors:
    """Hears of scenario files that cannot be used: under xdist too, where others collect them."""

    def __init__(self) -> None:
        self._heard = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._heard |= report.failed and report.nodeid.endswith(SUFFIX)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Wrong use, not a failed test."""
        if self._heard:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR


def pytest_configure(config: pytest.Config) -> None:
    """Listen from the beginning."""
    config.pluginmanager.register(_LoadErrors(), "saitei-load-errors")
