"""A reading into rulings: sections, links, subjects, identifiers."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from saitei.ingest.catalog import Catalog, load_catalog
from saitei.ingest.documents import (
    KnownDocument,
    identify,
    language_of,
    occurrence_id,
    unknown_document,
)
from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.linking import link_ruling
from saitei.ingest.models import Parsed, Ruling
from saitei.ingest.outline import Block, Outline
from saitei.ingest.reading import Reading, SourceError
from saitei.ingest.sections import outline
from saitei.ingest.subjects import subjects_of

# A page of links or an error page has list items too; a ruling speaks of the game.
_GAME_WORD = re.compile(
    r"《|クリーチャー|呪文|能力|戦場|墓地|ライブラリー|手札|マナ|対戦相手|プレイヤー|ダメージ|カード|トークン"
    r"|土地|パーマネント|ライフ|ターン|スタック|統率者|カウンター|アーティファクト|エンチャント|優先権"
    r"|\b(?:creatures?|spells?|abilit(?:y|ies)|battlefield|graveyards?|library|mana|opponents?|tokens?"
    r"|permanents?|damage|counters?|combat|stack|priority|commander|planeswalkers?)\b",
    re.IGNORECASE,
)


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
    if not about_play(found):
        raise SourceError(source, "裁定が見つかりません（公式文書の形をした箇条書きがない）")
    prints = [fingerprint(draft.raw) for block in found.blocks for draft in block.drafts]
    sha256 = hashlib.sha256(data).hexdigest()
    known = identify(sha256, frozenset(prints))
    language = language_of("".join(draft.text for draft in found.blocks[0].drafts))
    document = (
        known.document(sha256, source)
        if known
        else unknown_document(found.title, found.updated, language, sha256, source)
    )
    rulings = _rulings(found.blocks, prints, document.id, catalog, known if packaged else None)
    return Parsed(document, rulings, tuple(found.unplaced), tuple(found.lines))


def _rulings(
    blocks: Sequence[Block],
    prints: Sequence[str],
    document: str,
    catalog: Catalog,
    known: KnownDocument | None,
) -> tuple[Ruling, ...]:
    """Every draft as a ruling, in order; its subject packaged where the document is known."""
    verified = known.subjects() if known else {}
    seen: Counter[str] = Counter()
    rulings: list[Ruling] = []
    for block, subject in zip(blocks, subjects_of(blocks, catalog), strict=True):
        for draft in block.drafts:
            mark = prints[len(rulings)]
            seen[mark] += 1
            rulings.append(
                Ruling(
                    id=occurrence_id(document, mark, seen[mark]),
                    fingerprint=mark,
                    document=document,
                    line=draft.line,
                    ordinal=len(rulings) + 1,
                    heading=(*block.heading, *block.names[:1]),
                    subject=verified.get((mark, seen[mark]), subject),
                    text=draft.text,
                    cards=_cards(draft.text, catalog),
                    repeat=seen[mark],
                )
            )
    return tuple(rulings)


def _cards(text: str, catalog: Catalog) -> tuple[str, ...]:
    mentions = link_ruling(text, catalog)
    return tuple(dict.fromkeys(one.id for one in mentions if one.kind == "card"))


def about_play(found: Outline) -> bool:
    """Whether any ruling was found that stands below a card or speaks of the game at all."""
    return any(
        block.header
        or any(_GAME_WORD.search(part) for draft in block.drafts for part in draft.parts)
        for block in found.blocks
    )
