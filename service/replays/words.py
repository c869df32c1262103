"""What a replay says, in Japanese and in English: names, events, choices."""

from saitei.engine.protocol import Event
from saitei.engine.words import PLAYER_JA, STEP_JA, ZONE_JA
from saitei.service.replays.replay import Words

PLAYER_EN = {
    "you": "You",
    "opponent": "Opponent",
    "third": "Third player",
    "fourth": "Fourth player",
}
NOBODY = Words(ja="？", en="?")


def player_words(player: str | None) -> Words:
    """A player by his word in the scenario language."""
    word = player or ""
    return Words(ja=PLAYER_JA.get(word, "？"), en=PLAYER_EN.get(word, "?"))


def step_name(step: str) -> Words:
    """A step of the turn."""
    return Words(ja=STEP_JA.get(step, step), en=step.capitalize())


def zone_name(zone: str | None) -> Words:
    """A zone; None and ``none`` are nowhere."""
    en = "nowhere" if zone in (None, "none") else str(zone)
    return Words(ja=ZONE_JA.get(zone or "none", zone or "？"), en=en)


def quoted(name: Words) -> Words:
    """A card's name as such."""
    return Words(ja=f"《{name.ja}》", en=name.en)


def listed(items: list[Words]) -> Words:
    """Several things in one phrase."""
    return Words(ja="、".join(one.ja for one in items), en=", ".join(one.en for one in items))


_DEEDS = {
    "cast": ("を唱える", "cast"),
    "play": ("をプレイする", "play"),
    "activate": ("の能力を起動する", "activate"),
    "attack": ("で攻撃する", "attack with"),
    "block": ("でブロックする", "block with"),
}


def deed_words(deed: str, player: Words, what: Words) -> Words:
    """What a player does with cards, ending in a verb's dictionary form."""
    ja, en = _DEEDS[deed]
    return Words(ja=f"{player.ja}が{what.ja}{ja}", en=f"{player.en}: {en} {what.en}")


def event_words(event: Event, who: Words, source: Words, target: Words) -> Words | None:
    """An event, or None for those that only fill the page.

    ``who`` is its object, ``source`` and ``target`` the others it names, all ready to be printed.
    """
    player = player_words(event.player)
    if event.kind == "zone":
        if event.zone_to == "stack":
            return None
        old, new = zone_name(event.zone_from), zone_name(event.zone_to)
        if event.zone_from in (None, "none"):
            return Words(ja=f"{who.ja}が{new.ja}に生成される", en=f"{who.en} is created: {new.en}")
        return Words(ja=f"{who.ja}：{old.ja}→{new.ja}", en=f"{who.en}: {old.en} → {new.en}")
    if event.kind == "damage":
        combat = ("戦闘", "combat ") if event.combat else ("", "")
        return Words(
            ja=f"{source.ja}が{target.ja}に{combat[0]}ダメージ{event.amount}点を与える",
            en=f"{source.en} deals {event.amount} {combat[1]}damage to {target.en}",
        )
    if event.kind == "life":
        return Words(
            ja=f"{player.ja}のライフ {event.amount:+d}", en=f"{player.en}: life {event.amount:+d}"
        )
    if event.kind == "counters":
        return Words(
            ja=f"{who.ja}：{event.name}カウンター {event.amount:+d}",
            en=f"{who.en}: {event.name} counter {event.amount:+d}",
        )
    if event.kind == "block":
        return Words(ja=f"{who.ja}が{target.ja}をブロックする", en=f"{who.en} blocks {target.en}")
    if event.kind == "trigger":
        name = source if who == NOBODY else who
        return Words(ja=f"{name.ja}の能力が誘発する", en=f"An ability of {name.en} triggers")
    plain = {
        "draw": (f"{player.ja}がカードを1枚引く", f"{player.en}: draws a card"),
        "sacrifice": (f"{who.ja}を生け贄に捧げる", f"{who.en} is sacrificed"),
        "discard": (f"{who.ja}を捨てる", f"{who.en} is discarded"),
        "transform": (f"{who.ja}が変身する", f"{who.en} transforms"),
        "countered": (f"{who.ja}が打ち消される", f"{who.en} is countered"),
    }
    ja, en = plain.get(event.kind, ("", ""))
    return Words(ja=ja, en=en) if ja else None


KIND = {
    "targets": ("対象", "target"),
    "new_targets": ("新しい対象", "new target"),
    "modes": ("モード", "mode"),
    "x": ("Ｘ", "X"),
    "may": ("行うかどうか", "may"),
    "kick": ("追加コストを払うかどうか", "additional cost"),
    "choose": ("選ぶもの", "chooses"),
    "name": ("カード名", "card name"),
    "color": ("色", "color"),
    "order": ("順番", "order"),
    "replace": ("置換効果", "replacement effect"),
    "divide": ("割り振り", "division"),
    "how": ("唱え方", "way of casting"),
    "face": ("面", "face"),
}


def choice_words(kind: str, player: Words, value: Words) -> Words | None:
    """A choice that was made; None for payments, which say nothing to a reader."""
    if kind not in KIND:
        return None
    ja, en = KIND[kind]
    return Words(ja=f"{player.ja}の選択（{ja}）：{value.ja}", en=f"{player.en} ({en}): {value.en}")
