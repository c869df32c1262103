"""English names in katakana, as players say them who know a card by its English name."""

from pathlib import Path

import pytest

from saitei.index.question import read_question
from saitei.ingest import transcription
from saitei.ingest.catalog import Card, Catalog, Face, load_catalog
from saitei.ingest.kana import KanaError
from saitei.ingest.transcription import (
    COLUMNS,
    TRANSCRIBED,
    heard_key,
    in_japanese,
    spelt_keys,
    transcriptions,
)

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("heard", "english"),
    [
        ("ヘルライダー", "Hellrider"),
        ("グレイブパージ", "Gravepurge"),
        ("グレーヴパージ", "Gravepurge"),
        ("ヘロンブレード・エリート", "Heronblade Elite"),
        ("ゾンビアポカリプス", "Zombie Apocalypse"),
        ("ワーデンオブザウォール", "Warden of the Wall"),
        ("スレイベンドゥームセイヤー", "Thraben Doomsayer"),
        ("ドレッドグレイブ", "Dread Grave"),
        ("チャレンジ・トゥ・ロード", "Challenge to Lord"),
        ("トゥームレイダー", "Tomb Raider"),
        ("ファイアブランド", "Fire Brand"),
        ("キャッスルガード", "Castle Guard"),
        ("ウィッチストーカー", "Witch Stoker"),
        ("ファントムロード", "Phantom Lord"),
        ("ブラックマーケット", "Black Market"),
        ("クイックドロウン", "Quick Drown"),
        ("ボックスメイカー", "Box Maker"),
        ("ドレッジブルート", "Dredge Brute"),
        ("ミッションブリーフ", "Mission Brief"),
        ("ナイトシフトスライ", "Night Shift Sly"),
        ("ゴーストリーダー", "Ghost Reader"),
        ("ビーツナッター", "Beats Nutter"),
        ("シティセンター", "City Center"),
        ("シーニックセンス", "Scenic Sense"),
        ("ヴォイドバンガード", "Void Vanguard"),
        ("シャンバラプリンス", "Shambala Prince"),
        ("ガイストジャイアント", "Geist Giant"),
    ],
)
def test_a_name_is_heard_by_its_first_vowel_and_its_consonants(heard: str, english: str) -> None:
    assert heard_key(heard) in set(spelt_keys(english))


@pytest.mark.parametrize("english", ["Ur-Tor", "Mere Lie", "", "Brrr", "Gut Lo"])
def test_a_name_of_few_consonants_is_not_looked_for(english: str) -> None:
    assert list(spelt_keys(english)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("相手のヘルライダーが死んだ", "相手の地獄乗りが死んだ"),
        ("ソウル・シーザーの誘発は？", "魂を捕えるものの誘発は？"),
        ("ソウル シーザー", "魂を捕えるもの"),
        ("ソウル＝シーザー", "魂を捕えるもの"),
        ("ｿｳﾙ･ｼｰｻﾞｰの誘発は？", "魂を捕えるものの誘発は？"),
        ("ﾍﾙﾗｲﾀﾞｰ", "地獄乗り"),
        ("ゾンビ ヘルライダー", "ゾンビ 地獄乗り"),
        ("ムーンミストで変身しない？", "月霧で変身しない？"),
        ("クリーチャー・トークンを出す", "クリーチャー・トークンを出す"),
        ("ｸﾘｰﾁｬｰ", "ｸﾘｰﾁｬｰ"),
        ("ケンタウルスの狩猟者", "ケンタウルスの狩猟者"),
        ("ディスパースで戻す", "ディスパースで戻す"),
        ("スーパーヘルライダー", "スーパーヘルライダー"),
        ("フライングのクリーチャー", "フライングのクリーチャー"),
        ("ロレックスとブラッドフォード", "ロレックスとブラッドフォード"),
        ("", ""),
    ],
)
def test_whole_names_alone_are_written_in_japanese(text: str, said: str) -> None:
    assert in_japanese(text) == said


def test_no_japanese_name_of_any_card_is_rewritten() -> None:
    names = {face.ja for card in CATALOG.cards.values() for face in card.faces}
    assert [name for name in names if in_japanese(name) != name] == []


def catalog_of(*names: tuple[str, str], facts: bool = True) -> Catalog:
    return Catalog(
        {en: Card(en, (Face(ja, en),), facts=facts or en == "Hellrider") for ja, en in names}, {}
    )


HELLRIDER = ("地獄乗り", "Hellrider")


def test_a_name_that_two_cards_may_have_is_none() -> None:
    key = heard_key("ヘルライダー")
    assert transcriptions(catalog_of(HELLRIDER))[key] == "地獄乗り"
    assert transcriptions(catalog_of(HELLRIDER, ("別", "Helm Rider")))[key] == "地獄乗り"
    for facts in (True, False):
        catalog = catalog_of(HELLRIDER, ("別", "Hellrida"), facts=facts)
        assert key not in transcriptions(catalog)


def test_what_sounds_alike_but_is_a_japanese_name_is_itself() -> None:
    names = transcriptions(catalog_of(HELLRIDER, ("王、ヘラルド・ドン", "King"), facts=False))
    assert names[heard_key("ヘラルド")] == "地獄乗り"
    assert names["ヘラルド"] == ""
    assert "ドン" not in names


def test_a_row_shorter_than_a_name_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {heard_key("ヘルダン"): "短い札", heard_key("ヘルダンカ"): "札"}
    monkeypatch.setattr(transcription, "_names", lambda: table)
    assert in_japanese("ヘルダンとヘルダンカ") == "ヘルダンと札"


def test_a_question_with_one_names_the_card() -> None:
    for text in ("ﾍﾙﾗｲﾀﾞｰの誘発は対応できる？", "ヘルライダーのゆうはつは？"):
        reading = read_question(text, CATALOG)
        assert reading.cards == {"hellrider"}
        assert reading.text.startswith("地獄乗りの")


def test_the_packaged_table_is_that_of_the_packaged_cards() -> None:
    rows = [line.split("\t") for line in TRANSCRIBED.read_text("utf-8").splitlines()]
    assert rows == [list(COLUMNS), *map(list, sorted(transcriptions(CATALOG).items()))]


@pytest.mark.parametrize("content", [None, b"\xff", b"key\tcard\na\tb\n"])
def test_a_damaged_table_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    damaged = tmp_path / "file"
    if content is not None:
        damaged.write_bytes(content)
    transcription._names.cache_clear()
    monkeypatch.setattr(transcription, "TRANSCRIBED", damaged)
    try:
        with pytest.raises(KanaError, match=str(damaged)) as error:
            in_japanese("ヘルライダー")
    finally:
        transcription._names.cache_clear()
    assert "\n" not in str(error.value)
