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


def test_a_source_is_known_by_its_hash_or_by_half_of_its_rulings() -> None:
    known = known_documents()[0]
    assert identify(known.sha256, frozenset()) is known
    prints = sorted(known.fingerprints)[:40]
    others = [hashlib.sha256(bytes([n])).hexdigest()[:12] for n in range(41)]
    assert identify("0" * 64, frozenset(prints)) is known
    assert identify("0" * 64, frozenset(prints + others[:40])) is known
    assert identify("0" * 64, frozenset(prints + others)) is None
    assert identify("0" * 64, frozenset(others)) is None
    assert identify("0" * 64, frozenset()) is None


def test_notes_that_contain_a_known_excerpt_are_not_that_excerpt() -> None:
    excerpt = known_documents()[-1]
    others = {hashlib.sha256(bytes([n])).hexdigest()[:12] for n in range(200)}
    assert identify("0" * 64, excerpt.fingerprints | others) is None


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
