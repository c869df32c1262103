"""Shapes of one thing in documents of each era: what is written differently is read alike."""

from itertools import product

import pytest

from saitei.ingest.models import Parsed
from saitei.ingest.parsing import parse
from saitei.ingest.reading import read_text
from tests.ingest.samples import lines_of

EARTHQUAKE = "《地震》\n{X}{R}\nソーサリー\n\n• Xは0でもよい。\n"


def parsed(text: str) -> Parsed:
    data = text.encode()
    return parse(read_text(data, "invented.txt"), data, "invented.txt")


def said(found: Parsed) -> list[tuple[str | None, str]]:
    """Subject and text of each ruling."""
    return [(one.subject.id, one.text) for one in found.rulings]


# -- chapters and headings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    [
        "カード別注釈",
        "『架空の兵団』カード別注釈",
        "『架空の兵団』統率者デッキ カード別注釈",
        "統率者のカード別注釈",
        "第２章：カード別注釈",
        "第2章　カード別FAQ",
        "*** カード別注釈 ***",
        "＊＊＊ カード別注釈 ＊＊＊",
        "カードごとのFAQ",
        "個別カードに関する質問",
        "個々のカードについての注意事項",
        "============\nこの巻の各カード\n============",
        "Card-Specific Notes",
    ],
)
def test_a_chapter_of_cards_ends_the_section_before_it(heading: str) -> None:
    general = "一般注釈\n\n再録キーワード能力：キッカー\n\n• キッカーは追加コストである。\n"
    # The card is in no catalog: it must not pass for the mechanic of the section above.
    card = "《架空の兵》\n{W}\nクリーチャー ― 兵士\n1/1\n\n• この能力は一度だけ誘発する。\n"
    found = parsed(f"{general}\n{heading}\n\n{card}")
    assert said(found) == [
        ("kicker", "キッカーは追加コストである。"),
        (None, "この能力は一度だけ誘発する。"),
    ]
    chapter = heading.split("\n")[1] if "===" in heading else heading.strip("*＊ ")
    assert found.rulings[1].heading == (chapter, "架空の兵")


@pytest.mark.parametrize(
    "heading", ["一般注釈", "第1章：一般注釈", "全般の質問", "一般的な注意事項", "==\n全般\n=="]
)
def test_a_general_chapter(heading: str) -> None:
    heading = heading.replace("==", "=" * 40)
    text = f"架空の砦FAQ\n\n{heading}\n\n[架空の技]\n\n• 呪文を唱えたときに誘発する。\n"
    (ruling,) = parsed(text).rulings
    assert ruling.heading == (heading.strip("=\n"), "[架空の技]")


@pytest.mark.parametrize("next_heading", ["氏族キーワードと能力語", "能力語：猛進", "*** 猛進 ***"])
def test_a_section_does_not_inherit_the_mechanic_of_the_one_before(next_heading: str) -> None:
    text = (
        "一般注釈\n\n再録キーワード能力：キッカー\n\n• キッカーは追加コストである。\n\n"
        f"{next_heading}\n\n• この能力は誘発しない。\n"
    )
    assert said(parsed(text))[1] == (None, "この能力は誘発しない。")


def test_a_general_section_may_be_called_like_a_card() -> None:
    text = "一般注釈\n\n新能力語：猛進\n\n• 誘発する能力だ。\n\n飛行\n\n• 空を飛ぶ能力だ。\n"
    flying = parsed(text).rulings[1]
    assert flying.heading == ("一般注釈", "新能力語：猛進", "飛行")
    assert flying.subject.kind != "card"


# -- a document's own lines ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("文書最終更新日：2023年3月8日", "2023-03-08"),
        ("最終更新　２０１３年１月１８日", "2013-01-18"),
        ("Document last modified 06/08/18", "2006-08-18"),
        ("Last updated: May 3, 2003", "2003-05-03"),
        ("このカードの最終更新は2003年5月3日に行われる。", None),
    ],
)
def test_the_date_of_a_document(line: str, date: str | None) -> None:
    found = parsed(f"『架空』リリースノート\n\n{line}\n\nカード別注釈\n\n{EARTHQUAKE}")
    assert found.document.updated == date


@pytest.mark.parametrize(
    "line", ["訳：架空花子", "編集：架空太郎", "翻訳者: 架空花子", "架空太郎編"]
)
def test_credits(line: str) -> None:
    found = parsed(f"『架空』リリースノート\n\n{line}\n\nカード別注釈\n\n{EARTHQUAKE}")
    assert lines_of(found)["credits"] == [3]


def test_what_stands_first_and_is_nothing_else_is_the_title() -> None:
    found = parsed(f"架空大会の覚え書き\n\nカード別注釈\n\n{EARTHQUAKE}")
    assert found.document.title == "架空大会の覚え書き"
    assert not found.unplaced


