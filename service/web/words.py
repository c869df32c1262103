"""The page's own words, Japanese and English, and an answer's parts in either."""

from typing import Literal, get_args

from saitei.engine.verdicts import TextKind
from saitei.ingest.notes import OracleChange, Status, Superseded
from saitei.service import text
from saitei.service.views import (
    ENGINE_CAVEAT,
    PROCEDURE_CAVEAT,
    REFUSAL,
    AnswerView,
    Outcome,
    ResultView,
    SubjectView,
    VerdictView,
)

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

LABELS: dict[str, tuple[str, str]] = {
    "name": ("裁定", "Saitei"),
    "tagline": (
        "マジック：ザ・ギャザリングの裁定を、意味で探し、実際のエンジンで確かめる",
        "Magic: The Gathering rulings, found by meaning and tested on a real rules engine",
    ),
    "question": ("質問", "Question"),
    "ask": ("聞く", "Ask"),
    "placeholder": ("例: 腐乱持ちは必ず攻撃する？", "e.g. Must a decayed creature attack?"),
    "examples": ("質問の例", "Examples"),
    "completion": ("カード名の候補", "Card names"),
    "skip": ("本文へ移動", "Skip to content"),
    "menu": ("メニュー", "Menu"),
    "sets": ("セット", "Sets"),
    "cards": ("カード", "Cards"),
    "mechanics": ("能力", "Mechanics"),
    "principles": ("原則", "Principles"),
    "engine": ("エンジン", "Engine"),
    "outdated": ("旧裁定", "Outdated"),
    "scenarios": ("再現", "Replays"),
    "written": ("読み替え", "Read as"),
    "reading": ("読み取ったカード・用語", "Cards and terms"),
    "answer": ("答え", "Answer"),
    "answers_japanese": ("", "Answers are written in Japanese."),
    "by_principle": ("原則では、", "In principle: "),
    "source": ("出典", "Source"),
    "official": ("原文", "Official text"),
    "rules": ("規則", "Rules"),
    "status": ("状態", "Status"),
    "engine_says": ("エンジン", "Engine"),
    "watch": ("再現を見る", "Watch it happen"),
    "oracle_changed": (
        "カードの文章が変更されています",
        "The card's text has been changed since",
    ),
    "superseded_note": (
        "公式文書の裁定は古い規則によるものです。上の答えは今の規則によるものです。",
        "The official ruling rests on an older rule. The answer above is by today's rules.",
    ),
    "engine_caveat": (
        ENGINE_CAVEAT,
        "The engine is for reference. At a tournament the head judge's decision is final.",
    ),
    "procedure_caveat": (
        PROCEDURE_CAVEAT,
        "This is a matter of tournament policy. Please ask a judge at the venue.",
    ),
    "refusal": (REFUSAL, "No ruling here answers this."),
    "refusal_help": (
        "カード名や能力の名前を入れて、聞き直してみてください。",
        "Try again with the name of the card or the mechanic.",
    ),
    "close": (
        "条件の近い裁定（状況に合うほうを選んでください）",
        "Rulings whose conditions are close (choose the one that fits)",
    ),
    "candidates": (
        "ほかの候補（この質問の答えとは限りません）",
        "Other candidates (they may not answer this question)",
    ),
    "mentioning": ("このカードに触れている裁定", "Rulings that mention this card"),
    "near": (
        "近い裁定（この質問の答えとは限りません）",
        "Rulings nearby (they may not answer this question)",
    ),
    "report": ("この答えを報告", "Report this answer"),
    "share": ("共有する文", "Text to share"),
    "copy": ("コピー", "Copy"),
    "copied": ("コピーしました", "Copied"),
    "permalink": ("この裁定のページ", "Permalink"),
    "as_json": ("JSON", "JSON"),
    "condition": ("条件", "Condition"),
    "exceptions": ("例外", "Exceptions"),
    "instances": ("この原則の裁定", "Rulings that are instances"),
    "other_places": ("ほかの掲載箇所", "Also found at"),
    "claims": ("この裁定が述べること", "What this ruling says"),
    "questions": ("この裁定が答える質問", "Questions it answers"),
    "same_subject": ("同じ対象のほかの裁定", "Other rulings on the same subject"),
    "by_principles": ("もとになる原則", "Principles behind it"),
    "no_rulings_card": (
        "このカードの裁定は収録していません。",
        "There are no rulings about this card here.",
    ),
    "rulings": ("裁定", "Rulings"),
    "rulings_count": ("件", "rulings"),
    "pt": ("P/T・忠誠度", "P/T or loyalty"),
    "keywords": ("能力", "Keywords"),
    "line": ("行目", ""),
    "verdicts": ("判定", "Verdicts"),
    "as_written": ("カードの文のまま", "As written"),
    "reworded": ("言い換え", "Reworded"),
    "patched": ("補正", "Patched"),
    "tested_on": ("試したエンジン", "Tested on"),
    "no_run": (
        "エンジンでの確認の記録はまだありません。",
        "No record of an engine run is here yet.",
    ),
    "engine_title": ("エンジンが間違えること", "What the engine gets wrong"),
    "engine_lead": (
        "裁定ごとの場面を実際のエンジンで動かした結果です。食い違いはエンジンの側の誤りとして、原因とともに載せています。",
        "The result of playing each ruling's scenario on a real engine. "
        "Where they differ, the fault is counted as the engine's, with its cause.",
    ),
    "faults": ("わかっている誤り", "Known faults"),
    "outdated_title": ("今は当てはまらない裁定", "Rulings that no longer hold"),
    "outdated_lead": (
        "公式文書にあるものの、規則やカードの文章が変わって、そのままでは当てはまらなくなった裁定です。載せている答えは今の規則によるものです。",
        "Rulings that stand in official documents but no longer hold as written, because rules or "
        "card texts have changed. The answers shown are by today's rules.",
    ),
    "narrowed": ("一部だけが今も当てはまる裁定", "Rulings that hold in part"),
    "changed_cards": ("文章が変更されたカードの裁定", "Rulings on cards whose text has changed"),
    "none_listed": ("ありません。", "None."),
    "tests_ruling": ("この場面が試す裁定", "The ruling under test"),
    "cards_used": ("登場するカード", "Cards used"),
    "definition": ("シナリオの定義", "Scenario definition"),
    "no_replay": ("この場面の再現はまだありません。", "There is no replay of this scenario yet."),
    "stale_replay": (
        "この再現は、書き換えられる前の場面のものです。",
        "This replay shows the scenario as it was before it was rewritten.",
    ),
    "real_case": ("裁定の場面", "The case"),
    "what_if": ("もし〜なら", "What if"),
    "cases": ("場面を選ぶ", "Choose a case"),
    "controls": ("再現の操作", "Replay controls"),
    "first": ("最初へ", "First"),
    "back": ("戻る", "Back"),
    "forward": ("進む", "Forward"),
    "last": ("最後へ", "Last"),
    "play": ("自動再生", "Play"),
    "stop": ("止める", "Stop"),
    "keys": ("← → キーでも動かせます。", "The ← → keys work, too."),
    "step_of": ("手順", "Step"),
    "checked": ("確かめたこと", "What was checked"),
    "differs": ("裁定の場面とここが違う", "Where it differs from the case"),
    "observed": ("実際", "observed"),
    "held": ("成立", "holds"),
    "failed": ("不成立", "does not hold"),
    "case_failed": ("ここから先は実行できませんでした", "It could not be played any further"),
    "stack": ("スタック", "Stack"),
    "empty": ("空", "empty"),
    "life": ("ライフ", "Life"),
    "poison": ("毒", "Poison"),
    "energy": ("エネルギー", "Energy"),
    "mana": ("マナ", "Mana"),
    "battlefield": ("戦場", "Battlefield"),
    "hand": ("手札", "Hand"),
    "graveyard": ("墓地", "Graveyard"),
    "exile": ("追放", "Exile"),
    "command": ("統率", "Command"),
    "library": ("ライブラリー", "Library"),
    "turn_of": ("のターン", "'s turn"),
    "day": ("昼", "Day"),
    "night": ("夜", "Night"),
    "tapped": ("タップ", "Tapped"),
    "sick": ("召喚酔い", "Summoning sick"),
    "back_face": ("裏面", "Back face"),
    "face_down": ("裏向き", "Face down"),
    "token": ("トークン", "Token"),
    "copy_of": ("コピー", "Copy"),
    "phased_out": ("フェイズ・アウト", "Phased out"),
    "attacking": ("攻撃中", "Attacking"),
    "blocking": ("ブロック中", "Blocking"),
    "damage": ("ダメージ", "Damage"),
    "loyalty": ("忠誠度", "Loyalty"),
    "target": ("対象", "Target"),
    "ability": ("能力", "ability"),
    "winner": ("勝者", "Winner"),
    "left_game": ("ゲームから去った", "Has left the game"),
    "attached": ("つけられたもの", "Attached"),
    "changed": ("変化", "changed"),
    "not_found": ("見つかりません", "Not found"),
    "not_found_help": (
        "番号や名前を確かめるか、質問してみてください。",
        "Check the number or name, or ask a question.",
    ),
    "other_language": ("English", "日本語"),
    "unofficial": (
        "Saitei は非公式のファンコンテンツです。"
        "ウィザーズ・オブ・ザ・コースト社の承認・推奨を受けたものではありません。",
        "Saitei is unofficial Fan Content, not approved or endorsed by Wizards of the Coast.",
    ),
    "for_programs": ("プログラムから使う（API）", "For programs (API)"),
    "counts": ("収録", "Contents"),
}

