"""Shared set-up: no test touches the user's own knowledge base."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_user_knowledge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SAITEI_KB", str(tmp_path / "kb"))


@pytest.fixture(scope="session")
def documents() -> Path:
    """The folder of official documents; a test that wants it skips without."""
    folder = os.environ.get("SAITEI_DOCUMENTS")
    if not folder or not Path(folder).is_dir():
        pytest.skip("SAITEI_DOCUMENTS names no folder of official documents")
    return Path(folder)
