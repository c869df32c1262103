"""The ``saitei`` command: the group, and the one border where errors become a line.

Exit codes: 0 fine (a refusal is fine), 1 the thing asked about does not hold, 2 wrong use or bad
input. An error is one line on standard error.
"""

import errno
import importlib
import os
import sys

import click

# Commands by name: module and attribute. A command's module is imported when it is used, since
# search, engine and service together take longer to import than a question to answer.
COMMANDS = {
    "ask": ("cli.search", "ask"),
    "search": ("cli.search", "search"),
    "serve": ("cli.serving", "serve"),
    "ingest": ("cli.knowledge", "ingest"),
    "build": ("cli.knowledge", "build"),
    "doctor": ("cli.knowledge", "doctor"),
    "notes": ("cli.knowledge", "notes"),
    "evaluate": ("cli.search", "evaluate"),
    "verify": ("cli.engine", "verify"),
    "compare": ("cli.engine", "compare"),
    "replay": ("cli.engine", "replay"),
    "cards": ("cli.engine", "cards"),
    "faults": ("cli.engine", "faults"),
    "mcp": ("cli.serving", "mcp"),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name]
        found: click.Command = getattr(
            importlib.import_module(f"saitei.service.{module}"), attribute
        )
        return found


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="saitei")
def cli() -> None:
    """裁定: マジックの裁定を日本語で探し、ルールエンジンで確かめる。

    Japanese rulings of Magic: The Gathering, searchable by meaning, replayed on a rules engine.
    """


def user_errors() -> tuple[type[Exception], ...]:
    """The errors that tell a user what is wrong with what he gave; imported only after one."""
    from saitei.data.tables import TableError
    from saitei.data.yaml_text import YamlError
    from saitei.engine.errors import EngineError
    from saitei.index.encoder import EncoderError
    from saitei.index.evaluation import EvaluationError
    from saitei.index.retrieval import QueryError
    from saitei.index.store import StoreError
    from saitei.ingest.kana import KanaError
    from saitei.ingest.reading import SourceError
    from saitei.service.settings import SettingError

    return (
        YamlError,
        TableError,
        KanaError,
        EngineError,
        EncoderError,
        EvaluationError,
        QueryError,
        StoreError,
        SourceError,
        SettingError,
    )


def cause(error: Exception) -> Exception:
    """What went wrong: of a group, as a server's tasks end with, what the system refused first."""
    if not isinstance(error, ExceptionGroup):
        return error
    causes = [cause(one) for one in error.exceptions]
    return next((one for one in causes if isinstance(one, OSError)), causes[0])


def main() -> None:
    """Entry point of the ``saitei`` script."""
    try:
        # Not click's own main, which ends with 1 when the reader of a pipe went away.
        with cli.make_context("saitei", sys.argv[1:]) as context:
            cli.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as raised:  # the process border
        reason = cause(raised)
        if isinstance(reason, BrokenPipeError):
            # The reader of a pipe went away. Python would complain once more when it closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        if os.environ.get("SAITEI_DEBUG"):
            raise
        full = isinstance(reason, OSError) and reason.errno in (errno.ENOSPC, errno.EDQUOT)
        known = full or isinstance(reason, user_errors())
        kind = "" if known else f"内部エラー ({type(reason).__name__}): "
        click.echo(f"saitei: {kind}{' '.join(str(reason).split())}", err=True)
        sys.exit(2)
