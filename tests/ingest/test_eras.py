"""One invented document for each era of official documents, every field written out."""

import pytest

from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.models import Document, Parsed
from saitei.ingest.parsing import parse
from saitei.ingest.reading import read_text
from tests.ingest.samples import FIXTURES, lines_of, parsed, subject_of

Row = tuple[int, tuple[str, ...], tuple[str | None, str, str], tuple[str, ...], str]
"""Line, heading, subject (id, kind, evidence), cards mentioned, text."""


def rows(document: Parsed) -> list[Row]:
    return [
        (one.line, one.heading, subject_of(one), one.cards, one.text) for one in document.rulings
    ]


def facts_of(document: Document) -> tuple[str, str, str, str, str | None, str]:
    return (
        document.id,
        document.title,
        document.kind,
        document.set,
        document.updated,
        document.language,
    )


def test_2002_wrapped_lines_stars_and_translators_notes() -> None:
    found = parsed("faq-2002.txt")
    assert facts_of(found.document) == (
        "faq-2002",
        "架空の砦FAQ(よくある質問集)",
        "faq",
        "架空の砦",
        "2002-10-07",
        "ja",
    )
    general = ("一般的な注意事項", "サイクリングのおさらい")
    cycling = ("cycling", "mechanic", "heading")
    earthquake, clone = ("earthquake", "card", "heading"), ("clone", "card", "heading")
    assert rows(found) == [
        (
            16,
            general,
            cycling,
            (),
            "サイクリングを起動する人は、そのカードを自分の手札から捨てる。"
            "これは代価であり、起動に応じて止めることはできない。",
        ),
        (
            18,
            general,
            cycling,
            (),
            "訳者より：原文の言い回しを少し補ってある。読みやすさのためで、意味は変えていない。",
        ),
        (
            29,
            ("カード別の注意事項", "地震"),
            earthquake,
            (),
            "Xに0を選んでもよい。そのときは誰も傷つかない。",
        ),
        # A wrapped line that starts with a middle dot is no bullet.
        (
            30,
            ("カード別の注意事項", "地震"),
            earthquake,
            (),
            "プレイヤーも・クリーチャーも同じ点数を受ける。どちらか片方だけを選ぶことはできない。",
        ),
        # The rule glued to its end is not part of it.
        (
            38,
            ("カード別の注意事項", "クローン"),
            clone,
            ("clone",),
            "場に写せる相手がいないなら、クローンは0/0のまま出て、すぐに墓地へ行く。",
        ),
    ]
    assert lines_of(found) == {
        "title": [1],
        "credits": [3, 4],
        "updated": [6],
        "introduction": [8],
        "separator": [10, 12, 21, 23, 33],
        "heading": [11, 14, 22],
        "ruling": [16, 17, 18, 19, 29, 30, 31, 32, 38, 39],
        "card": [25, 26, 27, 28, 34, 35, 36, 37],
    }


def test_2006_starred_headings_two_digit_dates_and_a_stray_line() -> None:
    found = parsed("faq-2006.txt")
    assert facts_of(found.document) == (
        "faq-2006",
        "時の架け橋 よくある質問集",
        "faq",
        "時の架け橋",
        "2006-08-18",
        "ja",
    )
    suspend = ("一般注釈", "新しいメカニズム: 待機")
    gauntlet = ("カード別注釈", "魔力の篭手")
    assert rows(found) == [
        (
            16,
            suspend,
            ("suspend", "mechanic", "heading"),
            (),
            "待機しているカードは追放領域で表を向いている。",
        ),
        (
            17,
            suspend,
            ("suspend", "mechanic", "heading"),
            (),
            "時間カウンターが残り1個のとき、それを取り除けば唱えることになる。",
        ),
        (
            25,
            gauntlet,
            ("gauntlet-of-power", "card", "heading"),
            (),
            "色を選ぶのは場に出る途中であり、あとから選び直すことはできない。",
        ),
        (
            26,
            gauntlet,
            ("gauntlet-of-power", "card", "heading"),
            ("gauntlet-of-power",),
            "《魔力の篭手》が2つあれば、増えるマナも2つになる。",
        ),
        (
            33,
            ("カード別注釈", "地震"),
            ("earthquake", "card", "heading"),
            ("earthquake",),
            "ダメージの発生源は《地震》自身である。",
        ),
    ]
    assert [(one.line, one.text) for one in found.unplaced] == [(36, "最終行の落とし物")]
    assert lines_of(found)["product"] == [10]
    assert lines_of(found)["separator"] == [27, 34]


