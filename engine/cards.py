"""Card definitions: `data/cards/**/*.yaml`, with the facts of known cards beside them.

A definition of a card in `data/facts/cards.tsv` needs its id and its text only; an invented helper
card says everything. A rewording, or a patch of the parsed face, is declared with its reason.
"""

import functools
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.engine.errors import ScenarioError
from saitei.engine.positions import read_entries
from saitei.engine.words import Color, OneOrMany, YesNo, as_list

TextKind = Literal["as-written", "reworded", "patched"]
Layout = Literal["normal", "transform", "modal_dfc"]


@dataclass(frozen=True, slots=True)
class Face:
    """One face. ``pt`` as ``"2/2"``; ``loyalty`` as a number in text; ``text`` in lines."""

    en: str
    ja: str
    cost: str
    type: str
    text: str
    pt: str = ""
    loyalty: str = ""
    colors: tuple[Color, ...] | None = None


@dataclass(frozen=True, slots=True)
class PatchOp:
    """One edit of a parsed face: ``path`` is a JSON pointer, ``value`` JSON text."""

    op: Literal["add", "replace", "remove"]
    path: str
    value: str = "null"
    face: Literal["front", "back"] = "front"


@dataclass(frozen=True, slots=True)
class CardDefinition:
    """A card, token or emblem. ``content`` is the definition as canonical JSON (for hashes)."""

    id: str
    front: Face
    back: Face | None
    layout: Layout
    kind: Literal["card", "token", "emblem"]
    known: bool
    reworded: str
    patched: str
    patch: tuple[PatchOp, ...]
    content: str
    place: str

    @property
    def text_kind(self) -> TextKind:
        """How far the engine's card is from the card as written."""
        return "patched" if self.patch else "reworded" if self.reworded else "as-written"

    @property
    def names(self) -> list[str]:
        """English names of its faces, front first."""
        return [self.front.en] + ([self.back.en] if self.back else [])

    def blank(self) -> "CardDefinition":
        """The same card without any text, for the vacuity check."""
        back = replace(self.back, text="") if self.back else None
        return replace(self, front=replace(self.front, text=""), back=back, patch=())


def card_id(name: str) -> str:
    """The id of a card from its English front-face name: ``Liliana's Contract`` ->
    ``lilianas-contract``."""
    plain = unicodedata.normalize("NFKD", name.split(" // ")[0])
    plain = plain.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"[',]", "", plain)).strip("-")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class _Name(_Strict):
    en: str
    ja: str


class _Face(_Strict):
    name: _Name | None = None
    cost: str | None = None
    type: str | None = None
    pt: str | None = Field(default=None, pattern=r"^[-+*0-9]+/[-+*0-9]+$")
    loyalty: str | None = Field(default=None, pattern=r"^\d+$")
    colors: Annotated[list[Color], BeforeValidator(as_list), OneOrMany()] | None = None
    text: str = ""


class _Reworded(_Strict):
    reason: str = Field(min_length=8)


class _Op(_Strict):
    op: Literal["add", "replace", "remove"] = "replace"
    path: str = Field(pattern=r"^/")
    value: str = "null"
    face: Literal["front", "back"] = "front"


class _Patch(_Reworded):
    ops: list[_Op] = Field(min_length=1)


class _Card(_Face):
    id: str = Field(pattern=r"^[a-z0-9-]+$")
    layout: Layout | None = None
    back: _Face | None = None
    token: YesNo = False
    emblem: YesNo = False
    reworded: _Reworded | None = None
    patch: _Patch | None = None


_CARD = TypeAdapter(_Card)


