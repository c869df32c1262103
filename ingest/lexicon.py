"""Names by their first characters: what the linker looks names up in, built once per catalog."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

from rapidfuzz import fuzz

from saitei.data import PATH as DATA
from saitei.data.tables import read_table
from saitei.ingest.catalog import Card, Catalog, Mechanic, fold_name
from saitei.ingest.models import SubjectKind

Weight = Literal["sure", "likely", "weak", "word"]
How = Literal["bracket", "name", "short", "alias", "fuzzy"]

# Words that are also names of cards, or last parts of names, but mean themselves in a question
# about play. Terms of the mechanics table are added to these. Quoted in the name of a mechanic
# (「場合」の誘発型能力), such a word is no term either.
ORDINARY = frozenset(
    """
    戦士 兵士 騎士 天使 悪魔 狼 狼男 人間 吸血鬼 ゾンビ スピリット 霊 猿 島 森 沼 山 平地 火
    死 生 昼 夜 死亡 除去 除外 発生 対立 誘発 選択 停止 強制 禁止 無効 無視 確認 分割 複製
    増加 減少 反応 変化 交換 時間 儀式 仮面 鎧 鍵 鏡 檻 力 光 影 呪い 目覚め 決闘 妨害 束縛
    防衛 宴 裁き 回収 想起 回想 起動 解決 効果 能力 呪文 対象 攻撃 防御 戦闘 召集 集会 奉納
    輝き 秘密 本能 光景 介入 敵対者 希望 守護者 悪漢 盗み 浜 農地 峰 湿地 谷間 地 呼び声
    重責 不実 中断 終末 一掃 一瞬 処刑 処理 追加 代替 支払い 手札 墓地 山札 追憶 終止 予言
    変成 死者 遠隔 発見 脱出 激突 賛美 武勇 反撃 共鳴 順応 動員 護衛 開始 終了 維持 優先権
    勝利 敗北 引き分け 回復 聖戦士 ウーズ 構築物 シャーマン 精霊 怪物 成長 暴行 開花 悪意
    生存者 浄化 首領 好意 反乱 守護 氷河 防護 収集 魅惑 腐敗 修復 戦乙女 蘇生 複写 場合
    """.split()
)

MOST_OWNERS = 2
"""Cards with facts whose names may hold a short form for it still to be one."""
SHORTEST_MISSPELT = 4
"""Fewest characters of a folded name that a misspelling is matched against."""

_TERM_STEM = re.compile(r"(?:に捧げる|する|る|す|を選ぶ)$")
_PARTS = re.compile(r"[／/（）()]|(?<=.)と(?=.)")


# A name of hiragana alone (なかったことに) occurs inside sentences.
_HAS_BODY = re.compile(r"[^ぁ-ん]")
_AFTER_V = dict(zip("ァィェォ", "バビベボ", strict=True))
_SOFT = dict(zip("ァィゥェォッャュョヂヅ", "アイウエオツヤユヨジズ", strict=True))
_LAST_WORD = re.compile(
    r".*の(?P<of>[一-龠々ァ-ヶ][一-龠々ぁ-んァ-ヶー]+)\Z"
    r"|.*[ないたる](?P<such>[一-龠々ァ-ヶ][一-龠々ァ-ヶー]+)\Z"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name and what it names.

    ``weight``: how far a bare occurrence can be trusted. ``sure`` always; ``likely`` unless glued
    to other kanji (Latin: only capitalised); ``weak`` and ``word`` only where the text speaks of a
    card or quotes it; a ``word`` not even when it is all there is.
    """

    kind: SubjectKind
    id: str
    how: How
    weight: Weight
    latin: bool = False
    words: tuple[str, ...] = ()


