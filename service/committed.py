"""The committed verdicts and replays of the newest engine version, read once."""

from functools import lru_cache

from saitei.engine.verdicts import Run
from saitei.service.replays import ReplayFile, newest_replays
from saitei.service.verdicts import newest_run


@lru_cache(maxsize=1)
def committed_run() -> Run | None:
    """The run answers show, or None where none is committed."""
    return newest_run()


@lru_cache(maxsize=1)
def committed_replays() -> ReplayFile | None:
    """The replays of the newest engine version, or None where none are committed."""
    return newest_replays()
