"""Measures what speaks for each of the first few entries of a search (`saitei.index.features`)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from saitei.index.bag import TermBag
from saitei.index.classifier import LEAST, Classifier, Judgement
from saitei.index.dense import DenseIndex, Near
from saitei.index.encoder import Vectors
from saitei.index.entries import Entry
from saitei.index.features import (
    FEATURES,
    NEAREST,
    OF_CANDIDATE,
    RELATIVE,
    RIVALS,
    Matrix,
    Measured,
    OfCandidate,
    OfQuestion,
)
from saitei.index.lexical import LexicalIndex, Postings, plain_words
from saitei.index.question import Asked
from saitei.index.unanswered import UnansweredIndex
from saitei.index.wordlists import Numbers, WordLists

MEANT = 5
"""Cosines of a candidate of which the mean is taken."""
_RANK_LIMIT = 40
_NONE = -0.3
"""Cosine with the nearest of no questions."""
_REMEMBERED = 5_000
"""Entries whose distinct words are kept."""


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
    classifier: Classifier

    def classes(self, entries: Sequence[Entry]) -> NDArray[np.int64]:
        """Column of the class of each entry, -1 where it has none."""
        known = self.classifier.classes
        return np.array([known.get(entry.answers_as or "", -1) for entry in entries], np.int64)

    def rows(self, words: Numbers) -> Numbers:
        found = self.row_of[words]
        return found[found >= 0]

    @cached_property
    def distinct(self) -> Callable[[int], Numbers]:
        """The distinct words of an entry's passages, as rows of the query model, not to be
        written to."""
        # Of its parts and not of itself, which would keep a generation alive that is replaced.
        dense, words, row_of = self.dense, self.words, self.row_of

        @lru_cache(maxsize=_REMEMBERED)
        def words_of(entry: int) -> Numbers:
            [(first, last)] = dense.spans([entry])
            rows = np.unique(row_of[words.span(first, last)])
            rows = rows[rows >= 0]
            rows.flags.writeable = False
            return rows

        return words_of

    def vectors(self, rows: NDArray[np.integer]) -> Vectors:
        """Unit vectors of words by their rows, in few dimensions."""
        if self.bag is None:
            return np.zeros((len(rows), 1), np.float32)
        return np.take(self.bag.reduced, rows, axis=0)


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
    if not entries:
        return Measured(np.empty((0, len(FEATURES)), np.float32), sources.rows(asked.known), (), ())
    passages = _passages(search, sources, len(entries))
    judged = sources.classifier.judge(search.asked.terms)
    candidates = _of_candidates(search, entries, sources, asked, passages, judged)
    own = np.stack(candidates, 1, dtype=np.float32)
    lead = own[:, [OF_CANDIDATE.index(name) for name in RELATIVE]]
    shared = np.array([_of_question(search, sources, asked, judged)] * len(entries), np.float32)
    return Measured(
        np.hstack([own, lead - _best_other(lead), shared]),
        sources.rows(asked.known),
        tuple(sources.rows(sources.words.together(texts)) for texts in passages.nearest()),
        tuple(sources.rows(sources.words.together(texts)) for texts in passages.answers()),
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
class _Passages:
    """The passages of all candidates, one row each, padded to the longest: their ``texts``, shape
    ``(candidates, longest)``, -1 for padding; whether each ``is_question``; ``cosines`` with the
    question and with its content, shape ``(candidates, longest, 2)``, -2 for padding. Every
    candidate has a passage."""

    texts: NDArray[np.int64]
    is_question: NDArray[np.bool_]
    cosines: Matrix

    @property
    def there(self) -> NDArray[np.bool_]:
        return self.texts >= 0

    def nearest(self) -> list[list[int]]:
        """Each candidate's questions nearest to the one asked, at most `NEAREST`."""
        cosines = np.where(self.is_question, self.cosines[:, :, 0], np.float32(-2))
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST]
        texts = np.take_along_axis(self.texts, order, 1)
        asks = np.take_along_axis(self.is_question, order, 1)
        return [row[known].tolist() for row, known in zip(texts, asks, strict=True)]

    def answers(self) -> list[list[int]]:
        """The first passage of each candidate that is no question, if any."""
        others = self.there & ~self.is_question
        first = others.argmax(axis=1)
        rows = np.arange(len(first))
        return [
            [text] if known else []
            for text, known in zip(
                self.texts[rows, first].tolist(), others[rows, first].tolist(), strict=True
            )
        ]

    def likeness(self, sources: Sources, asked: "_Words") -> Matrix:
        """Of the content's words and each candidate's passage most like it: of its questions, where
        it has any."""
        there = self.there
        known = np.zeros(there.shape, np.float32)
        rarity = sources.lexical.rarities
        known[there] = sources.words.likeness(asked.known, asked.weight, rarity, self.texts[there])
        asks = np.logical_or.reduce(self.is_question, axis=1, keepdims=True)
        known[~self.is_question & asks] = 0.0
        best: Matrix = known.max(axis=1)
        return best

    def spread(self) -> tuple[Matrix, Matrix]:
        """Of each candidate's cosines the first three, where there are fewer the last of them, and
        the mean of the first five; shapes ``(candidates, 3, 2)`` and ``(candidates, 2)``."""
        counts = self.there.sum(axis=1)
        first = np.sort(self.cosines, axis=1)[:, : -MEANT - 1 : -1]
        rows = np.arange(len(counts))[:, np.newaxis]
        three = first[rows, np.minimum(np.arange(3), counts[:, np.newaxis] - 1)]
        used = np.minimum(counts, MEANT)
        counted = np.arange(first.shape[1]) < used[:, np.newaxis]
        return three, (first * counted[:, :, np.newaxis]).sum(axis=1) / used[:, np.newaxis]


