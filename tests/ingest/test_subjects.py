"""Subjects from names in a block, and inferred for blocks that name none."""

from collections.abc import Sequence

import pytest

from saitei.ingest.catalog import Card, Catalog, Face, load_catalog, slug
from saitei.ingest.models import Parsed
from saitei.ingest.order import english_key, longest_rise, readings
from saitei.ingest.parsing import parse
from saitei.ingest.reading import read_text


def parsed(text: str, catalog: Catalog) -> Parsed:
    data = text.encode()
    return parse(read_text(data, "invented.txt"), data, "invented.txt", catalog=catalog)


def subjects(blocks: Sequence[str], catalog: Catalog) -> list[tuple[str | None, str]]:
    """Subject and evidence of each block, where every block is one bullet of a card chapter."""
    text = "カード別注釈\n\n" + "\n\n".join(f"• {block}" for block in blocks) + "\n"
    return [(one.subject.id, one.subject.evidence) for one in parsed(text, catalog).rulings]


def card(en: str, ja: str, type_line: str, cost: str = "{2}", **more: object) -> Card:
    face = Face(ja, en, cost, type_line)
    return Card(slug(en), (face,), set="XXX", facts=True, **more)  # type: ignore[arg-type]


NAMED = [
    card(f"{letter}rn", f"{kana}ルン", "Creature — Human")
    for letter, kana in zip("ACEGIKMO", "アカサタナハマヤ", strict=True)
]


def catalog_of(*cards: Card) -> Catalog:
    return Catalog({one.id: one for one in (*NAMED, *cards)}, load_catalog().mechanics)


def says(one: Card) -> str:
    return f"《{one.ja}》の能力はクリーチャー１体を対象とする。"


EQUIPMENT = "装備しているクリーチャーが死亡しても、これは戦場に残る。"


def test_the_neighbours_and_what_is_said_tell_a_nameless_card() -> None:
    sword = card("Dagger", "短剣", "Artifact — Equipment")
    blocks = [*map(says, NAMED[:2]), EQUIPMENT, *map(says, NAMED[2:])]
    found = subjects(blocks, catalog_of(sword))
    assert found[2] == ("dagger", "order")
    assert {evidence for id_, evidence in found if id_ != "dagger"} == {"named"}


def test_where_order_and_words_contradict_each_other_nothing_is_claimed() -> None:
    beast = card("Dog", "犬", "Creature — Dog")
    blocks = [*map(says, NAMED[:2]), EQUIPMENT, *map(says, NAMED[2:])]
    assert subjects(blocks, catalog_of(beast))[2] == (None, "none")


def test_two_candidates_that_nothing_tells_apart_stay_unknown() -> None:
    pair = (card("Dab", "短剣", "Creature — Cat"), card("Dob", "長剣", "Creature — Cat"))
    blocks = [*map(says, NAMED[:2]), "これは再び誘発しない呪文だ。", *map(says, NAMED[2:])]
    assert subjects(blocks, catalog_of(*pair))[2] == (None, "none")


def test_blocks_in_one_gap_take_its_cards_in_order() -> None:
    pair = (card("Dab", "短剣", "Creature — Cat"), card("Dob", "長剣", "Creature — Cat"))
    nameless = ["この能力は一度だけ誘発する。", "この能力は何度でも誘発する。"]
    blocks = [*map(says, NAMED[:2]), *nameless, *map(says, NAMED[2:])]
    assert subjects(blocks, catalog_of(*pair))[2:4] == [("dab", "order"), ("dob", "order")]


def test_the_order_of_japanese_readings_is_recognised_too() -> None:
    named = [
        card(en, ja, "Creature — Human")
        for en, ja in [
            ("Zeta", "秋の占い師"),
            ("Alpha", "記憶の番人"),
            ("Omega", "酒場の主"),
            ("Beta", "旅の道連れ"),
            ("Sigma", "墓地の番犬"),
            ("Gamma", "村の長"),
            ("Kappa", "柳の精"),
        ]
    ]
    blade = card("Nowhere", "西の剣", "Artifact — Equipment")
    catalog = Catalog({one.id: one for one in (*named, blade)}, {})
    blocks = [*map(says, named[:4]), EQUIPMENT, *map(says, named[4:])]
    assert subjects(blocks, catalog)[4] == ("nowhere", "order")


