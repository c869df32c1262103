"""An answer as plain Japanese text: the terminal's form, and what chat doors cut down."""

from collections.abc import Iterator
from typing import Literal

from saitei.index.outcome import Refusal
from saitei.ingest.notes import OracleChange, Status, Superseded
from saitei.service.views import (
    ENGINE_CAVEAT,
    PROCEDURE_CAVEAT,
    REFUSAL,
    AnswerView,
    Outcome,
    ReadingView,
    ResultView,
    VerdictView,
)

NOT_AN_ANSWER = "近い裁定（この質問の答えとは限りません）:"

_STATUS = {
    "current": "現行",
    "reworded": "現行（用語だけが変わっています）",
    "narrowed": "一部だけが今も当てはまります",
    "document-error": "文書の誤記を正すもの",
    "procedure": "大会での手続き",
    "product": "製品の情報",
}
_OUTCOME: dict[Outcome, str] = {
    "confirmed": "裁定どおりに動くことを確認",
    "outdated": "裁定は旧ルール。エンジンは今のルールどおりに動くことを確認",
    "partial": "一部だけを確認",
    "contradicted": "エンジンは裁定と違う動きをします",
    "inconclusive": "判定できません",
    "unsupported": "エンジンがこのカードや手順に対応していません",
    "error": "実行できませんでした",
}
REASONS: dict[Refusal, str] = {
    "unsure": "確からしさが足りません",
    "other-card": "最も近いのは、質問にないカードの裁定です",
    "few-words": "手がかりになる語が足りません",
    "unknown-words": "ほとんどの語がここにはありません",
    "penalty": "罰則は裁定では決まりません",
    "unreadable": "質問として読めません",
}
"""Why there is no answer, in Japanese."""
_CARD_TEXT = {
    "as-written": "",
    "reworded": "、カードの文を言い換え",
    "patched": "、カードの解釈を補正",
}


def status_text(status: Status) -> str:
    """A ruling's status in Japanese."""
    if isinstance(status, Superseded):
        change = status.superseded
        since = "時期不明" if change.since == "unknown" else change.since
        return f"旧裁定（{since}、{change.by}）"
    return _STATUS[status]


def outcome_text(outcome: Outcome) -> str:
    """An outcome in Japanese, without the engine it is of."""
    return _OUTCOME[outcome]


def verdict_text(verdict: VerdictView) -> str:
    """An engine verdict with engine, version and how the card was written."""
    return (
        f"{_OUTCOME[verdict.outcome]}（{verdict.engine} {verdict.version}"
        f"{_CARD_TEXT[verdict.text]}）"
    )


def tested_text(outcome: Outcome, text: Literal["as-written", "reworded", "patched"]) -> str:
    """An outcome with how the card was written, which it may not be told without."""
    written = _CARD_TEXT[text].removeprefix("、")
    return f"{_OUTCOME[outcome]}（{written}）" if written else _OUTCOME[outcome]


def edition_text(checked: str) -> str:
    """The edition of the Comprehensive Rules a note was checked in."""
    year, month, day = checked.split("-")
    return f"{year}年{int(month)}月{int(day)}日版の総合ルールで確認"


def source_text(result: ResultView) -> str | None:
    """Document, date, subject and place; None for a principle."""
    if result.document is None:
        return None
    date = f"（{result.document.updated}）" if result.document.updated else ""
    subject = f"「{result.subject.ja}」" if result.subject else ""
    return f"{result.document.title}{date}{subject} {result.line}行目"


def first_line(result: ResultView) -> str:
    """The verdict: our answer in today's rules, else the official wording."""
    lead = "原則では、" if result.kind == "principle" else ""
    return f"{lead}{result.answer or result.text or ''}"


def qualifiers(result: ResultView) -> Iterator[str]:
    """What must be said beside the verdict."""
    if result.status == "procedure":
        yield PROCEDURE_CAVEAT
    elif result.status in ("narrowed", "document-error") or isinstance(result.status, Superseded):
        yield status_text(result.status)
    if result.oracle_changed is not None:
        yield changed_text(result.oracle_changed)


def engine_lines(result: ResultView) -> Iterator[str]:
    """The engine's verdict with its caveat, or nothing."""
    if result.verdict is not None:
        yield f"エンジン: {verdict_text(result.verdict)}"
        yield ENGINE_CAVEAT


def rules_text(result: ResultView) -> str:
    """Rule numbers with the edition they were checked in, or nothing."""
    if not result.rules:
        return ""
    checked = f"（{edition_text(result.checked)}）" if result.checked else ""
    return f"{', '.join(result.rules)}{checked}"


def changed_text(change: OracleChange) -> str:
    """That the card's own text has been changed since, and how."""
    return f"カードの文章が変更されています: {change.gist}"


def candidate_text(result: ResultView) -> str:
    """One of the results that are near and not the answer, in a line."""
    principle = "原則: " if result.kind == "principle" else ""
    subject = f"{result.subject.ja}: " if result.subject else principle
    return f"{subject}{result.answer or result.text or ''}"


def result_lines(result: ResultView) -> Iterator[str]:
    """One result, its answer first."""
    yield first_line(result)
    if result.because:
        yield f"理由: {result.because}"
    if result.status == "procedure":
        yield PROCEDURE_CAVEAT
    source = source_text(result)
    if source:
        yield f"出典: {source}"
    if result.answer and result.text:
        yield f"原文: {result.text}"
    if rules := rules_text(result):
        yield f"規則: {rules}"
    if result.status:
        yield f"状態: {status_text(result.status)}"
    if result.oracle_changed:
        yield changed_text(result.oracle_changed)
    if result.verdict:
        yield f"エンジン: {verdict_text(result.verdict)} {', '.join(result.verdict.scenarios)}"
        yield ENGINE_CAVEAT


def reading_lines(reading: ReadingView) -> Iterator[str]:
    """What a question was read as that was typed in kana or by sound, or nothing."""
    if reading.written:
        yield f"読み替え: {reading.written}"


def answer_lines(answer: AnswerView) -> Iterator[str]:
    """The whole answer for a terminal; what it was read as first, for that may be wrong."""
    yield from reading_lines(answer.reading)
    if answer.best is None:
        yield answer.message or REFUSAL
        if answer.alternatives:
            yield NOT_AN_ANSWER
    else:
        yield from result_lines(answer.best)
        if answer.close:
            yield "条件の近い裁定もあります。状況に合うものを選んでください:"
            yield from _candidate_lines(answer.alternatives[: answer.close])
        if answer.alternatives[answer.close :]:
            yield "ほかの候補（この質問の答えとは限りません）:"
    yield from _candidate_lines(answer.alternatives[answer.close :])


def _candidate_lines(results: list[ResultView]) -> Iterator[str]:
    for other in results:
        yield f"  - {candidate_text(other)}  [{other.id}]"
