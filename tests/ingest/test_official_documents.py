"""The four official documents, where they are at hand (``SAITEI_DOCUMENTS``)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from saitei.ingest.catalog import load_catalog
from saitei.ingest.documents import known_documents, packaged_rulings
from saitei.ingest.linking import link_ruling
from saitei.ingest.models import Parsed
from saitei.ingest.sources import expand_sources, read_source

COUNTS = {
    "mid-release-notes": 311,
    "dka-faq": 210,
    "znr-release-notes-1": 34,
    "znr-release-notes-2": 34,
}


@pytest.fixture(scope="module")
def packaged(documents: Path) -> dict[str, Parsed]:
    found = [read_source(source) for source in expand_sources([str(documents)])]
    return {one.document.id: one for one in found}


@pytest.fixture(scope="module")
def inferred(documents: Path) -> dict[str, Parsed]:
    """The same with the packaged tables switched off."""
    found = [read_source(source, packaged=False) for source in expand_sources([str(documents)])]
    return {one.document.id: one for one in found}


def test_each_is_known_and_every_ruling_in_it_found(packaged: dict[str, Parsed]) -> None:
    assert {id_: len(one.rulings) for id_, one in packaged.items()} == COUNTS
    prints = {ruling.fingerprint for one in packaged.values() for ruling in one.rulings}
    assert len(prints) == 576


def test_nothing_is_left_unplaced_and_no_line_unaccounted_for(
    packaged: dict[str, Parsed],
) -> None:
    for one in packaged.values():
        assert one.unplaced == ()
        text = Path(one.document.source).read_text("utf-8").split("\n")
        filled = [number for number, line in enumerate(text, 1) if line.strip(" \u3000")]
        assert [line.line for line in one.lines] == filled


def test_the_ruling_that_lost_its_bullet_is_found(packaged: dict[str, Parsed]) -> None:
    faq = packaged["dka-faq"]
    text = Path(faq.document.source).read_text("utf-8").split("\n")
    unbulleted = [one for one in faq.rulings if not text[one.line - 1].startswith("•")]
    assert [(one.line, one.subject.id) for one in unbulleted] == [(376, "sudden-disappearance")]


def test_a_section_that_stands_three_times_yields_its_rulings_each_time(
    packaged: dict[str, Parsed],
) -> None:
    landfall = [
        one for one in packaged["znr-release-notes-2"].rulings if one.subject.id == "landfall"
    ]
    assert Counter(one.repeat for one in landfall) == {1: 3, 2: 3, 3: 3}
    assert {one.id.rpartition("-")[2] for one in landfall if one.repeat > 1} == {"2", "3"}


def test_the_packaged_tables_agree_with_the_documents(packaged: dict[str, Parsed]) -> None:
    for known in known_documents():
        table = [(one.id, one.line, one.subject) for one in packaged_rulings(known)]
        found = [(one.id, one.line, one.subject) for one in packaged[known.id].rulings]
        assert found == table


def test_every_name_in_brackets_is_a_card_and_six_are_misspelt(
    packaged: dict[str, Parsed],
) -> None:
    catalog = load_catalog()
    misspelt: set[str] = set()
    for one in packaged.values():
        for ruling in one.rulings:
            names = re.findall("《([^》]*)》", ruling.text)
            linked = {
                mention.surface: mention.how
                for mention in link_ruling(ruling.text, catalog)
                if mention.surface.startswith("《")
            }
            assert set(linked) == {f"《{name}》" for name in names}
            misspelt |= {name for name in names if linked[f"《{name}》"] != "bracket"}
    aliases = {alias for card in catalog.cards.values() for alias in card.aliases}
    assert misspelt == aliases
    assert len(misspelt) == 6


def test_titles_and_dates_are_read_as_the_table_has_them(documents: Path) -> None:
    from saitei.ingest.reading import read_text
    from saitei.ingest.sections import outline

    dated = {known.id: known for known in known_documents() if known.updated}
    assert set(dated) == {"mid-release-notes", "dka-faq"}
    for source in expand_sources([str(documents)]):
        id_ = read_source(source).document.id
        if id_ in dated:
            found = outline(read_text(Path(source).read_bytes(), source), lambda _: False)
            assert (found.title, found.updated) == (dated[id_].title, dated[id_].updated)


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_other_editions_have_the_same_fingerprints_and_are_known_by_them(
    packaged: dict[str, Parsed], tmp_path: Path, encoding: str
) -> None:
    for one in packaged.values():
        text = Path(one.document.source).read_text("utf-8")
        text = text.replace("•", "・").replace("–", "-").replace("©", "(C)")
        if encoding == "euc_jp":
            text = text.replace("～", "〜").replace("－", "−")
        path = tmp_path / "edition.txt"
        path.write_bytes(text.encode(encoding))
        found = read_source(str(path))
        assert found.document.id == one.document.id
        assert [r.fingerprint for r in found.rulings] == [r.fingerprint for r in one.rulings]


def blocks(found: Parsed, verified: dict[str, str]) -> list[tuple[str | None, str]]:
    """Inferred and verified subject of each nameless block: runs of one verified subject."""
    result: list[tuple[str | None, str]] = []
    last = ""
    for one in found.rulings:
        if one.subject.evidence in ("order", "none"):
            if verified[one.id] != last:
                result.append((one.subject.id, verified[one.id]))
            last = verified[one.id]
        else:
            last = ""
    return result


def test_subjects_of_nameless_blocks_are_inferred_right_nine_times_of_ten(
    inferred: dict[str, Parsed],
) -> None:
    """The weights were judged on these documents; unseen ones will do somewhat worse."""
    pairs: list[tuple[str | None, str]] = []
    for known in known_documents():
        verified = {one.id: one.subject.id or "" for one in packaged_rulings(known)}
        pairs += blocks(inferred[known.id], verified)
    right = sum(guess == truth for guess, truth in pairs)
    wrong = sum(guess is not None and guess != truth for guess, truth in pairs)
    assert len(pairs) >= 45
    assert right / len(pairs) >= 0.9
    assert wrong / len(pairs) <= 0.05


def test_named_subjects_are_the_verified_ones(inferred: dict[str, Parsed]) -> None:
    for known in known_documents():
        verified = {one.id: one.subject.id for one in packaged_rulings(known)}
        named = [one for one in inferred[known.id].rulings if one.subject.evidence == "named"]
        assert [one.id for one in named if one.subject.id != verified[one.id]] == []


def test_without_the_tables_most_subjects_are_found_all_the_same(
    inferred: dict[str, Parsed],
) -> None:
    right = total = 0
    for known in known_documents():
        verified = {one.id: one.subject.id for one in packaged_rulings(known)}
        total += len(verified)
        right += sum(one.subject.id == verified[one.id] for one in inferred[known.id].rulings)
    assert total == 589
    assert right / total >= 0.98
