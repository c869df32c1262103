"""What the tools of the Model Context Protocol give back.

Smaller than the HTTP shapes: whoever reads them pays by the word. Importing this needs no search
and no engine, so that the server is ready at once.
"""

from typing import Literal

from pydantic import Field

from saitei.engine.verdicts import Outcome
from saitei.index.outcome import AnswerKind, Refusal
from saitei.service.views import ENGINE_CAVEAT, NEEDED, REFUSED, SubjectView, View

NEAR = "Near in meaning; NOT the answer to the question. Say so if you mention one."
CAVEAT = Field(ENGINE_CAVEAT, description="Repeat this whenever you report what an engine does.")


class RulingBrief(View):
    """One ruling, or a principle (``kind``) where no ruling is about the card itself."""

    id: str
    kind: Literal["ruling", "principle"]
    subject: SubjectView | None
    answer: str | None = Field(description="Our words, by today's rules; the verdict comes first.")
    because: str | None
    qualifications: list[str] = Field(
        description="Outdated, reworded, out of the rules' scope: never leave these out."
    )
    rules: list[str]
    checked: str | None = Field(description="Edition of the Comprehensive Rules it was checked in.")
    source: str | None = Field(description="Official document, date, place.")
    official_text: str | None = Field(description="Official wording, where it was ingested here.")
    engine: str | None = Field(description="What a rules engine does: reference, not authority.")
    scenarios: list[str] = Field(description="Ids for the tool `replay`.")
    url: str | None


class FoundRulings(View):
    """The answer to a question, or none."""

    question: str
    answered: bool
    kind: AnswerKind
    confidence: float
    needed: float = NEEDED
    refused: Refusal | None = REFUSED
    message: str | None = Field(description="Why there is no answer. Do not make one up.")
    answer: RulingBrief | None
    candidates: list[RulingBrief] = Field(description=NEAR)
    read_as: list[str] = Field(description="Cards and terms the question was understood to name.")
    engine_caveat: str = CAVEAT
    revision: str


class CardRulings(View):
    """A page of rulings about one card."""

    card: SubjectView
    rulings: list[RulingBrief]
    total: int
    message: str | None
    engine_caveat: str = CAVEAT


class Tested(View):
    """What one scenario shows."""

    scenario: str
    outcome: Outcome
    summary: str
    reason: str
    expectations: list[str]
    contrasts: list[str]


class RulingTested(View):
    """Where a ruling stands with the engine, scenario by scenario."""

    id: str
    answer: str | None
    qualifications: list[str]
    standing: str | None = Field(description="null: no scenario tests this ruling.")
    engine: str | None
    version: str | None
    scenarios: list[Tested]
    engine_caveat: str = CAVEAT


class PlayedCase(View):
    """One run: what was done, step by step, and what was expected of it."""

    title: str
    steps: list[str]
    checks: list[str]
    failure: str


class Played(View):
    """A scenario as it was played once on an engine, with its contrasts."""

    scenario: str
    title: str
    rulings: list[str]
    rules: list[str]
    outcome: Outcome
    summary: str
    engine: str
    version: str
    main: PlayedCase
    contrasts: list[PlayedCase]
    engine_caveat: str = CAVEAT
