"""Card definitions -> faces of phase-python (`build_oracle_face`), built once per process."""

import functools
import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import phase

from saitei.engine.cards import CardDefinition, Face, PatchOp
from saitei.engine.errors import ScenarioError, UnsupportedError

Json = dict[str, Any]
"""The engine's own JSON. It never leaves the phase_* modules."""

FILLER = Face("Blank Stone", "白紙の石", "{9}", "Artifact", "")

# Names as MTGJSON lists them in `keywords`; without the listing the builder takes a line such as
# "Vigilance" for an ability it does not know.
KEYWORDS = """
Affinity|Afflict|Aftermath|Ascend|Assist|Aura swap|Awaken|Banding|Battle cry|Bestow|Bloodthirst|
Boast|Bushido|Buyback|Cascade|Casualty|Champion|Changeling|Cipher|Cleave|Compleated|Conspire|
Convoke|Crew|Cumulative upkeep|Cycling|Dash|Daybound|Deathtouch|Decayed|Defender|Delve|Demonstrate|
Dethrone|Devoid|Devour|Disturb|Double strike|Dredge|Echo|Embalm|Emerge|Enchant|Encore|Entwine|Epic|
Equip|Escape|Eternalize|Evoke|Evolve|Exalted|Exploit|Extort|Fabricate|Fading|Fear|First strike|
Flanking|Flash|Flashback|Flying|Forecast|Foretell|Fortify|Frenzy|Fuse|Graft|Gravestorm|Haste|Haunt|
Hexproof|Hideaway|Horsemanship|Improvise|Indestructible|Infect|Ingest|Intimidate|Investigate|
Jump-start|Kicker|Level up|Lifelink|Living weapon|Madness|Megamorph|Melee|Menace|Mentor|Miracle|
Modular|Morph|Multikicker|Mutate|Myriad|Nightbound|Ninjutsu|Offering|Outlast|Overload|Partner|
Persist|Phasing|Poisonous|Protection|Provoke|Prowess|Prowl|Rampage|Reach|Rebound|Reconfigure|
Recover|Reinforce|Renown|Replicate|Retrace|Riot|Ripple|Scavenge|Shadow|Shroud|Skulk|Soulbond|
Soulshift|Spectacle|Splice|Split second|Storm|Sunburst|Surge|Suspend|Totem armor|Training|Trample|
Transfigure|Transmute|Tribute|Undaunted|Undying|Unearth|Unleash|Vanishing|Vigilance|Ward|Wither
""".replace("\n", "").split("|")
_BY_LENGTH = sorted(KEYWORDS, key=len, reverse=True)
_BASICS = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
_SUPERTYPES = frozenset({"Legendary", "Basic", "Snow", "World"})
_LETTER = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def derive_keywords(text: str) -> list[str]:
    """The keyword abilities that stand as such in a card text, in order, by MTGJSON's names."""
    found: dict[str, None] = {}
    for line in text.split("\n"):
        plain = re.sub(r"\([^)]*\)", "", line).strip()
        if plain.endswith((".", '"')) and not re.match(r"(\w+)—", plain):
            continue  # a sentence, not a list of keywords
        for part in plain.split(", "):
            for word in _BY_LENGTH:
                if re.match(re.escape(word) + r"($|[ —{])", part, re.IGNORECASE):
                    found[word] = None
                    break
    return list(found)


def mana_value(cost: str) -> int:
    """The mana value of a cost such as ``{X}{2}{U}``, X being 0."""
    total = 0
    for symbol in re.findall(r"\{([^}]+)\}", cost):
        total += int(symbol) if symbol.isdigit() else 0 if symbol == "X" else 1
    return total


@functools.lru_cache(maxsize=4096)
def faces_json(card: CardDefinition) -> str:
    """The built faces as members of the engine's card file: ``"name": {...}, ...``.

    Raises `UnsupportedError` when the builder refuses, `ScenarioError` for a patch that does not
    fit.
    """
    return json.dumps(_faces(card))[1:-1]


def flags(card: CardDefinition) -> list[str]:
    """What the builder says it did not understand, in its own words."""
    return list(_flags(card))


@functools.lru_cache(maxsize=4096)
def _flags(card: CardDefinition) -> tuple[str, ...]:
    faces = json.loads("{" + faces_json(card) + "}")
    found = (f"{face['name']}: {what}" for face in faces.values() for what in _problems(face))
    return tuple(dict.fromkeys(found))


