"""Cards and mechanics named in a ruling or in a person's question.

Names stand in 《brackets》 in official texts and bare in questions, in Japanese or English, whole
or as the short form people use, and sometimes misspelt. With 30,556 names many are ordinary words
(再生, 幽閉), so a bare name counts only by the rules of `_Scan.bare`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz import fuzz, process

from saitei.ingest.catalog import Catalog, fold_name
from saitei.ingest.lexicon import Entry, Lexicon, latin_words, lexicon_of
from saitei.ingest.models import Mention

QUESTION_LENGTH = 160
"""Longest text, in characters, in which misspelt bare names are looked for."""
KNOWN_CARD_SIMILARITY = 75.0
"""Least `rapidfuzz.fuzz.ratio` (0-100) of a bracketed name to that of a card with facts."""
ANY_CARD_SIMILARITY = 85.0
"""The same for all other cards, of which there are a hundred times as many."""
BARE_SIMILARITY = 84.0
"""Least partial ratio between a misspelt bare name and the name it is taken for."""

_BRACKET = re.compile(r"《([^《》\n]{1,80})(》?)|\[\[([^\[\]\n]{1,80})\]\]")
_DROPPED = frozenset(" \t\r\n\u3000、,・'’")
_QUOTES = frozenset('「『【〈<“"(（」』】〉>”)）')
_SAID_OF_A_CARD = re.compile(
    r"(?:という|って(?:いう)?)?(?:カード|呪文)|を?(?:唱え|撃(?![破退])|打(?!ち消|点|撃))|を(?:うっ|プレイ|キャスト|コピー|解決)"
    r"|の(?:効果|テキスト|裁定|解決|コピー)|で(?:対象|打ち消|追放|破壊)"
)
_CALLED_A_CARD = re.compile(r"(?:という|って(?:いう)?)(?:カード|呪文)")
_INFLECTED = re.compile(r"[ぁ-ん][たてなまる]")
_ADJECTIVAL = re.compile(
    r"な(?!ら|い)|的|さ[れせ]|す[るれ]|し(?:た|て|な|ま|よう|つつ)|でき[るまなたてれ]"
)


def link(text: str, catalog: Catalog) -> tuple[Mention, ...]:
    """Every card and mechanic named in a question, in order of place, without overlaps.

    Offsets are into ``text`` (code points). ``how`` tells bracketed, bare, short, alias and fuzzy
    finds apart. Two mentions share a place only where a short form belongs to two cards. Where no
    card is named, one misspelt name is looked for (texts up to `QUESTION_LENGTH`).
    """
    scan = _Scan(text, catalog)
    found = scan.named()
    if len(text) <= QUESTION_LENGTH and not any(one.kind == "card" for one in found):
        found.extend(scan.misspelt(found))
    return _sorted(found)


def link_ruling(text: str, catalog: Catalog) -> tuple[Mention, ...]:
    """`link` for official text, which spells bare names right: misspellings in 《》 only."""
    return _sorted(_Scan(text, catalog).named())


def _sorted(found: list[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted(found, key=lambda one: (one.start, -one.end, one.kind, one.id)))


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    return "" if char in _DROPPED else unicodedata.normalize("NFKC", char).lower()


def fold_with_places(text: str) -> tuple[str, list[int]]:
    """``fold_name`` of a text, and for each folded character its place in ``text``."""
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char in "ﾞﾟ" and out:
            voiced = unicodedata.normalize("NFC", out[-1] + _folded(char))
            if len(voiced) == 1:
                out[-1] = voiced
                continue
        for folded in _folded(char):
            out.append(folded)
            places.append(place)
    return "".join(out), places


class _Scan:
    """One pass over one text."""

    def __init__(self, text: str, catalog: Catalog) -> None:
        self.text = text
        self.catalog = catalog
        self.lexicon: Lexicon = lexicon_of(catalog)
        self.folded, self.places = fold_with_places(text)

    def named(self) -> list[Mention]:
        found = list(self.bracketed())
        found.extend(self.bare(_covered(found, len(self.text))))
        return found

    def bracketed(self) -> Iterator[Mention]:
        for match in _BRACKET.finditer(self.text):
            inner = match[1] or match[3]
            closed = bool(match[2] or match[3])
            if closed:
                entry = self.lexicon.find(inner)
                if entry:
                    yield self.mention(entry, match.start(), match.end())
                    continue
                parts = re.split(r"\s*(?://|[/／])\s*", inner)
                entry = next((hit for part in parts if (hit := self.lexicon.find(part))), None)
                entry = entry or self.closest(inner)
                if entry:
                    yield self.mention(entry, match.start(), match.end())
            else:
                # An unclosed bracket: the longest name that starts there.
                for end in range(len(inner), 0, -1):
                    entry = self.lexicon.find(inner[:end])
                    if entry and entry.kind == "card":
                        yield self.mention(entry, match.start(), match.start() + 1 + end)
                        break

    def closest(self, inner: str) -> Entry | None:
        """The card a bracketed but unknown name is taken for, cards with facts first."""
        folded = fold_name(inner)
        if len(folded) < 3:
            return None
        for names, least in (
            (self.lexicon.close, KNOWN_CARD_SIMILARITY),
            (self.lexicon.alike(folded), ANY_CARD_SIMILARITY),
        ):
            hit = process.extractOne(folded, names, scorer=fuzz.ratio, score_cutoff=least)
            if hit:
                return self.lexicon.fuzzy_entry(hit[0])
        return None

    def bare(self, taken: bytearray) -> Iterator[Mention]:
        """Longest names outside brackets, left to right."""
        i, folded, names = 0, self.folded, self.lexicon.names
        while i < len(folded):
            start = self.places[i]
            if taken[start]:
                i += 1
                continue
            length = 0
            for length in self.lexicon.lengths.get(folded[i : i + 2], ()):
                name = folded[i : i + length]
                if name not in names or len(name) < length:
                    continue
                entries = self.lexicon.get(name)
                end = self.places[i + length - 1] + 1
                if any(taken[start:end]):
                    continue
                kept = [entry for entry in entries if self.stands(entry, start, end)]
                if kept:
                    for entry in kept:
                        yield self.mention(entry, start, end)
                    break
            else:
                i += 1
                continue
            i += length

    def stands(self, entry: Entry, start: int, end: int) -> bool:
        """Whether a bare name at this place is meant as that name (see `Entry.weight`)."""
        text = self.text
        before = text[start - 1] if start else ""
        after = text[end] if end < len(text) else ""
        if entry.latin:
            if _is_latin(before) or _is_latin(after):
                return False
            if entry.words != latin_words(text[start:end]):
                return False
        elif _splits(before, text[start]) or _splits(text[end - 1], after):
            return False
        if entry.kind == "mechanic" or entry.weight == "sure":
            foreign = entry.how == "name" and not self.lexicon.known(entry)
            return not (foreign and not entry.latin and _INFLECTED.match(text, end - 1))
        quoted = before in _QUOTES and after in _QUOTES and bool(before and after)
        if entry.weight == "word":
            return quoted or bool(_CALLED_A_CARD.match(text, end))
        alone = not text[:start].strip() and not text[end:].strip(" ?？。")
        # 墓所粛清 is no 粛清: the end of a longer word, of a misspelt name most likely.
        cut = _is_kanji(before + text[start]) and not self.lexicon.known(entry)
        said = _CALLED_A_CARD if cut else _SAID_OF_A_CARD
        if alone or quoted or said.match(text, end):
            return True
        if entry.latin:
            return entry.weight == "likely" and text[start].isupper()
        if _ADJECTIVAL.match(text, end) or _INFLECTED.match(text, end - 1):
            return False
        glued = _is_kanji(before + text[start]) or _is_kanji(text[end - 1] + after)
        return entry.weight == "likely" and not glued

    def misspelt(self, found: list[Mention]) -> Iterator[Mention]:
        """One misspelt name of a card with facts, if one is close enough."""
        best = self.lexicon.nearest(self.folded, BARE_SIMILARITY)
        if best:
            entry, first, last = best
            start, end = self.places[first], self.places[last - 1] + 1
            taken = _covered([one for one in found if one.kind == "card"], len(self.text))
            if not any(taken[start:end]):
                yield self.mention(entry, start, end)

    def mention(self, entry: Entry, start: int, end: int) -> Mention:
        how = entry.how
        if how == "name" and self.text[start] in "《[":
            how = "bracket"
        return Mention(entry.kind, entry.id, self.text[start:end], start, end, how)


def _covered(found: list[Mention], length: int) -> bytearray:
    taken = bytearray(length)
    for one in found:
        taken[one.start : one.end] = b"\1" * (one.end - one.start)
    return taken


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _is_kanji(pair: str) -> bool:
    """Whether two characters stand side by side and are both kanji."""
    return len(pair) == 2 and all("一" <= char <= "龠" or char == "々" for char in pair)


def _is_katakana(char: str) -> bool:
    return "ァ" <= char <= "ヶ" or char in "ーｰ"


def _splits(left: str, right: str) -> bool:
    """Whether a boundary between two characters would cut a katakana word in two."""
    return bool(left and right) and _is_katakana(left) and _is_katakana(right)
