"""Scenarios -> verdicts.

A case is one run of one position. A scenario's main case is played, then each contrast; a contrast
flips when its own expectations hold and one of the main expectations with `shows` does not hold in
its run.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from saitei.engine.cards import CardBook, CardDefinition
from saitei.engine.checking import Checked, Checker
from saitei.engine.errors import EngineError, RefusedError, SetupError, StepError, UnsupportedError
from saitei.engine.faults import Fault, explains
from saitei.engine.narrate import step_words
from saitei.engine.protocol import Adapter, Dump
from saitei.engine.record import Record, Trace, TracePosition
from saitei.engine.scenario import Case, PlacedExpectation, Scenario
from saitei.engine.steps import CheckStep, IllegalStep, LegalStep
from saitei.engine.table import Table
from saitei.engine.verdicts import (
    Cause,
    ContrastVerdict,
    ExpectationVerdict,
    Outcome,
    TextKind,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a case could not be played to its end. ``line`` is that of the step."""

    cause: Cause | None
    message: str
    line: int
    unsupported: bool = False


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case as it was played.

    ``checked`` are its own expectations (those of `check` steps too), ``main`` the main case's
    expectations with `shows` as they stand in this run (contrasts only).
    """

    title: str
    checked: tuple[Checked, ...]
    main: tuple[Checked, ...]
    failure: Failure | None
    trace: Trace | None
    dump: Dump | None
    seconds: float

    @property
    def held(self) -> bool:
        """Played to its end, and all of its own expectations hold."""
        return self.failure is None and all(one.held for one in self.checked)


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """A verdict and the runs it rests on."""

    verdict: Verdict
    main: CaseResult
    contrasts: tuple[CaseResult, ...]


def run_case(
    case: Case,
    adapter: Adapter,
    cards: CardBook,
    *,
    main: Sequence[PlacedExpectation] = (),
    is_main: bool = True,
    trace: bool = False,
) -> CaseResult:
    """Play one case. ``main`` are expectations of the main case to look at, too, at the end.

    With ``trace`` the result has a trace and a dump.
    """
    start = time.perf_counter()
    run = _CaseRun(case, adapter, cards, is_main, trace)
    failure = run.play(main)
    return CaseResult(
        case.title,
        tuple(run.checked),
        tuple(run.main),
        failure,
        run.trace(),
        run.dump(),
        time.perf_counter() - start,
    )


class _CaseRun:
    def __init__(
        self, case: Case, adapter: Adapter, cards: CardBook, is_main: bool, traced: bool
    ) -> None:
        self._case, self._adapter, self._cards = case, adapter, cards
        self._is_main, self._traced = is_main, traced
        self.checked: list[Checked] = []
        self.main: list[Checked] = []
        self._table: Table | None = None
        self._positions: list[TracePosition] = []

    def play(self, main: Sequence[PlacedExpectation]) -> Failure | None:
        case, line = self._case, self._case.line
        try:
            game = self._adapter.start(case.given, self._cards)
        except EngineError as error:
            return _failure(error, line, setup=True)
        record = Record(game, _japanese(case, self._cards))
        table = self._table = Table(game, self._adapter, record)
        checker = Checker(table)
        try:
            if self._traced:
                self._positions.append(record.position())
            for placed in case.when:
                line = placed.line
                if isinstance(placed.step, CheckStep | LegalStep | IllegalStep):
                    for expected in placed.checks:
                        line = expected.line
                        own = placed.own or self._is_main
                        look = checker.check if own else checker.check_elsewhere
                        self._keep(look(expected), own)
                else:
                    table.play(placed.step)
                if self._traced:
                    words = step_words(placed.step, record, table)
                    record.close_step(placed.step.id, placed.line, words)
            for expected in case.then:
                line = expected.line
                self.checked.append(checker.check(expected))
            self.main += [checker.check_elsewhere(expected) for expected in main]
            if self._traced:
                self._positions.append(record.position())
        except EngineError as error:
            return _failure(error, line, setup=False)
        return None

    def _keep(self, checked: Checked, own: bool) -> None:
        """A check in mid-game: the case's own, or one a contrast has from the main case."""
        if own:
            self.checked.append(checked)
        elif checked.shows:
            self.main.append(checked)

    def trace(self) -> Trace | None:
        if not self._traced or self._table is None or not self._positions:
            return None
        before = self._positions[0]
        after = self._positions[1] if len(self._positions) > 1 else None
        return Trace(before, tuple(self._table.record.steps), after)

    def dump(self) -> Dump | None:
        return self._table.game.dump() if self._traced and self._table is not None else None


def _failure(error: EngineError, line: int, *, setup: bool) -> Failure:
    if isinstance(error, UnsupportedError):
        return Failure(None, str(error), line, unsupported=True)
    if setup or isinstance(error, SetupError):
        return Failure("setup", str(error), line)
    cause: Cause = "step" if isinstance(error, StepError | RefusedError) else "engine"
    return Failure(cause, str(error), line)


