"""Fitting of the ranker (`saitei.index.ranker`); needs torch.

Loss: the negative logarithm of the probability that the softmax over candidates and "none of them"
gives to the right ones (or to "none", where no candidate is right), and the same among candidates
alone, which teaches order where the answer is there.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from saitei.index.bag import TermBag
from saitei.index.dense import unit
from saitei.index.features import CANDIDATES, FEATURES
from saitei.index.ranker import (
    ANSWER_WORDS,
    ASKED_WORDS,
    CLIP,
    QUESTION_WORDS,
    Weights,
)
from saitei.index.rehearsal import Example
from saitei.index.wordlists import Numbers

if TYPE_CHECKING:
    import torch

    Words = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
    """Projected unit vectors, weights, and whether there is a word."""

SEED = 20_250_207
PROJECTED, COMPARED, HIDDEN = 96, 48, 64
EPOCHS, BATCH, RATE, DECAY, DROPOUT = 4, 48, 2e-3, 1e-2, 0.25
SORTED = 16
"""Batches sorted by length together."""
ORDER_WEIGHT = 0.5
"""Of the loss among candidates alone."""
CONSTANTS = (SEED, PROJECTED, COMPARED, HIDDEN, EPOCHS, BATCH, RATE, DECAY, DROPOUT, ORDER_WEIGHT)


def fit(examples: Sequence[Example], bag: TermBag, seed: int = SEED) -> Weights:
    """Weights fitted on ``examples``, reading words by ``bag``; deterministic on one machine."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    features = np.concatenate([example.measured.features for example in examples])
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    vectors = np.asarray(bag.vectors, np.float32)
    length = np.append(np.linalg.norm(vectors, axis=1), 0.0).astype(np.float32)
    lengths = torch.tensor(length)
    table = torch.tensor(np.vstack([unit(vectors), np.zeros((1, vectors.shape[1]), np.float32)]))
    padding = len(vectors)

    class Network(nn.Module):
        """`saitei.index.ranker.Ranker.scores` in torch."""

        def __init__(self) -> None:
            super().__init__()
            dim, count = table.shape[1], len(FEATURES)
            self.project = nn.Linear(dim, PROJECTED, bias=False)
            # The directions in which term vectors differ most.
            some = table[torch.tensor(rng.choice(padding, min(padding, 4_000), replace=False))]
            directions = torch.linalg.svd(some, full_matrices=False)[2][:PROJECTED]
            self.project.weight.data = directions.contiguous()
            self.gate = nn.Linear(dim, 1)
            self.sharpness = nn.Parameter(torch.tensor(8.0))
            self.compare = nn.Linear(3 * PROJECTED + 2, COMPARED)
            self.hidden = nn.Linear(count + 4 * COMPARED, HIDDEN)
            self.output = nn.Linear(HIDDEN, 1)
            self.direct = nn.Linear(count, 1, bias=False)
            self.drop = nn.Dropout(DROPOUT)

        def side(self, one: "Words", other: "Words") -> "torch.Tensor":
            similar = torch.bmm(one[0], other[0].transpose(1, 2))
            there = other[2][:, None, :]
            best = similar.masked_fill(~there, -1.0).max(2).values
            share = torch.softmax((similar * self.sharpness).masked_fill(~there, -1e4), 2)
            aligned = torch.bmm(share * there, other[0])
            parts = [one[0], aligned, one[0] * aligned]
            weight = one[1] * one[2]
            beside = [*parts, best[:, :, None], torch.log1p(one[1])[:, :, None]]
            told = functional.relu(self.compare(torch.cat(beside, 2)))
            total = weight.sum(1, keepdim=True) + 1e-6
            summed: torch.Tensor = (self.drop(told) * weight[:, :, None]).sum(1)
            return summed / total

        def words(self, rows: "torch.Tensor") -> "Words":
            vectors = table[rows]
            weight = torch.sigmoid(self.gate(vectors).squeeze(2)) * lengths[rows]
            return functional.normalize(self.project(vectors), dim=2), weight, rows != padding

        def forward(self, x: "torch.Tensor", *texts: "torch.Tensor") -> "torch.Tensor":
            question, asked, answer = (self.words(rows) for rows in texts)
            compared = [x]
            for text in (asked, answer):
                compared += [self.side(question, text), self.side(text, question)]
            hidden = functional.relu(self.hidden(self.drop(torch.cat(compared, 1))))
            scores: torch.Tensor = self.direct(x) + self.output(self.drop(hidden))
            return scores.squeeze(1)

    def tensors(batch: Sequence[Example]) -> list["torch.Tensor"]:
        measured = [example.measured for example in batch]
        x = np.concatenate([one.features for one in measured])
        question = [one.question for one in measured for _ in one.asked]
        asked = [rows for one in measured for rows in one.asked]
        answer = [rows for one in measured for rows in one.answer]
        limits = ((question, QUESTION_WORDS), (asked, ASKED_WORDS), (answer, ANSWER_WORDS))
        standard = np.clip((x - mean) / scale, -CLIP, CLIP).astype(np.float32)
        padded = [torch.tensor(_padded(texts, limit, padding)) for texts, limit in limits]
        return [torch.tensor(standard), *padded]

    def loss_of(scores: "torch.Tensor", batch: Sequence[Example]) -> "torch.Tensor":
        table = torch.full((len(batch), CANDIDATES + 1), -1e4)
        right = torch.zeros(len(batch), CANDIDATES + 1, dtype=torch.bool)
        start = 0
        for row, example in enumerate(batch):
            count = len(example.right)
            table[row, :count] = scores[start : start + count]
            right[row, :count] = torch.tensor(example.right)
            start += count
        table[:, CANDIDATES] = 0.0
        found = right.any(1)
        right[:, CANDIDATES] = ~found
        loss = _surprise(table, right).mean()
        if found.any():
            among = table[found][:, :CANDIDATES], right[found][:, :CANDIDATES]
            loss = loss + ORDER_WEIGHT * _surprise(*among).mean()
        return loss

    def _surprise(scores: "torch.Tensor", right: "torch.Tensor") -> "torch.Tensor":
        rights = torch.logsumexp(scores.masked_fill(~right, -1e4), 1)
        return torch.logsumexp(scores, 1) - rights

    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    usable = [example for example in examples if example.right]
    order = np.arange(len(usable))
    steps, step = EPOCHS * (len(usable) // BATCH + 1), 0
    for _ in range(EPOCHS):
        rng.shuffle(order)
        for places in _batches(order, [len(one.measured.question) for one in usable], rng):
            batch = [usable[place] for place in places]
            loss = loss_of(network(*tensors(batch)), batch)
            for group in optimiser.param_groups:
                group["lr"] = RATE * max(0.05, 1 - step / steps)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            step += 1
    state = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    return Weights(
        mean=mean,
        scale=scale,
        project=state["project.weight"].T,
        gate=state["gate.weight"][0],
        gate_bias=state["gate.bias"],
        sharpness=state["sharpness"],
        compare=state["compare.weight"].T,
        compare_bias=state["compare.bias"],
        hidden=state["hidden.weight"].T,
        hidden_bias=state["hidden.bias"],
        output=state["output.weight"][0],
        direct=state["direct.weight"][0],
        output_bias=state["output.bias"],
    )


def _batches(
    order: NDArray[np.int64], lengths: Sequence[int], rng: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Batches of questions of like length, since a batch is as slow as its longest."""
    batches: list[NDArray[np.int64]] = []
    for start in range(0, len(order), SORTED * BATCH):
        chunk = np.array(sorted(order[start : start + SORTED * BATCH], key=lambda n: lengths[n]))
        batches += [chunk[first : first + BATCH] for first in range(0, len(chunk), BATCH)]
    return [batches[place] for place in rng.permutation(len(batches))]


def _padded(texts: Sequence[Numbers], limit: int, padding: int) -> NDArray[np.int64]:
    width = max(1, max((min(limit, len(rows)) for rows in texts), default=1))
    table = np.full((len(texts), width), padding, np.int64)
    for line, rows in zip(table, texts, strict=True):
        line[: min(limit, len(rows))] = rows[:limit]
    return table