def test_rules_quoted_above_rulings_are_no_strays() -> None:
    text = (
        "一般注釈\n\n再録キーワード能力：キッカー\n\n702.33．キッカー\n\n702.33a 架空の文章\n\n"
        "• 呪文のキッカーは追加コストである。\n"
    )
    found = parsed(text)
    assert lines_of(found)["introduction"] == [5, 7]
    assert said(found) == [("kicker", "呪文のキッカーは追加コストである。")]


# -- cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "《地震》\n{X}{R}\nソーサリー",
        "《地震/Earthquake》 XR\nソーサリー",
        "《地震》/Earthquake {X}{R}\nソーサリー",
        "地震／Earthquake\n　コスト：XR\n　ソーサリー",
        "地震 (Earthquake)\n{X}{R}\nソーサリー",
        "[Earthquake（地震）]\nXR\nソーサリー",
        "地震 {X}{R}\nソーサリー",
        "地震{X}{R}ソーサリー",
        "Earthquake\n{X}{R}\nSorcery",
        "＜地震＞",
        "「地震」",
    ],
)
@pytest.mark.parametrize("above", ["", "-----\n", "《クローン》\n{3}{U}\n\n• 呪文だ。\n\n"])
def test_a_card_however_its_name_is_written(header: str, above: str) -> None:
    found = parsed(f"カード別注釈\n\n{above}{header}\n\n• Xは0でもよい。\n")
    assert said(found)[-1] == ("earthquake", "Xは0でもよい。")
    assert found.rulings[-1].subject.evidence == "heading"
    assert not found.unplaced


@pytest.mark.parametrize(
    "header",
    [
        "《大いなる》/《小さな》\n{2}{R}//{1}{W}",
        "架空の兵\n{W}\nクリーチャー ― 兵士\n1/1",
        "架空の名残り",
    ],
)
def test_rulings_below_a_card_unknown_here_are_not_about_the_card_above(header: str) -> None:
    found = parsed(f"カード別注釈\n\n{EARTHQUAKE}\n{header}\n\n• この能力は誘発する。\n")
    assert said(found) == [("earthquake", "Xは0でもよい。"), (None, "この能力は誘発する。")]


def test_a_page_number_does_not_part_a_card_from_its_rulings() -> None:
    found = parsed(f"カード別注釈\n\n{EARTHQUAKE}\n- 12 -\n12\n\n• 呪文は対象を取らない。\n")
    assert [subject for subject, _ in said(found)] == ["earthquake", "earthquake"]
    assert [one.text for one in found.unplaced] == ["- 12 -", "12"]


def test_a_bullet_that_speaks_of_the_modes_is_none_of_them() -> None:
    card = "《地震》\n{X}{R}\nソーサリー\n以下から１つを選ぶ。\n•１つ目。\n•２つ目。\n"
    found = parsed(f"カード別注釈\n\n{card}•モードは唱えるときに選ぶ。\n•呪文は対象を取らない。\n")
    assert [text for _, text in said(found)] == [
        "モードは唱えるときに選ぶ。",
        "呪文は対象を取らない。",
    ]


# -- rulings -------------------------------------------------------------------------------------


BULLETS = ["*", "＊", "* ", "•", "･", "·", "@ ", "＠ "]
TEXTS = ["Xに0を選べる。", "3点のダメージを受ける。", "対象は取らない。"]


@pytest.mark.parametrize(
    ("bullet", "text"),
    # An at sign glued to a Latin letter is somebody's name on a site.
    [*product(BULLETS, TEXTS), ("＠", "対象は取らない。"), ("@", "対象は取らない。")],
)
def test_a_bullet_before_any_character(bullet: str, text: str) -> None:
    header = "《地震》\n{X}{R}\nソーサリー"
    found = parsed(f"カード別注釈\n\n{header}\n\n{bullet}{text}\n")
    plain = parsed(f"カード別注釈\n\n{header}\n\n• {text}\n")
    assert said(found) == said(plain) == [("earthquake", text)]
    assert found.rulings[0].fingerprint == plain.rulings[0].fingerprint


@pytest.mark.parametrize("power", ["*/4", "*/*", "*+1/*+1", "＊／＊"])
def test_a_star_for_power_is_no_bullet(power: str) -> None:
    card = f"《架空の兵》\n{{W}}\nクリーチャー ― 兵士\n{power}\n\n• この能力は誘発する。\n"
    assert len(parsed(f"カード別注釈\n\n{card}").rulings) == 1


def test_a_sentence_hanging_below_a_ruling_belongs_to_it() -> None:
    card = "《地震》\n{X}{R}\nソーサリー\n\n* Xは0でもよい。\n  呪文は無駄になる。\n"
    assert said(parsed(f"カード別注釈\n\n{card}")) == [
        ("earthquake", "Xは0でもよい。呪文は無駄になる。")
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Q：", "A："),
        ("Q1. ", "A1. "),
        ("Ｑ２．", "Ａ２．"),
        ("問：", "答："),
        ("質問1:", "回答1:"),
    ],
)
def test_question_and_answer(question: str, answer: str) -> None:
    text = f"{question}《地震》は対象を取りますか？\n{answer}いいえ。\n"
    assert said(parsed(text)) == [("earthquake", text.rstrip("\n"))]
