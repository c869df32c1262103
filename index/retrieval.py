"""A question into ranked entries: words, meaning and named cards, fused and weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from saitei.index.bag import MANIFEST, TERMS, TermBag, packaged_bag
from saitei.index.classifier import FILE as CLASSIFIER
from saitei.index.classifier import Classifier, load_classifier
from saitei.index.database import FILE as DATABASE
from saitei.index.database import Database
from saitei.index.dense import DenseIndex
from saitei.index.encoder import Encoder, EncoderError, Vectors, load_encoder
from saitei.index.entries import Entry
from saitei.index.features import FEATURES, WEIGHED, Measured
from saitei.index.fusion import fuse
from saitei.index.lexical import LexicalIndex, plain_words, terms
from saitei.index.measuring import (
    Search,
    Sources,
    is_of_another_card,
    measure,
    row_numbers,
)
from saitei.index.outcome import AnswerKind, Refusal
from saitei.index.question import (
    MAX_QUERY,
    QueryError,
    Reading,
    ask,
    check_query,
    read_question,
)
from saitei.index.ranker import load_ranker, probability
from saitei.index.store import Generation
from saitei.index.unanswered import FILE as UNANSWERED
from saitei.index.unanswered import UnansweredIndex
from saitei.index.wordlists import WordLists
from saitei.ingest.catalog import Catalog

__all__ = ["MAX_QUERY", "Found", "Hit", "QueryError", "Reading", "Searcher", "check_query"]

CLOSE = 1.5
"""Distance of scores (logarithms of odds) within which a hit contends with the first: it is then
at least a fifth as likely to answer. Of the answers to development questions one in sixteen has
such hits; of 24 that are wrong first, 13 have a right one beside."""
SAME = 1.5
"""Distance of scores within which a ruling is preferred to the principle it is an instance of."""
UNDERSTOOD = 0.4
"""Share of a question's words, by rarity, that the knowledge base must know at all: the ranker sees
those it knows alone, and 夜の散歩 is to it a question about the night."""
FEW_WORDS, ALIKE, SURE = 2, 0.75, 0.97
"""A question of so few words that names no card with rulings (呪いはいつ？) says little. It is
answered where a known question is that much like it (`WordLists.likeness`), or, if it is more than
one word, with at least that confidence."""
UNNAMED = 0.9
"""The least confidence with which a ruling on a card answers a question that names no card: whoever
asks of play in general is not told about one card's exception. Of 104 development questions that
such a ruling answers rightly one is refused by it, of 6 answered wrongly two; of eight that someone
else found misleading, six."""
LIKENESS = FEATURES.index("likeness")
PASSAGES = 400
"""Nearest passages looked at: an entry of ours has about forty."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an entry stands where it does: ranks count from 1, None where it was not found.

    ``features``: what was measured for the ranker, by names of `saitei.index.features`; empty for
    an entry that was not weighed.
    """

    lexical: float
    lexical_rank: int | None
    cosine: float
    dense_rank: int | None
    link: float
    terms: Mapping[str, float]
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Hit:
    """One found entry; ``score`` orders the hits of one question and means nothing beyond.

    ``probability``: that it, rather than nothing here, answers the question; 0 for an entry that
    was not weighed. ``explanation``: where it was asked for.
    """

    entry: Entry
    score: float
    probability: float
    explanation: Explanation | None


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a search. ``hits`` are filled even when the question counts as unanswered;
    ``refused`` says then why. ``needed``: the least confidence with which the first answers, where
    nothing else speaks against it."""

    query: str
    kind: AnswerKind
    confidence: float
    hits: tuple[Hit, ...]
    reading: Reading
    refused: Refusal | None
    needed: float

    @property
    def answered(self) -> bool:
        return self.kind != "none"

    @property
    def contenders(self) -> tuple[Hit, ...]:
        """The first hit and up to two that stand so close behind it that they may be meant too;
        where there is more than one, they should be offered side by side. A principle and its
        instance say the same and do not contend."""
        if not self.hits:
            return ()
        first, *others = self.hits[:3]
        close = (hit for hit in others if first.score - hit.score < CLOSE)
        return (first, *(hit for hit in close if not _is_instance(first.entry, hit.entry)))