def _passages(search: Search, sources: Sources, count: int) -> _Passages:
    spans = sources.dense.spans([number for number, _ in search.ranked[:count]])
    first, last = np.array(spans).T[:, :, np.newaxis]
    texts = first + np.arange((last - first).max())
    there = texts < last
    texts[~there] = -1
    cosines = np.full((*texts.shape, 2), -2.0, np.float32)
    cosines[there] = sources.dense.rows(spans) @ search.vectors.T
    return _Passages(texts, sources.is_question[texts] & (texts >= 0), cosines)


def _of_candidates(
    search: Search,
    entries: Sequence[Entry],
    sources: Sources,
    asked: _Words,
    passages: _Passages,
    judged: Judgement,
) -> OfCandidate:
    """Every feature of all candidates at once: each field has shape ``(candidates,)``."""
    reading = search.asked.reading
    numbers = [number for number, _ in search.ranked[: len(entries)]]
    lexical = search.lexical[numbers]
    rank = (search.lexical[np.newaxis, :] > lexical[:, np.newaxis]).sum(axis=1) + 1
    dense_place = {number: place for place, number in enumerate(search.near.entries.tolist())}
    dense = np.array([dense_place.get(number, -1) for number in numbers])
    found = dense >= 0
    pooled = search.near.pooled[dense] if len(search.near.pooled) else np.zeros(len(dense))
    near = _near(sources, asked, numbers)
    rarity = sources.lexical.rarities[asked.readable]
    three, mean = passages.spread()
    named = {mention.id for mention in reading.mentions}
    size = passages.there.sum(axis=1)
    classes = sources.classes(entries)
    share = np.full(len(entries), LEAST, np.float32)
    share[classes >= 0] = judged.shares[classes[classes >= 0]]

    def flags(values: Iterable[bool]) -> Matrix:
        return np.fromiter(values, np.float32, len(entries))

    return OfCandidate(
        fused=np.array([score for _, score in search.ranked[: len(entries)]]),
        lexical=lexical,
        lexical_share=lexical / (lexical.max() or 1.0),
        lexical_rank=np.where(lexical > 0, np.minimum(rank, _RANK_LIMIT), _RANK_LIMIT),
        coverage=lexical / (search.postings.ideal or np.inf),
        likeness=passages.likeness(sources, asked),
        missing=sources.lexical.missing(search.asked.content, numbers),
        covered=near @ rarity / (asked.weight or np.inf),
        least_covered=((1 - near) * rarity).max(axis=1, initial=0.0),
        pooled=np.where(found, pooled, 0.0),
        dense_rank=np.where(found, np.minimum(dense + 1, _RANK_LIMIT), _RANK_LIMIT),
        nearest=three[:, 0, 0],
        second=three[:, 1, 0],
        third=three[:, 2, 0],
        mean5=mean[:, 0],
        content_nearest=three[:, 0, 1],
        content_second=three[:, 1, 1],
        content_mean5=mean[:, 1],
        linked=np.array([min(1.0, search.links.get(number, 0.0)) for number in numbers]),
        subject=flags(entry.subject_id in named for entry in entries),
        elsewhere=flags(
            bool(search.ruled) and entry.subject_id not in reading.cards for entry in entries
        ),
        other_card=flags(is_of_another_card(entry, reading.cards) for entry in entries),
        principle=flags(entry.kind == "principle" for entry in entries),
        mechanic=flags(entry.subject_kind == "mechanic" for entry in entries),
        passages=np.log(size),
        classified=np.where(classes >= 0, share - judged.none, 0.0),
        class_share=share,
        classless=flags(column < 0 for column in classes),
    )


