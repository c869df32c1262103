"""Counts for a monitor, in Prometheus' text format (exposition format 0.0.4)."""

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram's buckets, in seconds."""


class Metrics:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: Counter[str] = Counter()

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests[method, route, status] += 1
        self._buckets[route][bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def lines(self, entries: int, revision: str) -> Iterator[str]:
        """The text, line by line; ``entries`` and ``revision`` are the knowledge base's."""
        yield "# HELP saitei_requests_total Requests by route and status."
        yield "# TYPE saitei_requests_total counter"
        for (method, route, status), number in sorted(self._requests.items()):
            labels = f'method="{method}",route="{_escaped(route)}",status="{status}"'
            yield f"saitei_requests_total{{{labels}}} {number}"
        yield "# HELP saitei_request_seconds Time until a response was complete."
        yield "# TYPE saitei_request_seconds histogram"
        for route in sorted(self._buckets):
            label = f'route="{_escaped(route)}"'
            total = 0
            for bound, number in zip((*BUCKETS, "+Inf"), self._buckets[route], strict=True):
                total += number
                yield f'saitei_request_seconds_bucket{{{label},le="{bound}"}} {total}'
            yield f"saitei_request_seconds_sum{{{label}}} {self._seconds[route]:.6f}"
            yield f"saitei_request_seconds_count{{{label}}} {total}"
        yield "# HELP saitei_entries Rulings and principles that can be found."
        yield "# TYPE saitei_entries gauge"
        yield f'saitei_entries{{revision="{_escaped(revision)}"}} {entries}'


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class Counted:
    """Counts every request under the route it took: addresses are many, routes are few."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            seconds = time.perf_counter() - begun
            self._metrics.count(_method(scope["method"]), route, status, seconds)


def _method(method: str) -> str:
    """Methods are the client's to invent; labels are not."""
    return method if method in ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE") else "other"
