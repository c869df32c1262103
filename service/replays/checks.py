"""What a replay says of expectations: the sentence, and what was seen instead."""

import re
from collections.abc import Mapping

from saitei.engine.expectations import Expectation
from saitei.engine.steps import (
    ActivateStep,
    AttackStep,
    BlockStep,
    CastStep,
    PlayStep,
    StepBase,
)
from saitei.engine.words import PLAYER_JA, STEP_JA, ZONE_JA
from saitei.service.replays.replay import Words
from saitei.service.replays.words import KIND, NOBODY, deed_words, listed, player_words, quoted

_FACT_JA = {
    "exists": "存在",
    "zone": "領域",
    "name": "名前",
    "types": "カード・タイプ",
    "subtypes": "サブタイプ",
    "supertypes": "特殊タイプ",
    "colors": "色",
    "mana_value": "マナ総量",
    "keywords": "キーワード能力",
    "no_keywords": "持たないキーワード能力",
    "abilities": "能力の数",
    "pt": "P/T",
    "base_pt": "基本のP/T",
    "power": "パワー",
    "toughness": "タフネス",
    "loyalty": "忠誠度",
    "counters": "カウンター",
    "damage": "負っているダメージ",
    "tapped": "タップ状態",
    "sick": "召喚酔い",
    "face": "面",
    "face_down": "裏向き",
    "phased_out": "フェイズ・アウト",
    "token": "トークン",
    "type": "タイプ",
    "copy": "コピー",
    "controller": "コントローラー",
    "owner": "オーナー",
    "attached_to": "つけられている先",
    "same_object": "元と同じオブジェクト",
    "attacking": "攻撃先",
    "blocking": "ブロックの相手",
    "blocked": "ブロックされている",
    "targets": "対象",
    "position": "ライブラリーの上から",
    "life": "ライフ",
    "poison": "毒カウンター",
    "energy": "エネルギー",
    "hand": "手札の枚数",
    "library": "ライブラリーの枚数",
    "graveyard": "墓地の枚数",
    "exile": "追放領域の枚数",
    "mana": "マナ・プール",
    "in_game": "ゲームに残っている",
    "turn": "ターン",
    "step": "ステップ",
    "day_night": "昼夜",
    "over": "ゲームの終了",
    "winner": "勝者",
    "priority": "優先権",
    "stack": "スタック（上から）",
    "count": "数",
    "times": "回数",
    "amount": "点数",
    "options": "選択肢",
    "not_options": "選択肢でないもの",
    "legal": "行えるか",
    "illegal": "行えるか",
    "happened": "起きたこと",
    "ordered": "この順に起きたこと",
    "together": "同時に起きたこと",
    "uninterrupted": "続けて起きたこと",
    "none": "起きなかったこと",
}
_VALUE_JA = {
    "yes": "はい",
    "no": "いいえ",
    "none": "なし",
    "front": "表",
    "back": "裏",
    "day": "昼",
    "night": "夜",
    "neither": "昼でも夜でもない",
    "nobody": "引き分け",
    "allowed": "行える",
    "refused": "行えない",
    "no such object": "存在しない",
    "white": "白",
    "blue": "青",
    "black": "黒",
    "red": "赤",
    "green": "緑",
    "creature": "クリーチャー",
    "artifact": "アーティファクト",
    "enchantment": "エンチャント",
    "land": "土地",
    "planeswalker": "プレインズウォーカー",
    "instant": "インスタント",
    "sorcery": "ソーサリー",
    "legendary": "伝説の",
    "flying": "飛行",
    "haste": "速攻",
    "trample": "トランプル",
    "vigilance": "警戒",
    "deathtouch": "接死",
    "lifelink": "絆魂",
    "menace": "威迫",
    "reach": "到達",
    "hexproof": "呪禁",
    "indestructible": "破壊不能",
    "first strike": "先制攻撃",
    "double strike": "二段攻撃",
    "defender": "防衛",
    "flash": "瞬速",
    "undying": "不死",
    "intimidate": "威嚇",
    "{}": "なし",
    "[]": "なし",
}
_YES_NO_JA = {
    "exists": ("存在する", "存在しない"),
    "tapped": ("タップ状態", "アンタップ状態"),
    "sick": ("召喚酔いしている", "召喚酔いしていない"),
    "face_down": ("裏向き", "表向き"),
    "phased_out": ("フェイズ・アウトしている", "フェイズ・アウトしていない"),
    "token": ("トークン", "トークンでない"),
    "copy": ("コピー", "コピーでない"),
    "same_object": ("元と同じオブジェクト", "元とは別のオブジェクト"),
    "attacking": ("攻撃している", "攻撃していない"),
    "blocked": ("ブロックされている", "ブロックされていない"),
    "in_game": ("ゲームに残っている", "ゲームを去っている"),
    "over": ("ゲームは終了", "ゲームは続いている"),
}
_EVENT_JA: dict[str, str] = {
    "zone": "領域の移動",
    "enters": "戦場に出る",
    "dies": "死亡",
    "leaves": "戦場を離れる",
    "exiled": "追放",
    "cast": "唱える",
    "draw": "引く",
    "damage": "ダメージ",
    "life": "ライフの増減",
    "counters": "カウンター",
    "token": "トークンの生成",
    "sacrifice": "生け贄",
    "discard": "捨てる",
    "destroy": "破壊",
    "attack": "攻撃",
    "block": "ブロック",
    "tap": "タップ",
    "untap": "アンタップ",
    "transform": "変身",
    "trigger": "誘発",
    "resolve": "解決",
    "countered": "打ち消し",
    "step": "ステップ",
}
_FACT = re.compile(rf"(?:^|, )({'|'.join(_FACT_JA)}): ")
_ITEM = re.compile(r"[^\[\]{},;:]+")


