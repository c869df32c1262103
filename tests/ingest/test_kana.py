"""Kana for kanji: what people type on a phone, written as the cards write it."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saitei.ingest import kana
from saitei.ingest.catalog import load_catalog
from saitei.ingest.kana import NAMES, WORDS, KanaError, written
from saitei.ingest.kana_dictionary import kana_names, kana_words, without_false_friends
from saitei.ingest.linking import link
from saitei.ingest.tokenise import features, tagger


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ぼしょはいはなんどでもだせる？", "墓所這いはなんどでもだせる？"),
        ("とうのれいがでたら", "塔の霊がでたら"),
        ("あいてのくりーちゃーがついほうされた", "相手のクリーチャーが追放された"),
        ("ぼちのじゅもんをえらぶ", "墓地の呪文をえらぶ"),
        ("ｺﾀﾞﾏﾉﾉﾛｲでふえる？", "こだまの呪いでふえる？"),
        ("ｶｰﾄﾞは墓地に置かれますか", "カードは墓地に置かれますか"),
        ("ｿﾘﾝは墓地から戻る？", "ソリンは墓地から戻る？"),
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
        ("ボチのカードを拾う", "墓地のカードを拾う"),
        ("アイテがセンセイコウゲキ持ち", "相手が先制攻撃持ち"),
        ("ボチ", "墓地"),
        ("キッカ―を払う", "キッカーを払う"),
        ("クリーチャーヲツイホウスル？", "クリーチャーを追放する？"),
        ("シンズイノハリを割る", "真髄の針を割る"),
    ],
)
def test_katakana_in_place_of_kanji_is_told_from_loan_words(typed: str, meant: str) -> None:
    assert written(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "ターンの終わりにトークンがアンタップする",
        "サイドのコマを出してデッキを掘る",
        "エルブルスのエージェント",
        "センコウはドローできる",
        "カイカとシッセイとブレイ",
    ],
)
def test_loan_words_names_and_words_outside_of_the_rules_stay_in_katakana(text: str) -> None:
    assert written(text) == text


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
        "破壊されるという認識でしょうか",
        "地獄乗りと2体攻撃したら何点？",
        "10まいるは何キロ、2てんかいは無理",
        "体調が悪くて仰天した",
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
    if not re.search("[ぁ-ゖァ-ヺｦ-ﾝ]", text):
        assert result == text


@given(st.text(alphabet="アイウカキコサシセタテトハムユラルンーーッャ", min_size=1, max_size=9))
def test_katakana_stays_or_becomes_words_of_the_rules(text: str) -> None:
    result = written(text)
    assert result == text or re.search("[一-龠]", result)


def test_no_katakana_in_a_cards_name_is_changed() -> None:
    found = {run for name in load_catalog().by_name for run in re.findall("[ァ-ヺー]{2,}", name)}
    assert len(found) > 1_000
    assert {run for run in found if written(f"{run}を唱える") != f"{run}を唱える"} == set()


@given(st.text(alphabet="ぁあいうかさたなはまんーｱｶｻﾀﾞ 　1。", min_size=1, max_size=40))
def test_punctuation_is_never_lost(text: str) -> None:
    assert written(text).count("。") == text.count("。")


def test_every_thread_has_a_tokenizer_of_its_own() -> None:
    # MeCab lays the words of a text where those of the one before were.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(tagger, WORDS).result() is not tagger(WORDS)
    assert tagger(WORDS) is tagger(WORDS)


def test_words_that_sound_like_other_words_are_not_in_the_dictionary() -> None:
    texts = ["墓地に置かれる消化の呪文は"] * 9 + ["置かれるという認識でしょうか、呪文は"]
    words = kana_words(load_catalog(), texts)
    assert "しょうか" in {word.heard for word in words}
    kept = {word.heard for word in without_false_friends(words, texts)}
    assert "しょうか" not in kept
    assert "じゅもん" in kept


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("WORDS", None),
        ("WORDS", b"no dictionary"),
        ("NAMES", None),
        ("NAMES", b""),
        ("NAMES", b"sound\tcard\na\tb\n"),
        ("NAMES", b"\xff\xfe"),
    ],
)
def test_damaged_files_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: bytes | None
) -> None:
    damaged = tmp_path / "file"
    if content is not None:
        damaged.write_bytes(content)
    kana._names.cache_clear()
    monkeypatch.setattr(kana, file, damaged)
    try:
        with pytest.raises(KanaError, match=str(damaged)) as error:
            written("しんずいのはり")
    finally:
        kana._names.cache_clear()
    assert "\n" not in str(error.value)


def test_the_packaged_dictionary_is_that_of_the_packaged_cards() -> None:
    names = kana_names(load_catalog())
    rows = [line.split("\t") for line in NAMES.read_text("utf-8").splitlines()]
    assert rows == [["sound", "name"], *map(list, sorted(names.items()))]
    assert WORDS.is_file()


@pytest.mark.parametrize("dictionary", [None, WORDS])
def test_features_are_those_that_mecab_gives(dictionary: Path | None) -> None:
    """Read from the raw line, quotes and missing columns included, as fugashi reads them."""
    text = '「変身」, "Opt"を唱えて、１つの\tｸﾘｰﾁｬｰとザレスがゔぁ〜へ。'
    for word in tagger(dictionary)(text):
        theirs = word.feature
        ours = features(word)
        expected = (theirs.pos1, theirs.lemma, theirs.goshu, theirs.kana)
        assert tuple(ours) == tuple("" if one in (None, "*") else one for one in expected)
