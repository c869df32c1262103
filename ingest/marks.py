"""What a single line of an official document looks like, in every era.

Shapes only: whether a short line is a heading or a stray depends on where it stands, which is
`saitei.ingest.sections`'s business.
"""

import re
from collections.abc import Sequence
from typing import Literal

Chapter = Literal["front", "general", "cards"]

HEADING_LENGTH = 60
"""Longest line, in characters, that can be a heading, title, date or type line."""
NAME_LENGTH = 40
"""Longest line, in characters, that can be a bare name."""

BULLET = re.compile(
    r"(?:[•・･·]\s*|[*＊](?:\s+|(?=[^\s*＊/／]))|[@＠](?:\s+|(?=[ぁ-んァ-ヶ一-龠《『「])))(?=\S)"
)
RULE = re.compile(r"[-=_―–—─*＊・\s]*\Z")
_STARRED = re.compile(r"[*＊]{2,}\s*(?P<title>[^*＊\s](?:.*[^*＊\s])?)\s*[*＊]{2,}\Z")
QUESTION = re.compile(
    r"(?:[QＱ]\s*[0-9０-９]*\s*[.:：．、)]|(?:質問|問い?)\s*[0-9０-９]*\s*[:：])\s*(?=\S)"
)
ANSWER = re.compile(
    r"(?:[AＡ]\s*[0-9０-９]*\s*[.:：．、)]|(?:回答|答え?)\s*[0-9０-９]*\s*[:：])\s*(?=\S)"
)

_CARD_CHAPTER = re.compile(
    r"(?:第\s*[0-9０-９一二三四]+\s*章[\s:：、,]*)?"
    r"(?:[^。]{0,40}(?:の|』|」|\s))?(?:個別の?|個々の)?カード(?:別|個別|ごと)?(?:の|に関する|についての)?"
    r"(?:注釈|注意事項|解説|質問(?:集|と回答)?|[QＱ][&＆][AＡ]|ＦＡＱ|FAQ)\Z"
    r"|card[- ]specific (?:notes|questions|faqs?|rulings)\Z"
    r"|.{3,60} card-specific notes\Z",
    re.IGNORECASE,
)
_GENERAL_CHAPTER = re.compile(
    r"(?:第\s*[0-9０-９一二三四]+\s*章[\s:：、,]*)?"
    r"(?:一般|全般|全体)(?:的な|の|に関する)?(?:注釈|注意事項|事項|解説|質問(?:集|と回答)?)\Z"
    r"|general (?:notes|questions|information)\Z",
    re.IGNORECASE,
)
_NUMBERED_CHAPTER = re.compile(r"第\s*[0-9０-９一二三四五]+\s*章")

_TITLE = re.compile(
    r"リリース・?ノート|よくある質問|ＦＡＱ|FAQ|release notes|[QＱ]\s*[&＆]\s*[AＡ]", re.I
)
_UPDATED = re.compile(
    r"\S{0,10}?(?:最終更新日?|最終改訂日?|更新日|document last modified|last (?:updated|modified))"
    r"[\s:：]*(?P<date>.*)\Z",
    re.IGNORECASE,
)
_DATES = (
    re.compile(r"(?P<y>\d{4})\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日"),
    re.compile(r"(?P<y>\d{4})[/.-](?P<m>\d{1,2})[/.-](?P<d>\d{1,2})"),
    re.compile(r"(?P<y>\d{2})/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?!\d)"),
)
_MONTHS = "january february march april may june july august september october november december"
_ENGLISH_DATE = re.compile(r"(?P<m>[A-Za-z]{3,9})\.?\s+(?P<d>\d{1,2}),?\s+(?P<y>\d{4})")