class Lexicon:
    """Folded name -> what goes by it. Entries of 60,000 names are made when first looked up."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._cards = catalog.by_name
        self._special: dict[str, tuple[Entry, ...]] = {}
        """Terms of mechanics and short forms of names."""
        self._mechanics(catalog.mechanics)
        self._terms = frozenset(self._special)
        self._short_forms(catalog)
        self._trusted = {
            fold_name(one.said): one
            for one in catalog.called
            if fold_name(one.said) in map(fold_name, catalog.cards[one.card].names)
        }
        """Whole names that count for more than their length tells."""
        self._others = {**self._nicknames(catalog), **self._special}
        """Everything that is not a whole name of a card."""
        self._made: dict[str, tuple[Entry, ...]] = {}
        self.names = frozenset((*self._cards, *self._others))
        """All folded names, for who looks many up of which few are names."""
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for name in self.names:
            lengths[name[:2]].add(len(name))
        lengths.pop("", None)
        self.lengths = {
            start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()
        }
        """First two characters of a folded name -> lengths of such names, longest first."""

    @property
    def terms(self) -> frozenset[str]:
        """Folded names of mechanics, and players' words for them."""
        return self._terms

    @property
    def short_names(self) -> tuple[str, ...]:
        """Folded short forms of names of cards with facts."""
        return tuple(name for name in self._special if name not in self._terms)

    @cached_property
    def close(self) -> list[str]:
        """Folded names of cards with facts."""
        return [name for name, card in self._cards.items() if card.facts and name]

    @cached_property
    def _softened(self) -> dict[str, str]:
        """Softened names and katakana short forms of cards with facts, to the folded ones."""
        shorts = (
            name
            for name, entries in self._special.items()
            if entries[0].how == "short" and not name.isascii() and len(entries) == 1
        )
        return {soften(name)[0]: name for name in (*shorts, *self.close)}

    @cached_property
    def _grams(self) -> dict[str, list[str]]:
        grams: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._softened:
            for gram in {name[i : i + 2] for i in range(len(name) - 1)}:
                grams[gram].append(name)
        return grams

    @cached_property
    def _ends(self) -> dict[str, list[str]]:
        ends: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._cards:
            if len(name) >= 3:
                ends["^" + name[:2]].append(name)
                ends[name[-2:] + "$"].append(name)
        return ends

    def get(self, folded: str) -> tuple[Entry, ...]:
        """All that goes by a folded name, a card first; empty if nothing does."""
        made = self._made.get(folded)
        if made is None:
            card = self._cards.get(folded)
            special = self._others.get(folded, ())
            if card is None and not special:
                return ()
            made = special
            if card is not None and folded:
                entry = self._card_entry(folded, card)
                if any(one.how == "short" for one in special):
                    # The short form of a card at hand, before another card's whole name.
                    entry = replace(entry, weight="word")
                made = (entry, *special)
            self._made[folded] = made
        return made

    def known(self, entry: Entry) -> bool:
        """Whether more than the name is known of what an entry names."""
        return entry.kind == "mechanic" or self._catalog.cards[entry.id].facts

    def find(self, name: str) -> Entry | None:
        """The card that goes by exactly this name (folded); a mechanic does not stand in 《》."""
        return next((one for one in self.get(fold_name(name)) if one.kind == "card"), None)

    def fuzzy_entry(self, folded: str) -> Entry:
        """The entry of a card's name, as found by likeness."""
        card = self._cards.get(folded)
        entry = self._card_entry(folded, card) if card else self._special[folded][0]
        return replace(entry, how="fuzzy")

    def alike(self, folded: str) -> list[str]:
        """Names of cards that start or end like ``folded``: all that a misspelling may mean."""
        return [*self._ends.get("^" + folded[:2], ()), *self._ends.get(folded[-2:] + "$", ())]

    def nearest(self, folded: str, least: float) -> tuple[Entry, int, int] | None:
        """The name of a card with facts most like a part of ``folded``: entry, start, end."""
        soft, places = soften(folded)
        shared: Counter[str] = Counter()
        for gram in {soft[i : i + 2] for i in range(len(soft) - 1)}:
            shared.update(self._grams.get(gram, ()))
        best: tuple[float, int, str, int, int] | None = None
        for name, count in shared.items():
            if len(name) < SHORTEST_MISSPELT or count * 2 < len(name) - 2:
                continue
            if len(name) > len(soft) + 1:
                continue
            aligned = fuzz.partial_ratio_alignment(name, soft, score_cutoff=least)
            if aligned and aligned.dest_start < aligned.dest_end:
                found = (aligned.score, len(name), name, aligned.dest_start, aligned.dest_end)
                best = max(best, found) if best else found
        if best is None:
            return None
        _, _, name, start, end = best
        return self.fuzzy_entry(self._softened[name]), places[start], places[end - 1] + 1

    def _card_entry(self, folded: str, card: Card) -> Entry:
        latin = folded.isascii()
        name = next((name for name in card.names if fold_name(name) == folded), folded)
        words = latin_words(name) if latin else ()
        how: How = "alias" if name in card.aliases else "name"
        weight: Weight = "word"
        trusted = self._trusted.get(folded)
        if trusted is not None and trusted.card == card.id:
            weight = "sure" if trusted.sure else "likely"
        elif folded not in self._terms and folded not in ORDINARY:
            weight = _latin_weight(folded, card, words) if latin else _weight(folded, card)
        return Entry("card", card.id, how, weight, latin, words)

    def _mechanics(self, mechanics: Mapping[str, Mechanic]) -> None:
        """Terms of every mechanic, and players' words that stand for exactly such a term."""
        for mechanic in mechanics.values():
            for name in _terms(mechanic):
                self._term(name, mechanic.id)
        for row in read_table(DATA / "glossary.tsv", "said", "official"):
            official = self._special.get(fold_name(row["official"]))
            if official:
                self._term(row["said"], official[0].id)

    def _term(self, name: str, mechanic: str) -> None:
        folded = fold_name(name)
        if len(folded) >= 2:
            latin = folded.isascii()
            entry = Entry(
                "mechanic", mechanic, "name", "sure", latin, latin_words(name) if latin else ()
            )
            self._special.setdefault(folded, (entry,))

    def _nicknames(self, catalog: Catalog) -> dict[str, tuple[Entry, ...]]:
        """What players call cards that have no facts here."""
        nicknames: dict[str, tuple[Entry, ...]] = {}
        for one in catalog.called:
            folded, latin = fold_name(one.said), one.said.isascii()
            if folded not in self._trusted:
                words = latin_words(one.said) if latin else ()
                weight: Weight = "sure" if one.sure else "likely"
                nicknames[folded] = (Entry("card", one.card, "short", weight, latin, words),)
        return nicknames

    def _short_forms(self, catalog: Catalog) -> None:
        """Short forms of cards with facts: those that fit no more than two of them."""
        cards = [card for card in catalog.cards.values() if card.facts]
        owners: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for card in cards:
            for name in card.names:
                for short in _shorts(name):
                    owners[fold_name(short)][card.id] = short
        names = ["\n".join(map(fold_name, card.names)) for card in cards]
        for folded, shorts in owners.items():
            owner = self._cards.get(folded)
            if (owner and owner.facts) or folded in self._special or folded in ORDINARY:
                continue
            if len(folded) < 2 or sum(folded in name for name in names) > MOST_OWNERS:
                continue
            latin = folded.isascii()
            weight: Weight = "likely" if len(folded) < 4 or latin else "sure"
            self._special[folded] = tuple(
                Entry("card", id_, "short", weight, latin, latin_words(short) if latin else ())
                for id_, short in shorts.items()
            )


