"""The ``saitei`` command: the group, what its commands share, and the one border for errors.

Exit codes: 0 fine (a refusal is fine), 1 the thing asked about does not hold, 2 wrong use or bad
input. An error is one line on standard error.
"""

import sys

import click

from saitei.data.yaml_text import YamlError
from saitei.engine.errors import ScenarioError
from saitei.index.encoder import EncoderError
from saitei.index.evaluation import EvaluationError
from saitei.index.retrieval import QueryError
from saitei.index.store import StoreError
from saitei.ingest.reading import SourceError
from saitei.service.cli_engine import COMMANDS as ENGINE_COMMANDS
from saitei.service.cli_knowledge import build, doctor, ingest, notes
from saitei.service.cli_mcp import mcp
from saitei.service.cli_search import ask, evaluate, search
from saitei.service.cli_serve import serve
from saitei.service.settings import SettingError

USER_ERRORS = (
    SourceError,
    QueryError,
    StoreError,
    EncoderError,
    SettingError,
    YamlError,
    ScenarioError,
    EvaluationError,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="saitei")
def cli() -> None:
    """裁定: マジックの裁定を日本語で探し、ルールエンジンで確かめる。

    Japanese rulings of Magic: The Gathering, searchable by meaning, replayed on a rules engine.
    """


for command in (ingest, build, search, ask, serve, mcp, evaluate, notes, doctor, *ENGINE_COMMANDS):
    cli.add_command(command)


def main() -> None:
    """Entry point of the ``saitei`` script."""
    try:
        cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit(130)
    except USER_ERRORS as error:
        click.echo(f"saitei: {' '.join(str(error).split())}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of a pipe went away; there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
