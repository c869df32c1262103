"""``/v1/scenarios``, ``/v1/verdicts``: what was played on an engine, from committed files.

No engine runs inside a request.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from saitei.engine.verdicts import Outcome
from saitei.service.http.links import Links
from saitei.service.http.lists import VerdictList, page_of
from saitei.service.http.parameters import parameters
from saitei.service.http.problems import documented
from saitei.service.http.shapes import ReplayView, ScenarioView
from saitei.service.lookups import find_scenario
from saitei.service.replays.files import find_replay
from saitei.service.scenarios import ScenarioText
from saitei.service.settings import Settings
from saitei.service.verdicts import chosen_verdicts, committed_run


def scenario_view(text: ScenarioText) -> ScenarioView:
    """A scenario with the committed verdict on it."""
    raw = text.read()
    run = committed_run()
    verdict = run.verdict(text.id) if run else None
    return ScenarioView(
        id=text.id,
        title=raw["title"],
        basis=raw["basis"],
        rulings=raw["rulings"],
        rules=raw.get("rules", []),
        given=raw["given"],
        when=raw["when"],
        then=raw["then"],
        contrast=raw.get("contrast", []),
        file=text.file,
        line=text.line,
        yaml=text.yaml,
        verdict=verdict,
        engine=run.engine if run and verdict else None,
        version=run.version if run and verdict else None,
    )


def add_engine(router: APIRouter, settings: Settings, links: Links) -> None:
    """Add the paths under ``/scenarios`` and ``/verdicts``."""
    given = parameters(settings)
    missing = documented(e404="no such scenario, or no replay of it")
    scenario_id = Path(description="シナリオの id", examples=["flashback.countered"])

    @router.get("/scenarios/{scenario}", tags=["engine"], responses=missing)
    def scenario(scenario: Annotated[str, scenario_id]) -> ScenarioView:
        """A scenario as written, with the verdict on it."""
        return scenario_view(find_scenario(scenario))

    @router.get("/scenarios/{scenario}/replay", tags=["engine"], responses=missing)
    def replay(scenario: Annotated[str, scenario_id]) -> ReplayView:
        """A scenario as the engine played it, board by board, with its contrasts."""
        return ReplayView(replay=find_replay(scenario))

    @router.get("/verdicts", tags=["engine"])
    def verdicts(
        request: Request,
        outcome: Annotated[Outcome | None, Query(description="この結果だけ")] = None,
        ruling: Annotated[
            str | None, Query(description="この指紋の裁定だけ", max_length=40)
        ] = None,
        limit: Annotated[int, given.limit] = min(10, settings.max_limit),
        page: Annotated[int, given.any_page] = 1,
    ) -> VerdictList:
        """What the newest engine version makes of each scenario; reference, not authority."""
        run = committed_run()
        found = chosen_verdicts(outcome, ruling)
        shown, has_more, following = page_of(found, request, links, limit, page)
        return VerdictList(
            data=shown,
            has_more=has_more,
            next_page=following,
            warnings=[] if run else ["エンジンの判定はまだ収録していません。"],
            engine=run.engine if run else None,
            version=run.version if run else None,
        )
