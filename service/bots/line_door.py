"""``/line/webhook``: questions from LINE, answered by reply."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from saitei.index.retrieval import QueryError
from saitei.service.answers import answer_view
from saitei.service.bots.delivery import Delivery, DeliveryError
from saitei.service.bots.line import Answered, Asked, questions, signed
from saitei.service.chat import LINE, chat_text
from saitei.service.http.links import Links, answer_url
from saitei.service.http.problems import ProblemError
from saitei.service.knowledge import Knowledge
from saitei.service.settings import Settings

logger = logging.getLogger(__name__)
PATH = "/line/webhook"
PATIENCE = 1.5
"""Seconds until LINE is told that its events arrived; it waits two."""


class Replies(Protocol):
    """Where answers go."""

    async def reply(self, token: str, text: str) -> None:
        """Answer the event of a reply token. Raises `DeliveryError`."""

    async def close(self) -> None: ...


class HttpReplies:
    """LINE's Messaging API."""

    def __init__(self, api: str, access_token: str) -> None:
        self._delivery = Delivery("LINE", api, {"Authorization": f"Bearer {access_token}"})

    async def reply(self, token: str, text: str) -> None:
        body = {"replyToken": token, "messages": [{"type": "text", "text": text}]}
        await self._delivery.send("POST", "/v2/bot/message/reply", body)

    async def close(self) -> None:
        await self._delivery.close()


class LineDoor:
    """Answers each event once, however often it is delivered."""

    def __init__(
        self, settings: Settings, knowledge: Knowledge, replies: Replies | None = None
    ) -> None:
        self._settings, self._knowledge = settings, knowledge
        self._links = Links(settings.public_url)
        self._replies = replies or HttpReplies(settings.line_api, settings.line_access_token)
        self._answered = Answered()
        self._work: set[asyncio.Task[bool]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the service runs; replies on their way are finished before it ends."""
        try:
            yield
        finally:
            await asyncio.gather(*self._work)
            await self._replies.close()

    async def take(self, request: Request) -> None:
        """Take a webhook's events.

        Raises `ProblemError`: 401 for a signature not LINE's; 503 when a reply failed in a way
        that may pass, so that LINE delivers the events again.
        """
        body = await request.body()
        given = request.headers.get("x-line-signature", "")
        if not signed(self._settings.line_channel_secret, given, body):
            raise ProblemError("bad_signature", "署名が正しくありません。")
        try:
            asked = list(questions(body))
        except ValueError:
            raise ProblemError("bad_body", "LINE の webhook ではありません。") from None
        new = [each for each in asked if self._answered.claim(each.event)]
        work = {asyncio.create_task(self._answer(each, request)) for each in new}
        if not work:
            return
        self._work |= work
        for task in work:
            task.add_done_callback(self._work.discard)
        done, _ = await asyncio.wait(work, timeout=PATIENCE)
        if not all(task.result() for task in done):
            raise ProblemError("undelivered", "返信できませんでした。")

    async def _answer(self, asked: Asked, request: Request) -> bool:
        """False when delivering the event again may help."""
        try:
            text = await run_in_threadpool(self._text, asked.question, request)
            await self._replies.reply(asked.reply_token, text)
        except DeliveryError as error:
            logger.warning("a reply was not delivered: %s", error)
            if error.again:
                self._answered.release(asked.event)
            return not error.again
        except Exception as error:  # the border of this task: nobody else would hear of it
            logger.error("a question from LINE could not be answered: %s", type(error).__name__)
            self._answered.release(asked.event)
            return False
        return True

    def _text(self, question: str, request: Request) -> str:
        knowledge = self._knowledge.open()
        try:
            found = knowledge.search(question)
        except QueryError as error:
            return str(error)
        answer = answer_view(found, knowledge)
        return chat_text(answer, LINE, answer_url(answer, self._links, request))


def add_line(
    app: FastAPI, settings: Settings, knowledge: Knowledge, replies: Replies | None = None
) -> None:
    """Add the endpoint and let it run with the service."""
    door = LineDoor(settings, knowledge, replies)
    app.state.doors.append(door.running)

    @app.post(PATH, include_in_schema=False)
    async def webhook(request: Request) -> JSONResponse:
        await door.take(request)
        return JSONResponse({})
