"""What speaks for each of the first few entries of a search, measured for `saitei.index.ranker`.

Numbers alone do not tell a ruling that answers from its siblings, so the words of the question, of
the entry's questions nearest to it and of its answer are handed on as well.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from saitei.index.bag import TermBag
from saitei.index.dense import DenseIndex, Near
from saitei.index.encoder import Vectors
from saitei.index.entries import Entry
from saitei.index.lexical import LexicalIndex, Postings, plain_words
from saitei.index.question import Asked
from saitei.index.unanswered import UnansweredIndex
from saitei.index.wordlists import Numbers, WordLists

WEIGHED = 8
"""Entries weighed against each other: 97 of 100 questions have theirs among so many."""
NEAREST = 2
"""Questions of an entry whose words are compared."""
RIVALS = 8
"""Unanswered questions whose words are compared."""


class OfCandidate(NamedTuple):
    """What is measured of one candidate. "Content" is the question without the cards it names;
    cosines are with the candidate's passages."""

    fused: float
    lexical: float
    lexical_share: float
    """Of the best among the candidates."""
    lexical_rank: float
    coverage: float
    """The BM25 score over that of an entry that has every term at its best, 0 to 1."""
    likeness: float
    """Of the content's words and the candidate's question most like it (`WordLists.likeness`)."""
    missing: float
    """Rarity of the rarest word of the content that it does not have, 0 to 1."""
    covered: float
    """How near the content's words are to their nearest in it, by rarity."""
    least_covered: float
    """Rarity of the word that is farthest, times how far."""
    pooled: float
    dense_rank: float
    nearest: float
    second: float
    third: float
    mean5: float
    content_nearest: float
    content_second: float
    content_mean5: float
    linked: float
    subject: float
    """1 when its subject is named."""
    elsewhere: float
    """1 when a card with rulings is named, and it is about none such."""
    other_card: float
    principle: float
    mechanic: float
    passages: float
    """Logarithm of their number."""


RELATIVE = (
    "fused",
    "lexical",
    "coverage",
    "likeness",
    "missing",
    "covered",
    "least_covered",
    "pooled",
    "nearest",
    "mean5",
    "content_nearest",
    "content_mean5",
)
"""These are given once more as the distance from the best of the other candidates."""


class OfQuestion(NamedTuple):
    """What is measured of a question. "Unanswered": cosines with questions known to have no answer;
    "own": those about a card or mechanic named."""

    unanswered_nearest: float
    unanswered_mean3: float
    unanswered_content: float
    unanswered_likeness: float
    unanswered_own: float
    unanswered_own_content: float
    nameless: float
    """1 when no card is named."""
    cards: float
    ruled: float
    """Cards named that have rulings."""
    mechanics: float
    length: float
    latin: float
    """Share of ASCII characters."""


OF_CANDIDATE = OfCandidate._fields
FEATURES = (*OF_CANDIDATE, *(f"{name}_lead" for name in RELATIVE), *OfQuestion._fields)

