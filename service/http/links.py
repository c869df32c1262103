"""Full addresses, as people reach them: `public_url` where set, else as the request was made."""

from starlette.datastructures import URL
from starlette.requests import Request

from saitei.service.views import AnswerView


class Links:
    """Makes addresses. ``public_url`` is the setting, with or without a path."""

    def __init__(self, public_url: str = "") -> None:
        self._public = public_url.rstrip("/")

    def to(self, path: str, request: Request | None = None) -> str | None:
        """The full address of a path of ours; None where no request or setting tells the host."""
        if self._public:
            return self._public + path
        if request is None:
            return None
        return str(request.base_url).rstrip("/") + path

    def here(self, request: Request, **changed: int | str) -> str:
        """This request's own address with parameters changed."""
        url: URL = request.url.include_query_params(**changed)
        if not self._public:
            return str(url)
        return f"{self._public}{url.path}{'?' + url.query if url.query else ''}"


def answer_url(answer: AnswerView, links: Links, request: Request | None) -> str | None:
    """Where all of an answer is shown to people."""
    if answer.best is None or answer.best.kind != "ruling":
        return None
    return links.to(f"/rulings/{answer.best.id}", request)