_STATUS_EN = {
    "current": "Current",
    "reworded": "Current (only terms have changed)",
    "narrowed": "Holds in part",
    "document-error": "Corrects an error of the document itself",
    "procedure": "Tournament procedure",
    "product": "Product information",
}
_OUTCOME_EN: dict[Outcome, str] = {
    "confirmed": "Plays as the ruling says",
    "outdated": "The ruling is outdated; the engine plays today's rule",
    "partial": "Confirmed in part",
    "contradicted": "The engine plays differently from the ruling",
    "inconclusive": "Inconclusive",
    "unsupported": "The engine does not support this card or action",
    "error": "Could not be run",
}
_TEXT_EN = {
    "as-written": "",
    "reworded": ", card text reworded",
    "patched": ", parsed card patched",
}
_MARK: dict[Outcome, str] = {
    "confirmed": "✓",
    "outdated": "✓",
    "partial": "△",
    "contradicted": "✗",
    "inconclusive": "？",
    "unsupported": "－",
    "error": "！",
}


def label(key: str, language: Language) -> str:
    """One of the page's own words."""
    return LABELS[key][language == "en"]


def status_words(status: Status, language: Language) -> str:
    """A ruling's status. ``superseded`` names since when and by what."""
    if language == "ja":
        return text.status_text(status)
    if isinstance(status, Superseded):
        since = status.superseded.since
        when = "at an unknown date" if since == "unknown" else f"since {since}"
        return f"Superseded {when} ({status.superseded.by})"
    return _STATUS_EN[status]


