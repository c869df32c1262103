"""Training of the query model (`saitei.index.bag`); needs torch and sentence-transformers.

Term vectors are fitted so that the sum over a question's terms lies near the passage encoder's
vector of the question (distillation; Hinton et al. 2015, arXiv:1503.02531) and nearer to the
passages of its own entry than to all other passages (InfoNCE with every passage as a negative;
van den Oord et al. 2018, arXiv:1807.03748). Rulings of the same card are thereby the hard
negatives. A question's own passage is never its positive: that would only teach it to copy.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index.encoder import Vectors

UNKNOWN = "\u241f\u241f"
"""Token of every term without a vector; no term of a text is like it."""
SEED = 20_250_207
EPOCHS = 6
BATCH = 128
RATE = 2e-3
TEMPERATURE = 0.07
DROPPED = 0.3
"""Mean share of a question's terms hidden at each sight of it: people leave words out."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One text to learn. Arrays hold rows of the passage matrix.

    ``target``: the encoder's own centred vector of the text, or None where it would mislead.
    ``positives`` should be near; ``neutral`` are neither near nor far (the text itself, say).
    """

    terms: tuple[str, ...]
    target: Vectors | None
    positives: tuple[int, ...]
    neutral: tuple[int, ...]


def train(
    vocabulary: Sequence[str],
    start: Vectors,
    passages: Vectors,
    lessons: Sequence[Lesson],
    seed: int = SEED,
) -> Vectors:
    """Fitted term vectors, shape ``(len(vocabulary), dim)``, from ``start`` of that shape.

    ``passages``: centred unit vectors, one row per passage.
    """
    import torch
    from torch.nn import functional

    # One thread: repeatable, and not slowed by others on a shared machine.
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    rows = {term: row for row, term in enumerate(vocabulary)}
    known = [np.array([rows[t] for t in lesson.terms if t in rows]) for lesson in lessons]
    order = [number for number, terms in enumerate(known) if len(terms)]
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(start), freeze=False, mode="mean")
    optimiser = torch.optim.Adam(bag.parameters(), lr=RATE)
    everything = torch.tensor(passages)
    for epoch in range(EPOCHS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - 0.8 * epoch / EPOCHS)
        rng.shuffle(order)
        for first in range(0, len(order), BATCH):
            batch = order[first : first + BATCH]
            seen = [_drop(known[number], rng) for number in batch]
            offsets = np.cumsum([0, *(len(terms) for terms in seen[:-1])])
            vectors = bag(torch.tensor(np.concatenate(seen)), torch.tensor(offsets))
            vectors = functional.normalize(vectors, dim=1)
            chosen = [lessons[number] for number in batch]
            near = torch.zeros(len(batch), len(passages), dtype=torch.bool)
            neutral = torch.zeros_like(near)
            for place, lesson in enumerate(chosen):
                near[place, list(lesson.positives)] = True
                neutral[place, list(lesson.neutral)] = True
            near &= ~neutral
            similar = (vectors @ everything.T / TEMPERATURE).masked_fill(neutral, -1e4)
            right = torch.logsumexp(similar.masked_fill(~near, -1e4), 1)
            loss = (torch.logsumexp(similar, 1) - right)[near.any(1)].sum() / len(batch)
            targets = {n: c.target for n, c in enumerate(chosen) if c.target is not None}
            if targets:
                wanted = torch.tensor(np.stack(list(targets.values())))
                loss = loss + (1 - (vectors[list(targets)] * wanted).sum(1)).mean()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    return np.asarray(bag.weight.detach().numpy(), dtype=np.float32)


def _drop(terms: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    kept = terms[rng.random(len(terms)) >= rng.random() * DROPPED * 2]
    return kept if len(kept) else terms[:1]


def save(vocabulary: Sequence[str], vectors: Vectors, folder: Path) -> None:
    """Write the term vectors as a sentence-transformers model, in half precision."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    # Unknown terms have no vector: the last row is all zero.
    rows = {term: row for row, term in enumerate(vocabulary)}
    tokenizer = Tokenizer(WordLevel({**rows, UNKNOWN: len(rows)}, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    table = np.vstack([vectors, np.zeros((1, vectors.shape[1]), np.float32)])
    embedding = StaticEmbedding(tokenizer, torch.tensor(table).half())
    shutil.rmtree(folder, ignore_errors=True)
    SentenceTransformer(modules=[embedding, Normalize()]).save(str(folder), create_model_card=False)
