"""When: the steps of a case, and the choices each of them may carry."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from saitei.engine.words import (
    Color,
    Handle,
    Handles,
    ManaText,
    Model,
    OneOrMany,
    PlayerWord,
    StepWord,
    YesNo,
    as_list,
)

if TYPE_CHECKING:
    from saitei.engine.expectations import Expectation, Match


def _kick(value: Any) -> Any:
    return {"yes": 1, "true": 1, "no": 0, "false": 0}.get(str(value), value)


Kick = Annotated[int, BeforeValidator(_kick), Field(ge=0, le=20)]
Modes = Annotated[list[int], BeforeValidator(as_list), OneOrMany()]


class Choices(Model):
    """Answers to what the engine asks, by kind. None of them is ever made up."""

    targets: Handles | None = Field(
        default=None, description="one per target, in order; none = no target"
    )
    new_targets: Literal["keep"] | Handles | None = Field(default=None, description="for a copy")
    modes: Modes | None = Field(default=None, description="1 = the first mode")
    x: int | None = None
    may: YesNo | None = Field(default=None, description="「～してもよい」")
    pay: YesNo | None = Field(
        default=None, description="a cost asked for on resolution or in combat"
    )
    kick: Kick | None = Field(
        default=None, description="optional additional costs: yes, no or how often"
    )
    choose: Handles | None = Field(
        default=None, description="objects or players picked, not targeted"
    )
    name: str | None = Field(
        default=None, description="a word chosen: card name, creature type, ..."
    )
    color: Color | None = None
    order: Handles | None = Field(
        default=None, description="sources of triggers, or their numbers; first resolves first"
    )
    replace: str | None = Field(
        default=None, description="replacement: its source, or its number from 1"
    )
    divide: dict[Handle, int] | None = None
    how: str | None = Field(
        default=None, description="which way to cast: a word of the engine's option"
    )

    def given(self) -> dict[str, Any]:
        """The answers that are there, by kind."""
        found = ((kind, getattr(self, kind)) for kind in Choices.model_fields)
        return {kind: value for kind, value in found if value is not None}


class Answer(Choices):
    """Answers of one player, where another than the one acting is asked."""

    by: PlayerWord


class StepBase(Choices):
    """What every step may carry."""

    id: Handle | None = None
    by: PlayerWord = "you"
    answers: list[Answer] = Field(default_factory=list)


class PayStep(Model):
    """A mana ability activated while a cost is paid."""

    activate: Handle
    ability: int | None = Field(default=None, ge=1)
    color: Color | None = None


class CastStep(StepBase):
    """Cast a card from where it is."""

    cast: Handle
    face: Literal["front", "back"] | None = None
    mana: ManaText = Field(default="", description="put into the pool right before")
    paying: list[PayStep] = Field(default_factory=list)


class ActivateStep(StepBase):
    """Activate an ability: its number on the card from 1, or words of its text."""

    activate: Handle
    ability: str | None = None
    mana: ManaText = ""
    paying: list[PayStep] = Field(default_factory=list)


class PlayStep(StepBase):
    """Play a land."""

    play: Handle
    face: Literal["front", "back"] | None = None


class AttackStep(StepBase):
    """Declare attackers; ``none`` is a declaration."""

    attack: Literal["none"] | list[Handle] | dict[Handle, Handle]


class BlockStep(StepBase):
    """Declare blockers, ``{blocker: attacker}``; ``none`` is a declaration."""

    block: Literal["none"] | dict[Handle, Handles]
    by: PlayerWord = "opponent"


class PassStep(StepBase):
    """One player passes priority once."""

    pass_: PlayerWord = Field(alias="pass")


class Until(Model):
    """Resolve until this object is on top of the stack, or the stack is empty."""

    until: Handle


class ResolveStep(StepBase):
    """All players pass until the top, or all, of the stack has resolved."""

    resolve: Literal["top", "all"] | Until


class AdvanceTo(Model):
    """A step of a turn; ``nth`` counts its coming from now on."""

    to: StepWord
    turn: PlayerWord | None = None
    nth: int = Field(default=1, ge=1, le=20)


class AdvanceStep(StepBase):
    """All players pass, declaring no attackers and no blockers, until a step begins.

    What is on the stack, or comes to be there on the way, resolves.
    """

    advance: AdvanceTo


class ConcedeStep(StepBase):
    """A player leaves the game."""

    concede: PlayerWord


class AddManaStep(StepBase):
    """Put mana into pools (it empties when the step ends)."""

    add_mana: dict[PlayerWord, ManaText]


class CheckStep(StepBase):
    """Expectations in mid-game."""

    check: "list[Expectation]"


class BindStep(StepBase):
    """Give handles to objects that came to be in the game: tokens, copies, abilities."""

    bind: "dict[Handle, Match]"


class _Trial(StepBase):
    @model_validator(mode="before")
    @classmethod
    def _by_goes_inside(cls, value: Any) -> Any:
        """``illegal: {attack: none}, by: you`` is the same as ``by`` written inside."""
        for verb in ("legal", "illegal"):
            inner = value.get(verb) if isinstance(value, dict) else None
            if isinstance(inner, dict) and "by" in value and "by" not in inner:
                value = {**value, verb: {**inner, "by": value["by"]}}
        return value


class LegalStep(_Trial):
    """The step would be allowed; it is taken back."""

    legal: "Step"


class IllegalStep(_Trial):
    """The step, or a choice in it, is refused; it is taken back."""

    illegal: "Step"


VERBS: dict[str, type[StepBase]] = {
    "cast": CastStep,
    "activate": ActivateStep,
    "play": PlayStep,
    "attack": AttackStep,
    "block": BlockStep,
    "pass": PassStep,
    "resolve": ResolveStep,
    "advance": AdvanceStep,
    "concede": ConcedeStep,
    "add_mana": AddManaStep,
    "check": CheckStep,
    "bind": BindStep,
    "legal": LegalStep,
    "illegal": IllegalStep,
}


def verb_of(value: Any) -> str | None:
    """The verb of a step, as written or as a model; None unless there is exactly one."""
    if isinstance(value, StepBase):
        return next(verb for verb, cls in VERBS.items() if type(value) is cls)
    keys = [key for key in value if key in VERBS] if isinstance(value, dict) else []
    return keys[0] if len(keys) == 1 else None


def _one_verb(value: Any) -> Any:
    if verb_of(value) is None:
        keys = ", ".join(map(str, value)) if isinstance(value, dict) else str(value)
        raise ValueError(f"a step needs exactly one of {', '.join(VERBS)}; here stands: {keys}")
    return value


Step = Annotated[
    Annotated[CastStep, Tag("cast")]
    | Annotated[ActivateStep, Tag("activate")]
    | Annotated[PlayStep, Tag("play")]
    | Annotated[AttackStep, Tag("attack")]
    | Annotated[BlockStep, Tag("block")]
    | Annotated[PassStep, Tag("pass")]
    | Annotated[ResolveStep, Tag("resolve")]
    | Annotated[AdvanceStep, Tag("advance")]
    | Annotated[ConcedeStep, Tag("concede")]
    | Annotated[AddManaStep, Tag("add_mana")]
    | Annotated[CheckStep, Tag("check")]
    | Annotated[BindStep, Tag("bind")]
    | Annotated[LegalStep, Tag("legal")]
    | Annotated[IllegalStep, Tag("illegal")],
    Discriminator(verb_of),
    BeforeValidator(_one_verb),
]
