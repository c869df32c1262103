"""Principles: rules of play; of most, some rulings are instances (``data/principles.yaml``)."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from saitei.data import PATH as DATA
from saitei.data.yaml_text import read_yaml, validated
from saitei.ingest.notes import Id, Questions, RuleNumber, Text


class Principle(BaseModel):
    """One rule of play in our words. ``exceptions``: where it does not hold (a card's own text
    always overrides it). ``instances``: keys of notes, ``<subject>.<id>``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Id
    statement: Text
    condition: Text
    exceptions: Text
    rules: list[RuleNumber] = Field(min_length=1)
    questions: Questions
    instances: list[str] = Field(default_factory=list)
    scenarios: list[str] = Field(default_factory=list)


def load_principles(path: Path = DATA / "principles.yaml") -> list[Principle]:
    """The packaged principles, in file order. Raises `YamlError`."""
    return validated(read_yaml(path), Principle) if path.exists() else []
