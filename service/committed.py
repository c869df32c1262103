"""The committed replays of the newest engine version, read once."""

from functools import lru_cache

from saitei.service.replays import ReplayFile, newest_replays


@lru_cache(maxsize=1)
def committed_replays() -> ReplayFile | None:
    """The replays of the newest engine version, or None where none are committed."""
    return newest_replays()