def run_scenario(
    scenario: Scenario,
    adapter: Adapter,
    cards: CardBook,
    *,
    faults: Iterable[Fault] = (),
    trace: bool = False,
    on_case: Callable[[str], None] | None = None,
) -> ScenarioResult:
    """Play a scenario with its contrasts and judge it. ``on_case`` hears each case's title."""
    start = time.perf_counter()
    hear = on_case or (lambda title: None)
    hear(scenario.title)
    main = run_case(scenario.main, adapter, cards, trace=trace)
    shown = tuple(placed for placed in scenario.main.then if placed.expectation.shows)
    played = []
    for case in scenario.contrasts:
        hear(case.title)
        played.append(run_case(case, adapter, cards, main=shown, is_main=False, trace=trace))
    contrasts = tuple(played)
    outcome, cause, reason = _judge(scenario, adapter, cards, main, contrasts)
    if outcome == "contradicted":
        known = explains(faults, scenario.id, adapter.name, adapter.version)
        if known is not None:
            cause, reason = known.cause, f"{reason} [{known.id}: {known.summary}]"
    verdict = Verdict(
        scenario=scenario.id,
        rulings=list(scenario.rulings),
        outcome=outcome,
        cause=cause,
        text=text_kind(scenario, cards),
        expectations=[_expectation(one) for one in main.checked],
        contrasts=[
            ContrastVerdict(
                title=result.title,
                flipped=_flipped(result),
                expectations=[_expectation(one) for one in result.checked],
            )
            for result in contrasts
        ],
        reason=reason,
        scenario_sha256=scenario.sha256,
        seconds=round(time.perf_counter() - start, 4),
    )
    return ScenarioResult(verdict, main, contrasts)


def failed_verdict(scenario: Scenario, failure: Failure) -> Verdict:
    """The verdict when a scenario could not be played at all. ``text`` is not known then."""
    return Verdict(
        scenario=scenario.id,
        rulings=list(scenario.rulings),
        outcome="error",
        cause=failure.cause,
        text="as-written",
        expectations=[],
        contrasts=[],
        reason=f"{scenario.file}:{failure.line}: {failure.message}",
        scenario_sha256=scenario.sha256,
        seconds=0.0,
    )


def text_kind(scenario: Scenario, cards: CardBook) -> TextKind:
    """The least as-written of the cards of the scenario."""
    kinds = {cards.get(card).text_kind for card in scenario.card_ids}
    return "patched" if "patched" in kinds else "reworded" if "reworded" in kinds else "as-written"


@dataclass(frozen=True, slots=True)
class Vacuity:
    """What blanking the texts of a scenario's cards, one after the other, changes."""

    depends: tuple[str, ...]
    unchanged: tuple[str, ...]
    vacuous: bool


def vacuity(scenario: Scenario, adapter: Adapter, cards: CardBook) -> Vacuity:
    """Blank each card and judge again. A card matters when the outcome changes.

    The scenario is vacuous when a card named in its `depends` does not matter, or, where it names
    none, when no card of the main case that has a text matters. `depends: none` opts out: the
    outcome rests on the rules alone.
    """
    named: Iterable[str] | None = scenario.depends
    if named is None:
        used = scenario.main.given.card_ids
        named = [card for card in used if cards.get(card).blank() != cards.get(card)]
    before = run_scenario(scenario, adapter, cards).verdict.outcome
    matters: list[str] = []
    unchanged: list[str] = []
    for card in named:
        after = run_scenario(scenario, adapter, cards.blanked([card])).verdict.outcome
        (unchanged if after == before else matters).append(card)
    empty = bool(unchanged) if scenario.depends is not None else bool(unchanged) and not matters
    return Vacuity(tuple(matters), tuple(unchanged), empty)


def _judge(
    scenario: Scenario,
    adapter: Adapter,
    cards: CardBook,
    main: CaseResult,
    contrasts: Sequence[CaseResult],
) -> tuple[Outcome, Cause | None, str]:
    """Outcome, cause and reason, in the order of the design: error, unsupported, contradicted,
    inconclusive, and then confirmed or outdated."""
    results = [("", main), *((f"contrast '{one.title}': ", one) for one in contrasts)]
    flags = [what for card in scenario.card_ids for what in adapter.flags(cards.get(card))]
    failed = [(where, one.failure) for where, one in results if one.failure is not None]
    for where, failure in failed:
        if not failure.unsupported and not (flags and failure.cause == "step"):
            return (
                "error",
                failure.cause,
                f"{where}{scenario.file}:{failure.line}: {failure.message}",
            )
    for where, failure in failed:
        words = failure.message if failure.unsupported else f"{failure.message}; {flags[0]}"
        return "unsupported", None, f"{where}{scenario.file}:{failure.line}: {words}"
    wrong = [(where, one) for where, result in results for one in result.checked if not one.held]
    if wrong:
        where, first = wrong[0]
        what = (
            f"{where}{scenario.file}:{first.line}: expected {first.expected}; "
            f"observed {first.observed}"
        )
        if flags:
            return "unsupported", None, f"{what}; the engine says: {flags[0]}"
        if scenario.old_rule and not where:
            what += _old_rule(scenario, adapter, cards)
        return "contradicted", "unknown", what
    if not contrasts:
        return "inconclusive", None, "no contrast"
    for result in contrasts:
        if not _flipped(result):
            return "inconclusive", None, f"contrast '{result.title}' changes nothing that is shown"
    return ("confirmed" if scenario.basis == "ruling" else "outdated"), None, ""


def _flipped(result: CaseResult) -> bool:
    return result.held and any(not one.held for one in result.main)


def _old_rule(scenario: Scenario, adapter: Adapter, cards: CardBook) -> str:
    """For a superseded claim: whether the engine plays the old rule."""
    again = run_case(scenario.main, adapter, cards, main=scenario.old_rule)
    old = bool(again.main) and all(one.held for one in again.main)
    return "; it plays the old rule" if old else "; it does not play the old rule either"


def _expectation(one: Checked) -> ExpectationVerdict:
    return ExpectationVerdict(
        text=one.text,
        line=one.line,
        held=one.held,
        expected=one.expected,
        observed=one.observed,
        shows=list(one.shows),
    )


def _japanese(case: Case, cards: CardBook) -> dict[str, str]:
    names: dict[str, str] = {}
    used: list[CardDefinition] = [cards.get(card) for card in case.given.card_ids]
    for card in used:
        for face in (card.front, card.back):
            if face is not None and face.ja:
                names[face.en] = face.ja
    return names