_CREDITS = re.compile(
    r"(?:編集?|著|協力|翻訳|訳|監修|執筆)[。.]?\Z|(?:編集?|著|協力|翻訳|訳|監修|執筆)者?\s*[:：]"
    r"|\b(?:compiled|edited|written|translated) by\b|\bwith contributions from\b",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"商標|著作権|[©Ⓒ]|\([cC]\)\s*\d{4}|all rights reserved|trademark"
    r"|Wizards of the Coast(?:,| LLC)",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"(?:プレリリース|発売記念|発売日|公式発売|ローンチ|リリース・イベント|ゲームデー)[^。]{0,30}[:：]"
    r"|セットコード|収録(?:枚数|カード)数?[:：]|\b(?:prerelease|official release date|launch)\b.*:",
    re.IGNORECASE,
)
_PRODUCT_SECTION = re.compile(
    r"製品情報|商品情報|製品データ|使用可否|発売(?:情報|日)|使用可能|リリース情報"
    r"|release information|card legality|product information",
    re.IGNORECASE,
)
_MAJOR = re.compile(
    r"(?:新|再録|復活|復帰|ゲーム用物品|サイクル|ルール・?メモ|その他|変種ルール|製品|カードの使用)"
    r".*|.*(?:メカニズム|キーワード能力|キーワード処理|能力語|テーマ|に関する一般的な情報|サイクル|について)\Z"
    r"|(?:new|returning|cycle|theme|rules note).*:.*",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"[^:：]{1,20}[:：]\s*\S")
_RULE_TEXT = re.compile(r"[1-9]\d\d\.\d{1,3}[a-z]?(?![a-z\d])[.．]?\s*\S")

_FACE = re.compile(
    r"[（(\[［【]?\s*(?:昼|夜|表|裏|第[１２12]|前|背)の?面\s*[)）\]］】]?\Z|(?:/{2,6}|／{2,6})\Z"
)
_SYMBOLS = (
    r"(?:(?:\{[^{}]{1,5}\}|[（(][0-9０-９WUBRGXYZＷＵＢＲＧＸＹＺ/／]{1,3}[)）])+"
    r"|[0-9XYZ]{0,2}[WUBRG]{1,7}|[0-9]{1,2})"
)
_COST = re.compile(
    rf"(?:(?:マナ・?)?コスト\s*[:：]\s*)?{_SYMBOLS}(?:\s*[/／]{{1,2}}\s*{_SYMBOLS})?\Z"
)
_COST_BEHIND = re.compile(r"(?:\s+[0-9XYZ]{0,2}[WUBRG]{1,7}|\s*(?:\{[^{}]{1,5}\})+)\Z")
_TYPES = (
    r"(?:クリーチャー|インスタント|ソーサリー|エンチャント|アーティファクト|土地|プレインズウォーカー"
    r"|部族|同族|バトル|ダンジョン|次元|現象|計略)"
)
_TYPE_LINE = re.compile(
    rf"(?:伝説の|基本|氷雪|持続|対戦相手の|特殊|エンチャント（|・|\s)*{_TYPES}"
    rf"(?:・?{_TYPES}|（[^）]{{1,12}}）)*(?:\s*[―—─–‐－-]+\s*[^。、]{{1,40}})?\Z"
    r"|(?:legendary |basic |snow |kindred |tribal |world )*"
    r"(?:artifact|creature|enchantment|instant|sorcery|land|planeswalker|battle)\b"
    r"(?: (?:artifact|creature|enchantment|land))*(?:\s*[―—–-]+\s*[A-Za-z' -]{2,40})?\Z"
    r"|Summon [A-Z]|(?:クリーチャー|エンチャント)\s*[（(:：]\S{1,20}[)）]?\Z",
    re.IGNORECASE,
)
_RUN_TOGETHER = re.compile(
    rf"(?:.{{0,40}}?)(?:\{{[^{{}}]{{1,5}}\}})+\s*(?:伝説の|基本|氷雪)?{_TYPES}"
)
_POWER = re.compile(r"[\d０-９*＊+＋X]{1,4}\s*[/／]\s*[\d０-９*＊+＋X]{1,4}\Z")
_LOYALTY = re.compile(
    r"[\[［(（]?[+＋\-−－]?[\dXＸ０-９]{1,2}[\]］)）]?\s*[:：].+|(?:忠誠度?|初期忠誠度|loyalty)\s*[:：]?\s*[\dX０-９]{1,2}\Z"
    r"|(?:[IVⅠ-Ⅵ]{1,3}(?:[,、]\s*)?)+\s*[―—–-].+|レベル\s*[\d０-９]"
)
_NAME = re.compile(
    r"(?P<names>《[^《》]{1,60}》(?:\s*[/／+＋]{1,2}\s*《[^《》]{1,60}》)*)"
    r"\s*(?:[/／]\s*(?P<en>[A-Za-z][^。]{0,60}))?(?P<rest>.*)\Z"
)
_BETWEEN_NAMES = re.compile(r"[《》/／+＋]+")
_BARE_NAME = re.compile(
    r"(?P<ja>[^/／。]{1,30}?)\s*[/／]\s*(?P<en>[A-Z][A-Za-z0-9 ',\-é!]{1,50})\Z"
)
_MODES = re.compile(
    r"(?:以下|次)(?:の\S{1,12})?から\S{0,20}選(?:ぶ|んでもよい)[。\s―—–:：-]*\Z"
    r"|.*choose (?:one|two|three|up to \w+|one or \w+|any number)\s*[.:―—–-]*\Z",
    re.IGNORECASE,
)
GENERAL_SECTION = "に関する一般的な情報"
_SENTENCE_END = tuple("。.!！?？）)」』】")
_PROSE_END = ("。", "。)", "。）", "。」", "：", "!", "！", "?", "？", ".", ".)")