def test_2011_chapters_faces_and_bare_card_names() -> None:
    found = parsed("faq-2011.txt")
    assert facts_of(found.document) == (
        "faq-2011",
        "「架空の闇」よくある質問集",
        "faq",
        "架空の闇",
        "2011-11-04",
        "ja",
    )
    assert rows(found) == [
        (
            19,
            ("第１章：一般注釈", "新キーワード:不死"),
            ("undying", "mechanic", "heading"),
            (),
            "不死で戻った者は、前とは別の物として扱う。",
        ),
        (
            34,
            ("第２章：カード別注釈", "忠実な聖戦士"),
            ("loyal-cathar", "card", "heading"),
            (),
            "戻るのは遅れて起きるので、その間に墓地から追放されれば帰ってこない。",
        ),
        (
            41,
            ("第２章：カード別注釈", "墓所這い"),
            ("gravecrawler", "card", "heading"),
            (),
            "ほかのゾンビがいるかどうかは、唱え始める時にだけ見る。",
        ),
    ]
    kinds = lines_of(found)
    assert kinds["product"] == [11, 13]
    assert kinds["card"] == [*range(23, 34), *range(36, 41)]
    assert kinds["legal"] == [43]
    assert not found.unplaced


RELEASE_NOTES = [
    (
        ("一般注釈", "新キーワード能力：腐乱"),
        ("decayed", "mechanic", "heading"),
        (),
        "腐乱を持つものを立たせておくかどうかは、その持ち主の自由である。",
    ),
    (
        ("一般注釈", "新キーワード能力：腐乱"),
        ("decayed", "mechanic", "heading"),
        (),
        "攻撃したあとで腐乱を失っても、生け贄にする約束は消えない。",
    ),
    (
        ("カード別注釈", "輝かしい聖戦士、エーデリン"),
        ("adeline-resplendent-cathar", "card", "heading"),
        ("adeline-resplendent-cathar",),
        "エーデリンは自分自身も数に入れる。",
    ),
    (
        ("カード別注釈", "輝かしい聖戦士、エーデリン"),
        ("adeline-resplendent-cathar", "card", "heading"),
        (),
        "対戦相手が3人いれば、兵も3体になる。",
    ),
    # The modes of the card, bulleted too, are its text.
    (
        ("カード別注釈", "カエル声の写し身"),
        ("croaking-counterpart", "card", "heading"),
        ("croaking-counterpart",),
        "写し身のコピーは緑で1/1のカエルになる。",
    ),
    (
        ("カード別注釈", "カエル声の写し身"),
        ("croaking-counterpart", "card", "heading"),
        ("clone",),
        "《クローン》を写せば、クローンが写したものになる。",
    ),
    (
        ("統率者のカード別注釈", "大鉈のスカーブ"),
        ("cleaver-skaab", "card", "heading"),
        (),
        "コピーされるのは生け贄にした後の姿ではなく、生け贄にする直前の姿である。",
    ),
]
"""What the invented release notes say, in every format (`test_formats`)."""


def test_2021_release_notes_with_commander_chapter_and_trademarks() -> None:
    found = parsed("release-notes-2021.txt")
    assert facts_of(found.document) == (
        "release-notes-2021",
        "『架空の真夜中』リリースノート",
        "release-notes",
        "架空の真夜中",
        "2021-08-09",
        "ja",
    )
    assert [row[1:] for row in rows(found)] == RELEASE_NOTES
    assert lines_of(found) == {
        "title": [1],
        "credits": [3],
        "updated": [5],
        "introduction": [7, 17],
        "heading": [9, 11, 15, 22, 43],
        "product": [13],
        "ruling": [19, 20, 30, 31, 40, 41, 49],
        "card": [*range(24, 30), *range(33, 39), *range(45, 49)],
        "legal": [51],
    }


def test_bare_paragraphs_under_headers_run_together() -> None:
    found = parsed("release-notes-bare.txt")
    assert rows(found) == [
        (
            9,
            ("一般注釈", "両面カードに関する一般的な情報"),
            ("double-faced-cards", "mechanic", "heading"),
            (),
            "表と裏は別々の特性を持ち、見えている側だけが効く。",
        ),
        (
            15,
            ("カード別注釈", "月銀の鍵"),
            ("moonsilver-key", "card", "heading"),
            ("moonsilver-key",),
            "月銀の鍵で探せるのはマナ能力を持つアーティファクトか基本土地である。",
        ),
        (
            17,
            ("カード別注釈", "月銀の鍵"),
            ("moonsilver-key", "card", "heading"),
            (),
            "見つけなかったことにしても、ライブラリーは切り直す。",
        ),
        # A card that is in no catalog is not guessed at.
        (
            21,
            ("カード別注釈", "暁の聖騎士"),
            (None, "", "none"),
            (),
            "飛行を失っても、先に済んだブロックはやり直しにならない。",
        ),
    ]
    assert lines_of(found)["card"] == [13, 19]


