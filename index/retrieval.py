"""A question into ranked entries: words, meaning and named cards, fused and weighed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from saitei.index.bag import TERMS, TermBag, packaged_bag
from saitei.index.confidence import Evidence, load_calibration
from saitei.index.database import FILE as DATABASE
from saitei.index.database import Database
from saitei.index.dense import DenseIndex, Near
from saitei.index.encoder import Encoder, Vectors, load_encoder
from saitei.index.entries import RULE_PARENT, Entry, rule_id, rule_parents
from saitei.index.lexical import LexicalIndex, query_weights, terms
from saitei.index.store import Generation
from saitei.ingest.catalog import Catalog
from saitei.ingest.glossary import Expansion, expansions
from saitei.ingest.linking import link
from saitei.ingest.models import Mention
from saitei.ingest.tokenise import rule_numbers

MAX_QUERY = 1_000
"""Characters of a question; a story with everything in it is about 300."""

CANDIDATES = 100
"""Entries each of words and meaning puts forward."""
PASSAGES = 400
"""Nearest passages looked at: an entry has about six."""

LEXICAL_WEIGHT, DENSE_WEIGHT, LINK_WEIGHT = 0.8, 1.0, 0.1
RULE_LINK = 8.0
"""Of a link by rule number beside one by name: who types a number means it."""
GLOSSARY_WEIGHT = 0.5
"""Of the official wording beside the words as said."""


class QueryError(ValueError):
    """A question that cannot be searched; the message, in Japanese, says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was understood to name."""

    mentions: tuple[Mention, ...]
    expansions: tuple[Expansion, ...]
    rules: tuple[str, ...] = ()

    @property
    def links(self) -> dict[str, float]:
        """Link ids of all that is named, a rule's parent weaker than the rule."""
        links: dict[str, float] = {mention.id: 1.0 for mention in self.mentions}
        for number in self.rules:
            for parent in rule_parents(number):
                links[rule_id(parent)] = RULE_LINK * RULE_PARENT
        links.update((rule_id(number), RULE_LINK) for number in self.rules)
        return links


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


def check_query(query: str) -> str:
    """The question without surrounding white space. Raises `QueryError`."""
    text = query.strip()
    if not text:
        raise QueryError("質問が空です。")
    if "\0" in text:
        raise QueryError("質問に使えない文字（NUL）が含まれています。")
    if len(text) > MAX_QUERY:
        raise QueryError(f"質問が長すぎます（{len(text)}文字。上限は{MAX_QUERY}文字）。")
    if not re.search(r"\w", text):
        raise QueryError("質問に文字がありません（記号だけです）。")
    return text


