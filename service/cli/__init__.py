"""The ``saitei`` command; `main` is its entry point, the commands stand in the other modules."""

from saitei.service.cli.command import cli, main

__all__ = ["cli", "main"]
