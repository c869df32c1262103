"""``/discord/interactions``: the command ``/裁定`` and its completion."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from saitei.index.retrieval import QueryError
from saitei.service.answers import answer_view
from saitei.service.bots.delivery import Delivery, DeliveryError
from saitei.service.bots.discord import (
    AUTOCOMPLETE,
    CARD,
    COMMAND_NAME,
    COMMAND_USED,
    DEFERRED,
    MAX_CHOICES,
    MESSAGE,
    PING,
    PONG,
    QUESTION,
    CommandData,
    Interaction,
    answer_embed,
    choices,
    message,
    notice,
    read_interaction,
    signed,
)
from saitei.service.completion import completion_of
from saitei.service.http.links import Links, answer_url
from saitei.service.http.problems import ProblemError
from saitei.service.knowledge import Knowledge
from saitei.service.settings import Settings

logger = logging.getLogger(__name__)
PATH = "/discord/interactions"
UNAVAILABLE = "ただいま答えられません。しばらくしてからもう一度どうぞ。"


class FollowUps(Protocol):
    """Where a deferred answer goes."""

    async def edit(self, application: str, token: str, content: dict[str, Any]) -> None:
        """Put ``content`` in place of "thinking". Raises `DeliveryError`."""

    async def close(self) -> None: ...


class HttpFollowUps:
    """Discord's own API. The interaction's token is the right to answer: it is logged nowhere."""

    def __init__(self, api: str) -> None:
        self._delivery = Delivery("Discord", api)

    async def edit(self, application: str, token: str, content: dict[str, Any]) -> None:
        path = f"/webhooks/{quote(application, safe='')}/{quote(token, safe='')}"
        await self._delivery.send("PATCH", f"{path}/messages/@original", content)

    async def close(self) -> None:
        await self._delivery.close()


class DiscordDoor:
    """Answers interactions whose signature is Discord's; ``follow_ups`` takes the late ones."""

    def __init__(
        self, settings: Settings, knowledge: Knowledge, follow_ups: FollowUps | None = None
    ) -> None:
        self._settings, self._knowledge = settings, knowledge
        self._links = Links(settings.public_url)
        self._follow_ups = follow_ups or HttpFollowUps(settings.discord_api)
        self._late: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the service runs; what is being answered late is finished before it ends."""
        try:
            yield
        finally:
            await asyncio.gather(*self._late)
            await self._follow_ups.close()

    async def answer(self, request: Request) -> dict[str, Any]:
        """The reply to one interaction. Raises `ProblemError`: 401 for a signature not theirs."""
        body = await request.body()
        if not signed(
            self._settings.discord_public_key,
            request.headers.get("x-signature-ed25519", ""),
            request.headers.get("x-signature-timestamp", ""),
            body,
        ):
            raise ProblemError("bad_signature", "署名が正しくありません。")
        try:
            interaction = read_interaction(body)
        except ValueError:
            raise ProblemError("bad_body", "Discord の interaction ではありません。") from None
        if interaction.type == PING:
            return {"type": PONG}
        data = interaction.data
        if data is None or data.name != COMMAND_NAME:
            raise ProblemError("bad_body", "知らないコマンドです。")
        if interaction.type == AUTOCOMPLETE:
            return choices(await run_in_threadpool(self._completions, data))
        if interaction.type == COMMAND_USED:
            return await self._command(interaction, data, request)
        raise ProblemError("bad_body", f"知らない種類の interaction です（{interaction.type}）。")

    async def _command(
        self, interaction: Interaction, data: CommandData, request: Request
    ) -> dict[str, Any]:
        work = asyncio.ensure_future(run_in_threadpool(self._message, data, request))
        done, _ = await asyncio.wait({work}, timeout=self._settings.discord_timeout)
        if done:
            return {"type": MESSAGE, "data": work.result()}
        late = asyncio.create_task(self._answer_late(interaction, work))
        self._late.add(late)
        late.add_done_callback(self._late.discard)
        return {"type": DEFERRED}

    async def _answer_late(
        self, interaction: Interaction, work: "asyncio.Future[dict[str, Any]]"
    ) -> None:
        try:
            content = await work
        except Exception as error:  # "thinking" would stand there for ever
            logger.error("a deferred answer failed: %s", type(error).__name__)
            content = notice(UNAVAILABLE)
        # Whether only the asker sees it was settled when the answer was deferred.
        content.pop("flags", None)
        try:
            await self._follow_ups.edit(interaction.application_id, interaction.token, content)
        except DeliveryError as error:
            logger.warning("a deferred answer was not delivered: %s", error)

    def _message(self, data: CommandData, request: Request) -> dict[str, Any]:
        card, question = data.text(CARD), data.text(QUESTION)
        knowledge = self._knowledge.open()
        try:
            found = knowledge.search(f"《{card}》{question}" if card else question)
        except QueryError as error:
            return notice(str(error))
        answer = answer_view(found, knowledge)
        return message(answer_embed(answer, answer_url(answer, self._links, request)))

    def _completions(self, data: CommandData) -> list[str]:
        """Card names; for the question also questions that have an answer here."""
        typed = data.focused
        text = data.text(typed.name) if typed else ""
        if typed is None or not text:
            return []
        knowledge = self._knowledge.open()
        names = completion_of(knowledge.catalog).complete(text, MAX_CHOICES)
        if typed.name == CARD:
            return names
        try:
            found = knowledge.search(text, MAX_CHOICES)
        except QueryError:
            return []
        notes = (hit.entry.note or hit.entry.principle for hit in found.hits)
        return [note.questions.ja[0] for note in notes if note is not None]


def add_discord(
    app: FastAPI, settings: Settings, knowledge: Knowledge, follow_ups: FollowUps | None = None
) -> None:
    """Add the endpoint and let it run with the service."""
    door = DiscordDoor(settings, knowledge, follow_ups)
    app.state.doors.append(door.running)

    @app.post(PATH, include_in_schema=False)
    async def interactions(request: Request) -> JSONResponse:
        return JSONResponse(await door.answer(request))
