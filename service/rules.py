"""Rules by number: our table of them, and the text of the Comprehensive Rules where at hand."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import read_table


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of ``data/facts/rules.tsv``: a rule's number and title in one edition, our gloss."""

    number: str
    edition: str
    title: str
    gloss: str


def load_rules(path: Path = DATA / "facts" / "rules.tsv") -> list[Rule]:
    """The packaged table of rules, in file order; none when the file is missing."""
    rows = read_table(path, "number", "edition", "title", "gloss") if path.exists() else iter(())
    return [Rule(row["number"], row["edition"], row["title"], row["gloss"]) for row in rows]


def number_order(number: str) -> tuple[int, int, str]:
    """Sorting key of a rule number: 702.2b stands before 702.10."""
    chapter, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(chapter), int(digits or 0), rest[len(digits) :]


def solid(text: str) -> str:
    """Text as compared for copying: NFKC, no white space at all."""
    return "".join(unicodedata.normalize("NFKC", text).split())


@dataclass(frozen=True)
class RulesText:
    """The text of one edition of the Comprehensive Rules (a line a rule, as published)."""

    text: str

    @cached_property
    def edition(self) -> str:
        """The day it came into force, ``YYYY-MM-DD``; empty when the text does not say."""
        stated = re.search(r"effective as of (\w+ \d{1,2}, \d{4})", self.text)
        if stated is None:
            return ""
        return datetime.strptime(stated[1], "%B %d, %Y").date().isoformat()

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(re.findall(r"^(\d{3}(?:\.\d+[a-z]?)?)\.? \S", self.text, re.MULTILINE))

    @cached_property
    def _titles(self) -> dict[str, str]:
        """Titles of three-digit rules and of keywords (701.x, 702.x), which are no sentences."""
        titled = re.findall(r"^(\d{3}|70[12]\.\d+)\. (.*[^\s.)”])\s*$", self.text, re.MULTILINE)
        return dict(titled)

    def title(self, number: str) -> str:
        """The title of a rule, or of the nearest rule above it that has one."""
        above = number.rstrip("abcdefghijklmnopqrstuvwxyz")
        return self._titles.get(above) or self._titles.get(number[:3], "")

    @cached_property
    def solid(self) -> str:
        return solid(self.text)


NO_TEXT = RulesText("")
"""Where the rules are not at hand."""
