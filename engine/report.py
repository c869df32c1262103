"""A result in plain text for a terminal."""

import unicodedata
from collections.abc import Iterator

from saitei.engine.references import source_lines
from saitei.engine.runner import CaseResult, ScenarioResult
from saitei.engine.scenario import Scenario
from saitei.engine.verdicts import Verdict
from saitei.engine.words import number_holds


def result_lines(result: ScenarioResult, scenario: Scenario, *, steps: bool) -> list[str]:
    """The outcome; with ``steps`` also expected beside observed, and what was played."""
    verdict = result.verdict
    cause = f" ({verdict.cause})" if verdict.cause else ""
    text = "" if verdict.text == "as-written" else f" [{verdict.text}]"
    lines = [f"{verdict.outcome}{cause}{text}  {verdict.scenario}  {scenario.title}"]
    if verdict.reason:
        lines.append(f"    {verdict.reason}")
    if not steps:
        return lines
    if scenario.note:
        lines.append(f"    note: {' '.join(scenario.note.split())}")
    lines += _case_lines(result.main, scenario)
    for one, judged in zip(result.contrasts, verdict.contrasts, strict=True):
        flip = "flips" if judged.flipped else "does not flip"
        lines.append(f"  contrast, {flip}: {one.title}")
        lines += _case_lines(one, scenario)
    return lines


def _case_lines(case: CaseResult, scenario: Scenario) -> Iterator[str]:
    for checked in case.checked:
        mark = "ok" if checked.held else "NO"
        yield f"    {mark} {scenario.file}:{checked.line}: {checked.text}"
        if not checked.held:
            yield f"         expected {checked.expected}"
            yield f"         observed {checked.observed}"
    for checked in case.main:
        if not checked.held:
            yield f"    turned false: {checked.text} (observed {checked.observed})"
    if case.failure is not None:
        yield f"    NO {scenario.file}:{case.failure.line}: {case.failure.message}"
    if case.trace is None:
        return
    for step in case.trace.steps:
        yield f"      {step.line}: {step.text}"
        for words in (*step.choices, *step.events):
            yield f"          {words}"
        if step.stack:
            yield f"          スタック: {' / '.join(step.stack)}"


def side_by_side(verdict: Verdict, scenario: Scenario) -> list[str]:
    """A verdict for whoever must mend something: what was expected beside what was observed, where
    the scenario stands, its rulings with their documents, its rules."""
    lines = [f"{verdict.outcome}: {verdict.scenario}  {scenario.title}"]
    wrong = [("", one) for one in verdict.expectations if not one.held]
    wrong += [
        (f"contrast '{contrast.title}': ", one)
        for contrast in verdict.contrasts
        for one in contrast.expectations
        if not one.held
    ]
    for where, one in wrong:
        lines.append(f"  {scenario.file}:{one.line}: {where}{one.text}")
        lines += [f"    {row}" for row in _columns(one.expected, one.observed)]
    if verdict.reason and verdict.outcome != "contradicted":
        lines.append(f"  {verdict.reason}")
    lines += [f"  ruling {line}" for line in source_lines(verdict.rulings)]
    if scenario.rules:
        lines.append(f"  rules {', '.join(scenario.rules)}")
    return lines


_WIDTH = 44


def _columns(expected: str, observed: str) -> Iterator[str]:
    """``expected`` and ``observed`` in two columns, one fact a row where they have equally many."""
    left, right = _facts(expected), _facts(observed)
    if len(left) != len(right):
        left, right = [expected], [observed]
    width = min(_WIDTH, max(len("expected"), *map(_cells, left)))
    yield f"{'expected':<{width}} | observed"
    for wanted, seen in zip(left, right, strict=True):
        mark = "  <--" if _differ(wanted, seen) else ""
        yield f"{wanted}{' ' * (width - _cells(wanted))} | {seen}{mark}"


def _differ(wanted: str, seen: str) -> bool:
    """Whether one fact does not hold, as far as its words tell (``times: >= 1``, ``times: 2``)."""
    number = wanted.partition(": ")[2]
    if number[:1] not in ("<", ">"):
        return wanted != seen
    try:
        return not number_holds(number, int(seen.partition(": ")[2]))
    except ValueError:
        return True


def _facts(text: str) -> list[str]:
    """``zone: exile, counters: {a: 1, b: 2}`` -> one item a fact; brackets keep their commas."""
    facts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "[{") - (char in "]}")
        if depth == 0 and text.startswith(", ", place):
            facts.append(text[start:place])
            start = place + 2
    return [*facts, text[start:]]


def _cells(text: str) -> int:
    """Columns a terminal needs: a full-width character takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
