"""Properties that hold for any text: no crash, nothing lost, nothing invented, linear time."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saitei.ingest.catalog import load_catalog
from saitei.ingest.encodings import UndecodableError, decode
from saitei.ingest.fingerprint import fingerprint
from saitei.ingest.linking import fold_with_places, link
from saitei.ingest.marks import BULLET
from saitei.ingest.markup import read_html, read_markdown
from saitei.ingest.models import Parsed
from saitei.ingest.parsing import parse
from saitei.ingest.reading import SourceError, read_text

CATALOG = load_catalog()
SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

WORDS = st.sampled_from(
    [
        *"《》「」『』（）。、・•*＊@-=–:：/／{}#<>&|\t\u3000\n\r\f\u2028\x1c 1２X",
        "一般注釈",
        "カード別注釈",
        "《地震》",
        "《",
        "地震/Earthquake",
        "{X}{R}",
        "クリーチャー ― 人間",
        "3/4",
        "（夜の面）",
        "-----",
        "*** 見出し ***",
        "• ",
        "・",
        "* ",
        "Q: ",
        "A: ",
        "カードは対象にならない。",
        "この能力は誘発する。たとえば、",
        "以下から１つを選ぶ。",
        "『架空』リリースノート",
        "最終更新 2021年9月15日",
        "キッカーに関する一般的な情報",
        "©2021 架空の商標",
        "<li>",
        "</ul>",
        "\n\n",
    ]
)
DOCUMENTS = st.lists(WORDS, max_size=60).map("".join) | st.text(max_size=200)


def parsed(text: str) -> Parsed | None:
    data = text.encode("utf-8", "surrogatepass")
    try:
        return parse(read_text(data, "any"), data, "any", catalog=CATALOG)
    except SourceError:
        return None


@SETTINGS
@given(DOCUMENTS)
def test_every_line_is_taken_for_one_thing_and_every_ruling_stands_where_it_says(
    text: str,
) -> None:
    document = parsed(text)
    if document is None:
        return
    lines = re.split(r"\r\n|\r|\n", text)
    numbers = [line.line for line in document.lines]
    assert numbers == sorted(set(numbers))
    assert all(lines[number - 1].strip() for number in numbers)
    kinds = {line.line: line.kind for line in document.lines}
    for ruling in document.rulings:
        assert kinds[ruling.line] == "ruling"
        line = lines[ruling.line - 1].replace("\f", "").strip(" \t\u3000\ufeff\u200b")
        bare = BULLET.sub("", line, count=1)
        assert ruling.text.startswith(bare[:3].rstrip("- "))
        assert 0 <= ruling.subject.confidence <= 1
        assert (ruling.subject.id is None) == (ruling.subject.evidence == "none")
    assert {one.line for one in document.unplaced} <= set(numbers)


@SETTINGS
@given(DOCUMENTS)
def test_no_ruling_comes_out_of_nothing(text: str) -> None:
    document = parsed(text)
    if document is None:
        return
    solid = re.sub(r"\s", "", text)
    for ruling in document.rulings:
        assert ruling.text.strip()
        # Its words stand in the source, one after the other.
        assert re.sub(r"[\s\ufeff\u200b]", "", ruling.text) in re.sub(r"[\ufeff\u200b]", "", solid)


@SETTINGS
@given(DOCUMENTS)
def test_ids_are_unique_and_repeats_counted(text: str) -> None:
    document = parsed(text)
    if document is None:
        return
    ids = [one.id for one in document.rulings]
    assert len(set(ids)) == len(ids)
    seen: dict[str, int] = {}
    for one in document.rulings:
        seen[one.fingerprint] = seen.get(one.fingerprint, 0) + 1
        assert one.repeat == seen[one.fingerprint]


@SETTINGS
@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    try:
        found = decode(data)
    except UndecodableError:
        return
    assert isinstance(found.text, str)


@SETTINGS
@given(DOCUMENTS)
def test_any_markup_is_read_or_refused(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for read in (read_html, read_markdown):
        try:
            reading = read(data, "any")
        except SourceError:
            continue
        assert all(line.number >= 1 for line in reading.lines)
        assert all("\n" not in line.text for line in reading.lines)


JAPANESE = st.text(
    st.sampled_from("あアｱ漢字ー－−～〜・、。「」0０Ａa 　\t\u200b\ufeff（）/+＋"),
    min_size=1,
    max_size=60,
)


@SETTINGS
@given(JAPANESE)
def test_the_fingerprint_ignores_width_white_space_and_one_bullet(text: str) -> None:
    bare = text.lstrip("・ 　\t\u200b\ufeff")
    if not bare:
        return
    same = fingerprint(bare)
    assert fingerprint(f"• {bare}") == same
    assert fingerprint(f"・{bare}") == same
    assert fingerprint(f"* {bare}") == same
    assert fingerprint("\n".join(bare)) == same
    assert fingerprint(bare.replace("～", "〜").replace("－", "−")) == same
    assert fingerprint(bare.replace("0", "０").replace("a", "ａ")) == same
    assert re.fullmatch("[0-9a-f]{12}", same)


@SETTINGS
@given(JAPANESE, st.sampled_from("一二三"))
def test_the_fingerprint_tells_texts_apart(text: str, more: str) -> None:
    assert fingerprint(text + more) != fingerprint(text)


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
@SETTINGS
@given(
    text=st.text(
        st.sampled_from("呪文能力対象、。「」ー・（）あいうカード１２Ａ\n"), min_size=8, max_size=80
    )
)
def test_japanese_survives_its_encodings(encoding: str, text: str) -> None:
    if not re.search("[ぁ-ん一-龠]{3}", text):
        return
    assert decode(text.encode(encoding)).text == text


@SETTINGS
@given(DOCUMENTS)
def test_mentions_stand_in_the_text_where_they_say(text: str) -> None:
    end = 0
    for mention in link(text, CATALOG):
        assert text[mention.start : mention.end] == mention.surface
        assert mention.start >= end or mention.how in ("short", "fuzzy")
        end = max(end, mention.end)
    folded, places = fold_with_places(text)
    assert len(folded) == len(places)
    assert places == sorted(places)
