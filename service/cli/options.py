"""Options of the commands: the knowledge base, the table of settings; and progress."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from saitei.service.settings import SettingInfo, Settings, load_settings, setting_table

if TYPE_CHECKING:
    from saitei.index.vectors import Progress
    from saitei.service.knowledge import Knowledge


class _Folder(click.Path):
    """A folder's path. An empty name, of a variable that is not set, would be the folder one
    stands in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("フォルダの名前が空です。", param, ctx)
        return super().convert(value, param, ctx)


def kb_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--kb DIR``: the knowledge base folder."""
    return click.option(
        "--kb",
        type=_Folder(file_okay=False, path_type=Path),
        default=None,
        help="知識ベースのフォルダ（既定: SAITEI_KB、なければ利用者のデータフォルダ）",
    )(command)


def kb_folder(kb: Path | None) -> Path:
    return kb or load_settings().kb_path


def make_ready(knowledge: "Knowledge") -> None:
    """Build the knowledge base where it is missing or old. Told on standard error, for it takes
    seconds, and a mistyped folder is one that is missing."""
    if not knowledge.is_ready():
        told = "作っています" if knowledge.store.current() is None else "更新しています"
        _tell(f"知識ベースを{told}: {knowledge.store.root}\n")
        with shown_progress() as progress:
            knowledge.ensure(progress)


@contextmanager
def shown_progress(what: str = "埋め込み") -> "Iterator[Progress]":
    """Shows on standard error how far ``what`` is, once there is anything to do: how many texts
    are embedded, if nothing else is said."""
    started = False

    def progress(done: int, total: int) -> None:
        nonlocal started
        started = True
        _tell(f"\r{what} {done}/{total}")

    try:
        yield progress
    finally:
        if started:
            _tell("\n")


def _tell(text: str) -> None:
    """On standard error. What is only told is no reason to fail where nobody can read it."""
    with suppress(OSError):
        click.echo(text, err=True, nl=False)


def setting_options(*groups: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options for every setting of these groups but secrets, which only the environment gives.

    The command gets one keyword argument a setting, None where it was not given; `settings_from`
    makes settings of them.
    """

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        chosen = [info for info in setting_table() if info.group in groups and not info.secret]
        for info in reversed(chosen):
            command = _option(info)(command)
        return command

    return add


def _option(info: SettingInfo) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    shown = info.default if info.default != "" else "-"
    if isinstance(info.default, bool):
        name = f"{info.option}/--no-{info.option.removeprefix('--')}"
        shown = "on" if info.default else "off"
        kind: Any = None
    elif isinstance(info.default, str):
        name, kind = info.option, str
    else:
        span: Any = click.IntRange if isinstance(info.default, int) else click.FloatRange
        name, kind = info.option, span(info.minimum, info.maximum)
    return click.option(
        name, info.name, type=kind, default=None, help=f"{info.help} [{info.variable}: {shown}]"
    )


def settings_from(given: Mapping[str, Any]) -> Settings:
    """The environment's settings, with those given as options instead. Raises `SettingError`."""
    chosen = {name: value for name, value in given.items() if value is not None}
    settings = dataclasses.replace(load_settings(), **chosen)
    settings.check()
    return settings