def soften(folded: str) -> tuple[str, list[int]]:
    """Katakana as people confuse them made one: no long marks, ヴィ as ビ, small kana large.

    With each character's place in ``folded``, and of a pair the first.
    """
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(folded):
        if char == "ー":
            continue
        if out and out[-1] == "ヴ" and places[-1] == place - 1 and char in _AFTER_V:
            out[-1] = _AFTER_V[char]
            continue
        out.append(_SOFT.get(char, char))
        places.append(place)
    return "".join(out).replace("ヴ", "ブ"), places


def latin_words(text: str) -> tuple[str, ...]:
    """Lower-case words of a Latin text, apostrophes dropped."""
    return tuple(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", text.lower())))


def _terms(mechanic: Mechanic) -> Iterator[str]:
    """The names a mechanic is called by: the whole, its parts, the stem of a verb."""
    for name in (mechanic.ja, mechanic.en):
        yield name
        parts = [part.strip(" \"'") for part in _PARTS.split(name) if part.strip()]
        if len(parts) > 1:
            yield from (part for part in parts if not part.startswith("～"))
        if " and " in name and "(" not in name:
            yield from name.split(" and ")
        yield from (word for word in re.findall(r"「(..+?)」", name) if word not in ORDINARY)
        if name.endswith("ー"):
            yield name[:-1]
    if mechanic.category == "keyword action":
        for part in _PARTS.split(mechanic.ja):
            stem = _TERM_STEM.sub("", part)
            if len(stem) >= 2:
                yield stem


def _weight(folded: str, card: Card) -> Weight:
    """How far a Japanese name can be trusted where it stands bare: by its length."""
    if not card.facts and not _HAS_BODY.search(folded):
        return "weak"
    if len(folded) >= (4 if card.facts else 5):
        return "sure"
    return "likely" if card.facts or len(folded) == 4 else "weak"


def _latin_weight(folded: str, card: Card, words: tuple[str, ...]) -> Weight:
    """The same for a Latin name, where names are often everyday phrases."""
    if card.facts:
        return "sure" if len(words) >= 2 or len(folded) >= 7 else "likely"
    if len(words) >= 2:
        return "sure" if len(folded) >= 14 else "likely"
    return "likely" if len(folded) >= 6 else "weak"


def _shorts(name: str) -> Iterator[str]:
    """The parts of a name people use for the whole: 輝かしい聖戦士、エーデリン -> エーデリン."""
    if "、" in name:
        for part in name.split("、"):
            yield part
            yield from (piece for piece in part.split("・") if "・" in part and len(piece) >= 3)
    elif "," in name:
        first = name.split(",")[0]
        yield first
        if " " in first:
            yield first.split(" ")[0]
    elif match := _LAST_WORD.match(name):
        yield match["of"] or match["such"]


@lru_cache(maxsize=4)
def lexicon_of(catalog: Catalog) -> Lexicon:
    """The lexicon of a catalog, built on first use (about 0.1 s) and kept."""
    return Lexicon(catalog)
