"""Scenarios as they stand in ``data/scenarios``, for reading; nothing is played here."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from saitei.data import PATH as DATA
from saitei.data.yaml_text import parse_yaml

FOLDER = DATA / "scenarios"
_ID_LINE = re.compile(r"^- id:[ \t]*(\S+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """One scenario's own lines of a file; ``line`` counts from 1."""

    id: str
    file: str
    line: int
    yaml: str

    @property
    def title(self) -> str:
        """Its title, read without the rest."""
        line = next(line for line in self.yaml.splitlines() if line.startswith("  title:"))
        value = parse_yaml(line.strip(), self.file).value
        assert isinstance(value, dict)
        return str(value["title"])

    def read(self) -> dict[str, Any]:
        """The scenario as written, every scalar a string. Raises ``YamlError``."""
        value = parse_yaml(self.yaml, self.file).value
        assert isinstance(value, list)
        assert isinstance(value[0], dict)
        return value[0]


def read_scenarios(folder: Path) -> Iterator[ScenarioText]:
    """The scenarios under a folder, in file order, found by their first line alone.

    Reading 500 of them as YAML takes seconds; a request wants one.
    """
    for path in sorted(folder.rglob("*.scenario.yaml")):
        text = path.read_text("utf-8")
        starts = list(_ID_LINE.finditer(text))
        ends = [*(match.start() for match in starts[1:]), len(text)]
        for match, end in zip(starts, ends, strict=True):
            begin = match.start()
            yield ScenarioText(
                id=match[1],
                file=path.relative_to(folder).as_posix(),
                line=text.count("\n", 0, begin) + 1,
                yaml=text[begin:end].rstrip() + "\n",
            )


@lru_cache(maxsize=1)
def packaged_scenarios() -> Mapping[str, ScenarioText]:
    return {scenario.id: scenario for scenario in read_scenarios(FOLDER)}


@lru_cache(maxsize=1)
def scenario_titles() -> Mapping[str, str]:
    """The title of every packaged scenario, by id."""
    return {scenario.id: scenario.title for scenario in packaged_scenarios().values()}
