"""Kana for kanji: what people type on a phone, written as the cards write it."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saitei.ingest.catalog import load_catalog
from saitei.ingest.kana import NAMES, WORDS, written
from saitei.ingest.kana_dictionary import kana_names
from saitei.ingest.linking import link
from saitei.ingest.tokenise import words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ぼしょはいはなんどでもだせる？", "墓所這いはなんどでもだせる？"),
        ("とうのれいがでたら", "塔の霊がでたら"),
        ("あいてのくりーちゃーがついほうされた", "相手のクリーチャーが追放された"),
        ("ぼちのじゅもんをえらぶ", "墓地の呪文をえらぶ"),
        ("ｺﾀﾞﾏﾉﾉﾛｲでふえる？", "こだまの呪いでふえる？"),
        ("ｴｰﾃﾞﾘﾝって強い？", "エーデリンって強い？"),
        ("手札3まい、くりーちゃー2たい", "手札3枚、クリーチャー2体"),
    ],
)
def test_names_and_words_of_the_game_are_written_as_the_cards_write_them(
    typed: str, meant: str
) -> None:
    assert written(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("墓所はいを墓地から唱えたい", "墓所這いを墓地から唱えたい"),
        ("真髄のはりで名前を言う", "真髄の針で名前を言う"),
        ("木霊の呪いと迷い", "こだまの呪いと迷い"),
        ("墓所粛清を自分に撃つ", "墓所粛正を自分に撃つ"),
    ],
)
def test_names_half_in_kana_or_in_other_characters_are_found_by_their_sound(
    typed: str, meant: str
) -> None:
    assert written(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "墓地をシャッフルしたいだけなんだけど、対象に取るのはダメですか",
        "迷いし者の祭壇のマナで唱えるのは可能ですか",
        "接死と絆魂はつきますか",
        "輝かしい聖戦士エーデリンで攻撃したら、トークンは何体出る？",
        "Does undying return a token?",
        "",
    ],
)
def test_what_is_in_no_need_of_it_stays_as_it_was_typed(text: str) -> None:
    assert written(text) == text


def test_a_name_in_half_width_kana_links_to_its_card() -> None:
    catalog = load_catalog()
    (mention,) = link(written("ﾌﾞﾗｯﾄﾞﾄﾋﾞｰｽﾄに代わってｼﾝｽﾞｲﾉﾊﾘ"), catalog)
    assert catalog.cards[mention.id].ja == "真髄の針"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_is_read_and_none_without_kana_is_changed(text: str) -> None:
    result = written(text)
    assert isinstance(result, str)
    if not any("ぁ" <= char <= "ゖ" or "ｦ" <= char <= "ﾝ" for char in text):
        assert result == text


@given(st.text(alphabet="ぁあいうかさたなはまんーｱｶｻﾀﾞ 　1。", min_size=1, max_size=40))
def test_punctuation_is_never_lost(text: str) -> None:
    assert written(text).count("。") == text.count("。")


def test_texts_read_in_several_threads_at_once_do_not_mix() -> None:
    texts = [f"ぼしょはいを{n}かい、しんずいのはりでｺﾀﾞﾏﾉﾉﾛｲ" for n in range(60)]
    alone = [(written(text), words(text)) for text in texts]
    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda text: (written(text), words(text)), texts * 10))
    finally:
        sys.setswitchinterval(pause)
    assert together == alone * 10


def test_the_packaged_dictionary_is_that_of_the_packaged_cards() -> None:
    names = kana_names(load_catalog())
    rows = [line.split("\t") for line in NAMES.read_text("utf-8").splitlines()]
    assert rows == [["sound", "name"], *map(list, sorted(names.items()))]
    assert WORDS.is_file()