class Searcher:
    """Searches one generation. Opening reads its files; a search touches no disk but SQLite's.

    ``bag`` turns questions into vectors; where it is None, the passage encoder does. With the
    classifier of a rehearsal, ``rehearsing``, results stand in the fused order and nothing is
    answered: so the ranker's own examples are made. Raises `StoreError` when a file is not as it
    was written, ``KanaError`` for the kana dictionary, `EncoderError` for a model that cannot be
    loaded (the passage encoder: at the first search that needs it).
    """

    def __init__(
        self,
        generation: Generation,
        catalog: Catalog,
        encoder: Encoder | None = None,
        rehearsing: Classifier | None = None,
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
                generation.verified("dense.faiss"),
                float(stored["step"]),
                stored["entry_of"],
                stored["query_mean"],
            )
            words = WordLists(stored["words"], stored["word_ends"])
            is_question = stored["is_question"]
        # Words are read by the packaged model even where another encoder finds by meaning.
        reader = self.bag or packaged_bag()
        if rehearsing is None and reader is None:
            raise EncoderError(f"{MANIFEST}: 質問用のモデルがありません。")
        self.ranker = None if rehearsing or reader is None else load_ranker(reader)
        classifier = rehearsing or load_classifier()
        if self.ranker and self.ranker.settings.inputs != classifier.inputs:
            raise EncoderError(
                f"{CLASSIFIER}: 順位付けのモデルと一緒に作られたものではありません。"
            )
        self._sources = Sources(
            self._lexical,
            self.dense,
            words,
            is_question,
            UnansweredIndex.load(generation.verified(UNANSWERED)),
            reader,
            row_numbers(reader, self._lexical),
            classifier,
        )
        # Opens the kana dictionary, or says that it cannot be opened.
        self.read("かな")

    def read(self, query: str) -> Reading:
        """What the question names: cards, mechanics, rules, and words the glossary knows."""
        return read_question(query, self.catalog)

    def search(self, query: str, limit: int = 10, explain: bool = False) -> Found:
        """The best ``limit`` entries for a question, with reasons if ``explain``. Raises
        `QueryError`."""
        found, entries, measured = self.measure(query)
        reading = found.asked.reading
        if not entries or self.ranker is None:
            # Nothing is found, or nothing weighs it: no confidence would do.
            hits = self._hits(found.ranked[:limit], found, {}, {} if explain else None)
            why = self._unclear(found, 0.0, 0.0) or "unsure"
            return Found(found.asked.text, "none", 0.0, hits, reading, why, 1.0)
        scores = self.ranker.scores(measured).tolist()
        numbers = [number for number, _ in found.ranked[: len(entries)]]
        ranked = self._weighed(found, scores)
        confidence = self._confidence(ranked[0], dict(zip(numbers, scores, strict=True)))
        first = self.database.entry(ranked[0][0])
        needed = self.ranker.settings.needed(first.kind)
        unnamed = not reading.cards and not reading.rules
        if unnamed and first.kind == "ruling" and first.subject_kind == "card":
            needed = max(needed, UNNAMED)
        if reading.rules and found.links.get(ranked[0][0], 0.0) > 1.0:
            confidence = max(confidence, needed)
        weighed = {number: probability(score) for number, score in ranked if number in numbers}
        weighed[ranked[0][0]] = confidence
        features = dict(zip(numbers, measured.features.tolist(), strict=True))
        hits = self._hits(ranked[:limit], found, weighed, features if explain else None)
        likeness = features.get(ranked[0][0], [0.0] * len(FEATURES))[LIKENESS]
        refused: Refusal | None = self._unclear(found, likeness, confidence)
        if refused is None and first.kind == "ruling" and is_of_another_card(first, reading.cards):
            # No answer: where a principle joins the two cards, that stands first.
            refused = "other-card"
        if refused is None and confidence < needed:
            refused = "unsure"
        kind: AnswerKind = "principle" if first.kind == "principle" else "direct"
        if refused is not None:
            kind = "none"
        return Found(found.asked.text, kind, confidence, hits, reading, refused, needed)

    def _unclear(self, found: Search, likeness: float, confidence: float) -> Refusal | None:
        """What keeps a question from being answered whatever was found for it; ``likeness``: to the
        first result. None where it says enough, of what is known here."""
        asked, reading = found.asked, found.asked.reading
        if reading.penalty:
            return "penalty"
        if not asked.says_something:
            return "few-words"
        if reading.rules:
            return None
        if self._lexical.known_share(asked.content) < UNDERSTOOD:
            return "unknown-words"
        words = len(plain_words(asked.content))
        if words > FEW_WORDS or found.ruled or likeness >= ALIKE:
            return None
        return None if words > 1 and confidence >= SURE else "few-words"

    def _weighed(self, found: Search, scores: Sequence[float]) -> list[tuple[int, float]]:
        """Entries by the ranker's ``scores`` of the first of them, the others behind."""
        reading = found.asked.reading
        front = [(number, score) for (number, _), score in zip(found.ranked, scores, strict=False)]
        if reading.rules:
            # Who types a rule number is shown who cites it, as firmly as it is cited.
            lowest = np.minimum.accumulate([score for _, score in front]).tolist()
            front = [(number, score) for (number, _), score in zip(front, lowest, strict=True)]
        else:
            front.sort(key=lambda pair: -pair[1])
        least, last = front[-1][1], found.ranked[len(front) - 1][1]
        behind = [(number, least - (last - score)) for number, score in found.ranked[len(front) :]]
        return self._ruling_first(self._principle_first(front + behind, reading), reading)

    def measure(self, query: str) -> tuple[Search, list[Entry], Measured]:
        """What was found for a question before it is ranked: the search, its first `WEIGHED`
        entries, and what was measured for them. Raises `QueryError`."""
        text = check_query(query)
        asked = ask(text, self.read(text))
        postings = self._lexical.look_up(asked.weights)
        lexical = postings.totals()
        vector = self._vector(asked.text, asked.terms)
        near = self.dense.near(vector, PASSAGES)
        links = self.database.linked(asked.reading.links)
        ranked = self._principle_first(fuse(lexical, near, links), asked.reading)
        content = None if self.bag is None else self.bag.vector(asked.content)
        ruled = self.database.with_entries(asked.reading.cards)
        search = Search(
            asked,
            np.stack([vector, vector if content is None else content]),
            ranked,
            postings,
            lexical,
            near,
            links,
            ruled,
        )
        entries = [self.database.entry(number) for number, _ in ranked[:WEIGHED]]
        return search, entries, measure(search, entries, self._sources)

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
        if not is_of_another_card(first, reading.cards) or first.note is None:
            return ranked
        numbers = {self.database.entry_number(name) for name in first.note.principles}
        best = next((pair for pair in ranked if pair[0] in numbers), None)
        if best is None:
            return ranked
        # The score is the place: it stands just above what it replaces.
        return [(best[0], ranked[0][1]), *(pair for pair in ranked if pair is not best)]

    def _confidence(self, first: tuple[int, float], scores: Mapping[int, float]) -> float:
        """Probability that the first answers, or what says the same, a principle and its instance:
        the ranker shares the odds out between the two. What takes another's place is as sure."""
        entry = self.database.entry(first[0])
        alike = [
            score
            for number, score in scores.items()
            if number != first[0] and _is_instance(entry, self.database.entry(number))
        ]
        own = scores.get(first[0], first[1])
        return probability(float(np.logaddexp(own, max(alike, default=-np.inf))))

    def _ruling_first(
        self, ranked: list[tuple[int, float]], reading: Reading
    ) -> list[tuple[int, float]]:
        """Where a principle is first and a ruling that is an instance of it, on a card or mechanic
        named, stands close behind, that comes first: it says the same of what was asked about."""
        first = self.database.entry(ranked[0][0])
        named = {mention.id for mention in reading.mentions}
        if first.kind != "principle" or reading.rules:
            return ranked
        for pair in ranked[1:WEIGHED]:
            entry = self.database.entry(pair[0])
            close = ranked[0][1] - pair[1] < SAME
            if close and entry.subject_id in named and _is_instance(first, entry):
                return [(pair[0], ranked[0][1]), *(other for other in ranked if other is not pair)]
        return ranked

    def _hits(
        self,
        ranked: Sequence[tuple[int, float]],
        found: Search,
        weighed: Mapping[int, float],
        features: Mapping[int, Sequence[float]] | None,
    ) -> tuple[Hit, ...]:
        """``features``: of the entries that were weighed; None where no reasons are wanted."""
        numbers = [number for number, _ in ranked]
        why = dict.fromkeys(numbers) if features is None else _explained(numbers, found, features)
        return tuple(
            Hit(self.database.entry(number), score, weighed.get(number, 0.0), why[number])
            for number, score in ranked
        )


