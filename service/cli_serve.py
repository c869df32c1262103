"""``saitei serve``."""

import dataclasses
from typing import Any

import click

from saitei.service.cli_options import encoding_progress
from saitei.service.setting_options import setting_options, settings_from


@click.command()
@setting_options("service", "limits", "mcp", "discord", "line")
def serve(**given: Any) -> None:
    """ウェブページと HTTP API を提供する。

    Example: saitei serve --port 8080
    """
    import uvicorn

    from saitei.service.app import create_app
    from saitei.service.knowledge import Knowledge

    settings = settings_from(given)
    with encoding_progress() as progress:
        Knowledge(settings.kb_path).ensure(progress)
    app = create_app(dataclasses.replace(settings, kb=str(settings.kb_path)))
    click.echo(
        f"http://{settings.host}:{settings.port} で待ち受けています（Ctrl-C で終了）", err=True
    )
    # Clients are told apart by SAITEI_TRUSTED_PROXIES alone: uvicorn would believe any local peer.
    uvicorn.run(
        app, host=settings.host, port=settings.port, log_level="warning", proxy_headers=False
    )
