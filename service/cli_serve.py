"""``saitei serve``."""

import dataclasses
from pathlib import Path

import click

from saitei.service.cli_options import encoding_progress, kb_folder, kb_option
from saitei.service.settings import load_settings


@click.command()
@kb_option
@click.option("--host", default=None, help="待ち受けるアドレス（既定: 127.0.0.1）")
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="ポート（既定: 8000）")
def serve(kb: Path | None, host: str | None, port: int | None) -> None:
    """ウェブページと HTTP API を提供する。

    Example: saitei serve --port 8080
    """
    import uvicorn

    from saitei.service.app import create_app
    from saitei.service.knowledge import Knowledge

    settings = load_settings()
    folder = kb_folder(kb)
    with encoding_progress() as progress:
        Knowledge(folder).ensure(progress)
    app = create_app(dataclasses.replace(settings, kb=str(folder)))
    uvicorn.run(app, host=host or settings.host, port=port or settings.port, log_level="warning")
