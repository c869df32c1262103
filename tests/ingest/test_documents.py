"""Known documents, the names of unknown ones, and the packaged tables."""

import hashlib
import re

import pytest

from saitei.ingest.catalog import load_catalog
from saitei.ingest.documents import (
    document_id,
    identify,
    kind_of,
    known_documents,
    packaged_rulings,
    set_of,
)
from saitei.ingest.fingerprint import FINGERPRINT

COUNTS = {
    "mid-release-notes": 311,
    "dka-faq": 210,
    "znr-release-notes-1": 34,
    "znr-release-notes-2": 34,
}


def test_the_packaged_tables_hold_every_ruling_once_each_time_it_stands() -> None:
    found = {known.id: list(packaged_rulings(known)) for known in known_documents()}
    assert {id_: len(rulings) for id_, rulings in found.items()} == COUNTS
    everything = [one for rulings in found.values() for one in rulings]
    assert len({one.fingerprint for one in everything}) == 576
    assert len({one.id for one in everything}) == 589
    for id_, rulings in found.items():
        assert [one.ordinal for one in rulings] == list(range(1, COUNTS[id_] + 1))
        assert [one.line for one in rulings] == sorted(one.line for one in rulings)


def test_packaged_subjects_are_cards_and_mechanics_that_exist() -> None:
    catalog = load_catalog()
    for known in known_documents():
        for one in packaged_rulings(known):
            assert FINGERPRINT.match(one.fingerprint)
            table = catalog.mechanics if one.subject.kind == "mechanic" else catalog.cards
            assert one.subject.id in table
            assert one.text == ""
            # Headings are in our words: the part of the document, and the subject.
            assert len(one.heading) == 2


def test_equal_texts_on_two_cards_keep_their_own_subject() -> None:
    dka = next(known for known in known_documents() if known.id == "dka-faq")
    repeated = {print_ for print_, repeat in dka.subjects() if repeat > 1}
    assert repeated
    assert any(dka.subjects()[print_, 1].id != dka.subjects()[print_, 2].id for print_ in repeated)


def prints(count: int) -> frozenset[str]:
    """Fingerprints of rulings that stand in no known document."""
    return frozenset(hashlib.sha256(str(n).encode()).hexdigest()[:12] for n in range(count))


UNKNOWN_HASH = "0" * 64


def test_the_bytes_of_a_known_document_are_known() -> None:
    for known in known_documents():
        assert identify(known.sha256, frozenset()) is known


@pytest.mark.parametrize("id_", ["mid-release-notes", "znr-release-notes-1"])
def test_an_edition_that_shares_half_with_a_known_document_is_that_document(id_: str) -> None:
    known = next(known for known in known_documents() if known.id == id_)
    own = sorted(known.fingerprints)
    half = (len(own) + 1) // 2
    corrected = frozenset(own[3:]) | prints(3)
    shortened = frozenset(own[:half])
    extended = known.fingerprints | prints(len(own))
    for edition in (corrected, shortened, extended):
        assert identify(UNKNOWN_HASH, edition) is known


@pytest.mark.parametrize("id_", ["mid-release-notes", "znr-release-notes-1"])
def test_neither_an_excerpt_nor_notes_that_contain_a_known_excerpt_take_its_place(id_: str) -> None:
    known = next(known for known in known_documents() if known.id == id_)
    own = sorted(known.fingerprints)
    excerpt = frozenset(own[: (len(own) - 1) // 2])
    whole = known.fingerprints | prints(len(own) + 1)
    for other in (excerpt, whole, prints(9), frozenset[str]()):
        assert identify(UNKNOWN_HASH, other) is None


@pytest.mark.parametrize(
    ("title", "language", "source", "id_"),
    [
        ("Dark Ascension Release Notes", "en", "a/b.html", "dark-ascension-release-notes-en"),
        ("『真夜中の狩り』リリースノート", "ja", "notes/mid_notes.txt", "mid-notes"),
        # Two titles that leave the same few letters in ASCII must not share an id.
        ("M15リリースノート", "ja", "m15-notes.txt", "m15-notes"),
        ("M15よくある質問集", "ja", "m15-faq.txt", "m15-faq"),
        ("", "ja", "https://example.com/rules/faq.html?x=1", "faq"),
        ("", "ja", "https://example.com/", "example-com"),
        ("", "ja", "裁定.txt", "document-abababababab"),
        # ... nor does an unknown one go by the id of a known one.
        ("", "ja", "excerpts/dka-faq.txt", "dka-faq-abababababab"),
    ],
)
def test_an_unknown_document_is_named_after_its_title_or_its_file(
    title: str, language: str, source: str, id_: str
) -> None:
    assert document_id(title, language, source, "ab" * 32) == id_
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", id_)


@pytest.mark.parametrize(
    ("title", "kind", "set_"),
    [
        ("『架空』リリースノート", "release-notes", "架空"),
        ("「架空」よくある質問集", "faq", "架空"),
        ("架空FAQ(よくある質問集)", "faq", "架空"),
        ("Fictional Release Notes", "release-notes", "Fictional"),
        ("覚え書き", "other", "覚え書き"),
    ],
)
def test_kind_and_set_by_title(title: str, kind: str, set_: str) -> None:
    assert (kind_of(title), set_of(title)) == (kind, set_)
