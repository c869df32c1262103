"""Answers made by hand, for what the real knowledge base seldom or never says."""

from typing import Any

from saitei.ingest.notes import OracleChange, Superseded, Supersession
from saitei.service.views import (
    AnswerView,
    DocumentView,
    ReadingView,
    ResultView,
    SubjectView,
    VerdictView,
)

SUPERSEDED = Superseded(superseded=Supersession(since="2018-04-27", by="移し替えの規則の廃止"))
CHANGED = OracleChange(since="2018", gist="移し替えに触れない文になった")


def ruling(
    outcome: Any = None, text: Any = "as-written", status: Any = "current", **changed: Any
) -> ResultView:
    """A ruling about an invented card; ``outcome`` gives it an engine verdict."""
    said = {"engine": "phase", "version": "1.2.3", "scenarios": ["card.case"]}
    verdict = VerdictView(outcome=outcome, text=text, **said) if outcome else None
    fields: dict[str, Any] = {
        "id": "some-faq.0a1b2c3d4e5f",
        "fingerprint": "0a1b2c3d4e5f",
        "occurrences": [],
        "document": DocumentView(
            id="some-faq", title="ある質問集", updated="2012-01-01", set="DKA"
        ),
        "line": 7,
        "subject": SubjectView(id="card", ja="ある札", en="Some Card", kind="card"),
        "text": None,
        "answer": "はい。できる。",
        "because": "そう書かれているから。",
        "rules": ["100.1a"],
        "checked": "2025-02-07",
        "status": status,
        "kind": "ruling",
        "principle": None,
        "verdict": verdict,
        "score": 1.0,
    }
    return ResultView(**(fields | changed))


def answered(best: ResultView, query: str = "できる？", near: Any = ()) -> AnswerView:
    return AnswerView(
        query=query,
        answered=True,
        kind="principle" if best.kind == "principle" else "direct",
        confidence=0.9,
        needed=0.5,
        refused=None,
        results=[best, *near],
        reading=ReadingView(cards=[], terms=[]),
        best=best,
        alternatives=list(near),
        revision="r",
    )


def refused(*near: ResultView, query: str = "天気は？") -> AnswerView:
    return AnswerView(
        query=query,
        answered=False,
        kind="none",
        confidence=0.1,
        needed=0.5,
        refused="unsure",
        results=list(near),
        reading=ReadingView(cards=[], terms=[]),
        message="該当する裁定は見つかりませんでした。",
        best=None,
        alternatives=list(near),
        revision="r",
    )
