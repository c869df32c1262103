"""Card definitions: facts, keywords, patches, a user's own card file, the audit."""

import json
from pathlib import Path

import pytest

from saitei.engine.audit import audit
from saitei.engine.cards import CardBook, card_id, read_cards
from saitei.engine.errors import ScenarioError
from saitei.engine.phase_faces import derive_keywords, faces_json
from saitei.engine.protocol import Adapter


def define(tmp_path: Path, text: str) -> CardBook:
    file = tmp_path / "cards.yaml"
    file.write_text(text, "utf-8")
    return read_cards([file])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Fling", "fling"),
        ("Arlinn, the Pack's Hope // Arlinn, the Moon's Fury", "arlinn-the-packs-hope"),
        ("Séance", "seance"),
        ("Jar'Eld: Two -- Words", "jareld-two-words"),
    ],
)
def test_ids(name: str, expected: str) -> None:
    assert card_id(name) == expected


def test_a_known_card_needs_its_text_only(tmp_path: Path) -> None:
    book = define(tmp_path, "- id: hostile-hostel\n  text: One.\n  back: {text: Two.}\n")
    card = book.get("hostile-hostel")
    assert (card.known, card.layout, card.kind) == (True, "transform", "card")
    assert (card.front.en, card.front.ja, card.front.type) == (
        "Hostile Hostel",
        "敵意ある宿屋",
        "Land",
    )
    assert card.back is not None
    assert (card.back.en, card.back.pt, card.back.text) == ("Creeping Inn", "3/7", "Two.")


def test_loyalty_comes_from_the_facts(tmp_path: Path) -> None:
    card = define(tmp_path, "- id: arlinn-the-packs-hope\n  back: {}\n").get(
        "arlinn-the-packs-hope"
    )
    assert (card.front.loyalty, card.front.pt) == ("4", "")


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("Flying, haste", ["Flying", "Haste"]),
        ("Vigilance\nKicker {2}\nDraw a card.", ["Vigilance", "Kicker"]),
        ("First strike (It deals damage first.)", ["First strike"]),
        ("Flying creatures get +1/+1.", []),
        ('Creatures you control have "Flying."', []),
        ("Flashback {2}{U}", ["Flashback"]),
    ],
)
def test_keywords_are_derived(text: str, keywords: list[str]) -> None:
    assert derive_keywords(text) == keywords


def test_a_patch_that_does_not_fit(tmp_path: Path) -> None:
    book = define(
        tmp_path,
        "- id: odd\n  name: {en: Odd, ja: 奇妙}\n  type: Artifact\n"
        "  patch: {reason: for a test, ops: [{path: /no/such/place, value: '1'}]}\n",
    )
    with pytest.raises(ScenarioError, match=r"cards\.yaml:1: patch /no/such/place: does not fit"):
        faces_json(book.get("odd"))


def test_a_users_own_card_file_gives_texts_as_written(tmp_path: Path) -> None:
    book = define(
        tmp_path,
        "- id: fling\n  text: Draw a card.\n  reworded: {reason: a test of it}\n"
        "- id: helper\n  name: {en: Helper, ja: 補助}\n  type: Artifact\n",
    )
    atom = {
        "name": "Fling",
        "type": "Instant",
        "manaCost": "{1}{R}",
        "colors": ["R"],
        "text": "You gain 1 life.",
    }
    file = tmp_path / "AtomicCards.json"
    file.write_text(json.dumps({"data": {"Fling": [atom]}}), "utf-8")
    own = book.with_atomic(file)
    assert (own.get("fling").front.text, own.get("fling").text_kind) == (
        "You gain 1 life.",
        "as-written",
    )
    assert own.get("helper") == book.get("helper")

    file.write_text("[]", "utf-8")
    with pytest.raises(ScenarioError, match="not an MTGJSON AtomicCards file"):
        book.with_atomic(file)


def test_the_audit_lists_what_the_engine_flags(cards: CardBook, engine: Adapter) -> None:
    flagged = {one.card: one for one in audit(cards, engine)}
    assert "gibberish" in flagged
    assert "bear" not in flagged
    assert flagged["gibberish"].place.rsplit("/", 1)[-1].startswith("cards.yaml:")
