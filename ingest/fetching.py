"""A URL's bytes, within limits on redirects, time and size."""

import re
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from saitei.ingest.reading import SourceError

if TYPE_CHECKING:
    from httpx2 import Client, Request, Response

MAX_REDIRECTS = 5
LONGEST = 86_400.0
"""Most seconds that are waited, whatever the timeout (sockets take no infinite one)."""
# Two letters at least: a single one is a drive.
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_MALFORMED = "URL の形が正しくありません"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server sent: bytes, media type and charset as its headers claim (empty if not)."""

    data: bytes
    media_type: str
    charset: str | None


def is_url(source: str) -> bool:
    """Whether a source is meant as a URL, of whatever scheme."""
    return _SCHEME.match(source) is not None


def fetch(url: str, max_bytes: int, timeout: float) -> Fetched:
    """Get ``url``; ``timeout`` seconds (`LONGEST` at most) bound the whole: looking up the name,
    redirects, headers and download together.

    Redirects lead to any http or https address, also from a public to a private one: the user
    runs this himself, on his own network, with nobody else's addresses. Raises `SourceError` for
    any other scheme, and for anything but a 200 with a body of at most ``max_bytes``.
    """
    import httpx2

    _check(url)
    try:
        client = httpx2.Client(
            follow_redirects=False, headers={"User-Agent": "saitei (rulings knowledge base)"}
        )
    except (OSError, ValueError, ImportError) as error:
        # Certificates or a proxy that the environment names and that cannot be used.
        raise SourceError(url, f"通信の設定に誤りがあります（{_first_line(error)}）") from None
    wait = min(LONGEST, timeout)
    deadline = time.monotonic() + wait
    fetched: Future[Fetched] = Future()

    def work() -> None:
        try:
            fetched.set_result(_follow(client, url, max_bytes, deadline))
        except BaseException as error:  # the caller gets it
            fetched.set_exception(error)

    # A server that drips headers, or a name server that is silent, holds no timeout of a socket:
    # the wait is bounded here, and closing the client ends what still runs.
    threading.Thread(target=work, name="saitei-fetch", daemon=True).start()
    try:
        return fetched.result(wait)
    except (httpx2.TimeoutException, TimeoutError):
        raise SourceError(url, f"{wait:g} 秒以内に応答が終わりませんでした") from None
    except httpx2.UnsupportedProtocol:
        raise SourceError(url, "http でも https でもない所へ転送されました") from None
    except httpx2.DecodingError:
        raise SourceError(url, "応答の圧縮が壊れています") from None
    except (httpx2.HTTPError, OSError, OverflowError) as error:
        raise SourceError(url, f"接続できません（{_first_line(error)}）") from None
    finally:
        client.close()


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        raise SourceError(url, _MALFORMED) from None
    if parts.scheme not in ("http", "https"):
        raise SourceError(url, f"{parts.scheme}: の URL は読めません（http と https だけ読めます）")
    if not host:
        raise SourceError(url, _MALFORMED)


def _follow(client: "Client", url: str, max_bytes: int, deadline: float) -> Fetched:
    import httpx2

    request: Request | None = None
    whose = ""
    for _ in range(MAX_REDIRECTS + 1):
        try:
            request = request or client.build_request("GET", url)
            request.extensions["timeout"] = httpx2.Timeout(_left(deadline)).as_dict()
            response = client.send(request, stream=True)
        except (httpx2.InvalidURL, UnicodeError):
            raise SourceError(url, f"{whose}{_MALFORMED}") from None
        try:
            if response.next_request is None:
                return _body(response, url, max_bytes, deadline)
            request, whose = response.next_request, "転送先の "
        finally:
            response.close()
    raise SourceError(url, f"転送が {MAX_REDIRECTS} 回を超えました")


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _body(response: "Response", url: str, max_bytes: int, deadline: float) -> Fetched:
    if response.has_redirect_location:
        raise SourceError(url, f"転送先の {_MALFORMED}")
    if response.status_code != 200:
        raise SourceError(url, f"サーバーの応答が {response.status_code} です")
    claimed = response.headers.get("content-length", "")
    if claimed.isdigit() and int(claimed) > max_bytes:
        raise SourceError(url, too_large(int(claimed), max_bytes))
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        _left(deadline)
        size += len(part)
        if size > max_bytes:
            raise SourceError(url, too_large(size, max_bytes))
        parts.append(part)
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Fetched(b"".join(parts), media_type, response.charset_encoding)


def too_large(size: int, max_bytes: int) -> str:
    return f"{size:,} バイト以上あり、上限の {max_bytes:,} バイトを超えています"


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
