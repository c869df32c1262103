"""The tables of ``docs/api.md``, from what the program itself reads.

``python -m saitei.service.reference docs/api.md`` writes them into the page; a test compares.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from saitei.service.app import create_app
from saitei.service.http.problems import CODES
from saitei.service.settings import Settings, setting_table


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def settings_markdown() -> str:
    """Every setting: variable, default, bounds, help."""
    return _table(
        ("variable", "default", "meaning"),
        (
            (
                f"`{info.variable}`",
                _default(info.default),
                info.help + ("; secret, environment only" if info.secret else ""),
            )
            for info in setting_table()
        ),
    )


def _default(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"`{value}`" if value != "" else "–"


def codes_markdown() -> str:
    """Every error code with its status."""
    return _table(
        ("code", "status", "when"),
        ((f"`{code}`", str(what.status), what.when) for code, what in CODES.items()),
    )


def paths_markdown() -> str:
    """Every path of the API with its parameters and what it gives."""
    schema = create_app(Settings()).openapi()
    return _table(
        ("path", "parameters", "gives"),
        (
            (
                f"`{path}`",
                ", ".join(f"`{each['name']}`" for each in operation.get("parameters", [])) or "–",
                operation["description"].split("\n\n")[0].replace("\n", " "),
            )
            for path, methods in schema["paths"].items()
            for operation in methods.values()
        ),
    )


TABLES = {"settings": settings_markdown, "codes": codes_markdown, "paths": paths_markdown}


def filled(page: str) -> str:
    """A page with each table between its marks ``<!-- name -->`` and ``<!-- /name -->``."""
    for name, table in TABLES.items():
        mark = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        page = mark.sub(lambda found, table=table: f"{found[1]}{table()}\n{found[2]}", page)  # type: ignore[misc]
    return page


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(filled(target.read_text("utf-8")), "utf-8")