def _near(sources: Sources, asked: _Words, entries: Sequence[int]) -> Matrix:
    """Cosine of each readable word of the content with the nearest word of each of ``entries``,
    shape ``(entries, words)``; -1 where there is no word. They are mostly about one card and share
    their words, so that each is compared once."""
    near = np.full((len(entries), len(asked.readable)), -1.0, np.float32)
    words = [sources.distinct(entry) for entry in entries]
    counts = np.array([len(one) for one in words])
    told = np.flatnonzero(counts)
    if not near.size or not len(told):
        return near
    together = np.concatenate(words)
    # As np.unique does with its inverse, without sorting.
    place = np.zeros(together.max() + 1, np.int32)
    place[together] = 1
    distinct = np.flatnonzero(place)
    place[distinct] = np.arange(len(distinct))
    similar = sources.vectors(distinct) @ asked.vectors.T
    starts = np.cumsum(counts[told]) - counts[told]
    near[told] = np.maximum.reduceat(similar[place[together]], starts, axis=0)
    return near


def is_of_another_card(entry: Entry, cards: Collection[str]) -> bool:
    """Whether an entry is a ruling about a card, and only other ``cards`` were asked about."""
    about = {entry.subject_id, *entry.cards}
    return entry.subject_kind == "card" and bool(cards) and about.isdisjoint(cards)


def _best_other(values: Matrix) -> Matrix:
    """For each row, the largest value of every column among the other rows; 0 for a single row."""
    if len(values) < 2:
        return np.zeros_like(values)
    order = np.argsort(-values, axis=0, kind="stable")
    top = np.take_along_axis(values, order[:1], 0)
    others = np.repeat(top, len(values), axis=0)
    np.put_along_axis(others, order[:1], np.take_along_axis(values, order[1:2], 0), 0)
    return others


def _of_question(search: Search, sources: Sources, asked: _Words, judged: Judgement) -> OfQuestion:
    reading, rivals = search.asked.reading, sources.unanswered
    nearest = mean3 = _NONE
    likeness = 0.0
    if len(rivals):
        cosines, rows = rivals.nearest(search.vectors[:1], RIVALS)
        nearest, mean3 = float(cosines[0, 0]), float(cosines[0, :3].mean())
        rarity = sources.lexical.rarities
        alike = rivals.words.likeness(asked.known, asked.weight, rarity, rows[0])
        likeness = float(alike.max())
    return OfQuestion(
        unanswered_nearest=nearest,
        unanswered_mean3=mean3,
        unanswered_likeness=likeness,
        nameless=float(not reading.cards),
        cards=len(reading.cards),
        ruled=len(search.ruled),
        mechanics=sum(mention.kind != "card" for mention in reading.mentions),
        length=float(np.log1p(len(search.asked.content))),
        latin=sum(char.isascii() for char in search.asked.text) / len(search.asked.text),
        class_none=judged.none,
    )
