"""What can be seen to be wrong with a scenario before it is played."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from saitei.engine.cards import CardBook
from saitei.engine.expectations import RESERVED, Damage, Expectation
from saitei.engine.given import ObjectSpec
from saitei.engine.scenario import Case, PlacedExpectation, Scenario
from saitei.engine.steps import AttackStep, BindStep, BlockStep, ResolveStep, StepBase, Until
from saitei.engine.words import PLAYERS

Complaint = tuple[int, str]

_HANDLE_FIELDS = frozenset(
    "cast activate play targets new_targets choose order attached_to attacking blocking stack "
    "source object options not_options divide until".split()
)
_NOT_HANDLES = frozenset({*PLAYERS, "none", "keep", "nobody"})


def check_scenario(scenario: Scenario, cards: CardBook) -> list[Complaint]:
    """``(line, what is wrong)`` of the scenario, in order of the file."""
    complaints: list[Complaint] = []
    shown = {fp for placed in _all(scenario.main) for fp in placed.expectation.shows}
    complaints += [
        (scenario.line, f"rulings: nothing under then shows {fp}")
        for fp in scenario.rulings
        if fp not in shown
    ]
    complaints += [
        (placed.line, f"shows: {fp} is not among the scenario's rulings")
        for placed in _all(scenario.main)
        for fp in placed.expectation.shows
        if fp not in scenario.rulings
    ]
    for contrast in scenario.contrasts:
        complaints += [
            (placed.line, "shows: belongs to the scenario's own then, not to a contrast")
            for placed in _all(contrast, own=True)
            if placed.expectation.shows
        ]
        if contrast.given == scenario.main.given and _steps(contrast) == _steps(scenario.main):
            complaints.append((contrast.line, "contrast: changes neither given nor when"))
        shows = {placed.text for placed in _all(scenario.main) if placed.expectation.shows}
        if shows <= {placed.text for placed in contrast.then}:
            complaints.append((contrast.line, "contrast: expects all that the scenario shows"))
    if scenario.old_rule and scenario.basis != "rules":
        complaints.append((scenario.line, "old_rule: only for basis: rules"))
    for card in scenario.depends or ():
        if card not in scenario.main.given.card_ids:
            complaints.append((scenario.line, f"depends: {card} is not in the position"))
    for case in (scenario.main, *scenario.contrasts):
        complaints += _check_case(case, cards, main=case is scenario.main)
    return sorted(dict.fromkeys(complaints))


def _all(case: Case, *, own: bool = False) -> Iterator[PlacedExpectation]:
    yield from case.then
    for step in case.when:
        if step.own or not own:
            yield from step.checks


def _steps(case: Case) -> list[StepBase]:
    return [placed.step for placed in case.when]


def _check_case(case: Case, cards: CardBook, *, main: bool) -> Iterator[Complaint]:
    known: dict[str, str] = {}
    for word, player in case.given.players:
        for _, key, objects in player.zones():
            for spec in objects:
                where = f"given.{word}.{key}"
                line = case.given_lines.get(f"{word}.{key}", case.line)
                if spec.card not in cards:
                    yield line, f"{where}: unknown card '{spec.card}'"
                for handle in spec.handles:
                    if handle in RESERVED:
                        yield line, f"{where}: '{handle}' is a word of the language"
                    if handle in known:
                        yield (
                            line,
                            f"{where}: '{handle}' stands in {known[handle]} too; "
                            "give each its own 'as' (or use count)",
                        )
                    known[handle] = where
                if spec.face == "back" and spec.card in cards and not cards.get(spec.card).back:
                    yield line, f"{where}: {spec.card} has no back face"
                yield from _impossible(line, where, key, spec)
    handles = set(known) | _NOT_HANDLES
    for word, player in case.given.players:
        for _, key, objects in player.zones():
            for spec in objects:
                for name in ("attached_to", "exiled_by", "copy_of"):
                    target = getattr(spec, name)
                    if target is not None and target not in handles:
                        where = f"given.{word}.{key}"
                        line = case.given_lines.get(f"{word}.{key}", case.line)
                        yield line, f"{where}: {name}: nothing is called '{target}'"
    ids: set[str] = set()
    for placed in case.when:
        step = placed.step
        if step.id is not None:
            if step.id in ids:
                yield placed.line, f"id: two steps are called '{step.id}'"
            ids.add(step.id)
        if placed.own or main:
            yield from _references(placed.line, step, handles)
        for check in placed.checks:
            if placed.own or main:
                yield from _expected(check, handles, ids)
        if isinstance(step, BindStep):
            for handle in step.bind:
                if handle in RESERVED:
                    yield placed.line, f"bind: '{handle}' is a word of the language"
            handles |= set(step.bind)
    for expected in case.then:
        yield from _expected(expected, handles, ids)


def _impossible(line: int, where: str, key: str, spec: ObjectSpec) -> Iterator[Complaint]:
    """States that only a permanent can have."""
    if key == "battlefield":
        return
    for name in ("tapped", "sick", "damage", "attached_to", "phased_out", "controller", "copy_of"):
        if getattr(spec, name):
            yield line, f"{where}: {spec.card}: {name} is for permanents on the battlefield"
    if spec.exiled_by and key != "exile":
        yield line, f"{where}: {spec.card}: exiled_by is for cards in exile"
    if spec.token:
        yield line, f"{where}: {spec.card}: a token is on the battlefield or nowhere"


def _expected(placed: PlacedExpectation, handles: set[str], ids: set[str]) -> Iterator[Complaint]:
    model = placed.expectation
    if model.object_facts is not None:
        if model.subject not in handles:
            yield placed.line, f"{model.subject}: nothing is called so"
        yield from _references(placed.line, model.object_facts, handles)
        return
    value = getattr(model, model.subject)
    if isinstance(value, BaseModel):
        yield from _references(placed.line, value, handles)
        during = getattr(value, "during", None)
        if during is not None and during not in ids:
            yield placed.line, f"during: no step before has id '{during}'"
    elif model.subject == "stack":
        yield from _unknown(placed.line, "stack", value, handles)


def _references(line: int, model: BaseModel, handles: set[str]) -> Iterator[Complaint]:
    """Handles a step or an expectation speaks of that nothing has."""
    for name in type(model).model_fields:
        value: Any = getattr(model, name)
        if name in _HANDLE_FIELDS or _speaks_of_handles(model, name):
            yield from _unknown(line, name, value, handles)
        elif name == "resolve" and isinstance(model, ResolveStep) and isinstance(value, Until):
            yield from _unknown(line, "until", value.until, handles)
        elif isinstance(value, BaseModel) and not isinstance(value, Expectation):
            yield from _references(line, value, handles)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, BaseModel) and not isinstance(item, Expectation):
                    yield from _references(line, item, handles)


def _speaks_of_handles(model: BaseModel, name: str) -> bool:
    """Keys that hold handles in some models and other words in others."""
    return (
        (isinstance(model, AttackStep) and name == "attack")
        or (isinstance(model, BlockStep) and name == "block")
        or (isinstance(model, Damage) and name in ("from_", "to"))
    )


def _unknown(line: int, name: str, value: Any, handles: set[str]) -> Iterator[Complaint]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _unknown(line, name, key, handles)
            if not isinstance(inner, int):
                yield from _unknown(line, name, inner, handles)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _unknown(line, name, item, handles)
    elif isinstance(value, str) and value not in handles and not _is_word(name, value):
        yield line, f"{name.rstrip('_')}: nothing is called '{value}'"


def _is_word(name: str, value: str) -> bool:
    return value == "all" or (name == "order" and value.isdigit())
