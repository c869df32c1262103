"""A reading into rulings: sections, links, subjects, identifiers."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from saitei.ingest.catalog import Catalog, load_catalog
from saitei.ingest.documents import KnownDocument, identify, language_of, unknown_document
from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.linking import link
from saitei.ingest.models import Document, Parsed, Ruling, Subject
from saitei.ingest.reading import Reading, SourceError
from saitei.ingest.sections import Block, Draft, outline
from saitei.ingest.subjects import subjects_of


def parse(
    reading: Reading,
    data: bytes,
    source: str,
    *,
    catalog: Catalog | None = None,
    packaged: bool = True,
) -> Parsed:
    """Rulings and account of lines of one source.

    ``data`` are the bytes it was read from (their SHA-256 identifies known documents). With
    ``packaged`` off the tables under ``data/documents`` give no subjects, only the document's id:
    what inference alone can do. Raises `SourceError` when there is no ruling in it.
    """
    catalog = catalog or load_catalog()
    found = outline(reading, lambda name: catalog.card_named(name) is not None)
    drafts = [(block, draft) for block in found.blocks for draft in block.drafts]
    if not drafts:
        raise SourceError(source, "no ruling found in it")
    prints = [fingerprint(draft.raw) for _, draft in drafts]
    sha256 = hashlib.sha256(data).hexdigest()
    known = identify(sha256, frozenset(prints))
    language = language_of("".join(draft.text for _, draft in drafts[:50]))
    document = (
        known.document(sha256, source)
        if known
        else unknown_document(found.title, found.updated, language, sha256, source)
    )
    cards = [_cards(draft.text, catalog) for _, draft in drafts]
    subjects = _subjects(found.blocks, cards, catalog, known if packaged else None, prints)
    seen: Counter[str] = Counter()
    rulings: list[Ruling] = []
    for index, (block, draft) in enumerate(drafts):
        mark = prints[index]
        seen[mark] += 1
        rulings.append(
            Ruling(
                id=f"{document.id}.{mark}" + (f"-{seen[mark]}" if seen[mark] > 1 else ""),
                fingerprint=mark,
                document=document.id,
                line=draft.line,
                ordinal=index + 1,
                heading=(*block.heading, *block.names[:1]),
                subject=subjects[index],
                text=draft.text,
                cards=cards[index],
                repeat=seen[mark],
            )
        )
    return Parsed(document, tuple(rulings), tuple(found.unplaced), tuple(found.lines))


def _cards(text: str, catalog: Catalog) -> tuple[str, ...]:
    mentions = link(text, catalog)
    return tuple(dict.fromkeys(one.id for one in mentions if one.kind == "card"))


def _subjects(
    blocks: Sequence[Block],
    cards: Sequence[tuple[str, ...]],
    catalog: Catalog,
    known: KnownDocument | None,
    prints: Sequence[str],
) -> list[Subject]:
    """One subject per ruling, in order: packaged where the document is known, else inferred."""
    table = known.subjects() if known else {}
    inferred = subjects_of(blocks, cards, catalog)
    result: list[Subject] = []
    index = 0
    for block, subject in zip(blocks, inferred, strict=True):
        for _ in block.drafts:
            result.append(table.get(prints[index], subject))
            index += 1
    return result


__all__ = ["Document", "Draft", "parse"]
