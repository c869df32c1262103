"""Every command says what it does and shows an example; the README names none that is not there."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from saitei.service.cli import cli

ROOT = Path(__file__).resolve().parents[3]


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        full = f"{path} {name}".strip()
        if isinstance(command, click.Group):
            yield from commands(command, full)
        else:
            yield full, command


ALL = dict(commands(cli))


@pytest.mark.parametrize("name", ALL)
def test_a_command_has_help_with_an_example(name: str) -> None:
    text = ALL[name].help or ""
    assert f"Example: saitei {name}" in text


@pytest.mark.parametrize("name", ALL)
def test_every_option_is_explained(name: str) -> None:
    silent = [
        option.name
        for option in ALL[name].params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_the_design_promises_these_commands() -> None:
    promised = {
        "ingest", "build", "search", "ask", "serve", "verify", "compare", "replay", "evaluate",
        "mcp", "notes check", "cards audit", "faults", "doctor",
    }  # fmt: skip
    assert promised <= set(ALL)


@pytest.mark.parametrize("document", sorted(path.name for path in ROOT.glob("docs/*.md")))
def test_documents_name_only_commands_that_exist(document: str) -> None:
    _assert_commands_exist((ROOT / "docs" / document).read_text("utf-8"))


def test_the_readme_names_only_commands_that_exist() -> None:
    _assert_commands_exist((ROOT / "README.md").read_text("utf-8"))


def _assert_commands_exist(text: str) -> None:
    for first, second in re.findall(r"`?saitei ([a-z]+)(?: ([a-z]+))?", text):
        assert first in ALL or f"{first} {second}" in ALL, f"saitei {first} {second}"
