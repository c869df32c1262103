"""Then: what is expected to hold, at the end (`then`) or in mid-game (`check`)."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from saitei.engine import steps as _steps
from saitei.engine.steps import Step
from saitei.engine.words import (
    Color,
    Fingerprint,
    Handle,
    Handles,
    ManaText,
    Model,
    Number,
    OneOrMany,
    PlayerWord,
    StepWord,
    YesNo,
    ZoneWord,
    as_list,
)

Words = Annotated[list[str], BeforeValidator(as_list), OneOrMany()]
Colors = Annotated[list[Color], BeforeValidator(as_list), OneOrMany()]
Fingerprints = Annotated[list[Fingerprint], BeforeValidator(as_list), OneOrMany()]
Power = Annotated[str, Field(pattern=r"^-?\d+/-?\d+$")]


class Match(Model):
    """A description of objects; an object matches when all of it holds."""

    zone: ZoneWord | None = None
    name: str | None = None
    type: Words | None = Field(default=None, description="types, subtypes, supertypes it has")
    colors: Colors | None = None
    keywords: Words | None = None
    pt: Power | None = None
    controller: PlayerWord | None = None
    owner: PlayerWord | None = None
    token: YesNo | None = None
    tapped: YesNo | None = None
    attacking: YesNo | None = None
    copy_: YesNo | None = Field(
        default=None, alias="copy", description="a copy of a spell or a token copy"
    )
    ability: YesNo | None = Field(default=None, description="an ability on the stack")
    source: Handle | None = Field(default=None, description="of an ability on the stack")
    nth: int | None = Field(
        default=None, ge=1, description="of several, in order of their coming to be"
    )


class Counted(Match):
    """A description, and how many are expected."""

    count: Number


def _yes_no_or_handle(value: Any) -> Any:
    """The words yes and no, which a handle would take otherwise."""
    return {"yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


class ObjectFacts(Model):
    """What is expected of one object. Lists name what must be there, unless said otherwise."""

    exists: YesNo | None = None
    zone: ZoneWord | Literal["none"] | None = Field(
        default=None, description="none: it has ceased to exist, or left the game"
    )
    name: str | None = None
    types: Words | None = Field(default=None, description="card types, all of them")
    subtypes: Words | None = Field(default=None, description="all of them")
    supertypes: Words | None = Field(default=None, description="all of them")
    colors: Colors | None = Field(default=None, description="all of them; none = colourless")
    mana_value: Number | None = None
    keywords: Words | None = None
    no_keywords: Words | None = None
    abilities: Number | None = Field(
        default=None, description="how many abilities it has, keywords apart"
    )
    pt: Power | None = None
    base_pt: Power | None = None
    power: Number | None = None
    toughness: Number | None = None
    loyalty: Number | None = None
    counters: dict[str, Number] | None = Field(default=None, description="0 = none of that kind")
    damage: Number | None = None
    tapped: YesNo | None = None
    sick: YesNo | None = None
    face: Literal["front", "back"] | None = None
    face_down: YesNo | None = None
    phased_out: YesNo | None = None
    token: YesNo | None = None
    controller: PlayerWord | None = None
    owner: PlayerWord | None = None
    attached_to: Handle | None = Field(default=None, description="an object or a player; none")
    same_object: YesNo | None = Field(
        default=None, description="as at the start, or when it was bound"
    )
    attacking: Annotated[Handle | YesNo | None, BeforeValidator(_yes_no_or_handle)] = Field(
        default=None, description="yes, no, or what it attacks"
    )
    blocking: Handles | None = None
    blocked: YesNo | None = None
    targets: Handles | None = Field(default=None, description="of a spell or ability on the stack")
    position: Number | None = Field(default=None, description="in the library, 1 = top")


class PlayerFacts(Model):
    """What is expected of a player."""

    life: Number | None = None
    poison: Number | None = None
    energy: Number | None = None
    hand: Number | None = None
    library: Number | None = None
    graveyard: Number | None = None
    exile: Number | None = Field(default=None, description="cards he owns in exile")
    mana: ManaText | None = Field(default=None, description="in the pool, order does not matter")
    in_game: YesNo | None = None


class GameFacts(Model):
    """What is expected of the game."""

    turn: PlayerWord | None = None
    step: StepWord | None = None
    day_night: Literal["day", "night", "neither"] | None = None
    over: YesNo | None = None
    winner: PlayerWord | Literal["nobody"] | None = None
    priority: PlayerWord | None = None


class During(Model):
    """Where to look: in one step (by its id), else in the whole case."""

    during: Handle | None = None


class Asked(During):
    """A question the engine asked (or, with ``times: 0``, did not ask)."""

    kind: str
    of: PlayerWord | None = None
    options: Handles | None = Field(default=None, description="all of these were among the options")
    not_options: Handles | None = None
    count: Number | None = Field(default=None, description="how many options")
    times: Number = ">= 1"


class Triggered(During):
    """Abilities that triggered and were put on the stack."""

    source: Handle
    controller: PlayerWord | None = None
    count: Number = ">= 1"


EventWord = Literal[
    "zone", "enters", "dies", "leaves", "exiled", "cast", "draw", "damage", "life", "counters",
    "token", "sacrifice", "discard", "destroy", "attack", "block", "tap", "untap", "transform",
    "trigger", "resolve", "countered", "step",
]  # fmt: skip


class EventMatch(Model):
    """A description of an event; what is not said may be anything."""

    event: EventWord
    object: Handle | None = None
    source: Handle | None = None
    player: PlayerWord | None = None
    from_: ZoneWord | None = Field(default=None, alias="from")
    to: ZoneWord | None = None
    name: str | None = Field(
        default=None, description="of the object, or of the counter, or of the step"
    )
    amount: Number | None = None
    combat: YesNo | None = None


class Events(During):
    """What happened: exactly one of the five ways of saying it."""

    happened: list[EventMatch] | None = Field(
        default=None, description="each of them, in any order"
    )
    ordered: list[EventMatch] | None = Field(default=None, description="one after the other")
    together: list[EventMatch] | None = Field(default=None, description="at the same time")
    uninterrupted: list[EventMatch] | None = Field(
        default=None, description="in this order, no player getting priority in between"
    )
    none: list[EventMatch] | None = Field(default=None, description="not one of them")

    @model_validator(mode="after")
    def _one(self) -> "Events":
        ways = ("happened", "ordered", "together", "uninterrupted", "none")
        if sum(getattr(self, way) is not None for way in ways) != 1:
            raise ValueError(f"write exactly one of {', '.join(ways)}")
        return self


class Damage(During):
    """Damage that was dealt; ``amount`` is the sum of what matches."""

    from_: Handle | None = Field(default=None, alias="from")
    to: Handle | None = None
    amount: Number
    combat: YesNo | None = None


class Visible(Model):
    """Who may see an object."""

    object: Handle
    to: list[PlayerWord] = Field(default_factory=list)
    hidden_from: list[PlayerWord] = Field(default_factory=list)


class Expectation(Model):
    """One expectation: exactly one subject. A key that is no word of the language is an object."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True)
    __pydantic_extra__: dict[str, ObjectFacts]

    shows: Annotated[list[Fingerprint], BeforeValidator(as_list), OneOrMany()] = Field(
        default_factory=list
    )
    says: str | None = Field(default=None, description="in Japanese, for the reader")
    you: PlayerFacts | None = None
    opponent: PlayerFacts | None = None
    third: PlayerFacts | None = None
    fourth: PlayerFacts | None = None
    game: GameFacts | None = None
    stack: Handles | None = Field(default=None, description="top first; none = empty")
    permanents: Counted | None = None
    cards: Counted | None = Field(default=None, description="objects in any zone")
    legal: Step | None = None
    illegal: Step | None = None
    asked: Asked | None = None
    triggered: Triggered | None = None
    events: Events | None = None
    damage: Damage | None = None
    visible: Visible | None = None

    @model_validator(mode="after")
    def _one_subject(self) -> "Expectation":
        subjects = self.subjects()
        if len(subjects) != 1:
            found = " and ".join(subjects) or "none"
            raise ValueError(f"an expectation needs exactly one subject, found {found}")
        return self

    def subjects(self) -> list[str]:
        """The keys that say what is expected."""
        fixed = [
            name
            for name in type(self).model_fields
            if name not in ("shows", "says") and getattr(self, name) is not None
        ]
        return fixed + list(self.__pydantic_extra__ or {})

    @property
    def subject(self) -> str:
        """The one subject."""
        return self.subjects()[0]

    @property
    def object_facts(self) -> ObjectFacts | None:
        """What is expected of the object, when the subject is one."""
        return (self.__pydantic_extra__ or {}).get(self.subject)


RESERVED = frozenset(name for name in Expectation.model_fields) | {"none", "all", "top"}
"""Words that cannot be handles."""


def _complete_models() -> None:
    """Steps hold expectations and expectations hold steps: tie the knot once."""
    names: dict[str, Any] = {"Expectation": Expectation, "Match": Match, "Step": Step}
    models: list[type[Model]] = [*_steps.VERBS.values(), Expectation]
    for model in models:
        model.model_rebuild(_types_namespace=names)


_complete_models()
