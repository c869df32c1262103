"""How well the rulings of a block fit a card of which names, cost, types and keywords are known."""

import re
import unicodedata

from saitei.ingest.catalog import Card

# English type-line words and how rulings write them.
_TYPES = {
    "Zombie": "ゾンビ",
    "Vampire": "吸血鬼",
    "Werewolf": "狼男",
    "Wolf": "狼",
    "Human": "人間",
    "Spirit": "スピリット",
    "Angel": "天使",
    "Dragon": "ドラゴン",
    "Devil": "デビル",
    "Demon": "デーモン",
    "Rogue": "ならず者",
    "Cleric": "クレリック",
    "Wizard": "ウィザード",
    "Warrior": "戦士",
    "Curse": "呪い",
    "Elemental": "エレメンタル",
    "Ooze": "ウーズ",
    "Horror": "ホラー",
    "Construct": "構築物",
    "Merfolk": "マーフォーク",
}
_KEYWORDS = {
    "Flashback": "フラッシュバック",
    "Disturb": "降霊",
    "Daybound": "日暮",
    "Coven": "パワーが異なる",
    "Undying": "不死",
    "Fateful hour": "ライフ.{0,12}5点",
    "Mill": "切削|ライブラリーの一番上から.{0,12}墓地",
    "Kicker": "キッカー",
    "Equip": "装備し",
    "Transform": "変身",
    "First strike": "先制攻撃",
    "Double strike": "二段攻撃",
    "Lifelink": "絆魂",
    "Deathtouch": "接死",
    "Trample": "トランプル",
    "Vigilance": "警戒",
    "Indestructible": "破壊不能|破壊されない",
    "Fight": "格闘",
    "Flash": "瞬速",
    "Haste": "速攻",
    "Landfall": "上陸",
    "Scry": "占術",
    "Surveil": "諜報",
    "Phasing": "フェイズ・アウト",
}
_MANA = re.compile(r"\{([WUBRG])\}")
_CONTENT = re.compile(r"[一-龠々]|[ァ-ヶー]{3,}")


def subtypes(card: Card) -> frozenset[str]:
    """The words right of the dash in its type lines."""
    lines = (face.type_line.partition("—")[2] for face in card.faces)
    return frozenset(word for line in lines for word in line.split())


def likeness(text: str, faces: int, near: frozenset[str], card: Card) -> float:
    """Log-odds that ``text``, the rulings of a block in one string, is about ``card``.

    ``faces`` is how many face markers its header kept (0 where headers are lost), ``near`` the
    mechanics explained next to it. 0 is indifference; the weights are judgement, measured on the
    four documents at hand (tests/ingest/test_official_documents.py).
    """
    text = unicodedata.normalize("NFKC", text)
    front = card.faces[0].type_line
    lines = " // ".join(face.type_line for face in card.faces)
    score = _kind(text, front, lines)
    if faces:
        score += 4.0 if card.layout == "transform" else -6.0
    symbols = set(_MANA.findall(text))
    if symbols:
        colours = {symbol for face in card.faces for symbol in re.findall(r"[WUBRG]", face.cost)}
        score += 1.5 if symbols & colours else -0.7
    if re.search(r"[XＸ]の値|[XＸ]は|[XＸ]点", text):
        score += 1.0 if _variable(card) else 0.0
    for keyword in card.keywords:
        pattern = _KEYWORDS.get(keyword)
        if pattern and re.search(pattern, text):
            score += 1.0
        if keyword.lower() in near:
            score += 1.5
    for english, japanese in _TYPES.items():
        if japanese in text and (english in lines or japanese in card.ja):
            score += 0.8
    return score + _shared_words(text, card)


def _kind(text: str, front: str, lines: str) -> float:
    """Equipment, Aura, creature, land, planeswalker, spell: what the wording presupposes."""
    score = 0.0
    spell = "Instant" in front or "Sorcery" in front
    if re.search(r"装備している(?:クリーチャー|パーマネント)|装備していた|その装備品", text):
        score += 3.0 if "Equipment" in lines else -3.5
    elif "Equipment" in front:
        score -= 1.0
    if re.search(r"エンチャント(?:している|されている|されていた)", text):
        if "プレイヤー" in text and "Curse" in lines:
            score += 1.0
        score += 3.0 if "Aura" in lines else -3.5
    elif "Aura" in front:
        score -= 1.0
    if re.search(r"(?<!\[)このクリーチャー", text):
        score += 1.5 if "Creature" in lines else -2.0
    if "この土地" in text:
        score += 3.0 if "Land" in front else -1.0
    elif "Land" in front and not re.search("土地|マナ", text):
        score -= 1.5
    if "アーティファクト" in text and "Artifact" in lines:
        score += 0.8
    if re.search(r"紋章|忠誠度能力(?!でない)|忠誠カウンター", text):
        score += 4.0 if "Planeswalker" in lines else -2.0
    elif "Planeswalker" in front:
        score -= 2.0
    if re.search(r"(?:この|その|最初の|最後の|[1-4]つ(?:目|め)の)(?:\S{0,6}型)?能力", text):
        score += -1.5 if spell else 0.5
    if re.search(r"起動(?:型能力|する|に際し)", text) and "この" in text:
        score += -1.0 if spell else 0.3
    if re.search(
        r"(?:この|その)?呪文(?:は|が|の)?(?:解決|打ち消)|この呪文|追加コストを支払うために", text
    ):
        score += 1.0 if spell else 0.0
    if "能力" not in text:
        score += 0.5 if spell else -0.3
    if re.search(r"両方のモード|モードについて", text):
        score += 0.8 if spell else 0.0
    return score


def _variable(card: Card) -> bool:
    return any(
        "{X}" in face.cost or "*" in face.pt or "Aura" in face.type_line for face in card.faces
    )


def _shared_words(text: str, card: Card) -> float:
    """Kanji and katakana words of the card's names that the rulings use."""
    score = 0.0
    for face in card.faces:
        for piece in set(_CONTENT.findall(unicodedata.normalize("NFKC", face.ja))):
            if piece in text:
                score += 0.3 if len(piece) == 1 else 1.0
    return min(score, 1.2)
