"""A scenario: the models of the file, and the cases made from it.

A scenario has a main case and contrasts. A contrast is the main case with ``given`` patched (JSON
merge patch, RFC 7396) and at most one step of ``when`` replaced, dropped or joined by others, and
with expectations of its own.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from saitei.engine.expectations import Expectation
from saitei.engine.given import Given
from saitei.engine.steps import Step, StepBase
from saitei.engine.words import Fingerprint, Handle, Model, RuleNumber, as_list

Basis = Literal["ruling", "rules"]


class StepEdit(Model):
    """One change of ``when``: replace a step (with any number), drop it, or insert beside it."""

    replace: Handle | None = None
    with_: list[Step] | None = Field(default=None, alias="with")
    drop: Handle | None = None
    insert: list[Step] | None = None
    before: Handle | None = None
    after: Handle | None = None

    @model_validator(mode="after")
    def _one(self) -> "StepEdit":
        ways = [name for name in ("replace", "drop", "insert") if getattr(self, name) is not None]
        if len(ways) != 1:
            raise ValueError("write exactly one of replace, drop, insert")
        if (self.replace is None) != (self.with_ is None):
            raise ValueError("replace and with go together")
        if (self.insert is not None) != ((self.before is None) != (self.after is None)):
            raise ValueError("insert needs one of before, after")
        return self


class Contrast(Model):
    """The same position with one thing changed, whose outcome must differ."""

    title: str
    given: dict[str, Any] = Field(
        default_factory=dict, description="JSON merge patch of the scenario's given"
    )
    when: StepEdit | None = None
    then: list[Expectation] = Field(min_length=1)


class ScenarioFile(Model):
    """One scenario as written."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]
    title: str
    basis: Basis
    rulings: Annotated[list[Fingerprint], Field(min_length=1)]
    rules: list[RuleNumber] = Field(default_factory=list)
    note: str | None = None
    depends: Annotated[list[str] | None, BeforeValidator(as_list)] = Field(
        default=None, description="cards the vacuity check blanks; default all with a text; none"
    )
    given: Given
    when: list[Step]
    then: list[Expectation] = Field(min_length=1)
    old_rule: list[Expectation] = Field(
        default_factory=list,
        description="basis rules: what would hold if the engine played the superseded rule",
    )
    contrast: list[Contrast] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlacedExpectation:
    """An expectation with its line in the file, and its text for a reader."""

    expectation: Expectation
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A step with its line; ``own`` is False for a step a contrast has from the main case."""

    step: StepBase
    line: int
    own: bool
    checks: tuple[PlacedExpectation, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One position to be played once. ``given_lines``: ``you.hand`` -> its line."""

    title: str
    line: int
    given: Given
    when: tuple[PlacedStep, ...]
    then: tuple[PlacedExpectation, ...]
    given_lines: Mapping[str, int]

    @property
    def handles(self) -> dict[str, str]:
        """Handle -> card id, of the objects of the position."""
        found: dict[str, str] = {}
        for _, player in self.given.players:
            for _, _, objects in player.zones():
                for spec in objects:
                    found.update(dict.fromkeys(spec.handles, spec.card))
        return found


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario ready to run.

    ``file`` is its path for a reader, the same on every machine for packaged scenarios; ``sha256``
    covers its text and the definitions of its cards.
    """

    id: str
    title: str
    basis: Basis
    rulings: tuple[str, ...]
    rules: tuple[str, ...]
    depends: tuple[str, ...] | None
    main: Case
    old_rule: tuple[PlacedExpectation, ...]
    contrasts: tuple[Case, ...]
    file: str
    line: int
    sha256: str
    note: str | None = None

    @property
    def card_ids(self) -> list[str]:
        """Every card of the main case and the contrasts, once."""
        cases = (self.main, *self.contrasts)
        return list(dict.fromkeys(card for case in cases for card in case.given.card_ids))


def merge_patch(target: Any, patch: Any) -> Any:
    """RFC 7396: mappings are merged, all else (lists too) replaced; a null removes.

    The YAML reader gives no nulls, so ``~`` and ``null`` written plainly mean null here.
    """
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value in ("~", "null"):
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), value)
    return result
