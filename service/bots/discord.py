"""Discord interactions: the signature, what is asked, and the replies' JSON.

Source: Discord's API reference, "Receiving and Responding" and "Application Commands".
"""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel

from saitei.service.chat import cut
from saitei.service.text import (
    NOT_AN_ANSWER,
    candidate_text,
    engine_lines,
    first_line,
    qualifiers,
    rules_text,
    source_text,
    status_text,
)
from saitei.service.views import ENGINE_CAVEAT, REFUSAL, AnswerView, ResultView

PING, COMMAND_USED, AUTOCOMPLETE = 1, 2, 4
PONG, MESSAGE, DEFERRED, CHOICES = 1, 4, 5, 8
EPHEMERAL = 1 << 6

COMMAND_NAME, QUESTION, CARD = "裁定", "質問", "カード"
MAX_CHOICES, MAX_CHOICE = 25, 100
_TITLE, _DESCRIPTION, _FIELD = 256, 2_000, 800
"""Lengths of an embed's parts, together below the 6,000 that Discord takes of all."""
_CURRENT, _CHANGED, _PRINCIPLE, _NONE = 0x2E7D32, 0xB26A00, 0x1565C0, 0x757575

COMMAND: Mapping[str, Any] = {
    "name": COMMAND_NAME,
    "type": 1,
    "description": "マジックの裁定を探して答えます",
    "options": [
        {
            "type": 3,
            "name": QUESTION,
            "description": "質問（例: 打ち消されたフラッシュバックの呪文はどこへ行く？）",
            "required": True,
            "autocomplete": True,
            "max_length": 300,
        },
        {
            "type": 3,
            "name": CARD,
            "description": "カード名（日本語か英語）",
            "required": False,
            "autocomplete": True,
        },
    ],
}
"""The command as it is registered with Discord, once, by whoever runs the bot."""


class Option(BaseModel):
    """What was typed into one option; ``focused`` while it is being typed."""

    name: str
    value: str | float | bool | None = None
    focused: bool = False


class CommandData(BaseModel):
    name: str
    options: list[Option] = []

    def text(self, option: str) -> str:
        """The text of an option, empty where it was left out."""
        found = next((each.value for each in self.options if each.name == option), None)
        return found.strip() if isinstance(found, str) else ""

    @property
    def focused(self) -> Option | None:
        return next((option for option in self.options if option.focused), None)


class Interaction(BaseModel):
    """The parts of an interaction that are read; Discord sends many more."""

    type: int
    token: str = ""
    application_id: str = ""
    data: CommandData | None = None


def signed(public_key: str, signature: str, timestamp: str, body: bytes) -> bool:
    """Whether ``signature`` (hex) is Discord's, over timestamp and raw body."""
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
    try:
        key.verify(bytes.fromhex(signature), timestamp.encode() + body)
    except (InvalidSignature, ValueError):
        return False
    return True


def choices(names: Iterable[str]) -> dict[str, Any]:
    """The reply to an autocomplete; what is too long to be a choice is left out."""
    fit = (name for name in dict.fromkeys(names) if 0 < len(name) <= MAX_CHOICE)
    listed = [{"name": name, "value": name} for name in islice(fit, MAX_CHOICES)]
    return {"type": CHOICES, "data": {"choices": listed}}


def message(embed: Mapping[str, Any]) -> dict[str, Any]:
    """A message of one embed that notifies nobody, whatever names stand in it."""
    return {"embeds": [dict(embed)], "allowed_mentions": {"parse": []}}


def notice(text: str) -> dict[str, Any]:
    """A message to the one who asked: the question could not be used."""
    return {"content": text, "flags": EPHEMERAL, "allowed_mentions": {"parse": []}}


def answer_embed(answer: AnswerView, url: str | None) -> dict[str, Any]:
    """The answer with source, status and verdict, or the refusal with what is near."""
    embed = _found(answer.best, url) if answer.best else _refused(answer)
    return {"author": {"name": cut(f"Q. {answer.query}", _TITLE)}, **embed}


def _found(best: ResultView, url: str | None) -> dict[str, Any]:
    parts = [f"**{escaped(cut(first_line(best), _DESCRIPTION // 2))}**"]
    parts += [f"⚠ {escaped(line)}" for line in qualifiers(best)]
    if best.because:
        parts.append(f"理由: {escaped(best.because)}")
    engine = list(engine_lines(best))
    fields = {
        "出典": source_text(best),
        "規則": rules_text(best),
        "状態": status_text(best.status) if best.status else None,
        "エンジン": engine[0].removeprefix("エンジン: ") if engine else None,
    }
    changed = best.oracle_changed is not None or best.status not in ("current", None)
    color = _PRINCIPLE if best.kind == "principle" else _CHANGED if changed else _CURRENT
    embed: dict[str, Any] = {
        "title": cut(best.subject.ja if best.subject else "原則", _TITLE),
        "description": cut("\n\n".join(parts), _DESCRIPTION),
        "color": color,
        "fields": [
            {"name": name, "value": cut(escaped(value), _FIELD)}
            for name, value in fields.items()
            if value
        ],
    }
    if engine:
        embed["footer"] = {"text": ENGINE_CAVEAT}
    if url:
        embed["url"] = url
    return embed


def _refused(answer: AnswerView) -> dict[str, Any]:
    near = [f"・{candidate_text(other)}" for other in answer.alternatives]
    fields = [{"name": NOT_AN_ANSWER, "value": cut(escaped("\n".join(near)), _FIELD)}]
    return {
        "description": escaped(answer.message or REFUSAL),
        "color": _NONE,
        "fields": fields if near else [],
    }


_MARKUP = str.maketrans({mark: f"\\{mark}" for mark in "\\*_~`|>[]"})


def escaped(text: str) -> str:
    """Text that Discord shows as it is: ``*/4`` is no italics."""
    return text.translate(_MARKUP)


def read_interaction(body: bytes) -> Interaction:
    """Raises ``ValueError`` for what is no interaction."""
    return Interaction.model_validate(json.loads(body))
