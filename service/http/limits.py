"""Limits on requests: how many, how large, how long. Each refuses with a problem."""

import asyncio
import ipaddress
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saitei.service.http.problems import problem, problem_response
from saitei.service.settings import Network

logger = logging.getLogger(__name__)

UNCOUNTED = ("/healthz", "/readyz", "/metrics", "/static/", "/discord/", "/line/")
"""Not counted: what monitors and pages fetch by themselves, and the chats' own servers, which ask
for all their users from a few addresses and sign what they send."""


IPV6_SITE = 64
"""Bits of an IPv6 address that stand for one client; one site has all addresses below."""


def client_of(peer: str, forwarded: Iterable[str], trusted: Sequence[Network]) -> str:
    """The key a client is counted under.

    ``forwarded`` are the values of X-Forwarded-For, which anybody can write: read from the right,
    only as far as proxies in ``trusted`` vouch for it.
    """
    address = _address(peer)
    if address is None:
        return peer
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while hops and any(address in network for network in trusted):
        before = _address(hops.pop())
        if before is None:
            break
        address = before
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_SITE), strict=False))
    return str(address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateCounter:
    """Token buckets, one a client: ``rate`` a second lasting, ``burst`` at once.

    At most ``clients`` are remembered; the longest idle go first. ``clock`` gives seconds.
    """

    def __init__(
        self, rate: float, burst: int, clients: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clients, self._clock = rate, burst, clients, clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, client: str) -> float:
        """Count a request: 0 if it may go on, else the seconds after which one may."""
        now = self._clock()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = _Bucket(float(self._burst), now)
        self._buckets.move_to_end(client)
        while len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
        grown = bucket.tokens + (now - bucket.at) * self._rate
        bucket.tokens, bucket.at = min(float(self._burst), grown), now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0.0
        return (1 - bucket.tokens) / self._rate


class RateLimit:
    """429 with ``Retry-After`` for a client that asks too often; rate 0 lets all pass."""

    def __init__(
        self, app: ASGIApp, rate: float, burst: int, clients: int, trusted: tuple[Network, ...]
    ) -> None:
        self.app = app
        self._counter = RateCounter(rate, burst, clients) if rate else None
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        counted = scope["type"] == "http" and not scope["path"].startswith(UNCOUNTED)
        if self._counter is None or not counted:
            await self.app(scope, receive, send)
            return
        peer = scope["client"][0] if scope.get("client") else "unknown"
        forwarded = Headers(scope=scope).getlist("x-forwarded-for")
        wait = self._counter.wait(client_of(peer, forwarded, self._trusted))
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = max(1, math.ceil(wait))
        found = problem("rate_limited", f"要求が多すぎます。{seconds}秒後にもう一度どうぞ。")
        await problem_response(found, {"Retry-After": str(seconds)})(scope, receive, send)


class BodyLimit:
    """413 for a body larger than ``size`` bytes, declared or not."""

    def __init__(self, app: ASGIApp, size: int) -> None:
        self.app, self._size = app, size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "0")
        started, refused = False, False
        seen = 0

        async def refuse() -> None:
            nonlocal refused
            refused = True
            detail = f"本文が大きすぎます（上限は{self._size}バイト）。"
            await problem_response(problem("body_too_large", detail))(scope, receive, send)

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen <= self._size:
                return message
            if not started and not refused:
                await refuse()
            return {"type": "http.disconnect"}

        async def unless_refused(message: Message) -> None:
            nonlocal started
            if not refused:
                started = True
                await send(message)

        if not declared.isdigit() or int(declared) > self._size:
            await refuse()
            return
        try:
            await self.app(scope, counted, unless_refused)
        except ClientDisconnect:
            # What the reader of a cut body raises is no news: the client has its answer.
            if not refused:
                raise


class TimeLimit:
    """503 when no response has begun within ``seconds``.

    Work in a thread cannot be stopped: it goes on to its end, and what it says is dropped.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self.app, self._seconds = app, seconds
        self._late: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, dropped = asyncio.Event(), False

        async def noticed(message: Message) -> None:
            if not dropped:
                begun.set()
                await send(message)

        work = asyncio.ensure_future(self._run(scope, receive, noticed))
        start = asyncio.ensure_future(begun.wait())
        try:
            await asyncio.wait(
                {work, start}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if work.done() or begun.is_set():
                await work
                return
            dropped = True
            self._late.add(work)
            work.add_done_callback(self._forget)
            detail = f"{self._seconds:g}秒以内に答えられませんでした。"
            found = problem("timeout", detail)
            await problem_response(found, {"Retry-After": "1"})(scope, receive, send)
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            start.cancel()

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)

    def _forget(self, work: "asyncio.Task[None]") -> None:
        self._late.discard(work)
        if not work.cancelled() and work.exception() is not None:
            logger.warning("a request that had timed out failed: %s", type(work.exception()))
