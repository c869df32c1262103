"""Every error of this package, in one tree.

* EngineError: anything below, so that a caller can catch one class
    * ScenarioError: a scenario, card or fault file cannot be used; the message names file and line
    * SetupError: the position could not be built, or was not what was asked when read back
    * StepError: a step could not be carried out as written (a choice never asked for, ...)
        * MissingAnswerError: the engine asks, and the scenario does not say
    * RefusedError: the engine says that an action or choice is not legal
    * UnsupportedError: the engine cannot express a card, a position or a step; its words are kept
"""


class EngineError(Exception):
    """Base of the errors of `saitei.engine`."""


class ScenarioError(EngineError, ValueError):
    """A scenario, card or fault file cannot be used."""


class SetupError(EngineError):
    """The position could not be built, or read back differently from what was asked."""


class StepError(EngineError):
    """A step could not be carried out as written."""


class MissingAnswerError(StepError):
    """The engine asks, and the scenario does not say."""


class RefusedError(EngineError):
    """The engine says that an action or a choice is not legal."""


class UnsupportedError(EngineError):
    """The engine cannot express a card, a position or a step."""
