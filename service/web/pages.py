"""The pages for people. Plain HTML; every one works without JavaScript."""

from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from saitei.engine.words import PLAYERS
from saitei.index.retrieval import QueryError
from saitei.ingest.notes import Note
from saitei.service.answers import answer_view
from saitei.service.http.parameters import Open
from saitei.service.knowledge import OpenKnowledge
from saitei.service.replays.files import committed_replays
from saitei.service.replays.words import player_words, step_name
from saitei.service.scenarios import packaged_scenarios, scenario_titles
from saitei.service.verdicts import committed_run
from saitei.service.web.board import draw
from saitei.service.web.engine_report import engine_report
from saitei.service.web.page import STATIC, language_of, pick, render
from saitei.service.web.shelf import Shelf, Shelves
from saitei.service.web.words import Language

INSTANCES = 3
"""Rulings shown under an answer by principle."""

EXAMPLES = {
    "ja": (
        "腐乱持ちは必ず攻撃しなきゃダメ？",
        "フラッシュバックで唱えた呪文が打ち消されたらどうなる？",
        "両面カードはライブラリーにあるときどっちの面？",
        "+1/+1カウンターが乗った不死クリーチャーが死んだら戻る？",
    ),
    "en": (
        "Does a decayed creature have to attack?",
        "What happens if a spell cast with flashback is countered?",
    ),
}


def _language(lang: Annotated[str, Query()] = "") -> Language:
    return language_of(lang)


In = Annotated[Language, Depends(_language)]


