"""Fitting of the ranker (`saitei.index.ranker`); needs torch, so only ``make index`` imports it.

Loss: the negative logarithm of the probability that the softmax over candidates and "none of them"
gives to the right ones (or to "none", where no candidate is right), and the same among candidates
alone, which teaches order where the answer is there.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from saitei.index.bag import TermBag
from saitei.index.features import FEATURES, WEIGHED, Measured
from saitei.index.ranker import ANSWER_WORDS, ASKED_WORDS, CLIP, QUESTION_WORDS, Weights
from saitei.index.rehearsal import Example
from saitei.index.vectors import Progress
from saitei.index.wordlists import Numbers

SEED = 20_250_207
COMPARED, HIDDEN = 48, 64
EPOCHS, BATCH, RATE, DECAY, DROPOUT = 2, 48, 2e-3, 1e-2, 0.35
SORTED = 16
"""Batches sorted by length together."""
ORDER_WEIGHT = 0.5
"""Of the loss among candidates alone."""
CONSTANTS = (
    *(SEED, COMPARED, HIDDEN, EPOCHS, BATCH, RATE, DECAY, DROPOUT, SORTED, ORDER_WEIGHT),
    *(CLIP, QUESTION_WORDS, ASKED_WORDS, ANSWER_WORDS),
)
"""All of them, for the digest of what the packaged model was made of."""

SHOWN = 20
"""Batches between two calls of what shows progress."""

_Words = tuple[Tensor, Tensor, Tensor]
"""Projected unit vectors, weights, and whether there is a word."""


class Network(nn.Module):
    """`saitei.index.ranker.Ranker.scores` in torch; a test holds the two equal.

    ``mean`` and ``scale``: of the features, shape ``(len(FEATURES),)``.
    """

    def __init__(self, bag: TermBag, mean: NDArray[np.float32], scale: NDArray[np.float32]) -> None:
        super().__init__()
        self.mean, self.scale = mean, scale
        self.padding = len(bag.vectors)
        # One row more, all zero, for padding.
        units = bag.units
        self.units = torch.tensor(np.vstack([units, np.zeros_like(units[:1])]))
        self.lengths = torch.tensor(np.append(bag.lengths, np.float32(0)))
        (dim, width), count = bag.directions.shape, len(FEATURES)
        self.project = nn.Linear(dim, width, bias=False)
        self.project.weight.data = torch.tensor(bag.directions.T.copy())
        self.gate = nn.Linear(dim, 1)
        self.sharpness = nn.Parameter(torch.tensor(8.0))
        self.compare = nn.Linear(3 * width + 2, COMPARED)
        self.hidden = nn.Linear(count + 4 * COMPARED, HIDDEN)
        self.output = nn.Linear(HIDDEN, 1)
        self.direct = nn.Linear(count, 1, bias=False)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, questions: Sequence[Measured]) -> Tensor:
        """Scores of all candidates of all questions, one after the other."""
        features = np.concatenate([one.features for one in questions])
        standard = np.clip((features - self.mean) / self.scale, -CLIP, CLIP)
        x = torch.tensor(standard.astype(np.float32))
        question = self._words([one.question for one in questions for _ in one.asked])
        texts = (
            self._words([rows for one in questions for rows in one.asked], ASKED_WORDS),
            self._words([rows for one in questions for rows in one.answer], ANSWER_WORDS),
        )
        compared = [x]
        for text in texts:
            compared += [self._side(question, text), self._side(text, question)]
        hidden = functional.relu(self.hidden(self.drop(torch.cat(compared, 1))))
        scores: Tensor = self.direct(x) + self.output(self.drop(hidden))
        return scores.squeeze(1)

    def _words(self, texts: Sequence[Numbers], limit: int = QUESTION_WORDS) -> _Words:
        cut = [rows[:limit] for rows in texts]
        padded = np.full((len(cut), max(1, *map(len, cut))), self.padding, np.int64)
        for line, text in zip(padded, cut, strict=True):
            line[: len(text)] = text
        rows = torch.tensor(padded)
        units = self.units[rows]
        weight = torch.sigmoid(self.gate(units).squeeze(2)) * self.lengths[rows]
        return functional.normalize(self.project(units), dim=2), weight, rows != self.padding

    def _side(self, one: _Words, other: _Words) -> Tensor:
        vectors, weight, _ = one
        similar = torch.bmm(vectors, other[0].transpose(1, 2))
        there = other[2][:, None, :]
        best = similar.masked_fill(~there, -1.0).max(2).values
        share = torch.softmax((similar * self.sharpness).masked_fill(~there, -1e4), 2) * there
        aligned = torch.bmm(share, other[0])
        parts = [vectors, aligned, vectors * aligned]
        beside = torch.cat([*parts, best[:, :, None], torch.log1p(weight)[:, :, None]], 2)
        told = self.drop(functional.relu(self.compare(beside)))
        weight = weight * one[2]
        summed: Tensor = (told * weight[:, :, None]).sum(1)
        return summed / (weight.sum(1, keepdim=True) + 1e-6)

    def weights(self) -> Weights:
        """What the ranker reads."""
        state = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        return Weights(
            mean=self.mean,
            scale=self.scale,
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


def fit(
    examples: Sequence[Example],
    bag: TermBag,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Weights:
    """Weights fitted on ``examples``, reading words by ``bag``; deterministic on one machine.
    ``progress`` is called with batches done and batches in all."""
    # One thread: repeatable, and not slowed by others on a shared machine.
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    usable = [example for example in examples if example.right]
    features = np.concatenate([example.measured.features for example in usable])
    network = Network(bag, features.mean(axis=0), features.std(axis=0) + np.float32(1e-6))
    # The mean of the second half's weights is steadier than the last ones (Izmailov et al. 2018,
    # arXiv:1803.05407): of two questions alike, one is then less often refused by chance.
    averaged = AveragedModel(network)
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    steps, step = EPOCHS * (len(usable) // BATCH + 1), 0
    for _ in range(EPOCHS):
        for batch in _batches(usable, rng):
            if progress is not None and step % SHOWN == 0:
                progress(step, steps)
            loss = _loss(network([example.measured for example in batch]), batch)
            for group in optimiser.param_groups:
                group["lr"] = RATE * max(0.05, 1 - step / steps)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            step += 1
            if step > steps // 2:
                averaged.update_parameters(network)
    fitted = averaged.module
    assert isinstance(fitted, Network)
    return fitted.weights()


def _loss(scores: Tensor, batch: Sequence[Example]) -> Tensor:
    table = torch.full((len(batch), WEIGHED + 1), -1e4)
    right = torch.zeros(len(batch), WEIGHED + 1, dtype=torch.bool)
    start = 0
    for row, example in enumerate(batch):
        count = len(example.right)
        table[row, :count] = scores[start : start + count]
        right[row, :count] = torch.tensor(example.right)
        start += count
    table[:, WEIGHED] = 0.0
    found = right.any(1)
    right[:, WEIGHED] = ~found
    loss = _surprise(table, right).mean()
    if found.any():
        among = _surprise(table[found][:, :WEIGHED], right[found][:, :WEIGHED])
        loss = loss + ORDER_WEIGHT * among.mean()
    return loss


def _surprise(scores: Tensor, right: Tensor) -> Tensor:
    rights = torch.logsumexp(scores.masked_fill(~right, -1e4), 1)
    return torch.logsumexp(scores, 1) - rights


def _batches(examples: Sequence[Example], rng: np.random.Generator) -> Iterator[list[Example]]:
    """Batches of questions of like length, since a batch is as slow as its longest."""
    order = rng.permutation(len(examples))
    batches: list[list[Example]] = []
    for start in range(0, len(order), SORTED * BATCH):
        chunk = [examples[place] for place in order[start : start + SORTED * BATCH]]
        chunk.sort(key=lambda example: len(example.measured.question))
        batches += [chunk[first : first + BATCH] for first in range(0, len(chunk), BATCH)]
    return (batches[place] for place in rng.permutation(len(batches)))
