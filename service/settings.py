"""Every setting by name, default and help, read from ``SAITEI_*`` in the environment.

One table: the command line's defaults, the documentation and a test all read it.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


class SettingError(ValueError):
    """A setting whose value cannot be used; the message names it and what is wrong."""


def _setting(default: Any, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Settings:
    """Values in force. Field ``max_body`` is environment variable ``SAITEI_MAX_BODY``."""

    kb: str = _setting("", "Knowledge base folder; empty: the platform's user data folder")
    host: str = _setting("127.0.0.1", "Address to serve on")
    port: int = _setting(8000, "Port to serve on")
    max_source: int = _setting(20_000_000, "Largest source 'saitei ingest' reads, in bytes")
    fetch_timeout: float = _setting(20.0, "Longest wait for a URL to ingest, in seconds")

    @property
    def kb_path(self) -> Path:
        if self.kb:
            return Path(self.kb).expanduser()
        import platformdirs

        return Path(platformdirs.user_data_dir("saitei", appauthor=False)) / "kb"


def load_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from the environment. Raises `SettingError` for a value that is no number."""
    values: dict[str, Any] = {}
    for item in fields(Settings):
        name = f"SAITEI_{item.name.upper()}"
        raw = environment.get(name)
        if raw is None:
            continue
        convert: Callable[[str], object] = {int: int, float: float, str: str}[type(item.default)]
        try:
            values[item.name] = convert(raw)
        except ValueError:
            raise SettingError(f"{name}: '{raw}' is not a number") from None
    return Settings(**values)
