"""Types of the fixtures of these tests."""

from collections.abc import Callable

from saitei.engine.runner import ScenarioResult
from saitei.engine.scenario import Scenario

Load = Callable[[str], list[Scenario]]
"""Text of a scenario file -> scenarios."""

Play = Callable[[str], ScenarioResult]
"""Text of a file with one scenario -> its result."""
