"""Players' words to the rules' words: ``data/glossary.tsv`` (said, official, language)."""

import re
from dataclasses import dataclass
from functools import lru_cache

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.tokenise import normalise


@dataclass(frozen=True, slots=True)
class Expansion:
    """A word as said and the official wording it stands for."""

    said: str
    official: str


@lru_cache(maxsize=1)
def _glossary() -> tuple[re.Pattern[str], dict[str, str]]:
    official = {
        normalise(row["said"]): row["official"] for row in read_table(DATA / "glossary.tsv")
    }
    # Longest first, and Latin words only whole: "etb" is not part of another word.
    alternatives = sorted(official, key=len, reverse=True)
    pattern = "|".join(
        rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])" if word.isascii() else re.escape(word)
        for word in alternatives
    )
    return re.compile(pattern or r"(?!)"), official


def expansions(text: str) -> tuple[Expansion, ...]:
    """The glossary's words in a text, each once, in order."""
    pattern, official = _glossary()
    found = dict.fromkeys(match.group() for match in pattern.finditer(normalise(text)))
    return tuple(Expansion(said, official[said]) for said in found)
