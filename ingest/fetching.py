"""A URL's bytes, within limits on redirects, time and size."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from saitei.ingest.reading import SourceError

if TYPE_CHECKING:
    from httpx2 import Response

MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server sent: bytes, media type and charset as its headers claim (empty if not)."""

    data: bytes
    media_type: str
    charset: str | None


def is_url(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def fetch(url: str, max_bytes: int, timeout: float) -> Fetched:
    """Get ``url``; ``timeout`` seconds bound the whole, redirects and download together.

    Raises `SourceError` for anything but a 200 with a body of at most ``max_bytes``.
    """
    import httpx2

    try:
        host = urlsplit(url).hostname
    except ValueError:
        host = None
    if not host:
        raise SourceError(url, "URL の形が正しくありません")
    deadline = time.monotonic() + timeout
    try:
        with httpx2.Client(
            follow_redirects=False, headers={"User-Agent": "saitei (rulings knowledge base)"}
        ) as client:
            request = client.build_request("GET", url)
            for _ in range(MAX_REDIRECTS + 1):
                request.extensions["timeout"] = httpx2.Timeout(_left(deadline)).as_dict()
                response = client.send(request, stream=True)
                try:
                    if response.next_request is None:
                        return _body(response, url, max_bytes, deadline)
                    request = response.next_request
                finally:
                    response.close()
            raise SourceError(url, f"転送が {MAX_REDIRECTS} 回を超えました")
    except (httpx2.TimeoutException, TimeoutError):
        raise SourceError(url, f"{timeout:g} 秒以内に応答が終わりませんでした") from None
    except httpx2.UnsupportedProtocol:
        raise SourceError(url, "http でも https でもない所へ転送されました") from None
    except httpx2.InvalidURL:
        raise SourceError(url, "URL の形が正しくありません") from None
    except httpx2.DecodingError:
        raise SourceError(url, "応答の圧縮が壊れています") from None
    except httpx2.TransportError as error:
        raise SourceError(url, f"接続できません（{_first_line(error)}）") from None


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _body(response: "Response", url: str, max_bytes: int, deadline: float) -> Fetched:
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