def chapter_of(text: str) -> Chapter | None:
    """The chapter a heading opens, if it opens one."""
    if len(text) > HEADING_LENGTH:
        return None
    if _CARD_CHAPTER.match(text):
        return "cards"
    if _GENERAL_CHAPTER.match(text):
        return "general"
    if _NUMBERED_CHAPTER.match(text) and not text.endswith("。"):
        return kind_of_chapter(text)
    return None


def kind_of_chapter(text: str) -> Chapter:
    """What a chapter is about whose heading is known to be one."""
    return "cards" if "カード" in text or "card" in text.lower() else "general"


def updated_of(text: str) -> str | None:
    """The date of a "last updated" line, ISO 8601; empty when the date cannot be read; None when
    the line is no such line."""
    match = _UPDATED.match(text)
    if not match or len(text) > HEADING_LENGTH or text.endswith("。"):
        return None
    return date_of(match["date"]) or ""


def date_of(text: str) -> str | None:
    """A date as the documents write it, as ISO 8601; two-digit years are of 2000 on."""
    digits = text.translate(str.maketrans("０１２３４５６７８９", "0123456789"))
    for pattern in _DATES:
        match = pattern.search(digits)
        if match:
            year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
            return _iso(year + 2000 if year < 100 else year, month, day)
    match = _ENGLISH_DATE.search(digits)
    if match:
        months = [name[:3] for name in _MONTHS.split()]
        short = match["m"][:3].lower()
        if short in months:
            return _iso(int(match["y"]), months.index(short) + 1, int(match["d"]))
    return None


def _iso(year: int, month: int, day: int) -> str | None:
    return f"{year:04}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else None


def is_rule(text: str) -> bool:
    """A line that only separates: dashes, equals signs, a lone dash."""
    return bool(text) and bool(RULE.match(text))


def is_title(text: str) -> bool:
    return len(text) <= HEADING_LENGTH and bool(_TITLE.search(text)) and not text.endswith("。")


def is_credits(text: str) -> bool:
    return len(text) <= 300 and bool(_CREDITS.search(text)) and "《" not in text


def is_legal(text: str) -> bool:
    return bool(_LEGAL.search(text))


def is_product(text: str) -> bool:
    return bool(_PRODUCT.search(text))


def is_product_section(text: str) -> bool:
    return bool(_PRODUCT_SECTION.search(text))


def is_major(text: str) -> bool:
    """A line that opens a section, by its words, wherever it stands."""
    return bool(_MAJOR.match(text))


def is_labelled(text: str) -> bool:
    """A heading that says what kind of thing it names: ``能力語：上陸``."""
    return bool(_LABELLED.match(text))


def is_rule_text(text: str) -> bool:
    """A numbered line quoted from the Comprehensive Rules: ``702.36a …``."""
    return bool(_RULE_TEXT.match(text))


def is_face(text: str) -> bool:
    """A face marker standing alone: （昼の面）, （夜の面）, ``//``."""
    return bool(_FACE.match(text))


