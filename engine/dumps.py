"""A scenario's positions as the engine itself reads them, to be looked at without Saitei."""

import json
from typing import Any

from saitei.engine.runner import CaseResult, ScenarioResult


def dump_text(result: ScenarioResult, engine: str, version: str) -> str:
    """The main case and the contrasts as one JSON object; ``result`` was played with ``trace``.

    ``{engine, version, scenario, outcome, cases: [{title, cards, state, actions}]}``. ``cards`` and
    ``state`` are the engine's own files, ``actions`` are ``[seat, action]`` in order. A case that
    could not be set up is ``{title, failure}``.
    """
    content = {
        "engine": engine,
        "version": version,
        "scenario": result.verdict.scenario,
        "outcome": result.verdict.outcome,
        "cases": [_case(case) for case in (result.main, *result.contrasts)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _case(case: CaseResult) -> dict[str, Any]:
    found: dict[str, Any] = {"title": case.title}
    if case.failure is not None:
        found["failure"] = case.failure.message
    if case.dump is not None:
        found["cards"] = json.loads(case.dump.cards)
        found["state"] = json.loads(case.dump.state)
        found["actions"] = [json.loads(action) for action in case.dump.actions]
    return found
