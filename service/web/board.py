"""Pictures of a replay as the template draws them: cards nested, what changed marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from saitei.service.replays.replay import (
    Board,
    BoardCard,
    BoardPlayer,
    Check,
    Frame,
    ReplayCase,
    StackItem,
    Words,
)

HIDDEN_ZONES = ("hand", "graveyard", "exile", "command")


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card to draw; ``changed`` since the picture before; ``attached`` lie on it."""

    card: BoardCard
    changed: bool
    attached: "tuple[DrawnCard, ...]" = ()


@dataclass(frozen=True, slots=True)
class DrawnPlayer:
    """A player's part; ``lands`` lie behind the other permanents; ``zones`` leave out empty ones.

    ``attached`` are Auras (curses) on the player.
    """

    player: BoardPlayer
    changed: frozenset[str]
    permanents: tuple[DrawnCard, ...]
    lands: tuple[DrawnCard, ...]
    attached: tuple[DrawnCard, ...]
    zones: tuple[tuple[str, tuple[DrawnCard, ...]], ...]


@dataclass(frozen=True, slots=True)
class DrawnStackItem:
    item: StackItem
    changed: bool


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """One picture; ``others`` stand above you, farthest first."""

    number: int
    text: Words
    notes: Sequence[Words]
    board: Board
    others: tuple[DrawnPlayer, ...]
    you: DrawnPlayer
    stack: tuple[DrawnStackItem, ...]
    changed: frozenset[str]


@dataclass(frozen=True, slots=True)
class DrawnCase:
    title: str
    frames: tuple[DrawnFrame, ...]
    checks: Sequence[Check]
    differs: tuple[Check, ...]
    failure: str
    flipped: bool | None


def draw(case: ReplayCase) -> DrawnCase:
    """A case ready to be drawn."""
    before: Board | None = None
    frames = []
    for number, frame in enumerate(case.frames):
        frames.append(_frame(number, frame, before))
        before = frame.board
    return DrawnCase(
        case.title,
        tuple(frames),
        case.checks,
        tuple(check for check in case.main if not check.held),
        case.failure,
        case.flipped,
    )


def _frame(number: int, frame: Frame, before: Board | None) -> DrawnFrame:
    board = frame.board
    seen = dict(_cards(before)) if before else None
    stacked = {item.key for item in before.stack} if before else None
    players = {one.player: one for one in before.players} if before else {}
    drawn = [_player(one, players.get(one.player), seen) for one in board.players]
    names = ("step", "turn", "day_night")
    changed = (
        frozenset(name for name in names if getattr(board, name) != getattr(before, name))
        if before
        else frozenset()
    )
    return DrawnFrame(
        number=number,
        text=frame.text,
        notes=frame.notes,
        board=board,
        others=tuple(reversed(drawn[1:])),
        you=drawn[0],
        stack=tuple(
            DrawnStackItem(item, stacked is not None and item.key not in stacked)
            for item in board.stack
        ),
        changed=changed,
    )


Seen = Mapping[tuple[str, int], BoardCard]


def _cards(board: Board) -> Iterator[tuple[tuple[str, int], BoardCard]]:
    for player in board.players:
        for zone in ("battlefield", *HIDDEN_ZONES):
            for card in getattr(player, zone):
                yield (zone, card.key), card


def _player(player: BoardPlayer, before: BoardPlayer | None, seen: Seen | None) -> DrawnPlayer:
    names = ("life", "poison", "energy", "library", "mana", "in_game")
    changed = (
        frozenset(name for name in names if getattr(player, name) != getattr(before, name))
        if before
        else frozenset()
    )
    here = {card.key for card in player.battlefield}
    attached: dict[int, list[BoardCard]] = {}
    for card in player.battlefield:
        if card.attached_to is not None:
            attached.setdefault(card.attached_to, []).append(card)

    def drawn(card: BoardCard, zone: str, above: frozenset[int] = frozenset()) -> DrawnCard:
        # Attachments that went round in a circle would be drawn for ever.
        hosts = above | {card.key}
        return DrawnCard(
            card,
            seen is not None and seen.get((zone, card.key)) != card,
            tuple(
                drawn(one, zone, hosts)
                for one in attached.get(card.key, ())
                if zone == "battlefield" and one.key not in hosts
            ),
        )

    standing = [
        card
        for card in player.battlefield
        if card.attached_player is None
        and (card.attached_to is None or card.attached_to not in here)
    ]
    return DrawnPlayer(
        player=player,
        changed=changed,
        permanents=tuple(drawn(one, "battlefield") for one in standing if not _plain_land(one)),
        lands=tuple(drawn(one, "battlefield") for one in standing if _plain_land(one)),
        attached=tuple(
            drawn(one, "battlefield") for one in player.battlefield if one.attached_player
        ),
        zones=tuple(
            (zone, tuple(drawn(one, zone) for one in getattr(player, zone)))
            for zone in HIDDEN_ZONES
            if getattr(player, zone)
        ),
    )


def _plain_land(card: BoardCard) -> bool:
    return "land" in card.types and "creature" not in card.types
