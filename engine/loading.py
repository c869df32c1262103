"""Scenario files -> scenarios. Every complaint names file, line and key."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from saitei.data import PATH as DATA
from saitei.data.yaml_text import Path_, YamlError, YamlText, read_yaml
from saitei.engine.cards import CardBook
from saitei.engine.errors import ScenarioError
from saitei.engine.expectations import Expectation
from saitei.engine.given import Given
from saitei.engine.lint import check_scenario
from saitei.engine.positions import explain
from saitei.engine.scenario import (
    Case,
    PlacedExpectation,
    PlacedStep,
    Scenario,
    ScenarioFile,
    merge_patch,
)
from saitei.engine.steps import CheckStep, StepBase

_GIVEN = TypeAdapter(Given)
SUFFIX = ".scenario.yaml"


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The scenario files among ``paths``; folders are searched. Raises `ScenarioError`."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(sorted(path.rglob(f"*{SUFFIX}"))))
        elif path.is_file():
            found[path] = None
        else:
            raise ScenarioError(f"{path}: no such file or folder")
    return list(found)


def load_scenarios(paths: Iterable[Path], cards: CardBook) -> list[Scenario]:
    """All scenarios of the files and folders, in file order.

    Raises `ScenarioError` whose message has one line per complaint, over all files.
    """
    scenarios: list[Scenario] = []
    complaints: list[str] = []
    seen: dict[str, str] = {}
    for path in scenario_files(paths):
        try:
            text = read_yaml(path)
        except YamlError as error:
            complaints.append(str(error))
            continue
        if not isinstance(text.value, list):
            complaints.append(f"{path}:1: a scenario file is a list of scenarios")
            continue
        for index in range(len(text.value)):
            reader = _Reader(text, index, path, cards)
            scenario = reader.read()
            complaints += reader.complaints
            if scenario is None:
                continue
            if scenario.id in seen:
                complaints.append(
                    f"{path}:{scenario.line}: id: scenario '{scenario.id}' is already in "
                    f"{seen[scenario.id]}"
                )
                continue
            seen[scenario.id] = f"{path}:{scenario.line}"
            scenarios.append(scenario)
    if complaints:
        raise ScenarioError("\n".join(complaints))
    return scenarios


@dataclass(frozen=True, slots=True)
class _RawStep:
    raw: Any
    model: StepBase
    path: Path_
    own: bool


class _Reader:
    """Reads one scenario of a file, and keeps what there is to complain about."""

    def __init__(self, text: YamlText, index: int, file: Path, cards: CardBook) -> None:
        self.text, self.index, self.file, self.cards = text, index, file, cards
        assert isinstance(text.value, list)
        self.raw: Any = text.value[index]
        self.complaints: list[str] = []

    def read(self) -> Scenario | None:
        """The scenario, or None when it cannot be used (then there are complaints)."""
        try:
            model = ScenarioFile.model_validate(self.raw)
        except ValidationError as error:
            self.complaints += explain(error, self.raw, self.text, (self.index,))
            return None
        steps = [
            _RawStep(raw, step, (self.index, "when", n), True)
            for n, (raw, step) in enumerate(zip(self.raw["when"], model.when, strict=True))
        ]
        main = self._case(
            model.title,
            (self.index,),
            model.given,
            steps,
            list(self._expectations(model.then, self.raw["then"], (self.index, "then"))),
        )
        contrasts = [
            case
            for n in range(len(model.contrast))
            if (case := self._contrast(model, n, steps)) is not None
        ]
        old = self._expectations(
            model.old_rule, self.raw.get("old_rule", []), (self.index, "old_rule")
        )
        scenario = Scenario(
            model.id,
            model.title,
            model.basis,
            tuple(model.rulings),
            tuple(model.rules),
            None if model.depends is None else tuple(model.depends),
            main,
            tuple(old),
            tuple(contrasts),
            label(self.file),
            self.text.line(self.index),
            self._hash(model),
            model.note,
        )
        self.complaints += [
            f"{self.file}:{line}: {what}" for line, what in check_scenario(scenario, self.cards)
        ]
        return None if self.complaints else scenario

    def _contrast(self, model: ScenarioFile, n: int, steps: list[_RawStep]) -> Case | None:
        contrast, raw, base = (
            model.contrast[n],
            self.raw["contrast"][n],
            (self.index, "contrast", n),
        )
        patched = merge_patch(self.raw["given"], raw.get("given", {}))
        try:
            given = _GIVEN.validate_python(patched)
        except ValidationError as error:
            self.complaints += explain(error, patched, self.text, (*base, "given"), patched=True)
            return None
        edited = [_RawStep(step.raw, step.model, step.path, False) for step in steps]
        edit = contrast.when
        if edit is not None:
            added_key = "with" if edit.replace else "insert"
            added = [
                _RawStep(raw_step, step, (*base, "when", added_key, k), True)
                for k, (raw_step, step) in enumerate(
                    zip(
                        raw["when"].get(added_key, []),
                        edit.with_ or edit.insert or [],
                        strict=True,
                    )
                )
            ]
            wanted = edit.replace or edit.drop or edit.before or edit.after
            places = [k for k, step in enumerate(steps) if step.model.id == wanted]
            if len(places) != 1:
                self.complaints.append(
                    f"{self.file}:{self.text.line(*base, 'when')}: contrast[{n}].when: "
                    f"no step of the scenario has id '{wanted}'"
                    if not places
                    else f"{self.file}:{self.text.line(*base, 'when')}: contrast[{n}].when: "
                    f"two steps have id '{wanted}'"
                )
                return None
            at = places[0]
            end = at + 1 if edit.replace or edit.drop else at + (1 if edit.after else 0)
            begin = at if edit.replace or edit.drop else end
            edited[begin:end] = added
        then = self._expectations(contrast.then, raw["then"], (*base, "then"))
        return self._case(contrast.title, base, given, edited, list(then))

    def _case(
        self,
        title: str,
        path: Path_,
        given: Given,
        steps: list[_RawStep],
        then: list[PlacedExpectation],
    ) -> Case:
        placed = []
        for step in steps:
            checks: tuple[PlacedExpectation, ...] = ()
            if isinstance(step.model, CheckStep):
                checks = tuple(
                    self._expectations(step.model.check, step.raw["check"], (*step.path, "check"))
                )
            elif any(verb in step.raw for verb in ("legal", "illegal")):
                checks = (self._trial(step),)
            placed.append(PlacedStep(step.model, self.text.line(*step.path), step.own, checks))
        lines = {
            f"{word}.{key}": self.text.line(*path, "given", word, key)
            for word, player in given.players
            for _, key, _ in player.zones()
        }
        return Case(title, self.text.line(*path), given, tuple(placed), tuple(then), lines)

    def _trial(self, step: _RawStep) -> PlacedExpectation:
        """``illegal:`` as a step is a check of that one expectation."""
        verb = "legal" if "legal" in step.raw else "illegal"
        model = Expectation.model_validate({verb: getattr(step.model, verb)})
        return PlacedExpectation(model, self.text.line(*step.path), _text({verb: step.raw[verb]}))

    def _expectations(
        self, models: list[Expectation], raws: Any, path: Path_
    ) -> Iterator[PlacedExpectation]:
        for n, (model, raw) in enumerate(zip(models, raws, strict=True)):
            subject = {key: value for key, value in raw.items() if key not in ("shows", "says")}
            text = model.says or _text(subject)
            yield PlacedExpectation(model, self.text.line(*path, n), text)

    def _hash(self, model: ScenarioFile) -> str:
        ids = {card for card in model.given.card_ids if card in self.cards}
        for contrast in self.raw.get("contrast", []):
            patched = merge_patch(self.raw["given"], contrast.get("given", {}))
            try:
                ids |= set(Given.model_validate(patched).card_ids)
            except ValidationError:  # complained about where the contrast is read
                continue
        cards = {card: self.cards.get(card).content for card in sorted(ids & set(self.cards.ids))}
        text = json.dumps([self.raw, cards], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def label(file: Path) -> str:
    """The path for a reader: packaged files by their place in the repository, others from here."""
    whole = file.resolve()
    if whole.is_relative_to(DATA):
        return str(Path("data") / whole.relative_to(DATA))
    here = Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else file)


def _text(raw: Any) -> str:
    """A value as flow YAML in one line."""
    if isinstance(raw, dict):
        inner = ", ".join(f"{key}: {_text(value)}" for key, value in raw.items())
        return "{" + inner + "}"
    if isinstance(raw, list):
        return "[" + ", ".join(_text(item) for item in raw) + "]"
    return str(raw)
