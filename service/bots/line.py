"""LINE webhooks: the signature, and which events ask something.

Source: LINE's Messaging API reference, "Webhook Event Objects" and "Signature validation".
"""

import base64
import hashlib
import hmac
import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

CALL = "裁定"
"""In a group the bot answers when it is mentioned or called by this word, not to all talk."""
REMEMBERED = 10_000
"""Events whose answer is remembered."""


class _Read(BaseModel):
    """The parts that are read; LINE adds fields as it likes."""


class _Mentioned(_Read):
    index: int
    length: int
    is_self: bool = Field(False, alias="isSelf")


class _Mention(_Read):
    mentionees: list[_Mentioned] = []


class _Message(_Read):
    type: str
    text: str = ""
    mention: _Mention | None = None


class _Source(_Read):
    type: str = "user"


class _Event(_Read):
    type: str
    mode: str = "active"
    id: str = Field("", alias="webhookEventId")
    reply_token: str = Field("", alias="replyToken")
    source: _Source = _Source()
    message: _Message | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and where its answer goes. ``event`` is the same when LINE delivers it again."""

    event: str
    question: str
    reply_token: str


def signature(secret: str, body: bytes) -> str:
    """LINE's signature of a raw body."""
    return base64.b64encode(hmac.digest(secret.encode(), body, hashlib.sha256)).decode()


def signed(secret: str, given: str, body: bytes) -> bool:
    return hmac.compare_digest(signature(secret, body).encode(), given.encode())


def questions(body: bytes) -> Iterator[Asked]:
    """What the events of a webhook ask. Raises ``ValueError`` for a body that is no webhook.

    Events of other kinds, those another module of the channel answers (standby) and those not
    shaped as they should be are passed over: LINE adds kinds without notice.
    """
    webhook: Any = json.loads(body)
    events = webhook.get("events") if isinstance(webhook, dict) else None
    if not isinstance(events, list):
        raise ValueError("no events")
    for raw in events:
        try:
            event = _Event.model_validate(raw)
        except ValidationError:
            continue
        message = event.message
        if event.type != "message" or event.mode != "active" or not event.reply_token:
            continue
        if message is None or message.type != "text":
            continue
        question = _asked(event, message)
        if question:
            yield Asked(event.id, question, event.reply_token)


def _asked(event: _Event, message: _Message) -> str:
    text, called = message.text, event.source.type == "user"
    # Offsets of mentions count UTF-16 units.
    units = text.encode("utf-16-le")
    for mentioned in reversed(message.mention.mentionees if message.mention else []):
        if mentioned.is_self:
            end = mentioned.index + mentioned.length
            units = units[: 2 * mentioned.index] + units[2 * end :]
            called = True
    text = units.decode("utf-16-le", "replace").strip()
    if not called and text.startswith(CALL):
        text, called = text.removeprefix(CALL).lstrip(" 　:：、"), True
    return text.strip() if called else ""


class Answered:
    """Which events are answered or being answered, the latest `REMEMBERED` of them."""

    def __init__(self, size: int = REMEMBERED) -> None:
        self._size = size
        self._events: OrderedDict[str, None] = OrderedDict()

    def claim(self, event: str) -> bool:
        """True the first time; an event without an id cannot be told from another."""
        if not event:
            return True
        if event in self._events:
            return False
        self._events[event] = None
        if len(self._events) > self._size:
            self._events.popitem(last=False)
        return True

    def release(self, event: str) -> None:
        """The answer did not reach the user: another delivery may try again."""
        self._events.pop(event, None)
