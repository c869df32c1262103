"""The knowledge base in the tools' shapes. Imported at the first call, not at start."""

from collections.abc import Sequence

from saitei.engine.verdicts import Verdict
from saitei.service.answers import answer_view, result_view, subject_view
from saitei.service.bots.mcp_shapes import (
    CardRulings,
    FoundRulings,
    Played,
    PlayedCase,
    RulingBrief,
    RulingTested,
    Tested,
)
from saitei.service.http.links import Links
from saitei.service.knowledge import OpenKnowledge
from saitei.service.lookups import find_card, find_ruling
from saitei.service.replays.files import find_replay
from saitei.service.replays.replay import Check, ReplayCase
from saitei.service.text import edition_text, qualifiers, source_text, tested_text, verdict_text
from saitei.service.verdicts import chosen_verdicts, committed_run
from saitei.service.views import ResultView


def brief(result: ResultView, links: Links) -> RulingBrief:
    """A result in few words."""
    principle = ["原則。このカード自身についての裁定ではない"] if result.kind == "principle" else []
    return RulingBrief(
        id=result.id,
        kind=result.kind,
        subject=result.subject,
        answer=result.answer,
        because=result.because,
        qualifications=[*principle, *qualifiers(result)],
        rules=result.rules,
        checked=edition_text(result.checked) if result.checked else None,
        source=source_text(result),
        official_text=result.text,
        engine=verdict_text(result.verdict) if result.verdict else None,
        scenarios=result.verdict.scenarios if result.verdict else [],
        url=links.to(f"/rulings/{result.id}") if result.kind == "ruling" else None,
    )


def found_rulings(
    knowledge: OpenKnowledge, question: str, limit: int, links: Links
) -> FoundRulings:
    """Raises ``QueryError``."""
    answer = answer_view(knowledge.search(question, limit), knowledge)
    near = answer.results[1:] if answer.best else answer.results
    return FoundRulings(
        question=answer.query,
        answered=answer.answered,
        kind=answer.kind,
        confidence=answer.confidence,
        needed=answer.needed,
        refused=answer.refused,
        message=answer.message,
        answer=brief(answer.best, links) if answer.best else None,
        candidates=[brief(result, links) for result in near],
        read_as=[*(card.ja for card in answer.reading.cards), *answer.reading.terms],
        revision=answer.revision,
    )


def one_ruling(knowledge: OpenKnowledge, ruling: str, links: Links) -> RulingBrief:
    """Raises ``MissingError``."""
    return brief(result_view(find_ruling(knowledge, ruling), knowledge, 1.0), links)


def card_rulings(
    knowledge: OpenKnowledge, name: str, limit: int, page: int, links: Links
) -> CardRulings:
    """Raises ``MissingError``."""
    card = find_card(knowledge.catalog, name, fuzzy=True)
    entries = list(knowledge.database.entries_about(card.id))
    view = subject_view(card.id, "card", knowledge.catalog)
    assert view is not None
    shown = entries[limit * (page - 1) : limit * page]
    return CardRulings(
        card=view,
        rulings=[brief(result_view(entry, knowledge, 1.0), links) for entry in shown],
        total=len(entries),
        message=None if entries else f"《{card.ja}》の裁定は収録していません。",
    )


def ruling_tested(knowledge: OpenKnowledge, ruling: str) -> RulingTested:
    """Raises ``MissingError``."""
    result = result_view(find_ruling(knowledge, ruling), knowledge, 1.0)
    run = committed_run()
    shown = result.verdict
    verdicts = chosen_verdicts(None, result.fingerprint) if shown else []
    return RulingTested(
        id=result.id,
        answer=result.answer,
        qualifications=list(qualifiers(result)),
        standing=verdict_text(shown) if shown else None,
        engine=run.engine if run and shown else None,
        version=run.version if run and shown else None,
        scenarios=[_tested(verdict) for verdict in verdicts],
    )


def _tested(verdict: Verdict) -> Tested:
    return Tested(
        scenario=verdict.scenario,
        outcome=verdict.outcome,
        summary=tested_text(verdict.outcome, verdict.text),
        reason=verdict.reason,
        expectations=[
            f"{'held' if each.held else 'NOT held'}: {each.text} (observed: {each.observed})"
            for each in verdict.expectations
        ],
        contrasts=[
            f"{'differs as it should' if each.flipped else 'does not differ'}: {each.title}"
            for each in verdict.contrasts
        ],
    )


def played(scenario: str) -> Played:
    """Raises ``MissingError``."""
    replay = find_replay(scenario)
    return Played(
        scenario=replay.scenario,
        title=replay.title,
        rulings=replay.rulings,
        rules=replay.rules,
        outcome=replay.outcome,
        summary=tested_text(replay.outcome, replay.text),
        engine=replay.engine,
        version=replay.version,
        main=_case(replay.main),
        contrasts=[_case(case) for case in replay.contrasts],
    )


def _case(case: ReplayCase) -> PlayedCase:
    return PlayedCase(
        title=case.title,
        steps=[
            "／".join([frame.text.ja, *(note.ja for note in frame.notes)]) for frame in case.frames
        ],
        checks=_checks(case.checks),
        failure=case.failure,
    )


def _checks(checks: Sequence[Check]) -> list[str]:
    return [
        f"{'held' if check.held else 'NOT held'}: {check.says.ja}（{check.observed.ja}）"
        for check in checks
    ]