class Searcher:
    """Searches one generation. Opening reads its files; a search touches no disk but SQLite's."""

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
        self._bag = _bag_of(generation)
        self._lexical = LexicalIndex.load(generation.path / "lexical")
        with np.load(generation.verified("dense.npz"), allow_pickle=False) as stored:
            self._dense = DenseIndex.load(
                generation.verified("dense.faiss"), stored["entry_of"], stored["query_mean"]
            )

    def read(self, query: str) -> Reading:
        """What the question names: cards, mechanics, and words the glossary knows."""
        return Reading(link(query, self.catalog), expansions(query), tuple(rule_numbers(query)))

    def search(self, query: str, limit: int = 10) -> Found:
        """The best ``limit`` entries for a question. Raises `QueryError`."""
        text = check_query(query)
        reading = self.read(text)
        weights = query_weights(text)
        official = query_weights(" ".join(e.official for e in reading.expansions))
        for term, weight in official.items():
            weights.setdefault(term, GLOSSARY_WEIGHT * weight)
        lexical = self._lexical.scores(weights)
        near = self._dense.near(self._vector(text), PASSAGES)
        links = self.database.linked(reading.links)
        ranked = _fuse(lexical, near, links)
        hits = tuple(
            Hit(
                self.database.entry(number),
                score,
                self._explain(number, weights, lexical, near, links),
            )
            for number, score in ranked[: max(limit, 2)]
        )
        evidence = self._evidence(weights, lexical, near, hits, ranked, reading)
        confidence = load_calibration().confidence(evidence) if evidence else 0.0
        kind: Literal["direct", "principle", "none"] = "none"
        if evidence and confidence >= load_calibration().threshold:
            kind = "principle" if hits[0].entry.kind == "principle" else "direct"
        return Found(text, kind, confidence, hits[:limit], reading, evidence)

    def _vector(self, text: str) -> Vectors:
        """The question in the centred passage space: by the distilled model where it was made for
        this knowledge base's encoder and knows a word, else by the encoder."""
        if self._bag is not None and (vector := self._bag.vector(terms(text))) is not None:
            return vector
        return self._dense.centred(self.encoder.encode_query([text])[0])

    def _explain(
        self,
        number: int,
        weights: Mapping[str, float],
        lexical: NDArray[np.float32],
        near: Near,
        links: Mapping[int, float],
    ) -> Explanation:
        at = np.flatnonzero(near.entries == number)
        score = float(lexical[number])
        return Explanation(
            lexical=score,
            lexical_rank=int((lexical > score).sum()) + 1 if score > 0 else None,
            cosine=float(near.best[at[0]]) if at.size else 0.0,
            dense_rank=int(at[0]) + 1 if at.size else None,
            link=links.get(number, 0.0),
            terms=self._lexical.matched(weights, number),
        )

    def _evidence(
        self,
        weights: Mapping[str, float],
        lexical: NDArray[np.float32],
        near: Near,
        hits: tuple[Hit, ...],
        ranked: list[tuple[int, float]],
        reading: Reading,
    ) -> Evidence | None:
        if not hits:
            return None
        first = hits[0]
        known, ideal = self._lexical.reach(weights)
        second = ranked[1][1] if len(ranked) > 1 else 0.0
        ranks = [r for r in (first.explanation.lexical_rank, first.explanation.dense_rank) if r]
        cards = {m.id for m in reading.mentions if m.kind == "card"}
        named = {m.id for m in reading.mentions}
        linked = {first.entry.subject_id, *first.entry.cards}
        return Evidence(
            cosine=float(near.best[0]) if len(near.best) else 0.0,
            coverage=first.explanation.lexical / ideal if ideal else 0.0,
            margin=first.score - second,
            agreement=1.0 / max(ranks) if len(ranks) == 2 else 0.0,
            subject=float(first.entry.subject_id in named),
            stranger=float(bool(cards) and not cards & linked),
            terms=known,
        )


def _bag_of(generation: Generation) -> TermBag | None:
    """The query model made for a knowledge base's encoder, with the words of its documents."""
    bag = packaged_bag()
    if bag is None or bag.teacher != generation.manifest.encoder_identity:
        return None
    return bag.with_terms(generation.verified(TERMS)) if TERMS in generation.manifest.files else bag


def _fuse(
    lexical: NDArray[np.float32],
    near: Near,
    links: Mapping[int, float],
) -> list[tuple[int, float]]:
    """(entry, score), best first: a weighted sum over the union of candidates.

    Lexical scores are divided by the question's best, since BM25 grows with the question's length;
    cosines are comparable as they are.
    """
    count = min(CANDIDATES, len(lexical))
    top = np.argpartition(-lexical, count - 1)[:count] if count else np.empty(0, np.int64)
    top = top[lexical[top] > 0]
    best = float(lexical[top].max()) if len(top) else 1.0
    linked = np.array(sorted(links, key=lambda n: (-links[n], n))[:CANDIDATES], np.int64)
    together = np.concatenate([top, near.entries[:CANDIDATES], linked])
    candidates = np.unique(together.astype(np.int64))
    cosine_of = dict(zip(near.entries.tolist(), near.pooled.tolist(), strict=True))
    scores = [
        (
            int(number),
            LEXICAL_WEIGHT * float(lexical[number]) / best
            + DENSE_WEIGHT * cosine_of.get(int(number), 0.0)
            + LINK_WEIGHT * links.get(int(number), 0.0),
        )
        for number in candidates
    ]
    return sorted(scores, key=lambda item: (-item[1], item[0]))
