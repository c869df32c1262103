"""Fitting of the classifier (`saitei.index.classifier`).

Needs torch, so only ``make index`` imports it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from saitei.index.classifier import Classifier
from saitei.index.question import ask, read_question
from saitei.index.vectors import Progress
from saitei.ingest.asked import AskedQuestions
from saitei.ingest.catalog import Catalog
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle

SEED = 20_250_207
WIDTH = 128
EPOCHS, BATCH, RATE, DROPOUT = 6, 64, 3e-3, 0.3
SMOOTHING = 0.05
SCALE = 8.0
"""Length of a question's vector."""
HIDDEN_TERMS = 0.15
"""Share of a question's terms left out at each sight of it."""
SEEN = 2
"""Questions that have a term, at least, for it to be learnt."""
CONSTANTS = (SEED, WIDTH, EPOCHS, BATCH, RATE, DROPOUT, SMOOTHING, SCALE, HIDDEN_TERMS, SEEN)
"""All of them, for the digest of what the packaged model was made of."""

_Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question by its distinct terms, and what ``answers`` it: the key of a note or the id of a
    principle; None where nothing does, and then what it is ``about``, if a card or mechanic."""

    terms: tuple[str, ...]
    answers: str | None
    about: str | None = None


def lessons(
    notes: Iterable[Note],
    principles: Iterable[Principle],
    asked: AskedQuestions,
    read: Callable[[str], Sequence[str]],
) -> list[Lesson]:
    """The questions of notes and principles, and the further ones; ``read``: the terms of a
    question as a search reads it (`terms_by`)."""
    own = [(note.key, note.questions) for note in notes]
    own += [(principle.id, principle.questions) for principle in principles]

    def lesson(text: str, answers: str | None, about: str | None = None) -> Lesson:
        return Lesson(tuple(dict.fromkeys(read(text))), answers, about)

    return [
        *(lesson(text, key) for key, said in own for text in (*said.ja, *said.en)),
        *(lesson(text, key) for key, texts in asked.answered.items() for text in texts),
        *(lesson(one.text, None, one.about) for one in asked.unanswered),
    ]


def terms_by(catalog: Catalog) -> Callable[[str], Sequence[str]]:
    """Reads questions into terms, each text once."""

    @cache
    def read(text: str) -> Sequence[str]:
        return ask(text, read_question(text, catalog)).terms

    return read


class Network(nn.Module):
    """`Classifier.judge` in torch; ``weight``: of each term, shape ``(terms,)``."""

    def __init__(self, weight: NDArray[np.float32], classes: int) -> None:
        super().__init__()
        self.weight = weight
        self.bag = nn.EmbeddingBag(len(weight), WIDTH, mode="sum")
        nn.init.normal_(self.bag.weight, 0, 0.05)
        self.output = nn.Linear(WIDTH, classes)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, questions: Sequence[_Rows]) -> Tensor:
        """Scores of all classes, shape ``(questions, classes)``."""
        starts = np.cumsum([0, *(len(rows) for rows in questions[:-1])])
        rows = np.concatenate(questions)
        summed = self.bag(
            torch.tensor(rows),
            torch.tensor(starts),
            per_sample_weights=torch.tensor(self.weight[rows]),
        )
        scores: Tensor = self.output(self.drop(functional.normalize(summed, dim=1) * SCALE))
        return scores


def fit(
    taught: Sequence[Lesson], inputs: str = "", seed: int = SEED, progress: Progress | None = None
) -> Classifier:
    """A classifier fitted on ``taught``, of which ``inputs`` is a hash; deterministic on one
    machine. ``progress`` is called with rounds done and rounds in all."""
    # One thread: repeatable, and not slowed by others on a shared machine.
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    holders = Counter(term for lesson in taught for term in lesson.terms)
    known = sorted(term for term, count in holders.items() if count >= SEEN)
    rows = {term: row for row, term in enumerate(known)}
    answering = sorted({one.answers for one in taught if one.answers is not None})
    classes = {name: column for column, name in enumerate(answering)}
    without = sorted({one.about or "" for one in taught if one.answers is None})
    about = {name: len(classes) + column for column, name in enumerate(without)}
    weight = np.log(len(taught) / np.array([holders[term] for term in known], np.float32))
    questions = [
        np.array([rows[term] for term in one.terms if term in rows], np.int64) for one in taught
    ]
    wanted = torch.tensor(
        [about[one.about or ""] if one.answers is None else classes[one.answers] for one in taught]
    )
    network = Network(weight, len(classes) + len(about))
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.0)
    steps, step = EPOCHS * (len(taught) // BATCH + 1), 0
    for epoch in range(EPOCHS):
        if progress is not None:
            progress(epoch, EPOCHS)
        for batch in _batches(len(taught), rng):
            scores = network([_some(questions[number], rng) for number in batch])
            loss = functional.cross_entropy(scores, wanted[batch], label_smoothing=SMOOTHING)
            for group in optimiser.param_groups:
                group["lr"] = RATE * max(0.05, 1 - step / steps)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            step += 1
    vectors = network.bag.weight.detach().numpy() * weight[:, np.newaxis]
    return Classifier(
        rows,
        vectors.astype(np.float16),
        network.output.weight.detach().numpy().T.copy(),
        network.output.bias.detach().numpy().copy(),
        SCALE,
        classes,
        inputs,
    )


def _batches(count: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = rng.permutation(count)
    return (order[start : start + BATCH] for start in range(0, count, BATCH))


def _some(rows: _Rows, rng: np.random.Generator) -> _Rows:
    """Most of a question's terms; all of few."""
    return rows if len(rows) <= 4 else rows[rng.random(len(rows)) >= HIDDEN_TERMS]
