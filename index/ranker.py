"""The first few entries of a search weighed against each other, and against there being no answer.

A small network in numpy, fitted by `saitei.index.ranker_training`. It aligns the words of the
question with those of a candidate's questions and answer, compares each word with what it was
aligned to, and sums up (decomposable attention; Parikh et al. 2016, arXiv:1606.01933); what it
makes of that and of the measured features is one score a candidate. "None of them" has the score 0,
so that order and confidence come from one place: a score is the logarithm of the odds that the
candidate, rather than nothing here, answers the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from saitei.data import PATH as DATA
from saitei.index.bag import TermBag
from saitei.index.dense import unit
from saitei.index.encoder import EncoderError
from saitei.index.entries import EntryKind
from saitei.index.features import FEATURES, Matrix, Measured
from saitei.index.wordlists import Numbers

FOLDER = DATA / "model" / "ranker"
WEIGHTS, SETTINGS = "weights.npz", "settings.json"

CLIP = 5.0
"""Standard deviations from the mean beyond which a feature says no more."""
QUESTION_WORDS, ASKED_WORDS, ANSWER_WORDS = 40, 60, 60
"""Words looked at; of what is longer, the first."""


class Settings(BaseModel):
    """``threshold``: probability from which a ruling answers a question, and ``principle`` a
    principle, whose general words fit more than they decide (``benchmarks/calibrate.py``).
    ``inputs``: hash of what the ranker was fitted on (`saitei.index.package`); ``weights`` and
    ``classifier``: of the weights that the probabilities were chosen for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    threshold: float = Field(gt=0, lt=1)
    principle: float = Field(gt=0, lt=1)
    inputs: str
    weights: str = ""
    classifier: str = ""

    def needed(self, kind: EntryKind) -> float:
        """The probability from which an entry of this kind answers."""
        return self.principle if kind == "principle" else self.threshold


@dataclass(frozen=True)
class Weights:
    """The network's parameters, as `saitei.index.ranker_training` names and shapes them.

    H: width of projected words, C: of a comparison, F: features, D: hidden units.
    """

    mean: Matrix
    scale: Matrix
    """(F,): features are standardised with these."""
    project: Matrix
    """(dim, H)"""
    gate: Matrix
    """(dim,): how much a word matters, with ``gate_bias``."""
    gate_bias: Matrix
    sharpness: Matrix
    """Of the softmax by which words are aligned."""
    compare: Matrix
    """(3 H + 2, C): word, what it is aligned to, their product, cosine, length."""
    compare_bias: Matrix
    hidden: Matrix
    """(F + 4 C, D)"""
    hidden_bias: Matrix
    output: Matrix
    """(D,)"""
    direct: Matrix
    """(F,): features straight to the score."""
    output_bias: Matrix


