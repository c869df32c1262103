"""Search results into answers: note, source, status and engine verdict side by side."""

import math
from collections.abc import Sequence

from saitei.index.entries import Entry
from saitei.index.retrieval import Found, Hit
from saitei.ingest.catalog import Catalog
from saitei.ingest.models import Document, Ruling
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle
from saitei.service.knowledge import OpenKnowledge
from saitei.service.revision import revision_of
from saitei.service.verdicts import standing
from saitei.service.views import (
    PROCEDURE_CAVEAT,
    REFUSAL,
    SAY_MORE,
    SAY_WHAT,
    AnswerView,
    DocumentView,
    ExplainView,
    OccurrenceView,
    PrincipleView,
    ReadingView,
    ResultView,
    SearchView,
    SubjectView,
)

ALTERNATIVES = 3


def subject_view(subject_id: str | None, kind: str | None, catalog: Catalog) -> SubjectView | None:
    if kind == "card" and subject_id in catalog.cards:
        card = catalog.cards[subject_id]
        return SubjectView(id=card.id, ja=card.ja, en=card.en, kind="card")
    if kind == "mechanic" and subject_id in catalog.mechanics:
        mechanic = catalog.mechanics[subject_id]
        return SubjectView(id=mechanic.id, ja=mechanic.ja, en=mechanic.en, kind="mechanic")
    return None


def _document_view(document: Document | None) -> DocumentView | None:
    if document is None:
        return None
    return DocumentView(
        id=document.id, title=document.title, updated=document.updated, set=document.set
    )


def _principle_view(principle: Principle | None) -> PrincipleView | None:
    if principle is None:
        return None
    return PrincipleView(
        id=principle.id,
        statement=principle.statement,
        condition=principle.condition,
        exceptions=principle.exceptions,
        instances=principle.instances,
    )


def _occurrence_view(ruling: Ruling) -> OccurrenceView:
    return OccurrenceView(
        id=ruling.id, document=ruling.document, line=ruling.line, heading=list(ruling.heading)
    )


def _is_procedure(note: Note | None) -> bool:
    """No engine decides a matter of tournament policy."""
    return note is not None and note.status == "procedure"


def result_view(
    entry: Entry, knowledge: OpenKnowledge, score: float, explain: ExplainView | None = None
) -> ResultView:
    """Everything known about one entry."""
    note, principle = entry.note, entry.principle
    answer: str | None
    because: str | None
    is_ruling = entry.kind == "ruling"
    places = knowledge.database.occurrences(entry.key) if is_ruling else ()
    first = places[0] if places else None
    if principle is not None:
        answer, because = principle.statement, f"{principle.condition}{principle.exceptions}"
        rules: Sequence[str] = principle.rules
    else:
        answer, because = (note.answer, note.because) if note else (None, None)
        rules = note.rules if note else ()
    return ResultView(
        id=first.id if first else entry.key,
        fingerprint=entry.key if is_ruling else None,
        occurrences=[_occurrence_view(place) for place in places],
        document=_document_view(knowledge.documents.get(first.document)) if first else None,
        line=first.line if first else None,
        subject=subject_view(entry.subject_id, entry.subject_kind, knowledge.catalog),
        text=entry.official,
        answer=answer,
        because=because,
        rules=list(rules),
        checked=note.checked if note else None,
        status=note.status if note else None,
        oracle_changed=note.oracle_changed if note else None,
        kind=entry.kind,
        principle=_principle_view(principle),
        verdict=standing(entry.key, note) if is_ruling and not _is_procedure(note) else None,
        score=round(score, 4),
        explain=explain,
    )


def _explain_view(hit: Hit) -> ExplainView | None:
    why = hit.explanation
    if why is None:
        return None
    return ExplainView(
        terms={term: round(score, 3) for term, score in list(why.terms.items())[:12]},
        lexical_rank=why.lexical_rank,
        dense_rank=why.dense_rank,
        cosine=round(why.cosine, 4),
        link=why.link,
        probability=round(hit.probability, 4),
        features={name: round(value, 4) for name, value in why.features.items()},
    )


def _reading_view(found: Found, catalog: Catalog) -> ReadingView:
    cards = dict.fromkeys(m.id for m in found.reading.mentions if m.kind == "card")
    mechanics = (catalog.mechanics[m.id].ja for m in found.reading.mentions if m.kind != "card")
    official = (expansion.official for expansion in found.reading.expansions)
    views = (subject_view(card, "card", catalog) for card in cards)
    written = found.reading.text if found.reading.text != found.query else None
    return ReadingView(
        written=written,
        cards=[view for view in views if view],
        terms=list(dict.fromkeys((*mechanics, *official))),
    )


def _message(found: Found, knowledge: OpenKnowledge) -> str | None:
    """Why there is no answer, as exactly as it is known."""
    if found.answered:
        return None
    if found.refused == "penalty":
        return PROCEDURE_CAVEAT
    cards = dict.fromkeys(m.id for m in found.reading.mentions if m.kind == "card")
    mentioned = {card for hit in found.hits for card in hit.entry.cards}
    without = [
        card
        for card in cards
        if card not in mentioned and not any(knowledge.database.entries_about(card))
    ]
    names = "、".join(f"《{knowledge.catalog.cards[card].ja}》" for card in without)
    missing = f"{names}についての裁定は収録していません。" if without else ""
    advice = ""
    if found.refused == "few-words" and len(without) < len(cards):
        advice = SAY_WHAT
    elif found.refused == "few-words" and not cards:
        advice = SAY_MORE
    return f"{REFUSAL}{advice}{missing}"


def search_view(found: Found, knowledge: OpenKnowledge) -> SearchView:
    """The search as every door shows it."""
    return SearchView(
        query=found.query,
        answered=found.answered,
        kind=found.kind,
        # Down, so that what is below the least is shown so; that has four digits itself.
        confidence=math.floor(found.confidence * 1e4 + 1e-6) / 1e4,
        needed=round(found.needed, 4),
        refused=found.refused,
        results=[
            result_view(hit.entry, knowledge, hit.score, _explain_view(hit)) for hit in found.hits
        ],
        reading=_reading_view(found, knowledge.catalog),
        message=_message(found, knowledge),
    )


def answer_view(found: Found, knowledge: OpenKnowledge) -> AnswerView:
    """The answer: ``best`` is null when the question counts as unanswered."""
    view = search_view(found, knowledge)
    best = view.results[0] if view.answered else None
    others = view.results[1:] if best else view.results
    return AnswerView(
        **view.model_dump(exclude={"results"}),
        results=view.results,
        best=best,
        alternatives=others[:ALTERNATIVES],
        close=len(found.contenders) - 1 if best else 0,
        revision=revision_of(knowledge),
    )
