"""A question as search sees it: checked, read, and split into terms, once with its cards and once
without."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from saitei.index.entries import RULE_PARENT, rule_id, rule_parents
from saitei.index.lexical import plain_words, term_weights, terms
from saitei.ingest.catalog import Catalog
from saitei.ingest.glossary import Expansion, expansions
from saitei.ingest.kana import written
from saitei.ingest.linking import link
from saitei.ingest.models import Mention
from saitei.ingest.tokenise import normalise, rule_numbers
from saitei.ingest.transcription import in_japanese

MAX_QUERY = 1_000
"""Characters of a question; a story with everything in it is about 300."""
RULE_LINK = 15.0
"""Of a link by rule number beside one by name: who types a number means it."""
GLOSSARY_WEIGHT = 0.3
"""Of the official wording beside the words as said."""


class QueryError(ValueError):
    """A question that cannot be searched; the message, in Japanese, says why."""


def check_query(query: str) -> str:
    """The question without surrounding white space. Raises `QueryError`."""
    text = query.strip()
    if not text:
        raise QueryError("質問が空です。")
    if "\0" in text:
        raise QueryError("質問に使えない文字（NUL）が含まれています。")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise QueryError("質問に文字として読めない部分があります（UTF-8 ではありません）。")
    if len(text) > MAX_QUERY:
        raise QueryError(f"質問が長すぎます（{len(text)}文字。上限は{MAX_QUERY}文字）。")
    if not re.search(r"\w", text):
        raise QueryError("質問に文字がありません（記号だけです）。")
    return text


# Words of tournament policy; 「失格」 has no meaning in the rules of play. 「反則ですか」 only asks
# whether something is allowed, and so does 「反則じゃないの」.
_PENALTY = re.compile(
    r"罰則|ペナルティ|反則(?:に(?:な|問)|を(?:取|と)ら|と(?:みな|扱)|負|行為)|失格|(?:ゲーム|マッチ)・?ロス|遅延行為|遅刻|警告"
    r"|\b(?:penalt(?:y|ies)|disqualif\w+|game loss|match loss|tardiness|slow play)\b"
)


# What is said around a question and says nothing about it.
_COURTESY = re.compile(
    r"(?:ヘッド)?ジャッジ(?:さん)?[ー〜～]*(?=[！!、。：:\s])"
    r"|(?:すみません|すいません|失礼します|お疲れ様です|お世話になります|はじめまして|こんにちは|こんばんは"
    r"|ありがとうございます|ちょっといいですか|初心者です|初心者なんですが)(?:が|けど)?"
    r"|(?:MTGの|ルールの)?質問(?:です|があります|させてください|いいですか)(?:が|けど)?"
    r"|(?:お聞きしたい|お伺いしたい|聞きたい)(?:のですが|んですが|んだけど)"
    r"|(?:どなたか|誰か)?(?:教えて|ご教示|お教え)(?:いただけますか|いただけませんか|ください|下さい"
    r"|くれますか|くれませんか|くれ|ほしい(?:です)?|欲しい(?:です)?|もらえますか|(?=[。！!？?、\s]|$))"
    r"|(?:どうぞ)?(?:よろしく)?お願い(?:いた|致)?し(?:ます|たいです)|よろしく(?:です)?(?=[。！!、\s]|$)"
    r"|\b(?:hi|hello|hey|excuse me|sorry|judge|quick question|(?:an? )?(?:mtg|magic|rules) question"
    r"|i have a question|question|please|thanks(?: in advance)?|thank you)\b"
    r"(?=\s*(?:[!,.:?\u3002]|$))",
    re.IGNORECASE,
)


def without_courtesies(text: str) -> str:
    """The text without calls, greetings, thanks and requests around the question."""
    return " ".join(_COURTESY.sub(" ", text).split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question was understood to name. ``text``: the question with kana written as the cards
    write it (`saitei.ingest.kana`), where the mentions stand."""

    text: str
    mentions: tuple[Mention, ...]
    expansions: tuple[Expansion, ...]
    rules: tuple[str, ...] = ()
    penalty: bool = False
    """It asks what a player is punished with, which no ruling on cards can answer."""

    @property
    def cards(self) -> frozenset[str]:
        return frozenset(mention.id for mention in self.mentions if mention.kind == "card")

    @property
    def links(self) -> dict[str, float]:
        """Link ids of all that is named, a rule's parent weaker than the rule."""
        links: dict[str, float] = {mention.id: 1.0 for mention in self.mentions}
        for number in self.rules:
            for parent in rule_parents(number):
                links[rule_id(parent)] = RULE_LINK * RULE_PARENT
        links.update((rule_id(number), RULE_LINK) for number in self.rules)
        return links


def read_question(text: str, catalog: Catalog) -> Reading:
    """What the question names. ``text`` as `check_query` gives it. Raises ``KanaError``."""
    text = _in_kanji(in_japanese(text), catalog)
    mentions = link(text, catalog)
    # A card may be called 鴉の警告; asking about it is not asking about a warning.
    said = normalise(_without_cards(text, mentions))
    return Reading(
        text,
        mentions,
        expansions(text),
        tuple(rule_numbers(text)),
        _PENALTY.search(said) is not None,
    )


def _in_kanji(text: str, catalog: Catalog) -> str:
    """The text with kana as the cards write it, but for whole names of cards, of which some sound
    like others."""
    changed = written(text)
    if changed == text:
        return text
    parts: list[str] = []
    at = 0
    for mention in link(text, catalog):
        if mention.kind == "card" and mention.how in ("bracket", "name") and mention.start >= at:
            parts += [written(text[at : mention.start]), text[mention.start : mention.end]]
            at = mention.end
    return "".join([*parts, written(text[at:])]) if at else changed


def _without_cards(text: str, mentions: Iterable[Mention]) -> str:
    """The text with a space in place of every card it names."""
    spans = {(mention.start, mention.end) for mention in mentions if mention.kind == "card"}
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


@dataclass(frozen=True, slots=True)
class Asked:
    """``text`` as it was asked; ``terms`` of what was read, without courtesies; ``content`` those
    without the cards it names, none where nothing else is said; ``weights`` the distinct terms with
    those of the official wording beside them."""

    text: str
    reading: Reading
    terms: Sequence[str]
    content: Sequence[str]
    weights: Mapping[str, float]

    @property
    def says_something(self) -> bool:
        """Whether there is a question: what the rules name, a word beside a card, or two words."""
        if self.reading.rules or any(one.kind != "card" for one in self.reading.mentions):
            return True
        return len(plain_words(self.content)) > (0 if self.reading.cards else 1)


@lru_cache(maxsize=2_000)
def _official_weights(wording: str) -> Mapping[str, float]:
    """Of one official wording, read by itself: beside others MeCab may read it otherwise."""
    return term_weights(terms(wording))


def ask(text: str, reading: Reading) -> Asked:
    """The terms of a question and their weights. ``text`` as `check_query` gives it."""
    plain = without_courtesies(reading.text)
    said = terms(plain)
    weights = term_weights(said)
    for expansion in reading.expansions:
        for term, weight in _official_weights(expansion.official).items():
            weights.setdefault(term, GLOSSARY_WEIGHT * weight)
    content = said
    if reading.cards:
        content = terms(without_courtesies(_without_cards(reading.text, reading.mentions)))
    return Asked(text, reading, said, content, weights)
