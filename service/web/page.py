"""The web page, rendered on the server: templates, languages, addresses, headers."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from saitei.service.http.links import Links
from saitei.service.replays.replay import Words
from saitei.service.rules import load_rules
from saitei.service.views import ResultView
from saitei.service.web import words
from saitei.service.web.words import Language

HERE = Path(__file__).parent
STATIC = HERE / "static"
HEADERS = {
    # Everything a page needs is its own: no script, style or image from elsewhere, none inline.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Content-Language": "ja",
}


@dataclass(frozen=True, slots=True)
class Address:
    """How a page links to others: language kept, full addresses for sharing."""

    request: Request
    links: Links
    language: Language

    def to(self, path: str, **parameters: str) -> str:
        """A path of ours, in the page's language."""
        if self.language != "ja":
            parameters["lang"] = self.language
        return path + (f"?{urlencode(parameters)}" if parameters else "")

    def full(self, path: str) -> str:
        """The full address of a path of ours."""
        return self.links.to(path, self.request) or path

    @property
    def other_language(self) -> str:
        """This page in the other language."""
        url = self.request.url
        changed = (
            url.remove_query_params("lang")
            if self.language == "en"
            else url.include_query_params(lang="en")
        )
        return changed.path + (f"?{changed.query}" if changed.query else "")


def language_of(asked: str) -> Language:
    """The language a page is asked in; Japanese unless it is English."""
    return "en" if asked.lower().startswith("en") else "ja"


def asset(name: str) -> str:
    """The address of a static file, which changes with its contents."""
    return f"/static/{name}?v={_digest(name)}"


@lru_cache(maxsize=16)
def _digest(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


@lru_cache(maxsize=1)
def _glosses() -> Mapping[str, str]:
    return {rule.number: rule.gloss for rule in load_rules()}


def report_link(template: str, subject: str, body: str) -> str:
    """A prefilled report: ``template`` is a ``mailto:`` or an issue form; empty: any mail.

    ``{title}`` and ``{body}`` in it are replaced; without them the usual parameters are added.
    """
    if "{title}" in template or "{body}" in template:
        return template.replace("{title}", quote(subject)).replace("{body}", quote(body))
    base = template or "mailto:"
    name = "subject" if base.startswith("mailto:") else "title"
    joint = "&" if "?" in base else "?"
    return f"{base}{joint}{urlencode({name: subject, 'body': body}, quote_via=quote)}"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        asset=asset,
        lead_and_rest=words.lead_and_rest,
        status_kind=words.status_kind,
        gloss=lambda number: _glosses().get(number, ""),
    )
    return environment


def pick(both: Words, language: Language) -> str:
    """What is said in one of the languages."""
    return both.ja if language == "ja" else both.en


def render(
    request: Request,
    template: str,
    language: Language,
    *,
    status: int = 200,
    **context: object,
) -> HTMLResponse:
    """A page in one language."""
    settings = request.app.state.settings
    address = Address(request, Links(settings.public_url), language)

    def report(result: ResultView, question: str) -> str:
        page = address.full(result_path(result))
        body = f"{question}\n\n{result.answer or result.text or ''}\n\n{page}\n\n"
        return report_link(settings.report_url, f"[Saitei] {result.id}", body)

    def share(result: ResultView, question: str) -> str:
        return words.share_text(result, question, address.full(result_path(result)))

    html = (
        _environment()
        .get_template(template)
        .render(
            lang=language,
            to=address.to,
            other_language=address.other_language,
            t=partial(words.label, language=language),
            say=partial(pick, language=language),
            status=partial(words.status_words, language=language),
            outcome=partial(words.outcome_words, language=language),
            tested=partial(words.tested_words, language=language),
            verdict=partial(words.verdict_words, language=language),
            edition=partial(words.edition_words, language=language),
            change=partial(words.change_words, language=language),
            subject_name=partial(words.subject_name, language=language),
            refusal=partial(words.refusal_words, language=language),
            advice=partial(words.refusal_advice, language=language),
            report=report,
            share=share,
            path=result_path,
            **context,
        )
    )
    return HTMLResponse(html, status_code=status, headers={**HEADERS, "Content-Language": language})


def result_path(result: ResultView) -> str:
    """The page of a ruling or principle; equal rulings share the page of their fingerprint."""
    if result.kind == "principle":
        return f"/principles/{quote(result.id)}"
    return f"/rulings/{quote(result.fingerprint or result.id)}"
