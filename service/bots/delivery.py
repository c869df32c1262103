"""Sending to a chat's own servers: one client, and errors that carry no address and no token.

Addresses hold tokens (Discord's follow-ups do), and the HTTP library writes addresses into its log;
that log is closed here.
"""

import logging
from collections.abc import Mapping
from typing import Any

import httpx2

TIMEOUT = 5.0
"""Longest wait for a chat's server, in seconds."""


class DeliveryError(Exception):
    """A message that was not taken; ``again`` tells whether sending it once more may help."""

    def __init__(self, what: str, *, again: bool) -> None:
        super().__init__(what)
        self.again = again


class _Failures(logging.Filter):
    """Lets warnings pass; what the library logs below names full addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING


_ONLY_FAILURES = _Failures()


class Delivery:
    """Sends JSON to one service. ``service`` names it in errors; ``api`` is its base address."""

    def __init__(self, service: str, api: str, headers: Mapping[str, str] | None = None) -> None:
        logging.getLogger("httpx2").addFilter(_ONLY_FAILURES)
        self._service, self._api = service, api.rstrip("/")
        self._client = httpx2.AsyncClient(timeout=TIMEOUT, headers=dict(headers or {}))

    async def send(self, method: str, path: str, body: Mapping[str, Any]) -> None:
        """Raises `DeliveryError`."""
        try:
            answer = await self._client.request(method, self._api + path, json=body)
        except httpx2.HTTPError as error:
            what = f"{self._service} cannot be reached ({type(error).__name__})"
            raise DeliveryError(what, again=True) from None
        if answer.status_code >= 400:
            again = answer.status_code >= 500 or answer.status_code == 429
            raise DeliveryError(f"{self._service} answered {answer.status_code}", again=again)

    async def close(self) -> None:
        await self._client.aclose()
