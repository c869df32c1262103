"""Given: the position a case starts from."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from saitei.engine.words import (
    PLAYERS,
    Color,
    Handle,
    ManaText,
    Model,
    OrWord,
    PlayerWord,
    StepWord,
    YesNo,
    ZoneWord,
)


class Chosen(Model):
    """What was chosen for an object as it entered."""

    color: Color | None = None
    name: str | None = None
    creature_type: str | None = None


class ObjectSpec(Model):
    """One object (or ``count`` like objects) of the position; a bare word is its card id."""

    card: str
    as_: Handle | None = Field(default=None, alias="as")
    count: int = Field(default=1, ge=1, le=60)
    tapped: YesNo = False
    sick: YesNo = False
    damage: int = Field(default=0, ge=0)
    counters: dict[str, int] = Field(default_factory=dict)
    attached_to: Handle | None = None
    face: Literal["front", "back"] = "front"
    controller: PlayerWord | None = None
    token: YesNo | None = None
    copy_of: Handle | None = None
    exiled_by: Handle | None = None
    chosen: Chosen | None = None
    phased_out: YesNo = False
    commander: YesNo = False

    @property
    def handles(self) -> list[str]:
        """The names by which steps and expectations speak of these objects."""
        base = self.as_ or self.card
        return [base] if self.count == 1 else [f"{base}#{n}" for n in range(1, self.count + 1)]


def _spec(value: Any) -> Any:
    return {"card": value} if isinstance(value, str) else value


Spec = Annotated[ObjectSpec, BeforeValidator(_spec), OrWord()]


class History(Model):
    """What has happened this turn before the case starts."""

    life_lost: int = 0
    life_gained: int = 0
    spells_cast: int = 0
    cards_drawn: int = 0
    lands_played: int = 0


class PlayerSpec(Model):
    """One player's part of the position. ``library`` is top first."""

    life: int | None = None
    poison: int = 0
    energy: int = 0
    mana: ManaText = ""
    battlefield: list[Spec] = Field(default_factory=list)
    hand: list[Spec] = Field(default_factory=list)
    graveyard: list[Spec] = Field(default_factory=list)
    exile: list[Spec] = Field(default_factory=list)
    library: list[Spec] = Field(default_factory=list)
    command: list[Spec] = Field(default_factory=list)
    emblems: list[Spec] = Field(default_factory=list)
    library_size: int | None = Field(default=None, ge=0, le=100)
    commander_casts: int = Field(
        default=0, ge=0, description="how often the commander was cast already"
    )
    history: History = History()

    def zones(self) -> list[tuple[ZoneWord, str, list[ObjectSpec]]]:
        """``(zone, key in the file, objects)``; emblems stand in the command zone."""
        return [
            ("battlefield", "battlefield", self.battlefield),
            ("hand", "hand", self.hand),
            ("graveyard", "graveyard", self.graveyard),
            ("exile", "exile", self.exile),
            ("library", "library", self.library),
            ("command", "command", self.command),
            ("command", "emblems", self.emblems),
        ]


class Given(Model):
    """The position: whose turn and step it is, and what each player has."""

    turn: PlayerWord = "you"
    step: StepWord = "precombat main"
    turn_number: int = Field(default=5, ge=1)
    format: Literal["standard", "commander", "free-for-all"] | None = None
    day_night: Literal["day", "night", "neither"] = "neither"
    spells_cast_last_turn: int | None = Field(
        default=None, ge=0, description="by the active player of the turn before"
    )
    you: PlayerSpec = PlayerSpec()
    opponent: PlayerSpec = PlayerSpec()
    third: PlayerSpec | None = None
    fourth: PlayerSpec | None = None

    @property
    def players(self) -> list[tuple[PlayerWord, PlayerSpec]]:
        """The players in the game, in turn order from you."""
        specs = (self.you, self.opponent, self.third, self.fourth)
        return [(word, spec) for word, spec in zip(PLAYERS, specs, strict=True) if spec]

    @property
    def card_ids(self) -> list[str]:
        """Each card id of the position, once, in order of appearance."""
        seen: dict[str, None] = {}
        for _, player in self.players:
            for _, _, objects in player.zones():
                for spec in objects:
                    seen[spec.card] = None
        return list(seen)
