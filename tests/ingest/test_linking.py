"""Cards and mechanics in rulings and in questions as people ask them."""

import pytest

from saitei.ingest.catalog import Called, Card, Catalog, Face, load_catalog
from saitei.ingest.linking import fold_with_places, link, link_ruling

CATALOG = load_catalog()


def cards(text: str, catalog: Catalog = CATALOG) -> list[tuple[str, str, str]]:
    """Cards named: id, the words that name it, how."""
    return [(one.id, one.surface, one.how) for one in link(text, catalog) if one.kind == "card"]


def card_ids(text: str) -> list[str]:
    return [id_ for id_, _, _ in cards(text)]


def mechanics(text: str) -> list[str]:
    return [one.id for one in link(text, CATALOG) if one.kind == "mechanic"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # In brackets any name counts, however ordinary a word.
        ("《幽閉》がついた", [("minimus-containment", "《幽閉》", "bracket")]),
        ("《Fling》 in response", [("fling", "《Fling》", "bracket")]),
        ("[[Opt]] please", [("opt", "[[Opt]]", "bracket")]),
        ("《地震/Earthquake》のX", [("earthquake", "《地震/Earthquake》", "bracket")]),
        # ... and width, white space and commas do not.
        (
            "《 輝かしい聖戦士，エーデリン 》",
            [("adeline-resplendent-cathar", "《 輝かしい聖戦士，エーデリン 》", "bracket")],
        ),
        ("《記憶の氾濫を唱えた", [("memory-deluge", "《記憶の氾濫", "bracket")]),
        # Whole names, either language, either face, spelt with or without marks.
        (
            "輝かしい聖戦士、エーデリンは数に入る？",
            [("adeline-resplendent-cathar", "輝かしい聖戦士、エーデリン", "name")],
        ),
        (
            "輝かしい聖戦士エーデリンは？",
            [("adeline-resplendent-cathar", "輝かしい聖戦士エーデリン", "name")],
        ),
        (
            "does adeline resplendent cathar count herself",
            [("adeline-resplendent-cathar", "adeline resplendent cathar", "name")],
        ),
        ("忍び寄る旅館がフェイズ・アウト", [("hostile-hostel", "忍び寄る旅館", "name")]),
        ("Death’s Caress on a human", [("deaths-caress", "Death’s Caress", "name")]),
        ("ﾌｧﾙｹﾝﾗｽの貴種", [("falkenrath-aristocrat", "ﾌｧﾙｹﾝﾗｽの貴種", "name")]),
        # Short forms.
        ("エーデリンの兵は？", [("adeline-resplendent-cathar", "エーデリン", "short")]),
        ("ザレスを見せたまま？", [("zareth-san-the-trickster", "ザレス", "short")]),
        ("ソリン奥義の後", [("sorin-lord-of-innistrad", "ソリン", "short")]),
        ("カイラー", [("kyler-sigardian-emissary", "カイラー", "short")]),
        ("泥塊のサイズ", [("consuming-blob", "泥塊", "short")]),
        ("Can Lynde move it?", [("lynde-cheerful-tormentor", "Lynde", "short")]),
        # A short form of two cards names both.
        (
            "剥ぎ取りの誘発",
            [
                ("flayer-of-the-hatebound", "剥ぎ取り", "short"),
                ("skirsdag-flayer", "剥ぎ取り", "short"),
            ],
        ),
        # Names as a document misspelt them, and as people do.
        ("《継ぎ当て死体》を唱えた", [("corpse-cobble", "《継ぎ当て死体》", "alias")]),
        ("ルーデビックの裏", [("ludevic-necrogenius", "ルーデビック", "fuzzy")]),
        ("エーデリーンは？", [("adeline-resplendent-cathar", "エーデリーン", "fuzzy")]),
        ("Dire strain rampage", [("dire-strain-rampage", "Dire strain rampage", "fuzzy")]),
        # What players call other cards; a whole name stays one where it is not capitalised.
        ("瞬唱で墓地の呪文を拾う", [("snapcaster-mage", "瞬唱", "short")]),
        ("ラガバンの疾駆は？", [("ragavan-nimble-pilferer", "ラガバン", "short")]),
        ("my lightning bolt fizzled", [("lightning-bolt", "lightning bolt", "name")]),
        ("Can I Bolt it in response?", [("lightning-bolt", "Bolt", "short")]),
        ("he bolted it", []),
        ("they bolt it", []),
        ("石鍛冶場を作る", []),
        ("十手先を読む", []),
    ],
)
def test_cards(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(cards(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        "再生したクリーチャーはタップされる？",  # 再生 is a card and a keyword action
        "飛行を持つクリーチャーをブロックできる？",  # so is 飛行
        "ブロックの選択はいつ？",
        "能力を誘発させて打ち消された",
        "サイクリングできる？",  # サイ is a card
        "終末の騎士って強い？",
        "非常に不可思議な状況",
        "戻す能力をもみ消した",
        "全部なかったことになる？",
        "地震計の話",
        "Can I opt to pay?",
        "my creature is in shock",
        "whatever happens",
        "last chance to respond, does it live or die?",
        "in sudden death rounds, no safe passage",
        "死亡した場合、誘発する？",
    ],
)
def test_ordinary_words_are_no_cards(text: str) -> None:
    assert cards(text) == []


@pytest.mark.parametrize("around", ["{}", "《{}》は？", "質問です。{}は対象になりますか"])
def test_every_name_of_every_card_with_facts_is_found(around: str) -> None:
    for card in CATALOG.cards.values():
        for name in card.names if card.facts else ():
            assert card_ids(around.format(name)) == [card.id]


def test_an_ordinary_word_is_a_card_where_the_text_says_so() -> None:
    assert card_ids("再生というカードについて") == ["regeneration"]
    assert card_ids("稲妻を唱えた") == ["lightning-bolt"]
    assert card_ids("稲妻？") == ["lightning-bolt"]
    assert card_ids("復讐の速さ") == []


@pytest.mark.parametrize("text", ["墓所粛清撃ったら？", "墓所粛清を撃ったら？"])
def test_the_end_of_a_misspelt_name_is_no_card(text: str) -> None:
    assert card_ids(text) == ["gravepurge"]


@pytest.mark.parametrize(
    "text", ["手札を思案しながら", "誘発を否認できますか", "ダメージを払拭できる", "雲隠れしながら"]
)
def test_a_famous_name_can_be_a_verb(text: str) -> None:
    assert card_ids(text) == []


@pytest.mark.parametrize("called", CATALOG.called, ids=lambda called: called.said)
def test_what_players_call_a_card_is_read_as_it_once(called: Called) -> None:
    said = called.said
    for text in (
        (f"my {said} died", f'"{said}"') if said.isascii() else (f"{said}は強い", f"「{said}」")
    ):
        places = [(one.start, one.id) for one in link(text, CATALOG) if one.kind == "card"]
        assert [id_ for _, id_ in places] == [called.card], text
    assert not CATALOG.cards[called.card].facts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in response to lhurgoyfs call", []),
        ("does mirrodin besieged count?", ["mirrodin-besieged"]),
        ("umezawas jitte in response", ["umezawas-jitte"]),
        ("a chain reaction of triggers", []),
        ("Chain Reaction resolves", ["chain-reaction"]),
        ("may they rest in peace", []),
    ],
)
def test_small_letters_are_an_english_name_where_it_is_long_or_listed(
    text: str, expected: list[str]
) -> None:
    assert card_ids(text) == expected