def status_kind(status: Status) -> str:
    """A style's name for a status: good, part, old or plain."""
    if isinstance(status, Superseded):
        return "old"
    return {"current": "good", "reworded": "good", "narrowed": "part"}.get(status, "plain")


def outcome_words(outcome: Outcome, language: Language) -> str:
    """An outcome as a short sentence, led by a mark."""
    words = text.outcome_text(outcome) if language == "ja" else _OUTCOME_EN[outcome]
    return f"{_MARK[outcome]} {words}"


def tested_words(outcome: Outcome, written: TextKind, language: Language) -> str:
    """An outcome with how the card was written, which it may not be told without."""
    if language == "ja":
        return f"{_MARK[outcome]} {text.tested_text(outcome, written)}"
    return f"{outcome_words(outcome, language)}{_TEXT_EN[written]}"


def verdict_words(verdict: VerdictView, language: Language) -> str:
    """An engine verdict with engine, version and how the card was written."""
    if language == "ja":
        return f"{_MARK[verdict.outcome]} {text.verdict_text(verdict)}"
    return (
        f"{outcome_words(verdict.outcome, language)} ({verdict.engine} {verdict.version}"
        f"{_TEXT_EN[verdict.text]})"
    )


def edition_words(checked: str, language: Language) -> str:
    """The edition of the Comprehensive Rules a note was checked in."""
    if language == "ja":
        return text.edition_text(checked)
    return f"checked in the Comprehensive Rules of {checked}"


def change_words(change: OracleChange, language: Language) -> str:
    """Since when and how a card's text differs."""
    if change.since == "unknown":
        return change.gist
    since = f"{change.since}から" if language == "ja" else f"since {change.since}"
    return f"{change.gist}（{since}）" if language == "ja" else f"{change.gist} ({since})"


def subject_name(subject: SubjectView, language: Language) -> str:
    """A card or mechanic; cards without a Japanese name go by their English one."""
    return (subject.ja or subject.en) if language == "ja" else subject.en


def lead_and_rest(answer: str) -> tuple[str, str]:
    """A short verdict such as 「いいえ。」 apart from what follows it."""
    first, stop, rest = answer.partition("。")
    return (first + stop, rest) if rest and len(first) <= LEAD else ("", answer)


LEAD = 8
"""Most characters of a first sentence that is set off as the verdict."""


def share_text(result: ResultView, question: str | None, address: str) -> str:
    """An answer as people paste it into a chat: about 300 characters."""
    lead = "原則では、" if result.kind == "principle" else ""
    lines = [f"Q. {question.strip()[:80]}"] if question else []
    lines.append(f"A. {lead}{(result.answer or result.text or '')[:200]}")
    about = [
        f"《{result.subject.ja}》" if result.subject and result.subject.kind == "card" else "",
        result.document.title if result.document else "",
        f"規則{'、'.join(result.rules[:3])}" if result.rules else "",
    ]
    lines += [" ".join(part for part in about if part), address]
    return "\n".join(line for line in lines if line)


def refusal_words(answer: AnswerView, language: Language) -> str:
    """Why there is no answer."""
    if answer.refused == "penalty":
        return label("procedure_caveat", language)
    return (answer.message or REFUSAL) if language == "ja" else label("refusal", language)


def refusal_advice(answer: AnswerView, language: Language) -> str | None:
    """How to ask again; None where a name would not help, or the message says it."""
    told = language == "ja" and answer.refused == "few-words"
    if answer.refused == "penalty" or answer.reading.cards or told:
        return None
    return label("refusal_help", language)
