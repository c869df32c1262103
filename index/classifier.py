"""Which note or principle a question is for, learnt from the questions of each, or that it is for
none.

The ranker compares any question with any candidate and knows none from another. This model knows
each: a question is one of as many classes as there are notes and principles, or of the unanswered
questions about one card (intent classification with what is out of scope; Larson et al. 2019,
arXiv:1909.02027). It is a sum of term vectors and one layer, as in fastText (Joulin et al. 2017,
arXiv:1607.01759), fitted by `saitei.index.classifier_training`; what it says is measured for the
ranker beside everything else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from saitei.data import PATH as DATA
from saitei.index.dense import unit
from saitei.index.encoder import EncoderError

FILE = DATA / "model" / "classifier.npz"
LEAST = -15.0
"""Logarithm of a share below which it says no more, and of a class that there is not."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Judgement:
    """``shares``: logarithms of the probabilities of the classes that answer, shape ``(classes,)``;
    ``none``: of all together that do not."""

    shares: Matrix
    none: float


@dataclass(frozen=True)
class Classifier:
    """T: terms, W: width, C: classes, of which the first are those of ``classes``, in order.

    ``vectors``: (T, W), each multiplied with how rare its term is; ``output``: (W, C); ``bias``:
    (C,). ``scale``: length of a question's vector, whatever it is made of: long ones are not surer.
    ``classes``: column of each key of a note and id of a principle; the columns behind them are
    questions without an answer, by what they are about. ``inputs``: hash of what it was fitted on.
    """

    terms: Mapping[str, int]
    vectors: NDArray[np.float16]
    output: Matrix
    bias: Matrix
    scale: float
    classes: Mapping[str, int]
    inputs: str = ""

    def judge(self, terms: Sequence[str]) -> Judgement:
        """Of a question by its terms, each counting once (`saitei.index.lexical.terms`)."""
        rows = [row for term in dict.fromkeys(terms) if (row := self.terms.get(term)) is not None]
        vector = self.vectors[rows].astype(np.float32).sum(axis=0)
        scores = np.float32(self.scale) * unit(vector) @ self.output + self.bias
        scores -= scores.max()
        odds = np.exp(scores)
        total, answering = float(odds.sum()), len(self.classes)
        none = max(float(odds[answering:].sum()) / total, np.exp(LEAST))
        return Judgement(
            np.maximum(scores[:answering] - np.float32(np.log(total)), LEAST), float(np.log(none))
        )


def save_classifier(classifier: Classifier, path: Path = FILE) -> None:
    """Write what `load_classifier` reads: one file, so that names and numbers belong together.
    Raises ``OSError``."""
    np.savez(
        path,
        vectors=classifier.vectors,
        output=classifier.output,
        bias=classifier.bias,
        scale=classifier.scale,
        terms=_lines(classifier.terms),
        classes=_lines(classifier.classes),
        inputs=_lines([classifier.inputs]),
    )


def _lines(names: Iterable[str]) -> NDArray[np.uint8]:
    """Names as bytes: numpy's own strings are all as long as the longest."""
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def _names(lines: NDArray[np.uint8]) -> dict[str, int]:
    names = lines.tobytes().decode().split("\n") if len(lines) else []
    numbers = {name: number for number, name in enumerate(names)}
    if len(numbers) < len(names):
        raise ValueError("a name stands twice")
    return numbers


@lru_cache(maxsize=2)
def load_classifier(path: Path = FILE) -> Classifier:
    """The classifier stored in ``path``. Raises `EncoderError`."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            found = Classifier(
                _names(stored["terms"]),
                stored["vectors"],
                stored["output"],
                stored["bias"],
                float(stored["scale"]),
                _names(stored["classes"]),
                next(iter(_names(stored["inputs"])), ""),
            )
        (terms, width), (into, classes) = found.vectors.shape, found.output.shape
        if (terms, into) != (len(found.terms), width) or found.bias.shape != (classes,):
            raise ValueError("its parts are not of one size")
        if len(found.classes) > classes:
            raise ValueError("more names than classes")
        numbers = (found.vectors, found.output, found.bias, found.scale)
        if not all(np.isfinite(part).all() for part in numbers):
            raise ValueError("not all of it are numbers")
    except (OSError, EOFError, ValueError, KeyError, TypeError, MemoryError, BadZipFile) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise EncoderError(f"{path}: 質問を分けるモデルとして読めません: {reason}") from None
    return found
