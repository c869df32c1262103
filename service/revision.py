"""The revision answers are cached by."""

import hashlib
from functools import lru_cache
from importlib.metadata import version

from saitei.data import PATH as DATA
from saitei.index.store import file_hash
from saitei.service.knowledge import OpenKnowledge

_PATTERNS = ("verdicts/**/*", "scenarios/**/*.yaml", "model/*.json")


@lru_cache(maxsize=1)
def _committed() -> str:
    """A hash over what is shown beside the knowledge base, and over the code that shows it."""
    digest = hashlib.sha256(version("saitei").encode())
    for path in sorted({path for pattern in _PATTERNS for path in DATA.glob(pattern)}):
        if path.is_file():
            digest.update(f"{path.relative_to(DATA).as_posix()} {file_hash(path)}\n".encode())
    return digest.hexdigest()


def revision_of(knowledge: OpenKnowledge) -> str:
    """Changes when an answer may: with the knowledge base, the verdicts or the program."""
    return hashlib.sha256(f"{knowledge.revision} {_committed()}".encode()).hexdigest()[:16]