def _faces(card: CardDefinition) -> dict[str, Json]:
    oracle_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"saitei:{card.id}"))
    try:
        if card.back is None:
            built = [phase.build_oracle_face(_atom(card.front, card), oracle_id)]
        else:
            full = f"{card.front.en} // {card.back.en}"
            built = []
            for side, face in (("a", card.front), ("b", card.back)):
                atom = {**_atom(face, card), "name": full, "faceName": face.en, "side": side}
                # MTGJSON gives both sides the front's mana value.
                atom["manaValue"] = float(mana_value(card.front.cost))
                if card.layout == "modal_dfc":
                    atom["manaValue"] = float(mana_value(face.cost))
                built.append(phase.build_oracle_face_multi(atom, oracle_id))
                built[-1]["layout"] = card.layout
    except ValueError as error:
        raise UnsupportedError(f"{card.id}: {error}") from None
    for face in built:
        face["legalities"] = {"standard": "Legal", "commander": "Legal"}
    for op in card.patch:
        _apply(op, built[1 if op.face == "back" and len(built) > 1 else 0], card)
    return {face["name"].lower(): face for face in built}


def _atom(face: Face, card: CardDefinition) -> Json:
    main, _, subtypes = face.type.partition(" — ")
    words = main.split()
    text = face.text
    basic = next((letter for name, letter in _BASICS.items() if name == face.en), None)
    if basic and "Basic" in words and not text:
        text = f"({{T}}: Add {{{basic}}}.)"
    atom: Json = {
        "name": face.en,
        "type": face.type,
        "types": [word for word in words if word not in _SUPERTYPES],
        "supertypes": [word for word in words if word in _SUPERTYPES],
        "subtypes": subtypes.split(),
        "text": text,
        "layout": card.layout,
        "colors": _colors(face),
        "colorIdentity": [],
        "manaValue": float(mana_value(face.cost)),
        "keywords": derive_keywords(text),
        "legalities": {"standard": "Legal", "commander": "Legal"},
        "identifiers": {},
        "printings": [],
    }
    if face.cost:
        atom["manaCost"] = face.cost
    if face.pt:
        atom["power"], atom["toughness"] = face.pt.split("/")
    if face.loyalty:
        atom["loyalty"] = face.loyalty
    return atom


def _colors(face: Face) -> list[str]:
    if face.colors is not None:
        return [_LETTER[color] for color in face.colors]
    return [letter for letter in "WUBRG" if letter in re.sub(r"[^WUBRG]", "", face.cost)]


def _problems(node: Any) -> Iterator[str]:
    """Nodes the parser marked, anywhere in a face, and its warnings."""
    if isinstance(node, dict):
        if node.get("type") in ("Unimplemented", "Unknown", "Unrecognized"):
            words = {key: value for key, value in node.items() if key != "sub_ability"}
            yield json.dumps(words, ensure_ascii=False)
        mode = node.get("mode")
        if mode == "Unknown" or (isinstance(mode, dict) and "Unknown" in mode):
            yield f"mode {json.dumps(mode, ensure_ascii=False)}"
        for key, value in node.items():
            if key == "parse_warnings":
                yield from (f"warning {warning}" for warning in value or [])
            else:
                yield from _problems(value)
    elif isinstance(node, list):
        for item in node:
            yield from _problems(item)


def _apply(op: PatchOp, face: Json, card: CardDefinition) -> None:
    """One JSON-patch operation (RFC 6902: add, replace, remove)."""
    keys = [key.replace("~1", "/").replace("~0", "~") for key in op.path.split("/")[1:]]
    node: Any = face
    try:
        for key in keys[:-1]:
            node = node[int(key)] if isinstance(node, list) else node[key]
        last: Any = keys[-1]
        if isinstance(node, list):
            last = len(node) if last == "-" else int(last)
        if op.op == "remove":
            del node[last]
        elif op.op == "add" and isinstance(node, list):
            node.insert(last, json.loads(op.value))
        else:
            if op.op == "replace" and isinstance(node, dict) and last not in node:
                raise KeyError(last)
            node[last] = json.loads(op.value)
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise ScenarioError(f"{card.place}: patch {op.path}: does not fit: {error!r}") from None