@pytest.mark.parametrize("text", ["稲妻は何点？", "相手が稲妻撃ってきた", "2/2に稲妻で足りる？"])
def test_a_short_name_that_everybody_knows_stands_bare(text: str) -> None:
    assert card_ids(text) == ["lightning-bolt"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("腐乱持ちは攻撃しなきゃダメ？", ["decayed"]),
        ("日暮と夜明は？", ["daybound-and-nightbound"]),
        ("夜明の面", ["daybound-and-nightbound"]),
        ("Does undying return it?", ["undying"]),
        ("ライフリンクが二つ", ["lifelink"]),  # a player's word, from the glossary
        ("フェイズアウトした", ["phasing"]),
        ("捨てたら", ["discard"]),
        ("打ち消された", ["counter"]),
        ("パーティの数", ["party"]),
    ],
)
def test_mechanics(text: str, expected: list[str]) -> None:
    assert mechanics(text) == expected


def test_places_are_those_of_the_text_itself() -> None:
    text = "　ﾙｰﾃﾞｳﾞｨｯｸ と、《地震》！"
    for mention in link(text, CATALOG):
        assert text[mention.start : mention.end] == mention.surface
    assert [one.id for one in link(text, CATALOG)] == ["ludevic-necrogenius", "earthquake"]


def test_longest_name_wins_and_its_parts_are_silent() -> None:
    assert card_ids("墓地への幽閉をつけた") == ["locked-in-the-cemetery"]
    assert card_ids("トヴォラーの魔道士狩り") == ["mondronen-shaman"]


def test_rulings_are_spelt_right_so_bare_misspellings_are_not_looked_for() -> None:
    assert link("ルーデビックの話", CATALOG)
    assert not link_ruling("ルーデビックの話", CATALOG)
    assert [one.how for one in link_ruling("《救助の掌》を唱えた", CATALOG)] == ["fuzzy", "name"]


def test_a_bracketed_name_in_no_catalog_is_no_card() -> None:
    assert cards("《架空の大魔法使い》は強い") == []


def test_a_catalog_of_other_cards() -> None:
    card = Card("made-up", (Face("作り物の、ゴーレム", "Made, Up"),), facts=True)
    catalog = Catalog({"made-up": card}, {})
    assert cards("ゴーレムは？", catalog) == [("made-up", "ゴーレム", "short")]
    assert cards("エーデリンは？", catalog) == []


@pytest.mark.parametrize("text", ["真髄の針ﾞ", "ﾞﾟ", "aﾟ真髄の針", "エーデリンﾞﾞ"])
def test_a_voicing_mark_that_fits_nothing_is_a_character_of_its_own(text: str) -> None:
    folded, places = fold_with_places(text)
    assert len(folded) == len(places)
    link(text, CATALOG)
