"""Which of the ways the engine offers is the one a step means."""

from collections.abc import Sequence

from saitei.engine.errors import MissingAnswerError, StepError
from saitei.engine.protocol import Way
from saitei.engine.steps import ActivateStep, CastStep


def one_way(ways: Sequence[Way], step: CastStep, what: str) -> Way:
    """The way of casting. Raises `MissingAnswerError`, `StepError`."""
    if len(ways) == 1:
        return ways[0]
    if step.how is None:
        listed = "; ".join(way.text for way in ways)
        raise MissingAnswerError(f"{what}: there are {len(ways)} ways, say how: {listed}")
    fits = [way for way in ways if step.how.lower() in way.text]
    if len(fits) != 1:
        raise StepError(f"{what}: how '{step.how}' fits {len(fits)} of {len(ways)} ways")
    return fits[0]


def one_ability(ways: list[Way], step: ActivateStep) -> Way:
    """The ability, by number or words. Raises `MissingAnswerError`, `StepError`."""
    if step.ability is None:
        if len(ways) == 1:
            return ways[0]
        listed = "; ".join(f"{n}: {way.text}" for n, way in enumerate(ways, 1))
        raise MissingAnswerError(f"activate {step.activate}: say which ability: {listed}")
    if step.ability.isdigit():
        index = int(step.ability) - 1
        if not 0 <= index < len(ways):
            raise StepError(f"activate {step.activate}: it has {len(ways)} activated abilities")
        return ways[index]
    fits = [way for way in ways if step.ability.lower() in way.text.lower()]
    if len(fits) != 1:
        raise StepError(f"activate {step.activate}: '{step.ability}' fits {len(fits)} abilities")
    return fits[0]
