"""A question finds its ruling, says how sure it is, and refuses what cannot be asked."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saitei.index.build import Packaged, build, stored_contents
from saitei.index.database import Contents
from saitei.index.retrieval import MAX_QUERY, QueryError, Searcher, check_query
from saitei.index.store import Store, StoreError
from saitei.ingest.catalog import load_catalog
from saitei.ingest.models import Document, Ruling, Subject
from saitei.ingest.notes import Note
from saitei.ingest.principles import Principle
from tests.index.conftest import NOTES, BagEncoder, note


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("フラバで唱えたのをカウンターされたらどこ行き？", "000000000001"),
        ("土地をセットしたら上陸って誘発しますか", "000000000002"),
        ("キッカーは何回まで？", "000000000003"),
        ("腐乱のゾンビは殴らないとダメ？", "000000000004"),
    ],
)
def test_the_ruling_that_answers_comes_first(searcher: Searcher, question: str, key: str) -> None:
    assert searcher.search(question).hits[0].entry.key == key


def test_every_entry_stands_once_and_best_first(searcher: Searcher) -> None:
    hits = searcher.search("上陸はいつ誘発する？").hits
    keys = [hit.entry.key for hit in hits]
    scores = [hit.score for hit in hits]
    assert len(keys) == len(set(keys))
    assert scores == sorted(scores, reverse=True)


def test_hits_close_behind_the_first_contend_with_it(store: Store, encoder: BagEncoder) -> None:
    twins = (card_note(1, ADELINE), card_note(2, ADELINE), NOTES[2])
    found = cards(store, *twins).search("エーデリンで攻撃するたびにトークンは出る？")
    assert {hit.entry.key[-1] for hit in found.contenders} == {"1", "2"}
    alone = cards(store, twins[0], NOTES[2]).search("エーデリンで攻撃するたびにトークンは出る？")
    assert alone.contenders == alone.hits[:1]


def test_the_limit_is_kept_and_one_result_is_the_same_first(searcher: Searcher) -> None:
    assert len(searcher.search("上陸", limit=1).hits) == 1
    assert (
        searcher.search("上陸", 1).hits[0].entry.key == searcher.search("上陸", 4).hits[0].entry.key
    )


def test_an_explanation_names_ranks_and_terms(searcher: Searcher) -> None:
    why = searcher.search("上陸は誘発する？", explain=True).hits[0].explanation
    assert why.lexical_rank == 1
    assert why.dense_rank == 1
    assert "上陸" in why.terms
    assert why.link == 1.0


def test_the_reading_shows_mechanics_and_glossary(searcher: Searcher) -> None:
    reading = searcher.read("フラッシュバックをカンスペされたら")
    assert "flashback" in {mention.id for mention in reading.mentions}
    assert any(expansion.said == "カンスペ" for expansion in reading.expansions)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("", "空"),
        (" \n\t", "空"),
        ("？！…", "記号だけ"),
        ("腐\0乱", "NUL"),
        ("あ" * (MAX_QUERY + 1), "長すぎ"),
    ],
)
def test_a_question_that_cannot_be_searched_is_told_why(query: str, says: str) -> None:
    with pytest.raises(QueryError, match=says):
        check_query(query)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=80))
def test_any_text_is_searched_or_refused(searcher: Searcher, query: str) -> None:
    try:
        found = searcher.search(query)
    except QueryError:
        return
    assert 0.0 <= found.confidence <= 1.0
    assert len(found.hits) <= 10


def document(sha: str) -> Document:
    return Document("invented", "作り話", "faq", "XXX", None, "ja", sha, "invented.txt")


def ruling(number: int, text: str) -> Ruling:
    fingerprint = f"{number:012x}"
    return Ruling(
        f"invented.{fingerprint}",
        fingerprint,
        "invented",
        number,
        number,
        ("章",),
        Subject(None, None, "none", 0.0),
        text,
        (),
        1,
    )


def test_an_official_text_without_note_is_found_and_contents_come_back(
    store: Store, encoder: BagEncoder
) -> None:
    contents = Contents((document("a"),), (ruling(9, "巨大な亀は泳いで戦場を渡る。"),))
    with store.writing():
        generation = build(store, contents, Packaged(NOTES, (), "d"), load_catalog())
    found = Searcher(generation, load_catalog(), encoder).search("亀は泳いで渡れる？")
    assert found.hits[0].entry.key == "000000000009"
    assert found.hits[0].entry.official == "巨大な亀は泳いで戦場を渡る。"
    assert stored_contents(store) == contents


def test_the_next_build_encodes_only_what_is_new(store: Store, encoder: BagEncoder) -> None:
    with store.writing():
        build(store, Contents(), Packaged(NOTES[:3], (), "d"), load_catalog())
        before = len(encoder.seen)
        build(store, Contents(), Packaged(NOTES, (), "e"), load_catalog())
    assert 0 < len(encoder.seen) - before <= 4


def test_the_revision_follows_the_answers(store: Store, encoder: BagEncoder) -> None:
    changed = (*NOTES[:3], NOTES[3].model_copy(update={"answer": "必ず攻撃する。"}))
    revisions = []
    for notes in (NOTES, NOTES, changed):
        with store.writing():
            generation = build(store, Contents(), Packaged(notes, (), "d"), load_catalog())
        revisions.append(generation.manifest.revision)
    assert revisions[0] == revisions[1] != revisions[2]


def test_a_tampered_index_is_not_read(searcher: Searcher, encoder: BagEncoder) -> None:
    path = searcher.generation.path / "dense.faiss"
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(StoreError, match=r"dense\.faiss"):
        Searcher(searcher.generation, load_catalog(), encoder)


RULED = (
    note(11, "flashback", "追放される。", "墓地から唱えたあとは？", rules=["702.34a"]),
    note(12, "kicker", "払える。", "払うのは何回？", rules=["702.34"]),
    note(13, "landfall", "誘発する。", "土地を出した？", rules=["702.34b"]),
    note(14, "decayed", "しない。", "攻撃する？", rules=["702.33a"]),
)


@pytest.fixture
def ruled(store: Store, encoder: BagEncoder) -> Searcher:
    with store.writing():
        generation = build(store, Contents(), Packaged(RULED, (), "d"), load_catalog())
    return Searcher(generation, load_catalog(), encoder)


@pytest.mark.parametrize("question", ["702.34a", "CR702.34aって何？", "CR 702.34ａ は？"])
def test_a_rule_number_finds_who_cites_it_then_who_cites_its_parent(
    ruled: Searcher, question: str
) -> None:
    links = {
        hit.entry.key[-2:]: hit.explanation.link
        for hit in ruled.search(question, explain=True).hits
    }
    assert ruled.search(question).hits[0].entry.key.endswith("b")
    assert links["0b"] > links["0c"] > links["0d"] > links["0e"] == 0


def test_a_rule_number_finds_the_subrules_below_it(ruled: Searcher) -> None:
    links = {
        hit.entry.key[-2:]: hit.explanation.link
        for hit in ruled.search("702.34", explain=True).hits
    }
    assert links["0c"] > links["0b"] == links["0d"] > links["0e"] == 0


def test_a_number_that_is_no_rule_is_not_read_as_one(searcher: Searcher) -> None:
    assert searcher.read("10.50ドル、1702.34、3/3").rules == ()
    assert searcher.read("規則 702.34a と 702.34A").rules == ("702.34a",)


ADELINE = "adeline-resplendent-cathar"


def card_note(number: int, card: str, *principles: str) -> Note:
    plain = note(number, "flashback", "出る。", "攻撃するたびにトークンは出る？")
    subject = {"subject": {"card": card}, "principles": list(principles)}
    return Note.model_validate({**plain.model_dump(exclude={"subject"}), **subject})


RULE = Principle.model_validate(
    {
        "id": "attacks-alone",
        "statement": "作り話の原則。",
        "condition": "いつでも。",
        "exceptions": "なし。",
        "rules": ["508.1"],
        "questions": {"ja": ["宣言していないものは数える？"]},
    }
)


def cards(store: Store, *notes: Note) -> Searcher:
    with store.writing():
        generation = build(store, Contents(), Packaged(notes, (RULE,), "d"), load_catalog())
    return Searcher(generation, load_catalog(), BagEncoder())


def test_a_card_with_a_ruling_gets_the_ruling(store: Store, encoder: BagEncoder) -> None:
    found = cards(store, card_note(1, ADELINE, RULE.id)).search(
        "エーデリンで攻撃したらトークンは？"
    )
    assert found.hits[0].entry.kind == "ruling"
    assert found.kind != "principle"


def test_another_card_gets_the_principle_of_the_ruling(store: Store, encoder: BagEncoder) -> None:
    searcher = cards(store, card_note(1, ADELINE, RULE.id))
    found = searcher.search("《稲妻》で攻撃するたびにトークンは出る？")
    assert [hit.entry.kind for hit in found.hits[:2]] == ["principle", "ruling"]
    assert found.kind != "direct"


def test_a_ruling_of_another_card_alone_is_never_the_answer(
    store: Store, encoder: BagEncoder
) -> None:
    searcher = cards(store, card_note(1, ADELINE))
    question = "《{}》で攻撃するたびにトークンは出る？"
    assert searcher.search(question.format("輝かしい聖戦士、エーデリン")).kind == "direct"
    found = searcher.search(question.format("稲妻"))
    assert found.hits[0].entry.subject_id == ADELINE
    assert found.kind == "none"


@pytest.mark.parametrize(
    "question",
    [
        "腐乱のゾンビで攻撃し忘れたら警告ですか",
        "フラッシュバックのコストを間違えたらゲームロス？",
        "What is the penalty for a missed decayed trigger?",
    ],
)
def test_a_question_about_penalties_is_read_as_one(searcher: Searcher, question: str) -> None:
    assert searcher.read(question).penalty


def test_a_question_about_penalties_is_not_answered_however_sure_the_search(
    searcher: Searcher,
) -> None:
    play = searcher.search("腐乱持ちは必ず殴る？")
    penalty = searcher.search("腐乱持ちは必ず殴る？警告")
    assert play.kind == "direct"
    assert penalty.kind == "none"
    assert penalty.hits[0].entry == play.hits[0].entry
    assert penalty.confidence > 0.9


@pytest.mark.parametrize(
    "question",
    ["腐乱のゾンビは殴らないとダメ？", "《鴉の警告》で裏向きにできる？", "晩餐への遅刻の対象は？"],
)
def test_a_question_about_play_is_not_read_as_one_about_penalties(
    searcher: Searcher, question: str
) -> None:
    assert not searcher.read(question).penalty
