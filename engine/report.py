"""A result in plain text for a terminal."""

from collections.abc import Iterator

from saitei.engine.runner import CaseResult, ScenarioResult
from saitei.engine.scenario import Scenario


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