class _Static(StaticFiles):
    """Static files; an address with a version never changes its content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if b"v=" in scope.get("query_string", b""):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def add_pages(app: FastAPI) -> None:
    """Add the pages and their static files. ``app.state.settings`` says where reports go."""
    app.mount("/static", _Static(directory=STATIC), name="static")
    shelves = Shelves()
    _add_asking(app, shelves)
    _add_browsing(app, shelves)
    _add_engine(app, shelves)


def _missing(request: Request, language: Language, what: str) -> HTMLResponse:
    return render(request, "missing.html", language, status=404, what=what[:80])


def _add_asking(app: FastAPI, shelves: Shelves) -> None:
    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    def home(request: Request, knowledge: Open, language: In, q: str = "") -> HTMLResponse:
        shelf = shelves.of(knowledge)
        if not q.strip():
            return render(
                request, "home.html", language, shelf=shelf, examples=EXAMPLES[language],
                scenarios=len(packaged_scenarios()),
            )  # fmt: skip
        try:
            answer = answer_view(knowledge.search(q), knowledge)
        except QueryError as error:
            return render(
                request, "answer.html", language, status=422, query=q[:1000], answer=None,
                error=str(error), instances=[], replayed=frozenset(), titles={},
            )  # fmt: skip
        principle = shelf.principle(answer.best.id) if answer.best else None
        return render(
            request, "answer.html", language, query=q, answer=answer, error=None,
            instances=shelf.support(principle)[:INSTANCES] if principle else [], **_replays(),
        )  # fmt: skip

    @app.get("/rulings/{ruling}", response_class=HTMLResponse, include_in_schema=False)
    def ruling(request: Request, knowledge: Open, language: In, ruling: str) -> HTMLResponse:
        place = knowledge.database.ruling(ruling)
        shelf = shelves.of(knowledge)
        fingerprint = place.fingerprint if place else ruling
        result = shelf.by_fingerprint(fingerprint)
        if result is None:
            return _missing(request, language, ruling)
        note = _note(shelf, fingerprint)
        others = shelf.about(result.subject.id) if result.subject else []
        return render(
            request, "ruling.html", language, result=result, note=note, shelf=shelf,
            others=[one for one in others if one.fingerprint != fingerprint],
            documents=knowledge.documents,
            principles=[p for p in map(shelf.principle, note.principles if note else ()) if p],
            **_replays(),
        )  # fmt: skip


def _note(shelf: Shelf, fingerprint: str) -> Note | None:
    entry = shelf.entry(fingerprint)
    return entry.note if entry else None


def _replays() -> dict[str, Any]:
    """Which scenarios can be watched, and the titles of all."""
    recorded = committed_replays()
    return {
        "replayed": frozenset(recorded.scenarios) if recorded else frozenset(),
        "titles": scenario_titles(),
    }


def _add_browsing(app: FastAPI, shelves: Shelves) -> None:
    @app.get("/sets", response_class=HTMLResponse, include_in_schema=False)
    def sets(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        return render(request, "sets.html", language, shelf=shelves.of(knowledge))

    @app.get("/sets/{code}", response_class=HTMLResponse, include_in_schema=False)
    def one_set(request: Request, knowledge: Open, language: In, code: str) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        documents = shelf.set_documents(code)
        if not documents:
            return _missing(request, language, code)
        return render(
            request, "set.html", language, shelf=shelf, documents=documents, code=code.upper()
        )

    @app.get("/cards", response_class=HTMLResponse, include_in_schema=False)
    def cards(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        return render(request, "subjects.html", language, shelf=shelf, kind="card", title="cards")

    @app.get("/mechanics", response_class=HTMLResponse, include_in_schema=False)
    def mechanics(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        return render(
            request, "subjects.html", language, shelf=shelf, kind="mechanic", title="mechanics"
        )

    @app.get("/cards/{card}", response_class=HTMLResponse, include_in_schema=False)
    def card(request: Request, knowledge: Open, language: In, card: str) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        found = shelf.catalog.cards.get(card) or shelf.catalog.card_named(card)
        if found is None:
            return _missing(request, language, card)
        return render(
            request, "card.html", language, card=found, rulings=shelf.about(found.id),
            mentioning=shelf.mentioning(found.id), mechanics=_mechanics_of(found.keywords, shelf),
            scenarios=_scenarios_with(found.id),
        )  # fmt: skip

    @app.get("/mechanics/{mechanic}", response_class=HTMLResponse, include_in_schema=False)
    def mechanic(request: Request, knowledge: Open, language: In, mechanic: str) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        found = shelf.catalog.mechanics.get(mechanic)
        if found is None:
            return _missing(request, language, mechanic)
        return render(
            request, "mechanic.html", language, mechanic=found, rulings=shelf.about(found.id)
        )

    @app.get("/principles", response_class=HTMLResponse, include_in_schema=False)
    def principles(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        return render(request, "principles.html", language, shelf=shelves.of(knowledge))

    @app.get("/principles/{principle}", response_class=HTMLResponse, include_in_schema=False)
    def principle(request: Request, knowledge: Open, language: In, principle: str) -> HTMLResponse:
        shelf = shelves.of(knowledge)
        found = shelf.principle(principle)
        if found is None:
            return _missing(request, language, principle)
        return render(
            request, "principle.html", language, principle=found, rulings=shelf.instances(found),
            **_replays(),
        )  # fmt: skip

    @app.get("/outdated", response_class=HTMLResponse, include_in_schema=False)
    def outdated(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        return render(request, "outdated.html", language, shelf=shelves.of(knowledge))


def _mechanics_of(keywords: tuple[str, ...], shelf: Shelf) -> list[tuple[str, str | None]]:
    """Keywords as shown, and the id of the mechanic where there is one."""
    by_name = {one.en.lower(): one for one in shelf.catalog.mechanics.values()}
    found = ((keyword, by_name.get(keyword.lower())) for keyword in keywords)
    return [(one.ja if one else keyword, one.id if one else None) for keyword, one in found]


def _scenarios_with(card: str) -> list[tuple[str, str]]:
    recorded = committed_replays()
    return recorded.using(card) if recorded else []


def _add_engine(app: FastAPI, shelves: Shelves) -> None:
    @app.get("/engine", response_class=HTMLResponse, include_in_schema=False)
    def engine(request: Request, knowledge: Open, language: In) -> HTMLResponse:
        return render(
            request, "engine.html", language, found=engine_report(), shelf=shelves.of(knowledge)
        )

    @app.get("/scenarios", response_class=HTMLResponse, include_in_schema=False)
    def scenarios(request: Request, language: In) -> HTMLResponse:
        run = committed_run()
        return render(
            request, "scenarios.html", language, titles=scenario_titles(),
            verdicts={one.scenario: one for one in run.verdicts} if run else {},
        )  # fmt: skip

    @app.get("/scenarios/{scenario}", response_class=HTMLResponse, include_in_schema=False)
    def scenario(request: Request, knowledge: Open, language: In, scenario: str) -> HTMLResponse:
        text = packaged_scenarios().get(scenario)
        if text is None:
            return _missing(request, language, scenario)
        return _scenario_page(request, knowledge, language, shelves.of(knowledge), scenario)


def _scenario_page(
    request: Request, knowledge: OpenKnowledge, language: Language, shelf: Shelf, scenario: str
) -> HTMLResponse:
    text = packaged_scenarios()[scenario]
    raw = text.read()
    run, recorded = committed_run(), committed_replays()
    verdict = run.verdict(scenario) if run else None
    replay = recorded.replay(scenario) if recorded else None
    cases = [draw(one) for one in (replay.main, *replay.contrasts)] if replay else []
    fingerprints = dict.fromkeys(each.partition("#")[0] for each in raw["rulings"])
    return render(
        request, "scenario.html", language, scenario=text, raw=raw, run=run, judged=verdict,
        title=scenario_titles()[scenario], replay=replay, cases=cases,
        players={word: pick(player_words(word), language) for word in PLAYERS},
        step_words=lambda step: pick(step_name(step), language),
        stale=bool(verdict and replay and verdict.scenario_sha256 != replay.scenario_sha256),
        rulings=[one for one in map(shelf.by_fingerprint, fingerprints) if one],
        cards=[shelf.catalog.cards[c] for c in replay.cards if c in shelf.catalog.cards]
        if replay else [],
    )  # fmt: skip
