"""Terms by text, so that no text is tokenised twice.

Tokenising takes most of the time of a build once vectors are known. A generation keeps the terms of
its texts as numbers; the next build tokenises only what is new.
"""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saitei.index import lexical
from saitei.index.store import file_hash
from saitei.index.vectors import text_key
from saitei.ingest import tokenise

Ids = NDArray[np.int32]
FILE = "tokens.npz"


def _version() -> str:
    """Changes with the code that makes terms, so that old terms are not mixed with new ones."""
    return "-".join(file_hash(Path(module.__file__ or "")) for module in (tokenise, lexical))


class TermCache:
    """Known texts; a term's number is its place in `vocabulary`."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._rows: dict[int, Ids] = {}
        self._used: set[int] = set()
        self._by_text: dict[str, Ids] = {}
        """What was asked for. A ruling is, as a passage and as its entry's text, and hashing it
        again would cost a third of a second for 100,000."""

    @property
    def vocabulary(self) -> list[str]:
        return list(self.numbers)

    def ids(self, text: str) -> Ids:
        """The numbers of a text's terms, in order, with repeats."""
        found_before = self._by_text.get(text)
        if found_before is not None:
            return found_before
        key = text_key("document", text)
        self._used.add(key)
        row = self._rows.get(key)
        if row is None:
            numbers = self.numbers
            found = [numbers.setdefault(term, len(numbers)) for term in lexical.terms(text)]
            row = self._rows[key] = np.array(found, dtype=np.int32)
        self._by_text[text] = row
        return row

    def of(self, texts: Iterable[str]) -> Ids:
        """The numbers of several texts, one after the other."""
        rows = [self.ids(text) for text in texts]
        return rows[0] if len(rows) == 1 else np.concatenate([np.empty(0, np.int32), *rows])

    @classmethod
    def load(cls, path: Path) -> "TermCache":
        """The cache in ``path``; empty when there is none, or its terms were made otherwise."""
        cache = cls()
        if path.is_file():
            with np.load(path, allow_pickle=False) as stored:
                if str(stored["version"]) == _version():
                    words = json.loads(stored["vocabulary"].tobytes())
                    cache.numbers = {word: number for number, word in enumerate(words)}
                    ids, ends = stored["ids"], stored["ends"].tolist()
                    rows = (ids[start:end] for start, end in pairwise([0, *ends]))
                    cache._rows = dict(zip(stored["keys"].tolist(), rows, strict=True))
        return cache

    def save(self, path: Path) -> None:
        """Write what was asked for since loading; the rest is gone from the documents."""
        keys = sorted(self._used)
        rows = [self._rows[key] for key in keys] or [np.empty(0, np.int32)]
        np.savez(
            path,
            version=np.array(_version()),
            vocabulary=np.frombuffer(json.dumps(self.vocabulary).encode(), np.uint8),
            keys=np.array(keys or [0], np.uint64),
            ends=np.cumsum([len(row) for row in rows]),
            ids=np.concatenate(rows),
        )