def _explained(
    numbers: Sequence[int], found: Search, features: Mapping[int, Sequence[float]]
) -> dict[int, Explanation]:
    near = found.near
    places = {number: place for place, number in enumerate(near.entries.tolist())}
    explained: dict[int, Explanation] = {}
    for number, matched in zip(numbers, found.postings.matched(numbers), strict=True):
        place = places.get(number)
        words = float(found.lexical[number])
        explained[number] = Explanation(
            lexical=words,
            lexical_rank=int((found.lexical > words).sum()) + 1 if words > 0 else None,
            cosine=0.0 if place is None else float(near.best[place]),
            dense_rank=None if place is None else place + 1,
            link=found.links.get(number, 0.0),
            terms=matched,
            features=dict(zip(FEATURES, features.get(number, ()), strict=False)),
        )
    return explained


def _is_instance(one: Entry, other: Entry) -> bool:
    """Whether one of the two is a ruling that is an instance of the other, a principle."""
    return any(
        ruling.note is not None and principle.key in ruling.note.principles
        for ruling, principle in ((one, other), (other, one))
    )


def _bag_of(generation: Generation) -> TermBag | None:
    """The query model made for a knowledge base's encoder, with the words of its documents."""
    bag = packaged_bag()
    if bag is None or bag.teacher != generation.manifest.encoder_identity:
        return None
    return bag.with_terms(generation.verified(TERMS)) if TERMS in generation.manifest.files else bag
