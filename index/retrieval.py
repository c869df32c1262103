"""A question into ranked entries: words, meaning and named cards, fused and weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from saitei.index.bag import TERMS, TermBag, packaged_bag
from saitei.index.confidence import Evidence, load_calibration
from saitei.index.database import FILE as DATABASE
from saitei.index.database import Database
from saitei.index.dense import DenseIndex, Near
from saitei.index.encoder import Encoder, Vectors, load_encoder
from saitei.index.entries import Entry, questions_of
from saitei.index.fusion import fuse
from saitei.index.lexical import LexicalIndex, Postings, Scores, terms
from saitei.index.question import (
    MAX_QUERY,
    Asked,
    QueryError,
    Reading,
    ask,
    check_query,
    read_question,
)
from saitei.index.store import Generation
from saitei.ingest.catalog import Catalog

__all__ = ["MAX_QUERY", "Found", "Hit", "QueryError", "Reading", "Searcher", "check_query"]

CLOSE = 0.1
"""Distance of scores within which a hit contends with the first: one answer in six on the
development questions."""
PASSAGES = 400
"""Nearest passages looked at: an entry has about six."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an entry stands where it does: ranks count from 1, None where it was not found."""

    lexical: float
    lexical_rank: int | None
    cosine: float
    dense_rank: int | None
    link: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Hit:
    """One found entry; ``score`` orders the hits of one question and means nothing beyond."""

    entry: Entry
    score: float
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a search. ``hits`` are filled even when the question counts as unanswered."""

    query: str
    kind: Literal["direct", "principle", "none"]
    confidence: float
    hits: tuple[Hit, ...]
    reading: Reading
    evidence: Evidence | None = None

    @property
    def answered(self) -> bool:
        return self.kind != "none"

    @property
    def contenders(self) -> tuple[Hit, ...]:
        """The first hit and up to two that stand so close behind it that they may be meant too;
        where there is more than one, they should be offered side by side."""
        return tuple(hit for hit in self.hits[:3] if self.hits[0].score - hit.score < CLOSE)


class Searcher:
    """Searches one generation. Opening reads its files; a search touches no disk but SQLite's.

    ``bag`` turns questions into vectors; where it is None, the passage encoder does. Raises
    `StoreError` when a file is not as it was written, `EncoderError` for a model that cannot be
    loaded (the passage encoder: at the first search that needs it).
    """

    def __init__(
        self, generation: Generation, catalog: Catalog, encoder: Encoder | None = None
    ) -> None:
        self.generation = generation
        self.catalog = catalog
        self.encoder = encoder or load_encoder(generation.manifest.encoder)
        self.database = Database(generation.verified(DATABASE))
        for name in generation.manifest.files:
            if name.startswith("lexical/"):
                generation.verified(name)
        self.bag = _bag_of(generation)
        self._lexical = LexicalIndex.load(generation.path / "lexical")
        with np.load(generation.verified("dense.npz"), allow_pickle=False) as stored:
            self.dense = DenseIndex.load(
                generation.verified("dense.faiss"), stored["entry_of"], stored["query_mean"]
            )

    def read(self, query: str) -> Reading:
        """What the question names: cards, mechanics, rules, and words the glossary knows."""
        return read_question(query, self.catalog)

    def search(self, query: str, limit: int = 10) -> Found:
        """The best ``limit`` entries for a question. Raises `QueryError`."""
        text = check_query(query)
        asked = ask(text, self.read(text))
        postings = self._lexical.look_up(asked.weights)
        lexical = postings.totals()
        near = self.dense.near(self._vector(asked.text, asked.terms), PASSAGES)
        links = self.database.linked(asked.reading.links)
        ranked = fuse(lexical, near, links)
        ranked = self._principle_first(ranked, asked.reading)
        hits = self._hits(ranked[:limit], postings, lexical, near, links)
        evidence = (
            self._evidence(asked, postings, near, hits[0], ranked[0][0], links) if hits else None
        )
        confidence = load_calibration().confidence(evidence) if evidence else 0.0
        sure = evidence is not None and confidence >= load_calibration().threshold
        answerable = sure and not asked.reading.penalty
        kind = _kind(hits[0].entry, asked.reading) if answerable else "none"
        return Found(text, kind, confidence, hits, asked.reading, evidence)

    def vector(self, text: str) -> Vectors:
        """A question in the centred passage space, shape ``(dim,)``."""
        return self._vector(text, terms(text))

    def _vector(self, text: str, said: Sequence[str]) -> Vectors:
        """By the distilled model where it was made for this knowledge base's encoder and knows a
        word, else by the encoder."""
        if self.bag is not None and (vector := self.bag.vector(said)) is not None:
            return vector
        return self.dense.centred(self.encoder.encode_query([text])[0])

    def _principle_first(
        self, ranked: list[tuple[int, float]], reading: Reading
    ) -> list[tuple[int, float]]:
        """Where the first is a ruling of a card not asked about, its principle takes its place:
        what it has to say about the card asked about is the rule both follow."""
        if not ranked or not reading.cards:
            return ranked
        first = self.database.entry(ranked[0][0])
        if not _of_another_card(first, reading) or first.note is None:
            return ranked
        numbers = {self.database.entry_number(name) for name in first.note.principles}
        best = next((pair for pair in ranked if pair[0] in numbers), None)
        if best is None:
            return ranked
        # The score is the place: it stands just above what it replaces.
        return [(best[0], ranked[0][1]), *(pair for pair in ranked if pair is not best)]

    def _hits(
        self,
        ranked: Sequence[tuple[int, float]],
        postings: Postings,
        lexical: Scores,
        near: Near,
        links: Mapping[int, float],
    ) -> tuple[Hit, ...]:
        numbers = [number for number, _ in ranked]
        matched = postings.matched(numbers)
        places = {number: place for place, number in enumerate(near.entries.tolist())}
        hits: list[Hit] = []
        for (number, score), found in zip(ranked, matched, strict=True):
            place = places.get(number)
            words = float(lexical[number])
            why = Explanation(
                lexical=words,
                lexical_rank=int((lexical > words).sum()) + 1 if words > 0 else None,
                cosine=0.0 if place is None else float(near.best[place]),
                dense_rank=None if place is None else place + 1,
                link=links.get(number, 0.0),
                terms=found,
            )
            hits.append(Hit(self.database.entry(number), score, why))
        return tuple(hits)

    def _evidence(
        self,
        asked: Asked,
        postings: Postings,
        near: Near,
        first: Hit,
        number: int,
        links: Mapping[int, float],
    ) -> Evidence:
        at = np.flatnonzero(near.entries == number)
        cards = asked.reading.cards
        ruled = self.database.with_entries(cards)
        content = self.bag.vector(asked.content) if self.bag is not None else None
        return Evidence(
            pooled=float(near.pooled[at[0]]) if at.size else 0.0,
            content_cosine=first.explanation.cosine
            if content is None
            else self.dense.cosine(content, number),
            coverage=postings.coverage(number),
            likeness=self._lexical.likeness(asked.content, questions_of(first.entry)),
            missing=self._lexical.missing(asked.content, number),
            subject=float(first.entry.subject_id in {m.id for m in asked.reading.mentions}),
            elsewhere=float(bool(ruled) and first.entry.subject_id not in cards),
            nameless=float(not cards),
            length=float(np.log1p(len(asked.content))),
            rule=float(bool(asked.reading.rules) and links.get(number, 0.0) > 1.0),
        )


def _of_another_card(entry: Entry, reading: Reading) -> bool:
    """Whether an entry is a ruling about a card, and the question names only other cards."""
    about = {entry.subject_id, *entry.cards}
    return entry.subject_kind == "card" and bool(reading.cards) and not reading.cards & about


def _kind(first: Entry, reading: Reading) -> Literal["direct", "principle", "none"]:
    """What the first result is to the question. A ruling of another card is no answer: where a
    principle joins the two, that stands first (`Searcher._principle_first`)."""
    if first.kind == "principle":
        return "principle"
    return "none" if _of_another_card(first, reading) else "direct"


def _bag_of(generation: Generation) -> TermBag | None:
    """The query model made for a knowledge base's encoder, with the words of its documents."""
    bag = packaged_bag()
    if bag is None or bag.teacher != generation.manifest.encoder_identity:
        return None
    return bag.with_terms(generation.verified(TERMS)) if TERMS in generation.manifest.files else bag
