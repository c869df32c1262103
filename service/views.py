"""The JSON shapes every door shares (design section 8): result, search, answer."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from saitei.index.outcome import AnswerKind, Refusal
from saitei.ingest.notes import OracleChange, Status

Outcome = Literal[
    "confirmed", "outdated", "contradicted", "partial", "inconclusive", "unsupported", "error"
]

REFUSAL = "該当する裁定は見つかりませんでした。"
SAY_MORE = "カード名か、何が起きたかを書き添えてください。"
SAY_WHAT = "カードについて何を知りたいかを書き添えてください。"
ENGINE_CAVEAT = "エンジンは参考です。大会ではヘッドジャッジの判断が最終です。"
PROCEDURE_CAVEAT = "大会規定の範囲です。会場のジャッジにお尋ねください。"


class View(BaseModel):
    model_config = ConfigDict(frozen=True)


class SubjectView(View):
    """A card or a mechanic."""

    id: str
    ja: str
    en: str
    kind: Literal["card", "mechanic"]


class OccurrenceView(View):
    """One place where the ruling stands."""

    id: str
    document: str
    line: int
    heading: list[str]


class DocumentView(View):
    """The official document an answer rests on."""

    id: str
    title: str
    updated: str | None
    set: str


class VerdictView(View):
    """What a real rules engine does; reference, not authority."""

    outcome: Outcome
    text: Literal["as-written", "reworded", "patched"]
    engine: str
    version: str
    scenarios: list[str]


class PrincipleView(View):
    """A rule of play, and the notes that are instances of it."""

    id: str
    statement: str
    condition: str
    exceptions: str
    instances: list[str]


class ExplainView(View):
    """Why a result stands where it does. Ranks count from 1; null: not found that way.

    ``probability``: that it answers the question, as the ranker weighs it against the others and
    against there being no answer; 0 for one that was not weighed. ``features``: what it was weighed
    by (docs/evaluation.md).
    """

    terms: dict[str, float]
    lexical_rank: int | None
    dense_rank: int | None
    cosine: float
    link: float
    probability: float = Field(ge=0, le=1)
    features: dict[str, float]


class ResultView(View):
    """One ruling text (or principle) that may answer the question.

    ``text`` is the official wording where the user has ingested it, else null. ``verdict`` is null
    for matters of procedure, which no engine decides.
    """

    id: str
    fingerprint: str | None
    occurrences: list[OccurrenceView]
    document: DocumentView | None
    line: int | None
    subject: SubjectView | None
    text: str | None
    answer: str | None
    because: str | None
    rules: list[str]
    checked: str | None
    status: Status | None
    oracle_changed: OracleChange | None = None
    kind: Literal["ruling", "principle"]
    principle: PrincipleView | None
    verdict: VerdictView | None
    score: float = Field(
        description="Orders the results of one question: the logarithm of the odds that this one,"
        " rather than nothing here, answers it. Those of two questions may be compared for the"
        " first few results, which the ranker weighs; the others only stand behind them."
    )
    explain: ExplainView | None = None

    @model_validator(mode="after")
    def _no_engine_on_procedure(self) -> Self:
        if self.status == "procedure" and self.verdict is not None:
            raise ValueError("no engine decides a matter of tournament policy")
        return self


class ReadingView(View):
    """What the question was understood to name. ``written``: the question with its kana written as
    the cards write it; null where it stays as it was typed."""

    written: str | None = None
    cards: list[SubjectView]
    terms: list[str]


NEEDED: float = Field(
    ge=0,
    le=1,
    description="The least `confidence` with which the first result answers; it may be refused for"
    " another reason all the same.",
)
REFUSED: Refusal | None = Field(
    description="Why there is no answer. unsure: `confidence` is below `needed`; other-card: the"
    " first result is a ruling of a card not asked about; few-words: too little is said to choose"
    " by; unknown-words: most words are not known here; penalty: what a player is punished with is"
    " not decided by rulings on cards; unreadable: a line of a batch that is no question.",
)


class SearchView(View):
    """One question's results; ``results`` are filled even when ``answered`` is false."""

    query: str
    answered: bool
    kind: AnswerKind
    confidence: float = Field(ge=0, le=1)
    needed: float = NEEDED
    refused: Refusal | None = REFUSED
    results: list[ResultView]
    reading: ReadingView
    message: str | None = None

    @model_validator(mode="after")
    def _refused_or_answered(self) -> Self:
        if self.answered != (self.refused is None):
            raise ValueError("what is not answered is refused for a reason, and nothing else is")
        return self


class AnswerView(SearchView):
    """The answer to one question: the best result, others that may fit, and a revision.

    ``close``: how many of the alternatives, from the first, stand so near the best that the
    question may mean them; they are to be shown beside it.
    """

    object: Literal["answer"] = "answer"
    best: ResultView | None
    alternatives: list[ResultView]
    close: int = Field(default=0, ge=0)
    revision: str