_RANK_LIMIT = 40
_NONE = -0.3
"""Cosine with the nearest of no questions."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Measured:
    """Candidates of one question. ``features``: shape ``(candidates, len(FEATURES))``. The words,
    rows of the query model, are those of the question's content and, for each candidate, of its
    questions nearest to it and of its answer."""

    features: Matrix
    question: Numbers
    asked: tuple[Numbers, ...]
    answer: tuple[Numbers, ...]


@dataclass(frozen=True)
class Sources:
    """The parts of an opened generation that are measured with."""

    lexical: LexicalIndex
    dense: DenseIndex
    words: WordLists
    is_question: NDArray[np.bool_]
    """Whether a passage is a question; shape ``(passages,)``."""
    unanswered: UnansweredIndex
    bag: TermBag | None
    """The query model that words are read by."""
    row_of: Numbers
    """Row of the query model of each term of the lexical index, -1 where it has none."""

    def rows(self, words: Numbers) -> Numbers:
        found = self.row_of[words]
        return found[found >= 0]

    def vectors(self, rows: Numbers) -> Vectors:
        """Unit vectors of words by their rows."""
        if self.bag is None:
            return np.zeros((len(rows), 1), np.float32)
        return self.bag.units[rows]


@dataclass(frozen=True)
class Search:
    """One question and what was found for it: the fused order, and what it was made from."""

    asked: Asked
    vectors: Vectors
    """Of the question, and of it without the cards it names; shape ``(2, dim)``."""
    ranked: Sequence[tuple[int, float]]
    postings: Postings
    lexical: Matrix
    near: Near
    links: Mapping[int, float]
    ruled: frozenset[str]
    """Cards asked about that have rulings."""


def row_numbers(bag: TermBag | None, lexical: LexicalIndex) -> Numbers:
    """`Sources.row_of` for a query model."""
    rows: Mapping[str, int] = {} if bag is None else bag.rows
    return np.array([rows.get(term, -1) for term in lexical.vocabulary], np.int32)


def measure(search: Search, entries: Sequence[Entry], sources: Sources) -> Measured:
    """Measure ``entries``, the first of ``search.ranked`` in order."""
    asked = _asked_words(search, sources)
    near = _nearness(search, sources, asked, len(entries))
    found = [
        _measure_one(search, sources, asked, near, place, entry)
        for place, entry in enumerate(entries)
    ]
    own = np.array([one.features for one in found], np.float32)
    own = own.reshape(len(found), len(OF_CANDIDATE))
    lead = own[:, [OF_CANDIDATE.index(name) for name in RELATIVE]]
    shared = np.array([_of_question(search, sources, asked)] * len(found), np.float32)
    shared = shared.reshape(len(found), len(OfQuestion._fields))
    return Measured(
        np.hstack([own, lead - _best_other(lead), shared]),
        sources.rows(asked.known),
        tuple(one.asked for one in found),
        tuple(one.answer for one in found),
    )


@dataclass(frozen=True, slots=True)
class _Words:
    """The content words of a question. ``known`` and ``readable``: numbers of those in the lexical
    index, and of those among them that the query model has ``vectors`` for; ``weight``: the rarity
    of all together."""

    known: Numbers
    readable: Numbers
    vectors: Vectors
    weight: float


def _asked_words(search: Search, sources: Sources) -> _Words:
    number = sources.lexical.vocabulary
    content = plain_words(search.asked.content)
    known = np.array([number[word] for word in content if word in number], np.int32)
    readable = known[sources.row_of[known] >= 0]
    unknown = sources.lexical.rarest_word * (len(content) - len(known))
    weight = float(sources.lexical.rarities[known].sum()) + unknown
    return _Words(known, readable, sources.vectors(sources.row_of[readable]), weight)


@dataclass(frozen=True, slots=True)
class _Nearness:
    """What is measured of all candidates at once.

    ``spans``: their passages; ``cosines`` of these with the question and its content, shape
    ``(passages, 2)``; ``first``: where each candidate's begin in it; ``likeness`` of the content's
    words, the best of each candidate; ``missing``, ``lexical`` and ``lexical_rank`` of each;
    ``dense_place``: where a found entry stands by meaning.
    """

    spans: Sequence[tuple[int, int]]
    cosines: Matrix
    first: Sequence[int]
    likeness: Sequence[float]
    missing: Sequence[float]
    lexical: Sequence[float]
    lexical_rank: Sequence[int]
    dense_place: Mapping[int, int]


def _nearness(search: Search, sources: Sources, asked: _Words, count: int) -> _Nearness:
    numbers = [number for number, _ in search.ranked[:count]]
    spans = [sources.dense.span(number) for number in numbers]
    rows = [sources.dense.rows(first, last) for first, last in spans]
    vectors = np.concatenate([np.empty((0, search.vectors.shape[1]), np.float32), *rows])
    first = np.cumsum([0, *(len(one) for one in rows)])[:-1]
    texts = np.concatenate([np.empty(0, np.int64), *(np.arange(*span) for span in spans)])
    likeness = sources.words.likeness(asked.known, asked.weight, sources.lexical.rarities, texts)
    # Of an entry with questions these alone are compared.
    is_question = sources.is_question[texts]
    asks = np.logical_or.reduceat(is_question, first) if count else is_question
    likeness[~is_question & np.repeat(asks, [len(one) for one in rows])] = 0.0
    lexical = search.lexical[numbers]
    return _Nearness(
        spans,
        vectors @ search.vectors.T,
        first.tolist(),
        np.maximum.reduceat(likeness, first).tolist() if count else (),
        sources.lexical.missing(search.asked.content, numbers).tolist(),
        lexical.tolist(),
        ((search.lexical[np.newaxis, :] > lexical[:, np.newaxis]).sum(axis=1) + 1).tolist(),
        {number: place for place, number in enumerate(search.near.entries.tolist())},
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    features: OfCandidate
    asked: Numbers
    answer: Numbers


def _measure_one(
    search: Search, sources: Sources, asked: _Words, nearness: _Nearness, place: int, entry: Entry
) -> _Candidate:
    number, score = search.ranked[place]
    rarity, cards = sources.lexical.rarities, search.asked.reading.cards
    first, last = nearness.spans[place]
    start = nearness.first[place]
    cosines = nearness.cosines[start : start + last - first]
    is_question = sources.is_question[first:last]
    questions, others = first + np.flatnonzero(is_question), first + np.flatnonzero(~is_question)
    nearest = questions[np.argsort(-cosines[is_question, 0], kind="stable")][:NEAREST]
    there = sources.rows(np.unique(sources.words.span(first, last)))
    near = np.full(len(asked.readable), -1.0, np.float32)
    if len(there) and len(near):
        near = (asked.vectors @ sources.vectors(there).T).max(axis=1)
    words, best = nearness.lexical[place], max(nearness.lexical)
    dense = nearness.dense_place.get(number)
    whole, content = np.sort(cosines, axis=0)[::-1].T
    nearest_three, content_three = _spread(whole), _spread(content)
    features = OfCandidate(
        fused=score,
        lexical=words,
        lexical_share=words / best if best else 0.0,
        lexical_rank=min(_RANK_LIMIT, nearness.lexical_rank[place]) if words else _RANK_LIMIT,
        coverage=words / search.postings.ideal if search.postings.ideal else 0.0,
        likeness=nearness.likeness[place],
        missing=nearness.missing[place],
        covered=float(near @ rarity[asked.readable]) / asked.weight if asked.weight else 0.0,
        least_covered=float(((1 - near) * rarity[asked.readable]).max(initial=0.0)),
        pooled=0.0 if dense is None else float(search.near.pooled[dense]),
        dense_rank=_RANK_LIMIT if dense is None else min(_RANK_LIMIT, dense + 1),
        nearest=nearest_three[0],
        second=nearest_three[1],
        third=nearest_three[2],
        mean5=float(whole[:5].mean()),
        content_nearest=content_three[0],
        content_second=content_three[1],
        content_mean5=float(content[:5].mean()),
        linked=min(1.0, search.links.get(number, 0.0)),
        subject=float(entry.subject_id in {named.id for named in search.asked.reading.mentions}),
        elsewhere=float(bool(search.ruled) and entry.subject_id not in cards),
        other_card=float(is_of_another_card(entry, cards)),
        principle=float(entry.kind == "principle"),
        mechanic=float(entry.subject_kind == "mechanic"),
        passages=float(np.log(last - first)),
    )
    return _Candidate(
        features,
        sources.rows(_together(sources.words, nearest.tolist())),
        sources.rows(_together(sources.words, others[:1].tolist())),
    )


def is_of_another_card(entry: Entry, cards: Collection[str]) -> bool:
    """Whether an entry is a ruling about a card, and only other ``cards`` were asked about."""
    about = {entry.subject_id, *entry.cards}
    return entry.subject_kind == "card" and bool(cards) and about.isdisjoint(cards)


def _together(words: WordLists, texts: Sequence[int]) -> Numbers:
    return np.concatenate([np.empty(0, np.int32), *(words[text] for text in texts)])


def _spread(cosines: Vectors) -> list[float]:
    """The first three of sorted cosines; the last stands in for what is not there."""
    return [float(cosines[min(place, len(cosines) - 1)]) for place in range(3)]


def _best_other(values: Matrix) -> Matrix:
    """For each row, the largest value of every column among the other rows; 0 for a single row."""
    if len(values) < 2:
        return np.zeros_like(values)
    order = np.argsort(-values, axis=0, kind="stable")
    top = np.take_along_axis(values, order[:1], 0)
    others = np.repeat(top, len(values), axis=0)
    np.put_along_axis(others, order[:1], np.take_along_axis(values, order[1:2], 0), 0)
    return others


def _largest(values: Vectors, count: int) -> NDArray[np.int64]:
    """Places of the ``count`` largest, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(-values, count - 1)[:count]


