"""Options and progress that several commands share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from saitei.index.vectors import Progress
from saitei.service.settings import load_settings


def kb_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--kb DIR``: the knowledge base folder."""
    return click.option(
        "--kb",
        type=click.Path(file_okay=False, path_type=Path),
        default=None,
        help="知識ベースのフォルダ（既定: SAITEI_KB、なければ利用者のデータフォルダ）",
    )(command)


def kb_folder(kb: Path | None) -> Path:
    return kb or load_settings().kb_path


@contextmanager
def encoding_progress() -> Iterator[Progress]:
    """Shows on standard error how many texts are embedded, once there is anything to embed."""
    started = False

    def progress(done: int, total: int) -> None:
        nonlocal started
        started = True
        click.echo(f"\r埋め込み {done}/{total}", err=True, nl=False)

    try:
        yield progress
    finally:
        if started:
            click.echo(err=True)