@dataclass(frozen=True)
class Ranker:
    """Scores candidates. ``bag``: the query model whose term vectors it reads words by."""

    weights: Weights
    settings: Settings
    bag: TermBag

    def scores(self, measured: Measured) -> Matrix:
        """One score a candidate, shape ``(candidates,)``; 0 is that of "none of them"."""
        w = self.weights
        x = np.clip((measured.features - w.mean) / w.scale, -CLIP, CLIP)
        question = self._words([measured.question], QUESTION_WORDS)
        compared = [x]
        for texts, limit in ((measured.asked, ASKED_WORDS), (measured.answer, ANSWER_WORDS)):
            text = self._words(texts, limit)
            similar = question.vectors @ text.vectors.transpose(0, 2, 1)
            compared.append(self._compare(question, text, similar))
            compared.append(self._compare(text, question, similar.transpose(0, 2, 1)))
        together = np.concatenate(compared, axis=1)
        hidden = np.maximum(together @ w.hidden + w.hidden_bias, 0.0)
        return np.asarray(x @ w.direct + hidden @ w.output + w.output_bias, np.float32)

    @cached_property
    def _parts(self) -> dict[str, Matrix]:
        """`Weights.compare` by what its rows are multiplied with."""
        width = self.weights.project.shape[1]
        ends = np.cumsum([width, width, width, 1])
        names = ("word", "aligned", "product", "cosine", "length")
        return dict(zip(names, np.split(self.weights.compare, ends), strict=True))

    @cached_property
    def _table(self) -> "_Words":
        """Every word the query model knows, then padding."""
        w = self.weights
        lengths = self.bag.lengths
        # Of vectors of length one: a gate's product is divided by the length of the term's.
        gate = self.bag.times(w.gate[:, np.newaxis])[:, 0] / np.maximum(lengths, 1e-12)
        weight = lengths / (1 + np.exp(-(gate + w.gate_bias)))
        vectors = unit(self.bag.times(w.project))
        told = vectors @ self._parts["word"]
        told += np.log1p(weight)[:, np.newaxis] * self._parts["length"] + w.compare_bias
        heard = vectors @ self._parts["aligned"]
        known = np.ones(len(weight), np.bool_)
        return _Words(
            *(
                np.concatenate([part, np.zeros_like(part[:1])])
                for part in (vectors, weight, told, heard, known)
            )
        )

    def _words(self, texts: Sequence[Numbers], limit: int) -> "_Words":
        """Padded to the longest of ``texts``, or to one word where all are empty."""
        cut = [rows[:limit] for rows in texts]
        # -1 is the table's last row: padding.
        rows = np.full((len(cut), max(1, *map(len, cut))), -1, np.int32)
        for line, text in zip(rows, cut, strict=True):
            line[: len(text)] = text
        table = self._table
        return _Words(
            table.vectors.take(rows, axis=0),
            table.weight.take(rows),
            table.told.take(rows, axis=0),
            table.heard.take(rows, axis=0),
            table.there.take(rows),
        )

    def _compare(self, one: "_Words", other: "_Words", similar: Matrix) -> Matrix:
        """Every word of ``one`` beside what ``other`` has for it, summed; shape ``(n, C)``."""
        there = other.there[:, np.newaxis, :]
        best = np.where(there, similar, np.float32(-1)).max(axis=2)[:, :, np.newaxis]
        share = np.exp(self.weights.sharpness * (similar - best)) * there
        share /= share.sum(axis=2, keepdims=True) + np.float32(1e-9)
        parts = self._parts
        # What is aligned is a sum of words, and so is what is told of it.
        told = one.told + share @ other.heard
        told += (one.vectors * (share @ other.vectors)) @ parts["product"]
        told += best * parts["cosine"]
        weight = one.weight[:, np.newaxis, :]
        total = weight.sum(axis=2) + np.float32(1e-6)
        return np.asarray((weight @ np.maximum(told, 0))[:, 0, :] / total)


def probability(score: float) -> float:
    """Of odds given by their logarithm: that an entry answers a question rather than nothing."""
    return float(1 / (1 + np.exp(-np.clip(score, -60.0, 60.0))))


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of n texts, padded to one length, or those of the query model without the first axis.

    ``vectors``: projected unit vectors ``(n, words, H)``; ``weight``: how much each matters,
    ``(n, words)``; ``told``: what a comparison starts from, and ``heard``: what it takes from a
    word it is aligned to, both ``(n, words, C)``; ``there``: whether there is a word,
    ``(n, words)``. All are zero for padding.
    """

    vectors: Matrix
    weight: Matrix
    told: Matrix
    heard: Matrix
    there: NDArray[np.bool_]


@lru_cache(maxsize=2)
def _stored(folder: Path) -> tuple[Weights, Settings]:
    settings = Settings.model_validate_json((folder / SETTINGS).read_bytes())
    with np.load(folder / WEIGHTS, allow_pickle=False) as stored:
        weights = Weights(**{name: stored[name] for name in Weights.__dataclass_fields__})
    return weights, settings


def load_ranker(bag: TermBag, folder: Path = FOLDER) -> Ranker:
    """The ranker stored in ``folder``. Raises `EncoderError`."""
    try:
        weights, settings = _stored(folder)
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise EncoderError(f"{folder}: 順位付けのモデルとして読めません: {reason}") from None
    if weights.mean.shape != (len(FEATURES),) or len(weights.project) != bag.vectors.shape[1]:
        raise EncoderError(f"{folder}: 順位付けのモデルの大きさがこの版と合いません。")
    return Ranker(weights, settings, bag)


def save_ranker(weights: Weights, settings: Settings, folder: Path = FOLDER) -> None:
    """Write what `load_ranker` reads. Raises ``OSError``."""
    folder.mkdir(exist_ok=True)
    arrays = {name: getattr(weights, name) for name in Weights.__dataclass_fields__}
    np.savez(folder / WEIGHTS, **{name: array.astype(np.float32) for name, array in arrays.items()})
    (folder / SETTINGS).write_text(settings.model_dump_json(indent=1) + "\n", "utf-8")
