"""The one YAML reader for everything under ``data/``: every plain scalar stays a string.

YAML 1.1 turns ``799029090291`` into an integer, ``21332e308835`` into infinity, ``702.10`` into
``702.1`` and ``no`` into ``False``. Fingerprints, rule numbers and words must survive, so nothing
is resolved here; the pydantic models convert. Duplicate keys are errors.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

Plain = str | list["Plain"] | dict[str, "Plain"]
Path_ = tuple[str | int, ...]

Model = TypeVar("Model", bound=BaseModel)

_Loader: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class YamlError(ValueError):
    """A YAML text that cannot be used; the message names file, line and key."""


@dataclass(frozen=True, slots=True)
class YamlText:
    """A parsed YAML text.

    ``value`` holds strings, lists and dicts only. ``lines`` maps a path of keys and list indices
    to the 1-based line where that value starts.
    """

    source: str
    value: Plain
    lines: dict[Path_, int]

    def line(self, *path: str | int) -> int:
        """The line of the value at ``path``, or of its nearest ancestor that has one."""
        for end in range(len(path), -1, -1):
            found = self.lines.get(path[:end])
            if found is not None:
                return found
        return 1


def parse_yaml(text: str, source: str) -> YamlText:
    """Parse ``text``. Raises `YamlError` on a syntax error, a duplicate key or a non-string key."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise YamlError(f"{source}:{line}: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise YamlError(f"{source}:1: {error}") from None
    finally:
        loader.dispose()
    lines: dict[Path_, int] = {}
    value: Plain = [] if node is None else _plain(node, source, (), lines)
    return YamlText(source, value, lines)


def read_yaml(path: Path) -> YamlText:
    """Read and parse a UTF-8 file. Raises `YamlError` when it is unreadable or malformed."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise YamlError(f"{path}:1: cannot be read: {error}") from None
    return parse_yaml(text, str(path))


def validated(text: YamlText, model: type[Model]) -> list[Model]:
    """The list of ``model`` in a file. Raises `YamlError` at the first entry that is none."""
    if not isinstance(text.value, list):
        raise YamlError(f"{text.source}:1: the file must be a list")
    records: list[Model] = []
    for index, entry in enumerate(text.value):
        try:
            records.append(model.model_validate(entry))
        except ValidationError as error:
            first = error.errors()[0]
            line = text.line(index, *first["loc"])
            key = ".".join(str(part) for part in first["loc"])
            raise YamlError(f"{text.source}:{line}: {key}: {first['msg']}") from None
    return records


def _plain(node: yaml.Node, source: str, path: Path_, lines: dict[Path_, int]) -> Plain:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, source, (*path, i), lines) for i, item in enumerate(node.value)]
    result: dict[str, Plain] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise YamlError(f"{source}:{line}: a key must be a word, not a list or mapping")
        key = str(key_node.value)
        if key in result:
            raise YamlError(f"{source}:{line}: key '{key}' stands twice")
        result[key] = _plain(value_node, source, (*path, key), lines)
    return result