def test_a_card_named_in_an_example_is_not_the_subject() -> None:
    blocks = [
        *map(says, NAMED[:6]),
        "戦場を離れても能力は続く。たとえば、《Gルン》を出していた場合も同じである。",
        *map(says, NAMED[6:]),
    ]
    named = subjects(blocks, catalog_of())[6]
    assert named[1] != "named"


def test_a_misprint_notice_is_about_the_card_named_correctly() -> None:
    text = "カードには「アルン」と書かれた能力があるが、正しくは《カルン》である。"
    assert subjects([text, *map(says, NAMED[2:])], catalog_of())[0] == ("crn", "named")


def test_a_card_of_another_set_is_an_example() -> None:
    other = Card("old-one", (Face("古い者", "Old One", "{9}", "Creature"),), set="OLD", facts=True)
    blocks = [*map(says, NAMED), "《古い者》の呪文を打ち消しても、こちらの能力は残る。"]
    assert subjects(blocks, catalog_of(other))[-1] == (None, "none")


def test_few_cards_in_no_order_give_no_order() -> None:
    sword = card("Dagger", "短剣", "Artifact — Equipment")
    shuffled = [NAMED[5], NAMED[1], NAMED[7], NAMED[0], NAMED[6], NAMED[2]]
    blocks = [*map(says, shuffled), EQUIPMENT]
    # What is said is all there is to go by, and here it suffices.
    assert subjects(blocks, catalog_of(sword))[-1] == ("dagger", "order")
    assert subjects([*map(says, shuffled), "この能力は誘発しない。"], catalog_of(sword))[-1] == (
        None,
        "none",
    )


def test_the_more_cards_lack_facts_the_less_is_claimed() -> None:
    sword = card("Dagger", "短剣", "Artifact — Equipment")
    unknown = [
        Card(f"x{n}", (Face(f"未知の札{sign}", f"X{n}"),))
        for n, sign in enumerate("一二三四五六七八九十")
    ]
    blocks = [*map(says, NAMED[:2]), EQUIPMENT, *map(says, NAMED[2:])]
    assert subjects(blocks, catalog_of(sword))[2] == ("dagger", "order")
    assert subjects([*blocks, *map(says, unknown)], catalog_of(sword, *unknown))[2] == (
        None,
        "none",
    )


def test_too_few_named_cards_tell_no_set_to_guess_from() -> None:
    sword = card("Dagger", "短剣", "Artifact — Equipment")
    blocks = [*map(says, NAMED[:5]), EQUIPMENT]
    assert subjects(blocks, catalog_of(sword))[-1] == (None, "none")


@pytest.mark.parametrize(
    ("heading", "id_"),
    [
        ("新キーワード能力：腐乱", "decayed"),
        ("パーティに関する一般的な情報", "party"),
        ("昼から夜または夜から昼になるとき", "day-and-night"),
        ("サイクル:「高まる」フラッシュバック呪文", "increasing-cycle"),
        ("想定される特殊な状況", None),
    ],
)
def test_a_heading_names_the_mechanic_of_its_section(heading: str, id_: str | None) -> None:
    text = f"一般注釈\n\n{heading}\n\n• 呪文を唱えた数は誘発に関わらない。\n"
    assert parsed(text, load_catalog()).rulings[0].subject.id == id_


def test_a_heading_is_read_as_the_special_case_its_rulings_speak_of() -> None:
    text = (
        "両面カードに関する一般的な情報\n\n• モードを持つ両面カードの裏は、呪文として唱えられる。\n"
    )
    assert parsed(text, load_catalog()).rulings[0].subject.id == "modal-double-faced-cards"


def test_a_section_heading_among_cards_covers_the_block_below_it_only() -> None:
    text = (
        "キッカーに関する一般的な情報\n\n• キッカーのコストは呪文の追加コストだ。\n\n"
        "• 《地震》はクリーチャーを傷つける。\n"
    )
    first, second = parsed(text, load_catalog()).rulings
    assert (first.subject.id, first.heading) == ("kicker", ("キッカーに関する一般的な情報",))
    assert (second.subject.id, second.heading) == ("earthquake", ())


def test_sort_keys() -> None:
    assert english_key("Séance, the Lost") == "seance the lost"
    assert readings("ゾンビ化")[0].startswith("ゾンビ")
    assert "アキノウラナイシ" in readings("秋の占い師")
    assert longest_rise(["b", "a", "c", "c", "z", "d", "e"]) in ([0, 2, 3, 5, 6], [1, 2, 3, 5, 6])
    assert longest_rise([]) == []