def _of_question(search: Search, sources: Sources, asked: _Words) -> OfQuestion:
    reading, rivals = search.asked.reading, sources.unanswered
    nearest = mean3 = content_nearest = own_nearest = own_content = _NONE
    likeness = 0.0
    if len(rivals.vectors):
        whole, content = rivals.vectors @ search.vectors[0], rivals.vectors @ search.vectors[1]
        near, alike = _largest(whole, RIVALS), _largest(content, RIVALS)
        nearest = float(whole[near].max())
        mean3 = float(np.sort(whole[near])[-3:].mean())
        content_nearest = float(content[alike].max())
        texts = np.concatenate([near, alike])
        rarity = sources.lexical.rarities
        likeness = float(rivals.words.likeness(asked.known, asked.weight, rarity, texts).max())
        own = rivals.own({mention.id for mention in reading.mentions})
        if len(own):
            own_nearest, own_content = float(whole[own].max()), float(content[own].max())
    return OfQuestion(
        unanswered_nearest=nearest,
        unanswered_mean3=mean3,
        unanswered_content=content_nearest,
        unanswered_likeness=likeness,
        unanswered_own=own_nearest,
        unanswered_own_content=own_content,
        nameless=float(not reading.cards),
        cards=len(reading.cards),
        ruled=len(search.ruled),
        mechanics=sum(mention.kind != "card" for mention in reading.mentions),
        length=float(np.log1p(len(search.asked.content))),
        latin=sum(char.isascii() for char in search.asked.text) / len(search.asked.text),
    )