def facts_words(text: str, names: Mapping[str, Words]) -> Words:
    """``zone: graveyard, damage: 4`` as the checker writes it, with handles replaced by names."""
    parts = _FACT.split(text)
    facts = [_fact(*pair, names) for pair in zip(parts[1::2], parts[2::2], strict=True)]
    if not facts:
        return Words(ja=text, en=text)
    return Words(ja="、".join(one.ja for one in facts), en=", ".join(one.en for one in facts))


def _fact(key: str, value: str, names: Mapping[str, Words]) -> Words:
    if key in ("legal", "illegal"):
        if value.startswith("allowed"):
            return Words(ja="行える", en="allowed")
        return Words(ja="行えない" + ("" if value == "refused" else f"（{value}）"), en=value)
    if key in _HAPPENINGS:
        return Words(ja=f"{_FACT_JA[key]}：{_happenings(value, names)}", en=f"{key}: {value}")
    if key in _YES_NO_JA and value in ("yes", "no"):
        return Words(ja=_YES_NO_JA[key][value == "no"], en=f"{key.replace('_', ' ')}: {value}")
    if key == "zone" and value in ZONE_JA:
        nowhere = value == "none"
        ja = "どの領域にもない" if nowhere else f"{ZONE_JA[value]}にある"
        return Words(ja=ja, en=f"zone: {value}")
    if re.fullmatch(r"[<>]=? ?-?\d+", value):
        return Words(ja=f"{_FACT_JA[key]}は{_number_ja(value)}", en=f"{key}: {value}")
    if key == "face":
        return Words(ja="裏の面" if value == "back" else "表の面", en=f"face: {value}")
    return Words(
        ja=f"{_FACT_JA[key]}は{_value(value, names, 'ja')}",
        en=f"{key.replace('_', ' ')}: {_value(value, names, 'en')}",
    )


_HAPPENINGS = ("happened", "ordered", "together", "uninterrupted", "none")
_DETAIL = re.compile(r" (object|source|player|from|to|name|amount|combat) ")
_TOLD = {"none of them": "どれも起きていない", "all of them": "すべて起きた"}


def _happenings(text: str, names: Mapping[str, Words]) -> str:
    """What the checker writes of events: descriptions, or what was found or missing of them."""
    if text in _TOLD:
        return _TOLD[text]
    for lead, ja in (("missing: ", "起きていない："), ("happened: ", "起きた：")):
        if text.startswith(lead):
            return ja + _happenings(text.removeprefix(lead), names)
    return "、".join(_happening(one, names) for one in text.split("; "))


def _happening(text: str, names: Mapping[str, Words]) -> str:
    found = re.fullmatch(r"(\w+) (?:never|\(time \d+, window \d+\))", text)
    if found:
        return _EVENT_JA.get(found[1], found[1]) + ("なし" if text.endswith("never") else "あり")
    kind, *details = _DETAIL.split(f"{text} ")
    said = []
    for key, value in zip(details[::2], details[1::2], strict=True):
        shown = _value(value.strip(), names, "ja")
        ja = {"from": f"{shown}から", "to": f"{shown}へ", "amount": f"{_number_ja(value.strip())}"}
        said.append("戦闘" if key == "combat" else ja.get(key, shown))
    return _EVENT_JA.get(kind.strip(), kind.strip()) + (f"（{'、'.join(said)}）" if said else "")


