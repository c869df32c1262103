"""Cards and mechanics by name: what the linker, the notes and the search know about the game."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from saitei.data import PATH as DATA
from saitei.data.tables import TableError, read_lines, read_table

_CARD = (
    *("name_ja", "name_en", "set", "mana_cost", "type_line", "pt_or_loyalty", "layout"),
    *("back_name_ja", "back_name_en", "back_mana_cost", "back_type_line", "back_pt", "keywords"),
)
_MECHANIC = ("id", "name_ja", "name_en", "category", "rules_2025_02_07")


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a card: names, cost such as ``{1}{W}``, English type line, ``P/T`` or loyalty."""

    ja: str
    en: str
    cost: str = ""
    type_line: str = ""
    pt: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A card. ``id`` is the slug of its English front-face name; ``facts`` tells whether more
    than its names is known."""

    id: str
    faces: tuple[Face, ...]
    set: str = ""
    layout: str = "normal"
    keywords: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    facts: bool = False

    @property
    def ja(self) -> str:
        return self.faces[0].ja

    @property
    def en(self) -> str:
        return self.faces[0].en

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it goes by, both faces, both languages, misspellings last."""
        both = (name for face in self.faces for name in (face.ja, face.en))
        return (*(name for name in both if name), *self.aliases)


@dataclass(frozen=True, slots=True)
class Mechanic:
    """A keyword, ability word or concept, with its Comprehensive Rules number."""

    id: str
    ja: str
    en: str
    category: str
    rules: str


@dataclass(frozen=True, slots=True)
class Called:
    """``said``: what players call a card of which only the name is known, or a name of its own that
    may be trusted more than its length tells. ``sure``: wherever it stands; else only where it is
    not glued to other kanji, or, in Latin, capitalised."""

    card: str
    said: str
    sure: bool


_SLUG_DROPPED = str.maketrans("", "", "',")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """The id of a name: ASCII, lower case, apostrophes and commas dropped, other runs a hyphen."""
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _NOT_SLUG.sub("-", name.lower().translate(_SLUG_DROPPED)).strip("-")


@dataclass(frozen=True, eq=False)
class Catalog:
    """Cards with facts, every card name known, and mechanics; read-only, cheap to look up in.

    Compared and hashed by identity, so that what is derived from it can be cached.
    """

    cards: dict[str, Card] = field(repr=False)
    mechanics: dict[str, Mechanic] = field(repr=False)
    called: tuple[Called, ...] = field(default=(), repr=False)

    @cached_property
    def by_name(self) -> dict[str, Card]:
        """Normalised name in either language -> card; a card with facts wins a shared name."""
        names: dict[str, Card] = {}
        for card in sorted(self.cards.values(), key=lambda card: not card.facts):
            for name in card.names:
                names.setdefault(fold_name(name), card)
        return names

    def card_named(self, name: str) -> Card | None:
        return self.by_name.get(fold_name(name))


_UNFOLDED = re.compile(r"[\s、,・'’]+")


def fold_name(name: str) -> str:
    """A name as compared: NFKC, lower case, without white space, commas and middle dots."""
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name)
    return _UNFOLDED.sub("", name.lower())


def _name_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """(ja, en) of a two-column table; plain splitting, since csv takes most of a cold start.
    Raises `TableError`."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"{path}: cannot be read: {error}") from None
    if lines[:1] != ["name_ja\tname_en"]:
        raise TableError(f"{path}:1: not the columns name_ja, name_en")
    for number, line in enumerate(lines[1:], 2):
        ja, tab, en = line.partition("\t")
        if not tab:
            raise TableError(f"{path}:{number}: not 2 columns")
        yield ja, en


@lru_cache(maxsize=1)
def load_catalog() -> Catalog:
    """The packaged catalog: ``data/facts`` (cards, card names, aliases, nicknames, mechanics).
    Raises `TableError`."""
    aliases: dict[str, list[str]] = {}
    for row in read_table(DATA / "facts" / "aliases.tsv", "card", "alias"):
        aliases.setdefault(row["card"], []).append(row["alias"])
    cards: dict[str, Card] = {}
    for row in read_table(DATA / "facts" / "cards.tsv", *_CARD):
        faces = [
            Face(
                row["name_ja"],
                row["name_en"],
                row["mana_cost"],
                row["type_line"],
                row["pt_or_loyalty"],
            )
        ]
        if row["back_name_en"]:
            faces.append(
                Face(
                    row["back_name_ja"],
                    row["back_name_en"],
                    row["back_mana_cost"],
                    row["back_type_line"],
                    row["back_pt"],
                )
            )
        card_id = slug(row["name_en"])
        cards[card_id] = Card(
            id=card_id,
            faces=tuple(faces),
            set=row["set"],
            layout=row["layout"],
            keywords=tuple(word.strip() for word in row["keywords"].split(",") if word.strip()),
            aliases=tuple(aliases.get(card_id, ())),
            facts=True,
        )
    backs = {slug(card.faces[1].en) for card in cards.values() if len(card.faces) > 1}
    for ja, en in _name_pairs(DATA / "facts" / "card-names.tsv"):
        card_id = slug(en)
        if card_id and card_id not in cards and card_id not in backs:
            cards[card_id] = Card(card_id, (Face(ja, en),), aliases=tuple(aliases.get(card_id, ())))
    mechanics = {
        row["id"]: Mechanic(
            row["id"], row["name_ja"], row["name_en"], row["category"], row["rules_2025_02_07"]
        )
        for row in read_table(DATA / "facts" / "mechanics.tsv", *_MECHANIC)
    }
    return Catalog(cards, mechanics, load_nicknames(DATA / "facts" / "nicknames.tsv", cards))


def load_nicknames(path: Path, cards: Collection[str]) -> tuple[Called, ...]:
    """What players call the ``cards``, given by id. Raises `TableError` also for a row that names
    no card or no trust, or says what another says."""
    called: dict[str, Called] = {}
    for line, row in read_lines(path, "card", "said", "weight"):
        if row["card"] not in cards:
            raise TableError(f"{path}:{line}: unknown card '{row['card']}'")
        if row["weight"] not in ("sure", "likely"):
            raise TableError(f"{path}:{line}: a weight is sure or likely, not '{row['weight']}'")
        folded = fold_name(row["said"])
        if not folded:
            raise TableError(f"{path}:{line}: '{row['said']}' is no name")
        if folded in called:
            raise TableError(f"{path}:{line}: '{row['said']}' stands here twice")
        called[folded] = Called(row["card"], row["said"], row["weight"] == "sure")
    return tuple(called.values())
