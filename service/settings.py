"""Every setting by name, default and help, read from ``SAITEI_*`` in the environment.

One table: the command line's options, ``docs/api.md`` and a test all read it. A secret has no
option (a command line is readable by every process of the machine) and is in no ``repr``.
"""

import ipaddress
import os
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

PREFIX = "SAITEI_"
_LOCAL_HOSTS = "127.0.0.1:*,localhost:*,[::1]:*"
_LOCAL_ORIGINS = "http://127.0.0.1:*,http://localhost:*,http://[::1]:*"


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class SettingError(ValueError):
    """A setting whose value cannot be used; the message names it and what is wrong."""


def _setting(
    default: Any,
    help_text: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    group: str = "service",
    secret: bool = False,
) -> Any:
    return field(
        default=default,
        repr=not secret,
        metadata={
            "help": help_text,
            "minimum": minimum,
            "maximum": maximum,
            "group": group,
            "secret": secret,
        },
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Values in force. Field ``max_body`` is environment variable ``SAITEI_MAX_BODY``."""

    kb: str = _setting("", "Knowledge base folder; empty: the platform's user data folder")
    host: str = _setting("127.0.0.1", "Address to serve on")
    port: int = _setting(8000, "Port to serve on", minimum=1, maximum=65535)
    public_url: str = _setting(
        "", "Address people reach the service at, for links; empty: the one they asked"
    )
    report_url: str = _setting("", "Where 「この答えを報告」 leads (https: or mailto:)")
    max_source: int = _setting(
        20_000_000, "Largest source 'saitei ingest' reads, in bytes", minimum=1, group="ingest"
    )
    fetch_timeout: float = _setting(
        20.0, "Longest wait for a URL to ingest, in seconds", minimum=0.1, group="ingest"
    )

    max_query: int = _setting(
        1_000, "Longest question, in characters", minimum=1, maximum=1_000, group="limits"
    )
    max_limit: int = _setting(
        50, "Largest page size ('limit')", minimum=1, maximum=50, group="limits"
    )
    max_page: int = _setting(20, "Last page of a search", minimum=1, maximum=100, group="limits")
    max_body: int = _setting(262_144, "Largest request body, in bytes", minimum=1, group="limits")
    rate: float = _setting(
        20.0, "Requests a second for each client, lasting; 0: no limit", minimum=0, group="limits"
    )
    burst: int = _setting(
        100, "Requests a client may make at once before 'rate' holds", minimum=1, group="limits"
    )
    rate_clients: int = _setting(
        10_000, "Clients whose rate is remembered; the longest idle go first", minimum=1,
        group="limits",
    )  # fmt: skip
    request_timeout: float = _setting(
        10.0, "Longest time until a response begins, in seconds", minimum=0.1, group="limits"
    )
    trusted_proxies: str = _setting(
        "",
        "Addresses or networks, comma separated, whose X-Forwarded-For names the client",
        group="limits",
    )
    cache_seconds: int = _setting(
        60, "How long an answer may be used without asking again", minimum=0, group="limits"
    )

    mcp: bool = _setting(True, "Serve the Model Context Protocol at /mcp", group="mcp")
    mcp_hosts: str = _setting(
        _LOCAL_HOSTS, "Host headers /mcp accepts, comma separated; ':*' any port", group="mcp"
    )
    mcp_origins: str = _setting(
        _LOCAL_ORIGINS, "Origin headers /mcp accepts, comma separated; ':*' any port", group="mcp"
    )

    discord_public_key: str = _setting(
        "", "Public key of the Discord application, 64 hex digits; set: /discord is there",
        group="discord",
    )  # fmt: skip
    discord_timeout: float = _setting(
        2.0, "Seconds to an answer before it is deferred (Discord waits 3)", minimum=0,
        maximum=2.5, group="discord",
    )  # fmt: skip
    discord_api: str = _setting(
        "https://discord.com/api/v10", "Discord's API, for deferred answers", group="discord"
    )
    line_channel_secret: str = _setting(
        "", "Channel secret of the LINE bot; with the token set: /line is there", group="line",
        secret=True,
    )  # fmt: skip
    line_access_token: str = _setting(
        "", "Channel access token of the LINE bot", group="line", secret=True
    )
    line_api: str = _setting("https://api.line.me", "LINE's Messaging API", group="line")

    @property
    def kb_path(self) -> Path:
        if self.kb:
            return Path(self.kb).expanduser()
        import platformdirs

        return Path(platformdirs.user_data_dir("saitei", appauthor=False)) / "kb"

    def proxies(self) -> tuple[Network, ...]:
        """The trusted proxies. Raises ``ValueError`` with the part that is no network."""
        parts = listed(self.trusted_proxies)
        return tuple(ipaddress.ip_network(part, strict=False) for part in parts)

    def check(self) -> None:
        """Raises `SettingError` for what one value alone does not tell. Quotes no secret."""
        key = self.discord_public_key
        if key:
            try:
                valid = len(bytes.fromhex(key)) == 32
            except ValueError:
                valid = False
            if not valid:
                raise SettingError(f"{PREFIX}DISCORD_PUBLIC_KEY: not 64 hex digits")
        if bool(self.line_channel_secret) != bool(self.line_access_token):
            missing = "LINE_ACCESS_TOKEN" if self.line_channel_secret else "LINE_CHANNEL_SECRET"
            raise SettingError(f"{PREFIX}{missing}: missing; LINE needs both secret and token")
        if self.public_url and not self.public_url.startswith(("http://", "https://")):
            raise SettingError(f"{PREFIX}PUBLIC_URL: must begin with https:// or http://")
        try:
            self.proxies()
        except ValueError as error:
            raise SettingError(f"{PREFIX}TRUSTED_PROXIES: {error}") from None


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One row of the table. ``secret``: read from the environment only, never shown."""

    name: str
    variable: str
    default: str | int | float | bool
    help: str
    minimum: float | None
    maximum: float | None
    group: str
    secret: bool

    @property
    def option(self) -> str:
        """The command line's option, such as ``--max-body``."""
        return "--" + self.name.replace("_", "-")


def setting_table() -> Iterator[SettingInfo]:
    """Every setting, in order."""
    return (_info(item) for item in fields(Settings))


def _info(item: "Field[Any]") -> SettingInfo:
    default: Any = item.default
    return SettingInfo(item.name, PREFIX + item.name.upper(), default, **item.metadata)


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment (default: this process's). Raises `SettingError`."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {
        info.name: _value(info, environment[info.variable])
        for info in setting_table()
        if info.variable in environment
    }
    settings = Settings(**values)
    settings.check()
    return settings


_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True}
_BOOLEANS |= {"0": False, "false": False, "no": False, "off": False}


def _value(info: SettingInfo, raw: str) -> str | int | float | bool:
    if isinstance(info.default, str):
        return raw.strip()
    if isinstance(info.default, bool):
        if raw.lower() not in _BOOLEANS:
            raise SettingError(f"{info.variable}: '{raw}' is neither on nor off")
        return _BOOLEANS[raw.lower()]
    try:
        number = type(info.default)(raw)
    except ValueError:
        raise SettingError(f"{info.variable}: '{raw}' is not a number") from None
    if info.minimum is not None and not number >= info.minimum:
        raise SettingError(f"{info.variable}: {raw} is less than {info.minimum:g}")
    if info.maximum is not None and number > info.maximum:
        raise SettingError(f"{info.variable}: {raw} is more than {info.maximum:g}")
    return number


def listed(value: str) -> list[str]:
    """The parts of a comma separated setting."""
    return [part.strip() for part in value.split(",") if part.strip()]