def test_a_question_and_its_answer_are_one_ruling() -> None:
    found = parsed("questions.txt")
    assert rows(found) == [
        (
            3,
            (),
            ("earthquake", "card", "named"),
            ("earthquake",),
            "Q：《地震》のXに0を選べますか？\nA：はい。ただし誰にもダメージは与えられません。",
        ),
        (
            6,
            (),
            ("earthquake", "card", "named"),
            ("earthquake",),
            "Q2. 飛行を持つクリーチャーは《地震》で傷つきますか。この問いは二行にわたります。\n"
            "A2. いいえ。",
        ),
    ]
    assert lines_of(found) == {"title": [1], "ruling": [3, 4, 6, 7, 8]}


def test_lost_headers_leave_blocks_whose_card_the_order_tells() -> None:
    found = parsed("lost-headers.txt")
    assert [(one.line, one.subject.id, one.subject.evidence) for one in found.rulings] == [
        (3, "archangels-light", "named"),
        (5, "avacyns-collar", "order"),
        (7, "beguiler-of-wills", "order"),
        (9, "blood-feud", "named"),
        (10, "blood-feud", "named"),
        (16, "chalice-of-life", "named"),
        (18, "counterlash", "named"),
        (22, "curse-of-bloodletting", "named"),
        (24, "deaths-caress", "named"),
        (26, "drogskol-reaver", "named"),
        (28, "dungeon-geists", "named"),
        (30, "sudden-disappearance", "named"),
    ]
    assert found.evidence == {"named": 10, "order": 2}
    assert [one.line for one in found.unplaced] == [32]
    assert lines_of(found)["separator"] == [20]


def test_release_notes_in_english() -> None:
    found = parsed("english.txt")
    assert facts_of(found.document) == (
        "imaginary-realms-release-notes-en",
        "Imaginary Realms Release Notes",
        "release-notes",
        "Imaginary Realms",
        "2015-07-03",
        "en",
    )
    earthquake = ("Card-Specific Notes", "Earthquake")
    assert rows(found) == [
        (
            19,
            ("General Notes", "New Keyword: Undying"),
            ("undying", "mechanic", "heading"),
            ("fling",),
            "A creature that comes back with undying is a new object, and Fling does not"
            " remember it.",
        ),
        (
            29,
            earthquake,
            ("earthquake", "card", "heading"),
            (),
            "You may choose 0 for X. Nobody is hurt then.",
        ),
        (
            30,
            earthquake,
            ("earthquake", "card", "heading"),
            (),
            "A creature that gains flying in response takes no damage.",
        ),
        (
            36,
            ("Card-Specific Notes", "Clone"),
            ("clone", "card", "heading"),
            ("clone",),
            "If there is nothing to copy, Clone dies at once.",
        ),
    ]
    assert not found.unplaced


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_every_line_is_accounted_for_once_and_every_ruling_numbered(path: object) -> None:
    name = str(path).rsplit("/", 1)[-1]
    found = parsed(name)
    text = (FIXTURES / name).read_text("utf-8").split("\n")
    filled = [number for number, line in enumerate(text, 1) if line.strip(" \u3000")]
    assert [line.line for line in found.lines] == filled
    assert [one.ordinal for one in found.rulings] == list(range(1, len(found.rulings) + 1))
    assert all(one.document == found.document.id for one in found.rulings)


def test_the_fingerprint_is_of_the_source_with_its_lines_joined() -> None:
    ruling = parsed("faq-2002.txt").rulings[0]
    assert ruling.fingerprint == fingerprint(
        "* サイクリングを起動する人は、そのカードを自分の手札から捨てる。これは 代価であり、"
        "起動に応じて止めることはできない。"
    )
    assert ruling.id == f"faq-2002.{ruling.fingerprint}"
    # A rule glued to a sentence stands in the source, so it counts.
    last = parsed("faq-2002.txt").rulings[-1]
    assert last.fingerprint == fingerprint(f"{last.text}-----")


@pytest.mark.parametrize("bullet", ["• ", "•", "・", "* ", "＊ ", "@ ", "*", "＊"])
def test_bullets_of_every_kind_give_one_text_and_one_fingerprint(bullet: str) -> None:
    text = "飛行を持つクリーチャーは傷つかない。"
    data = f"カード別注釈\n\n《地震》\n{{X}}{{R}}\nソーサリー\n{bullet}{text}\n".encode()
    (ruling,) = parse(read_text(data, "x"), data, "x").rulings
    assert (ruling.text, ruling.fingerprint) == (text, fingerprint(text))
