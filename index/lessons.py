"""What the query model learns from: every packaged question, and the same with the card unnamed.

Each question should find the other passages of its entry. Asked about a card that has no ruling
(its card's name replaced by another card's), it should find its entry or a principle of it.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from saitei.index.dense import unit
from saitei.index.distil import SEED, Lesson
from saitei.index.encoder import Encoder, Vectors
from saitei.index.entries import Entry, Passage
from saitei.index.lexical import GRAM_MARK, GRAM_WEIGHT, plain_words, terms
from saitei.index.vectors import VectorCache
from saitei.ingest.catalog import Catalog
from saitei.ingest.linking import link


@dataclass(frozen=True)
class Course:
    """What `saitei.index.distil.train` takes, which says what the arrays are."""

    vocabulary: tuple[str, ...]
    start: Vectors
    passages: Vectors
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class _Groups:
    """Rows of passages by entry, and entries by principle."""

    rows: dict[int, tuple[int, ...]]
    principles: dict[int, tuple[int, ...]]
    """Entry -> rows of the principles it is an instance of."""
    siblings: dict[int, tuple[int, ...]]
    """Entry -> rows of other instances of its principles."""


def asked_texts(passages: Sequence[Passage]) -> list[str]:
    """The questions among passages as people would type them, without the leading subject."""
    return [passage.said for passage in passages if passage.kind == "question"]


def make_course(
    entries: Sequence[Entry],
    passages: Sequence[Passage],
    catalog: Catalog,
    encoder: Encoder,
    cache: VectorCache,
    heard: Sequence[str] = (),
) -> Course:
    """Lessons from ``passages`` of ``entries``; what is not in ``cache`` is encoded into it.

    ``heard``: further questions. Nothing is taught from them, so that ranking can be fitted on them
    as on questions never seen; but their words are in the vocabulary, with the encoder's vectors.
    """
    vectors = cache.encode(encoder, "document", [passage.text for passage in passages])
    vectors = unit(vectors - vectors.mean(axis=0))
    asked = cache.encode(encoder, "query", asked_texts(passages))
    mean = asked.mean(axis=0)
    targets = iter(unit(asked - mean))
    bags = [tuple(terms(passage.text)) for passage in passages]
    bags += [tuple(plain_words(terms(text))) for text in heard]
    vocabulary = tuple(dict.fromkeys(term for bag in bags for term in bag))
    groups = _groups(entries, passages)
    # Names that carry no meaning here stand in for the card of a question.
    strangers = [card.ja for card in catalog.cards.values() if not card.facts and card.ja]
    rng = np.random.default_rng(SEED)
    lessons: list[Lesson] = []
    for row, passage in enumerate(passages):
        target = next(targets) if passage.kind == "question" else vectors[row]
        own = tuple(r for r in groups.rows[passage.entry] if r != row)
        ruled = groups.principles.get(passage.entry, ())
        text = passage.said if passage.kind == "question" else passage.text
        lessons.append(Lesson(tuple(terms(text)), target, own, (row, *ruled)))
        if passage.kind != "question":
            continue
        stranger = str(rng.choice(strangers))
        renamed = _renamed(text, stranger, catalog)
        if renamed != text:
            siblings = groups.siblings.get(passage.entry, ())
            found = (*own, *ruled)
            lessons.append(Lesson(tuple(terms(renamed)), None, found, (row, *siblings)))
    start = _start(vocabulary, bags, mean, encoder, cache)
    return Course(vocabulary, start, vectors, tuple(lessons))


def _groups(entries: Sequence[Entry], passages: Sequence[Passage]) -> _Groups:
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for row, passage in enumerate(passages):
        rows[passage.entry].append(row)
    numbers = {entry.key: n for n, entry in enumerate(entries) if entry.kind == "principle"}
    principles: dict[int, list[int]] = {}
    instances: defaultdict[int, list[int]] = defaultdict(list)
    for n, entry in enumerate(entries):
        ids = entry.note.principles if entry.note else ()
        principles[n] = [numbers[name] for name in ids if name in numbers]
        for principle in principles[n]:
            instances[principle].append(n)
    return _Groups(
        {n: tuple(found) for n, found in rows.items()},
        {n: tuple(r for p in found for r in rows[p]) for n, found in principles.items()},
        {
            n: tuple(r for p in found for other in instances[p] if other != n for r in rows[other])
            for n, found in principles.items()
        },
    )


def _renamed(text: str, name: str, catalog: Catalog) -> str:
    """The text with ``name`` in place of every card it names."""
    spans = {(m.start, m.end) for m in link(text, catalog) if m.kind == "card"}
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _start(
    vocabulary: Sequence[str],
    bags: Sequence[Sequence[str]],
    mean: Vectors,
    encoder: Encoder,
    cache: VectorCache,
) -> Vectors:
    """The encoder's own vector of each term, as long as the term is rare."""
    words = [term.removeprefix(GRAM_MARK) for term in vocabulary]
    vectors = unit(cache.encode(encoder, "query", words) - mean)
    known = Counter(term for bag in bags for term in set(bag))
    count = len(bags)
    lengths = [
        (GRAM_WEIGHT if term.startswith(GRAM_MARK) else 1.0)
        * np.log1p(count / known[term])
        / np.log1p(count)
        for term in vocabulary
    ]
    return np.asarray(vectors * np.array(lengths, np.float32)[:, np.newaxis], dtype=np.float32)
