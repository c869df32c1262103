"""Pydantic's complaints -> one line each, with file, line and key of the YAML text."""

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from saitei.data.yaml_text import Path_, YamlError, YamlText, read_yaml

Model = TypeVar("Model")


def read_entries(
    files: Iterable[Path], adapter: TypeAdapter[Model], complaints: list[str]
) -> Iterator[tuple[Model, Any, str]]:
    """The entries of ``files``, each a YAML list: model, what stands in the file, and its place.

    What cannot be used is left out, with a line in ``complaints``.
    """
    for file in files:
        try:
            text = read_yaml(file)
        except YamlError as error:
            complaints.append(str(error))
            continue
        if not isinstance(text.value, list):
            complaints.append(f"{file}:1: the file must be a list")
            continue
        for n, raw in enumerate(text.value):
            try:
                yield adapter.validate_python(raw), raw, f"{file}:{text.line(n)}"
            except ValidationError as error:
                complaints += explain(error, raw, text, (n,))


def explain(
    error: ValidationError, raw: Any, text: YamlText, base: Path_, *, patched: bool = False
) -> list[str]:
    """One line per complaint. ``raw`` is the value that stands at ``base`` in ``text``.

    With ``patched``, ``raw`` is made of several places: lines are then those of ``base``, or of
    what lies below it as far as it is there.
    """
    lines = []
    for item in error.errors(include_url=False):
        path, label = _place(raw, item["loc"])
        line = text.line(*base, *path)
        at = label or "the entry"
        where = f"{text.source}:{line}: {at}"
        lines.append(f"{where}: {_words(item, raw, path, error)}")
        if patched:
            lines[-1] += " (after the contrast's patch)"
    return list(dict.fromkeys(lines))


def _place(raw: Any, loc: tuple[int | str, ...]) -> tuple[Path_, str]:
    """The path in the file and the key to name; names of union members are left out."""
    path: list[int | str] = []
    label: list[str] = []
    here = raw
    for n, part in enumerate(loc):
        inside = (isinstance(here, dict) and part in here) or (
            isinstance(here, list) and isinstance(part, int) and part < len(here)
        )
        if inside:
            path.append(part)
            here = here[part]
            label.append(f"[{part}]" if isinstance(part, int) else f".{part}")
        elif n == len(loc) - 1 and isinstance(part, str) and isinstance(here, dict):
            label.append(f".{part}")
    return tuple(path), "".join(label).lstrip(".")


def _words(item: Any, raw: Any, path: Path_, error: ValidationError) -> str:
    kind, context = item["type"], item.get("ctx") or {}
    if kind == "extra_forbidden":
        key = str(item["loc"][-1])
        near = difflib.get_close_matches(key, _known_keys(error), 1, 0.7)
        return f"unknown key '{key}'" + (f"; is it '{near[0]}'?" if near else "")
    if kind == "missing":
        return f"'{item['loc'][-1]}' is missing"
    if kind == "value_error":
        return str(context.get("error", item["msg"]))
    if kind == "string_pattern_mismatch":
        return f"'{item['input']}' does not look right; it must match {context['pattern']}"
    seen = item.get("input")
    shown = f", not '{seen}'" if isinstance(seen, str | int) else ""
    return f"{item['msg'][0].lower()}{item['msg'][1:]}{shown}"


def _known_keys(error: ValidationError) -> list[str]:
    """All keys of the language: near enough for a suggestion."""
    from saitei.engine import expectations, given, scenario, steps

    keys: set[str] = set()
    for module in (given, steps, expectations, scenario):
        for model in vars(module).values():
            for name, field in getattr(model, "model_fields", {}).items():
                keys.add(field.alias or name)
    return sorted(keys)
