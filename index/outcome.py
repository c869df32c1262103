"""What a search comes to. Imports nothing: the shapes of every door name it."""

from typing import Literal

AnswerKind = Literal["direct", "principle", "none"]
"""A ruling on what was asked, a principle that decides it, or no answer."""

Refusal = Literal["unsure", "other-card", "few-words", "unknown-words", "penalty", "unreadable"]
"""Why there is no answer: the first result is not sure enough, or is a ruling of a card not asked
about; too little is said to choose by; the words are not known here; what is asked is what a player
is punished with; what was sent is no question (`saitei.index.question.check_query`)."""
