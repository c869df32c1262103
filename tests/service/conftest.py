"""The packaged knowledge base, built once, and the command line run in this process."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from saitei.service import cli
from saitei.service.knowledge import Knowledge


@pytest.fixture(scope="session")
def packaged_kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of nothing but what is packaged."""
    folder = tmp_path_factory.mktemp("kb")
    Knowledge(folder).ensure()
    return folder


@pytest.fixture
def saitei(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., "Ran"]:
    """Run ``saitei`` as a user does; gives exit code, standard output and standard error."""

    def run(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["saitei", *arguments])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


class Ran:
    """The outcome of one command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict:
        return json.loads(self.out)