def is_card_line(text: str) -> bool:
    """A line of a card's printed header: cost, type line, power and toughness, loyalty."""
    return len(text) <= 300 and bool(
        _COST.match(text)
        or _POWER.match(text)
        or (len(text) <= HEADING_LENGTH and _TYPE_LINE.match(text))
        or _LOYALTY.match(text)
        or is_face(text)
    )


def is_type_line(text: str) -> bool:
    return len(text) <= HEADING_LENGTH and bool(_TYPE_LINE.match(text))


def begins_header(lines: Sequence[str]) -> bool:
    """Whether lines begin with a card's cost and type line, or with its type line alone."""
    return any(
        is_type_line(line) and all(_COST.match(above) for above in lines[:place])
        for place, line in enumerate(lines[:2])
    )


def is_frame(text: str) -> bool:
    """A line of equals signs: chapter headings of 2002 stand between two of them."""
    return len(text) > 2 and set(text) == {"="}


def is_power(text: str) -> bool:
    return bool(_POWER.match(text))


def is_run_together(text: str) -> bool:
    """A whole card header in one line: ``{R}{W}{W}伝説のクリーチャー ― 天使3/4飛行``."""
    return not BULLET.match(text) and bool(_RUN_TOGETHER.match(text[:200]))


def names_of(text: str) -> tuple[str, ...]:
    """The names a card heading gives by its shape: ``《名》``, ``《名》/Name``, ``《名/Name》``,
    ``《名》/《名》``, ``名/Name``, with a cost or not. Empty when it is no card heading by shape.
    """
    if len(text) > 120 or BULLET.match(text) or text.endswith("。"):
        return ()
    match = _NAME.match(text)
    if match:
        rest = match["rest"].strip()
        if rest and not _COST.match(rest):
            return ()
        names = (*_BETWEEN_NAMES.split(match["names"]), _COST_BEHIND.sub("", match["en"] or ""))
        return tuple(name.strip() for name in names if name.strip())
    match = _BARE_NAME.match(text)
    return (match["ja"].strip(), match["en"].strip()) if match else ()


def bare_names(text: str) -> tuple[str, ...]:
    """The names a line gives that stands where a card's name would: ``名``, ``名 (Name)``,
    ``[名／Name]``, ``＜名＞``, with a cost behind it or not."""
    bare = _COST_BEHIND.sub("", text).strip("＜＞<>〈〉「」『』")
    parts = re.split(r"[/／（()）\[\]［］【】]", bare)
    return tuple(part.strip() for part in parts if part.strip())


def asks_for_modes(text: str) -> bool:
    """A line of card text after which bullets are the card's modes, not rulings."""
    return bool(_MODES.search(text[-80:]))


def is_about_modes(text: str) -> bool:
    """A bullet below a card's modes that is not one of them: it speaks of modes or cards."""
    return bool(re.search(r"《|モード|\bmodes?\b", text))


def ends_sentence(text: str) -> bool:
    return text.rstrip().endswith(_SENTENCE_END)


def is_prose(text: str) -> bool:
    """A sentence by its end: a heading has no full stop."""
    return text.endswith(_PROSE_END) and len(text) > 3


def is_statement(text: str) -> bool:
    """A list item that says something, as against a link or a label."""
    return len(text) >= 8 and ("。" in text or text.rstrip("）)」").endswith((".", "!", "?", "？")))


def is_general_section(text: str) -> bool:
    """A heading that stands among card rulings and covers the one block below it."""
    return text.endswith(GENERAL_SECTION)


def starred(text: str) -> str:
    """The heading in ``*** heading ***``; empty if the line is not of that shape."""
    match = _STARRED.match(text) if text[:1] in "*＊" and len(text) <= 120 else None
    return match["title"] if match else ""


def without_glued_rule(text: str) -> tuple[str, str]:
    """A sentence, and the ``-----`` that a lost line end glued to it (empty if none)."""
    bare = text.rstrip().rstrip("-")
    tail = text[len(bare) :]
    return (bare.rstrip(), text[len(bare.rstrip()) :]) if tail.count("-") >= 3 else (text, "")
