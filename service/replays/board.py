"""The board as it is drawn: a game's position with names in both languages."""

from collections.abc import Mapping, Sequence

from saitei.engine.cards import CardBook
from saitei.engine.errors import EngineError
from saitei.engine.protocol import Game, Obj, ObjectView, PlayerView, Ref, Seat, StackView
from saitei.engine.words import PLAYERS, PlayerWord
from saitei.service.replays.replay import Board, BoardCard, BoardPlayer, StackItem, Words
from saitei.service.replays.words import NOBODY, player_words, quoted

_KNOWN = {
    english: (Words(ja=japanese, en=english), None)
    for english, japanese in {
        "Blank Stone": "白紙の石",  # what the adapter fills a library with
        "Angel": "天使",
        "Bat": "コウモリ",
        "Beast": "ビースト",
        "Bird": "鳥",
        "Blood": "血",
        "Cat": "猫",
        "Clue": "手掛かり",
        "Construct": "構築物",
        "Demon": "デーモン",
        "Devil": "デビル",
        "Dog": "犬",
        "Elemental": "エレメンタル",
        "Food": "食物",
        "Goblin": "ゴブリン",
        "Human": "人間",
        "Illusion": "イリュージョン",
        "Insect": "昆虫",
        "Knight": "騎士",
        "Ooze": "ウーズ",
        "Plant": "植物",
        "Soldier": "兵士",
        "Spirit": "スピリット",
        "Thopter": "飛行機械",
        "Treasure": "宝物",
        "Vampire": "吸血鬼",
        "Warrior": "戦士",
        "Wolf": "狼",
        "Zombie": "ゾンビ",
    }.items()
}
"""Tokens go by their subtype unless a scenario's cards say otherwise."""


class Names:
    """Names in both languages, by the English name an engine uses."""

    def __init__(self, cards: CardBook, used: Sequence[str]) -> None:
        self._cards = cards
        self._known: dict[str, tuple[Words, str | None]] = dict(_KNOWN)
        for card in used:
            definition = cards.get(card)
            for face in (definition.front, definition.back):
                if face is not None:
                    words = Words(ja=face.ja or face.en, en=face.en)
                    self._known[face.en] = (words, definition.id)

    def words(self, english: str) -> Words:
        return self._known[english][0] if english in self._known else Words(ja=english, en=english)

    def card(self, english: str) -> str | None:
        return self._known[english][1] if english in self._known else None

    def handles(self, handles: Mapping[str, str]) -> dict[str, Words]:
        """Words for the handles of a case, and for the players."""
        named = {
            handle: self.words(self._cards.get(card).front.en) for handle, card in handles.items()
        }
        known = {english: words for english, (words, _) in self._known.items()}
        return {**known, **named, **{word: player_words(word) for word in PLAYERS}}


class Eyes:
    """Looks at a game. Names what it has seen even after it is gone."""

    def __init__(self, game: Game, names: Names) -> None:
        self._game, self._names = game, names
        self._seen: dict[int, str] = {}

    def name(self, who: Ref | None) -> Words:
        """An object's or a player's name."""
        if isinstance(who, Seat):
            return player_words(who.player)
        if who is None:
            return NOBODY
        view = self._game.object(who.id)
        if view is not None:
            self._seen[who.id] = view.name
        return self._names.words(self._seen[who.id]) if who.id in self._seen else NOBODY

    def quoted(self, who: Ref | None) -> Words:
        """The same, an object's name set off as a card's."""
        name = self.name(who)
        return quoted(name) if isinstance(who, Obj) and name != NOBODY else name

    def board(self) -> Board:
        game = self._game
        view = game.view()
        objects = {item.id: item for item in game.objects()}
        players = [
            self._player(game.player(word), objects) for word in PLAYERS if _there(game, word)
        ]
        return Board(
            turn=view.active,
            turn_number=view.turn_number,
            step=view.step,
            day_night=view.day_night,
            stack=[self._stack_item(entry) for entry in game.stack()],
            players=players,
            winner=view.winner,
        )

    def _player(self, seen: PlayerView, objects: Mapping[int, ObjectView]) -> BoardPlayer:
        def cards(zone: str) -> list[BoardCard]:
            return [
                self._card(item)
                for item in objects.values()
                if item.zone == zone
                and (item.controller if zone == "battlefield" else item.owner) == seen.player
            ]

        def numbered(numbers: Sequence[int]) -> list[BoardCard]:
            views = (objects.get(number) or self._game.object(number) for number in numbers)
            return [self._card(item) for item in views if item is not None]

        return BoardPlayer(
            player=seen.player,
            life=seen.life,
            poison=seen.poison,
            energy=seen.energy,
            mana=list(seen.mana),
            battlefield=cards("battlefield"),
            hand=numbered(seen.hand),
            graveyard=numbered(seen.graveyard),
            exile=cards("exile"),
            command=cards("command"),
            library=len(seen.library),
            in_game=seen.in_game,
        )

    def _card(self, item: ObjectView) -> BoardCard:
        self._seen[item.id] = item.name
        on_board = item.zone == "battlefield"
        host = item.attached_to
        return BoardCard(
            key=item.id,
            name=self._names.words(item.name),
            card=self._names.card(item.name),
            types=[kind.lower() for kind in item.types],
            colors=list(item.colors),
            pt=_pt(item.power, item.toughness) if "Creature" in item.types else "",
            base_pt=_pt(item.base_power, item.base_toughness) if "Creature" in item.types else "",
            loyalty=item.loyalty if on_board and item.loyalty else None,
            counters=dict(item.counters),
            damage=item.damage,
            tapped=item.tapped and on_board,
            sick=item.sick and on_board and "Creature" in item.types,
            back=item.back,
            face_down=item.face_down,
            token=item.token,
            copied=item.copy,
            phased_out=item.phased_out,
            attached_to=host.id if isinstance(host, Obj) and on_board else None,
            attached_player=host.player if isinstance(host, Seat) and on_board else None,
            attacking=self.quoted(item.attacking) if item.attacking else None,
            blocking=[self.quoted(Obj(number)) for number in item.blocking],
        )

    def _stack_item(self, entry: StackView) -> StackItem:
        return StackItem(
            key=entry.object,
            name=self._names.words(entry.name),
            ability=entry.ability,
            triggered=entry.triggered,
            copied=entry.copy,
            controller=entry.controller,
            targets=[self.quoted(target) for target in entry.targets],
        )


def _pt(power: int | None, toughness: int | None) -> str:
    return "" if power is None or toughness is None else f"{power}/{toughness}"


def _there(game: Game, word: PlayerWord) -> bool:
    """Whether the game has this player at all."""
    try:
        game.player(word)
    except (EngineError, ValueError, IndexError, KeyError):
        return False
    return True