class CardBook:
    """The definitions at hand, by id."""

    def __init__(self, cards: Mapping[str, CardDefinition]) -> None:
        self._cards = dict(cards)

    @property
    def ids(self) -> list[str]:
        """All ids, sorted."""
        return sorted(self._cards)

    def __contains__(self, card: str) -> bool:
        return card in self._cards

    def get(self, card: str) -> CardDefinition:
        """The definition. Raises KeyError."""
        return self._cards[card]

    def blanked(self, cards: Iterable[str]) -> "CardBook":
        """The same book with the text of ``cards`` blanked."""
        blank = {card: self._cards[card].blank() for card in cards}
        return CardBook({**self._cards, **blank})

    def with_file(self, file: Path) -> "CardBook":
        """The same book with the user's own: an MTGJSON file, or definitions in YAML.

        A definition of his own takes the place of ours with that id. Raises `ScenarioError`.
        """
        if file.suffix not in (".yaml", ".yml"):
            return self.with_atomic(file)
        return CardBook({**self._cards, **read_cards([file])._cards})

    def with_atomic(self, file: Path) -> "CardBook":
        """The same book with texts from an MTGJSON AtomicCards file of the user's own.

        Known cards found there by their English name are taken as written; tokens, emblems and
        invented cards stay. Raises `ScenarioError`.
        """
        try:
            data = json.loads(file.read_text("utf-8"))["data"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ScenarioError(f"{file}:1: not an MTGJSON AtomicCards file: {error}") from None
        atoms = {card_id(name): faces for name, faces in data.items()}
        found = {
            card.id: _from_atomic(card, atoms[card.id])
            for card in self._cards.values()
            if card.known and card.id in atoms
        }
        return CardBook({**self._cards, **found})


def card_files() -> list[Path]:
    """The files in `data/cards`."""
    return sorted((DATA / "cards").rglob("*.yaml"))


@functools.cache
def packaged_cards() -> CardBook:
    """The definitions in `data/cards`. Raises `ScenarioError`."""
    return read_cards(card_files())


def read_cards(files: Iterable[Path]) -> CardBook:
    """The definitions in ``files`` (each a list). Raises `ScenarioError`, one line a complaint."""
    book, complaints = read_good_cards(files)
    if complaints:
        raise ScenarioError("\n".join(complaints))
    return book


def read_good_cards(files: Iterable[Path]) -> tuple[CardBook, list[str]]:
    """The definitions that can be used, and a complaint for each of the others."""
    cards: dict[str, CardDefinition] = {}
    complaints: list[str] = []
    for model, raw, place in read_entries(files, _CARD, complaints):
        try:
            card = _definition(model, json.dumps(raw, sort_keys=True), place)
        except ScenarioError as error:
            complaints.append(str(error))
            continue
        if card.id in cards:
            complaints.append(f"{place}: id: '{card.id}' is already in {cards[card.id].place}")
        cards.setdefault(card.id, card)
    return CardBook(cards), complaints


@functools.cache
def card_facts() -> dict[str, dict[str, str]]:
    """The rows of `data/facts/cards.tsv` by card id."""
    front = ("name_ja", "name_en", "mana_cost", "type_line", "pt_or_loyalty", "layout")
    back = ("back_name_ja", "back_name_en", "back_mana_cost", "back_type_line", "back_pt")
    rows = read_table(DATA / "facts" / "cards.tsv", *front, *back)
    return {card_id(row["name_en"]): row for row in rows}


def _definition(model: _Card, content: str, place: str) -> CardDefinition:
    fact = card_facts().get(model.id)
    if fact is None:
        front, back = _face(model, place), _face(model.back, place) if model.back else None
        layout = model.layout or ("transform" if back else "normal")
        if (back is None) != (layout == "normal"):
            raise ScenarioError(f"{place}: layout: {layout} does not fit the number of faces")
    else:
        front = _known(model, fact, "name_ja", "name_en", "mana_cost", "type_line", "pt_or_loyalty")
        layout = _layout(fact["layout"])
        back = None
        if layout != "normal":
            back_keys = ("back_name_ja", "back_name_en", "back_mana_cost", "back_type_line")
            back = _known(model.back or _Face(), fact, *back_keys, "back_pt")
        elif model.back:
            raise ScenarioError(f"{place}: back: {model.id} has one face only")
    patch = (
        tuple(PatchOp(op.op, op.path, op.value, op.face) for op in model.patch.ops)
        if model.patch
        else ()
    )
    return CardDefinition(
        model.id,
        front,
        back,
        layout,
        "token" if model.token else "emblem" if model.emblem else "card",
        fact is not None,
        model.reworded.reason if model.reworded else "",
        model.patch.reason if model.patch else "",
        patch,
        content,
        place,
    )


def _layout(word: str) -> Layout:
    return "transform" if word == "transform" else "modal_dfc" if word == "modal_dfc" else "normal"


def _face(model: _Face, place: str) -> Face:
    if model.name is None or model.type is None:
        missing = "name" if model.name is None else "type"
        raise ScenarioError(f"{place}: {missing}: missing (no such card in data/facts/cards.tsv)")
    return Face(
        model.name.en,
        model.name.ja,
        model.cost or "",
        model.type,
        model.text.strip(),
        model.pt or "",
        model.loyalty or "",
        tuple(model.colors) if model.colors is not None else None,
    )


def _known(model: _Face, fact: dict[str, str], ja: str, en: str, *rest: str) -> Face:
    """A face of a known card: what the definition says wins over the facts."""
    cost, type_line, numbers = (fact[key] for key in rest)
    loyalty = numbers.removeprefix("loyalty ") if numbers.startswith("loyalty") else ""
    return Face(
        model.name.en if model.name else fact[en],
        model.name.ja if model.name else fact[ja],
        model.cost if model.cost is not None else cost,
        model.type or type_line,
        model.text.strip(),
        model.pt or ("" if loyalty else numbers),
        model.loyalty or loyalty,
        tuple(model.colors) if model.colors is not None else None,
    )


_LETTERS: dict[str, Color] = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}


def _from_atomic(card: CardDefinition, atoms: list[dict[str, Any]]) -> CardDefinition:
    faces = [
        Face(
            atom.get("faceName") or atom["name"],
            ja,
            atom.get("manaCost") or "",
            atom["type"],
            atom.get("text") or "",
            f"{atom['power']}/{atom['toughness']}" if "power" in atom else "",
            str(atom.get("loyalty") or ""),
            tuple(_LETTERS[letter] for letter in atom.get("colors", [])),
        )
        for atom, ja in zip(atoms, (card.front.ja, card.back.ja if card.back else ""), strict=False)
    ]
    back = faces[1] if card.back and len(faces) > 1 else None
    content = json.dumps([str(face) for face in faces])
    return replace(
        card, front=faces[0], back=back, reworded="", patched="", patch=(), content=content
    )
