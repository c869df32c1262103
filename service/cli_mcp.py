"""``saitei mcp``."""

import gc
from pathlib import Path
from typing import Any

import click

from saitei.service.settings import load_settings


@click.command()
@click.option(
    "--kb",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="知識ベースのフォルダ（既定: SAITEI_KB、なければ利用者のデータフォルダ）",
)
def mcp(kb: Path | None) -> None:
    """Model Context Protocol のサーバーを標準入出力で動かす。

    HTTP では saitei serve が /mcp で提供する。

    Example: saitei mcp --kb ~/kb
    """
    # The SDK makes thousands of classes on import and no garbage: looking for some took an eighth
    # of the time until the server is ready.
    gc.disable()
    from saitei.service.mcp_server import Source, create_mcp

    gc.freeze()
    gc.enable()
    settings = load_settings()
    opened: list[Any] = []

    def opener() -> Any:
        # Opened at the first question: a client waits for the server's greeting, not for this.
        if not opened:
            from saitei.service.following import OpenedKnowledge
            from saitei.service.knowledge import Knowledge

            opened.append(OpenedKnowledge(Knowledge(kb or settings.kb_path)))
        return opened[0].current()

    create_mcp(Source(opener, settings.public_url)).run("stdio")
