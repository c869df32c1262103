"""A stand-in for a chat's own servers: takes requests on a local port and keeps them."""

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Taken:
    method: str
    path: str
    headers: dict[str, str]
    body: dict


class StandIn:
    """Answers every request with the next of ``statuses``, then with 200."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.statuses: list[int] = []
        self.arrived = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _take(self) -> None:
                size = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(size) or b"{}")
                headers = {name.lower(): value for name, value in self.headers.items()}
                with outer.arrived:
                    outer.taken.append(Taken(self.command, self.path, headers, body))
                    outer.arrived.notify_all()
                status = outer.statuses.pop(0) if outer.statuses else 200
                self.send_response(status)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_POST = do_PATCH = _take  # noqa: N815 (names the standard library calls)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def wait(self, count: int = 1, seconds: float = 5.0) -> list[Taken]:
        """What arrived, once at least ``count`` requests have."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.taken) >= count, seconds)
            return list(self.taken)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
