"""Engines that misbehave, for tests of the worker pool: by `module:callable`."""

import os
import time

from saitei.engine.cards import CardBook
from saitei.engine.given import Given
from saitei.engine.phase_adapter import PhaseAdapter, PhaseGame


class Hangs(PhaseAdapter):
    """Hangs when the turn number is 13, is the real engine else."""

    def start(self, given: Given, cards: CardBook) -> PhaseGame:
        if given.turn_number == 13:
            time.sleep(600)
        return super().start(given, cards)


class Dies(PhaseAdapter):
    """Takes its process down when the turn number is 13."""

    def start(self, given: Given, cards: CardBook) -> PhaseGame:
        if given.turn_number == 13:
            os.abort()
        return super().start(given, cards)
