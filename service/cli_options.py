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
    """Shows how many texts are embedded, on standard error, once there is anything to embed."""
    shown: list[Any] = []

    def progress(done: int, total: int) -> None:
        if not shown:
            stderr = click.get_text_stream("stderr")
            bar = click.progressbar(length=total, label="埋め込み", file=stderr)
            shown.append(bar.__enter__())
        shown[0].update(done - shown[0].pos)

    try:
        yield progress
    finally:
        for bar in shown:
            bar.__exit__(None, None, None)