def _value(text: str, names: Mapping[str, Words], language: str) -> str:
    if text in names:
        return names[text].ja if language == "ja" else names[text].en
    if text == "no such object" or (text.startswith("{") and text.count("{") > 1):
        return _VALUE_JA.get(text, text) if language == "ja" else text

    def one(match: re.Match[str]) -> str:
        word = match[0].strip()
        lead = " " if match[0].startswith(" ") else ""
        if word in names:
            name = names[word]
            return lead + (name.ja if language == "ja" else name.en)
        if language == "en":
            return match[0]
        known = {**STEP_JA, **ZONE_JA, **PLAYER_JA, **_VALUE_JA}
        return lead + known.get(word, known.get(word.lower(), word))

    if language == "ja" and text in _VALUE_JA:
        return _VALUE_JA[text]
    shown = _ITEM.sub(one, text).strip("[]{}")
    return shown or ("なし" if language == "ja" else "none")


def expectation_words(expectation: Expectation, expected: str, names: Mapping[str, Words]) -> Words:
    """An expectation as a sentence: its own Japanese where it has some, else made from its facts.

    ``expected`` is what the checker wrote of it.
    """
    made = _made(expectation, expected, names)
    return Words(ja=expectation.says, en=made.en) if expectation.says else made


def _made(expectation: Expectation, expected: str, names: Mapping[str, Words]) -> Words:
    subject = expectation.subject
    facts = facts_words(expected, names)
    for trial, can in ((expectation.legal, True), (expectation.illegal, False)):
        if trial is not None:
            action = action_words(trial, names)
            return Words(
                ja=f"{action.ja}ことが{'できる' if can else 'できない'}",
                en=f"{'Allowed' if can else 'Not allowed'}: {action.en}",
            )
    if expectation.triggered is not None:
        source = names.get(expectation.triggered.source, NOBODY)
        number = expectation.triggered.count
        return Words(
            ja=f"{quoted(source).ja}の能力が誘発する回数は{_number_ja(number)}",
            en=f"Abilities of {source.en} triggered: {number}",
        )
    if expectation.asked is not None:
        ja, en = KIND.get(expectation.asked.kind, (expectation.asked.kind,) * 2)
        return Words(ja=f"選択「{ja}」を求められる：{facts.ja}", en=f"Asked ({en}): {facts.en}")
    if expectation.damage is not None:
        source = names.get(expectation.damage.from_ or "", NOBODY)
        target = names.get(expectation.damage.to or "", NOBODY)
        by = (f"{source.ja}から", f"from {source.en} ") if source != NOBODY else ("", "")
        to = (f"{target.ja}への", f"to {target.en} ") if target != NOBODY else ("", "")
        number = expectation.damage.amount
        return Words(
            ja=f"{by[0]}{to[0]}ダメージは{_number_ja(number)}点",
            en=f"Damage {by[1]}{to[1]}is {number}",
        )
    if subject in ("game", "stack", "events"):
        return facts
    if subject in ("permanents", "cards"):
        match = expectation.permanents or expectation.cards
        said = match.model_dump(exclude_none=True, exclude={"count"}) if match else {}
        which = facts_words(
            ", ".join(f"{key}: {_plain(value)}" for key, value in said.items()), names
        )
        kind = ("パーマネント", "permanents") if subject == "permanents" else ("カード", "cards")
        return Words(
            ja=f"{kind[0]}（{which.ja}）の{facts.ja}", en=f"{kind[1]} ({which.en}) {facts.en}"
        )
    name = names.get(subject, Words(ja=subject, en=subject))
    shown = name if subject in PLAYER_JA else quoted(name)
    return Words(ja=f"{shown.ja}：{facts.ja}", en=f"{shown.en}: {facts.en}")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _number_ja(number: str) -> str:
    value = number.lstrip("<>= ")
    sign = number.removesuffix(value).strip()
    return value + {">=": "以上", "<=": "以下", ">": "より多い", "<": "より少ない"}.get(sign, "")


def action_words(step: StepBase, names: Mapping[str, Words]) -> Words:
    """A step that is tried, ending in a verb's dictionary form."""

    def name(handle: str) -> Words:
        return quoted(names.get(handle, Words(ja=handle, en=handle)))

    by = player_words(step.by)
    if isinstance(step, CastStep):
        return deed_words("cast", by, name(step.cast))
    if isinstance(step, ActivateStep):
        return deed_words("activate", by, name(step.activate))
    if isinstance(step, PlayStep):
        return deed_words("play", by, name(step.play))
    if isinstance(step, AttackStep):
        attackers = listed([name(one) for one in step.attack if step.attack != "none"])
        if not attackers.ja:
            return Words(ja=f"{by.ja}が攻撃しない", en=f"{by.en}: attack with nothing")
        return deed_words("attack", by, attackers)
    if isinstance(step, BlockStep):
        if isinstance(step.block, str) or not step.block:
            return Words(ja=f"{by.ja}がブロックしない", en=f"{by.en}: block with nothing")
        return deed_words("block", by, listed([name(one) for one in step.block]))
    return Words(ja="その行動をとる", en="take that action")
