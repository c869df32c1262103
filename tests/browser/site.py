"""A site to look at: the packaged knowledge base, and a few scenarios played just now.

What is committed of verdicts and replays changes with every engine; the tests make their own.
"""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pytest
from fastapi import FastAPI

from saitei.data import PATH as DATA
from saitei.engine.cards import packaged_cards
from saitei.engine.faults import packaged_faults
from saitei.engine.loading import load_scenarios
from saitei.engine.protocol import load_engine
from saitei.engine.runner import run_scenario
from saitei.engine.verdicts import Run
from saitei.service import verdicts
from saitei.service.app import create_app
from saitei.service.replays import files
from saitei.service.replays.files import ReplayFile, write_replays
from saitei.service.replays.making import make_replay
from saitei.service.replays.replay import Replay
from saitei.service.settings import Settings

PLAYED = (
    "mid-release-notes/flashback",
    "mid-release-notes/disturb",
    "mid-release-notes/hostile-hostel",
    "znr-release-notes-1/kicker",
    "znr-release-notes-1/soaring-thought-thief",
)
"""Files of scenarios: a replacement, a double-faced card, attachments, a choice, three players."""

REPORTS = "https://tracker.example/new"


@lru_cache(maxsize=1)
def played() -> tuple[Run, tuple[Replay, ...]]:
    """The scenarios as the real engine plays them."""
    cards, engine, faults = packaged_cards(), load_engine(), packaged_faults()
    paths = [DATA / "scenarios" / f"{name}.scenario.yaml" for name in PLAYED]
    scenarios = load_scenarios(paths, cards)
    replays = tuple(make_replay(one, engine, cards, faults=faults) for one in scenarios)
    judged = [run_scenario(one, engine, cards, faults=faults).verdict for one in scenarios]
    return Run(engine=engine.name, version=engine.version, verdicts=judged), replays


@contextmanager
def recorded(folder: Path) -> Iterator[ReplayFile]:
    """While it lasts, what was played just now is what is committed."""
    run, replays = played()
    file = ReplayFile(write_replays(replays, folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "newest_run", lambda: run)
        patch.setattr(files, "newest_replays", lambda: file)
        _forget()
        yield file
    _forget()


def _forget() -> None:
    verdicts.committed_run.cache_clear()
    verdicts._by_ruling.cache_clear()
    files.committed_replays.cache_clear()


def site(kb: Path) -> FastAPI:
    """The application over a knowledge base, without a limit of requests."""
    settings = dataclasses.replace(Settings(), kb=str(kb), rate=0.0, report_url=REPORTS)
    return create_app(settings)
