"""Names by their first characters: what the linker looks names up in, built once per catalog."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from rapidfuzz import fuzz

from saitei.ingest.catalog import Card, Catalog, Mechanic, fold_name
from saitei.ingest.models import SubjectKind

Weight = Literal["sure", "likely", "weak", "word"]
How = Literal["bracket", "name", "short", "alias", "fuzzy"]

# Words that are also names of cards, or last parts of names, but mean themselves in a question
# about play. Terms of the mechanics table are added to these.
ORDINARY = frozenset(
    """
    戦士 兵士 騎士 天使 悪魔 狼 狼男 人間 吸血鬼 ゾンビ スピリット 霊 猿 島 森 沼 山 平地 火
    死 生 昼 夜 死亡 除去 除外 発生 対立 誘発 選択 停止 強制 禁止 無効 無視 確認 分割 複製
    増加 減少 反応 変化 交換 時間 儀式 仮面 鎧 鍵 鏡 檻 力 光 影 呪い 目覚め 決闘 妨害 束縛
    反復 防衛 宴 裁き 回収 想起 回想 起動 解決 効果 能力 呪文 対象 攻撃 防御 戦闘 召集 集会
    奉納 輝き 秘密 本能 光景 介入 再会 敵対者 歩哨 先兵 隊長 執政 司教 使者 希望 守護者
    管理人 世話人 農夫 悪漢 盗み 浜 農地 峰 湿地 谷間 地 呼び声 重責 不実 中断 終末 一掃
    一瞬 処刑 処理 追加 代替 支払い 手札 墓地 山札 追憶 終止 予言 変成 死者 遠隔 発見 脱出
    激突 賛美 武勇 反撃 共鳴 順応 動員 護衛 開始 終了 維持 優先権 勝利 敗北 引き分け
    """.split()
)

_TERM_STEM = re.compile(r"(?:に捧げる|する|いる|える|る|す|を選ぶ|される)$")
_PARTS = re.compile(r"[／/（）()]|(?<=.)と(?=.)")


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
    """Folded name -> entries, with the lengths of the names that start with two characters."""

    def __init__(self, catalog: Catalog) -> None:
        self.entries: dict[str, tuple[Entry, ...]] = {}
        self.close: list[str] = []
        """Folded names of cards with facts."""
        self._mechanics(catalog.mechanics.values())
        terms = frozenset(self.entries)
        self._cards(catalog, terms)
        self._short_forms(catalog, terms)
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for name in self.entries:
            lengths[name[:2]].add(len(name))
        self.lengths = {
            start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()
        }
        self.names = tuple(name for name, one in self.entries.items() if one[0].kind == "card")
        self._grams: defaultdict[str, list[str]] | None = None

    def find(self, name: str) -> Entry | None:
        """The card that goes by exactly this name (folded); a mechanic does not stand in 《》."""
        found = self.entries.get(fold_name(name))
        return next((entry for entry in found or () if entry.kind == "card"), None)

    def fuzzy_entry(self, name: str) -> Entry:
        return replace(self.entries[name][-1], how="fuzzy")

    def nearest(self, folded: str, least: float) -> tuple[Entry, int, int] | None:
        """The name of a card with facts most like a part of ``folded``: entry, start, end."""
        if self._grams is None:
            self._grams = defaultdict(list)
            for name in self.close:
                for gram in {name[i : i + 2] for i in range(len(name) - 1)}:
                    self._grams[gram].append(name)
        shared: Counter[str] = Counter()
        for gram in {folded[i : i + 2] for i in range(len(folded) - 1)}:
            shared.update(self._grams.get(gram, ()))
        best: tuple[float, str, int, int] | None = None
        for name, count in shared.items():
            if len(name) < 4 or count * 2 < len(name) - 2 or len(name) > len(folded) + 1:
                continue
            aligned = fuzz.partial_ratio_alignment(name, folded, score_cutoff=least)
            if aligned and (best is None or (aligned.score, len(name)) > (best[0], len(best[1]))):
                best = (aligned.score, name, aligned.dest_start, aligned.dest_end)
        if best is None or best[2] >= best[3]:
            return None
        return self.fuzzy_entry(best[1]), best[2], best[3]

    def _mechanics(self, mechanics: Iterator[Mechanic] | object) -> None:
        assert not isinstance(mechanics, str)
        for mechanic in mechanics:  # type: ignore[attr-defined]
            for name in _terms(mechanic):
                folded = fold_name(name)
                latin = folded.isascii()
                if len(folded) >= 2:
                    entry = Entry(
                        "mechanic",
                        mechanic.id,
                        "name",
                        "sure",
                        latin,
                        tuple(re.findall(r"[a-z0-9]+", name.lower())) if latin else (),
                    )
                    self.entries.setdefault(folded, (entry,))

    def _cards(self, catalog: Catalog, terms: frozenset[str]) -> None:
        for folded, card in catalog.by_name.items():
            if not folded:
                continue
            how: How = "alias" if folded in {fold_name(name) for name in card.aliases} else "name"
            latin = folded.isascii()
            words: tuple[str, ...] = ()
            if latin:
                name = next(name for name in card.names if fold_name(name) == folded)
                words = tuple(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower())))
            weight = _weight(folded, card, latin, words, folded in terms)
            entry = Entry("card", card.id, how, weight, latin, words)
            self.entries[folded] = (entry, *self.entries.get(folded, ()))
            if card.facts:
                self.close.append(folded)

    def _short_forms(self, catalog: Catalog, terms: frozenset[str]) -> None:
        owners: defaultdict[str, list[Card]] = defaultdict(list)
        latin_form: dict[str, tuple[str, ...]] = {}
        for card in catalog.cards.values():
            if not card.facts:
                continue
            for short in {short for name in card.names for short in _shorts(name)}:
                folded = fold_name(short)
                if len(folded) < 2 or folded in terms or folded in ORDINARY:
                    continue
                owners[folded].append(card)
                if folded.isascii():
                    latin_form[folded] = tuple(re.findall(r"[a-z0-9]+", short.lower()))
        for folded, cards in owners.items():
            if folded in self.entries or len(cards) > 2:
                continue
            self.entries[folded] = tuple(
                Entry(
                    "card",
                    card.id,
                    "short",
                    "likely" if len(folded) < 4 or folded.isascii() else "sure",
                    folded.isascii(),
                    latin_form.get(folded, ()),
                )
                for card in cards
            )


def _terms(mechanic: Mechanic) -> Iterator[str]:
    """The names a mechanic is called by: the whole, its parts, the stem of a verb."""
    for name in (mechanic.ja, mechanic.en):
        yield name
        parts = [part.strip(" \"'") for part in _PARTS.split(name) if part.strip()]
        if len(parts) > 1:
            yield from (part for part in parts if not part.startswith("～"))
        if " and " in name and "(" not in name:
            yield from name.split(" and ")
        yield from re.findall(r"「(..+?)」", name)
        if name.endswith("ー"):
            yield name[:-1]
    if mechanic.category == "keyword action":
        for part in _PARTS.split(mechanic.ja):
            stem = _TERM_STEM.sub("", part)
            if len(stem) >= 2:
                yield stem


def _weight(folded: str, card: Card, latin: bool, words: tuple[str, ...], is_term: bool) -> Weight:
    if is_term or folded in ORDINARY:
        return "word"
    if latin:
        if len(words) >= 2 and (card.facts or len(folded) >= 14):
            return "sure"
        if card.facts:
            return "sure" if len(folded) >= 7 else "likely"
        return "likely" if len(words) >= 2 or len(folded) >= 6 else "weak"
    if card.facts:
        return "sure" if len(folded) >= 4 else "likely"
    if len(folded) >= 5:
        return "sure"
    return "likely" if len(folded) == 4 else "weak"


def _shorts(name: str) -> Iterator[str]:
    """The parts of a name people use for the whole."""
    if "、" in name:
        for part in name.split("、"):
            yield part
            yield from (piece for piece in part.split("・") if "・" in part and len(piece) >= 2)
    elif "," in name:
        first = name.split(",")[0]
        yield first
        if " " in first:
            yield first.split(" ")[0]
    elif "の" in name:
        last = name.rpartition("の")[2]
        if len(last) >= 2:
            yield last


@lru_cache(maxsize=4)
def lexicon_of(catalog: Catalog) -> Lexicon:
    """The lexicon of a catalog, built on first use (about 0.2 s) and kept."""
    return Lexicon(catalog)
