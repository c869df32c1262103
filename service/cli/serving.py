"""``saitei serve``, ``saitei mcp``: the service over HTTP, and tools over standard input."""

import dataclasses
import gc
import socket
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from saitei.service.cli.options import (
    kb_folder,
    kb_option,
    make_ready,
    setting_options,
    settings_from,
)
from saitei.service.settings import SettingError, load_settings

if TYPE_CHECKING:
    from saitei.service.knowledge import Knowledge


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
    make_ready(Knowledge(settings.kb_path))
    app = create_app(dataclasses.replace(settings, kb=str(settings.kb_path)))
    # Opened here, what cannot be read is one line; inside the server it would be a traceback.
    app.state.knowledge.open()
    # Clients are told apart by SAITEI_TRUSTED_PROXIES alone: uvicorn would believe any local peer.
    config = uvicorn.Config(app, log_level="warning", proxy_headers=False)
    with _listening(settings.host, settings.port) as door:
        click.echo(
            f"http://{settings.host}:{settings.port} で待ち受けています（Ctrl-C で終了）", err=True
        )
        uvicorn.Server(config).run(sockets=[door])


def _listening(host: str, port: int) -> socket.socket:
    """A socket bound here, so that an address in use is told before anything is opened."""
    try:
        return socket.create_server((host, port), family=_family(host, port), backlog=2048)
    except OSError as error:
        reason = error.strerror or error
        told = f"{host}:{port} で待ち受けられません（{reason}）。"
        raise SettingError(f"{told}--port か SAITEI_PORT で変えられます。") from None


def _family(host: str, port: int) -> int:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]


@click.command()
@kb_option
def mcp(kb: Path | None) -> None:
    """Model Context Protocol のサーバーを標準入出力で動かす。

    HTTP では saitei serve が /mcp で提供する。

    Example: saitei mcp --kb ~/kb
    """
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("標準入力か標準出力が閉じています。MCP はその上で話します。")
    # The SDK makes thousands of classes on import and no garbage: looking for some took an eighth
    # of the time until the server is ready.
    gc.disable()
    from saitei.service.bots.mcp_server import Source, create_mcp

    gc.freeze()
    gc.enable()
    settings, folder = load_settings(), kb_folder(kb)

    @lru_cache(maxsize=1)
    def knowledge() -> "Knowledge":
        # At the first question: a client waits for the server's greeting, not for this.
        from saitei.service.knowledge import Knowledge

        found = Knowledge(folder, settings.max_query)
        make_ready(found)
        return found

    source = Source(lambda: knowledge().open(), settings.public_url)
    create_mcp(source).run("stdio")
