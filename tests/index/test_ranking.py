"""What a search makes of the ranker's scores. The ranker is a stand-in that says what is wanted."""

from collections.abc import Callable

import numpy as np
import pytest

from saitei.index import retrieval
from saitei.index.features import FEATURES, Measured
from saitei.index.question import without_courtesies
from saitei.index.ranker import Settings, probability
from saitei.index.retrieval import Found, Searcher
from saitei.index.store import Store
from tests.index.conftest import NOTES, BagEncoder
from tests.index.test_retrieval import ADELINE, RULE, card_note, cards

PRINCIPLE = FEATURES.index("principle")


class Fixed:
    """Scores candidates by a function of what was measured for them."""

    settings = Settings(threshold=0.6, principle=0.7, inputs="")

    def __init__(self, score: Callable[[Measured], np.ndarray]) -> None:
        self.scores = score


def in_order(*scores: float) -> Callable[[Measured], np.ndarray]:
    return lambda measured: np.array(scores[: len(measured.features)], np.float32)


def with_principle(ruling: float, principle: float) -> Callable[[Measured], np.ndarray]:
    return lambda measured: np.where(measured.features[:, PRINCIPLE] > 0, principle, ruling)


@pytest.fixture
def ask(
    searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, Callable[[Measured], np.ndarray]], Found]:
    def run(query: str, score: Callable[[Measured], np.ndarray]) -> Found:
        monkeypatch.setattr(searcher, "ranker", Fixed(score))
        return searcher.search(query)

    return run


def test_the_order_is_the_rankers_and_the_odds_its_confidence(ask) -> None:
    plain = ask("腐乱持ちは必ず殴る？", in_order(3.0, 2.0, 1.0, 0.0))
    turned = ask("腐乱持ちは必ず殴る？", in_order(0.0, 1.0, 2.0, 3.0))
    assert [hit.entry.key for hit in turned.hits[:4]] == [hit.entry.key for hit in plain.hits[:4]][
        ::-1
    ]
    assert turned.confidence == pytest.approx(probability(3.0))
    assert turned.hits[0].probability == pytest.approx(probability(3.0))


@pytest.mark.parametrize(("score", "kind"), [(0.5, "direct"), (0.3, "none")])
def test_the_threshold_is_a_probability(ask, score: float, kind: str) -> None:
    # Log odds of 0.5 are a probability of .62, those of 0.3 one of .57.
    assert ask("腐乱持ちは必ず殴る？", in_order(score, -1, -1, -1)).kind == kind


@pytest.mark.parametrize(("score", "kind"), [(1.0, "principle"), (0.7, "none")])
def test_a_principle_needs_more_than_a_ruling(
    ruled: Searcher, monkeypatch: pytest.MonkeyPatch, score: float, kind: str
) -> None:
    # Log odds of 0.7 are a probability of .67, enough for a ruling.
    monkeypatch.setattr(ruled, "ranker", Fixed(with_principle(-9.0, score)))
    assert ruled.search("エーデリンで攻撃するたびにトークンは出る？").kind == kind


@pytest.mark.parametrize(("score", "kind"), [(2.3, "direct"), (2.1, "none")])
def test_a_question_that_names_no_card_needs_more_for_a_ruling_on_one(
    store: Store, monkeypatch: pytest.MonkeyPatch, score: float, kind: str
) -> None:
    # Log odds of 2.3 and 2.1 are probabilities of .909 and .891.
    searcher = cards(store, card_note(1, ADELINE))
    monkeypatch.setattr(searcher, "ranker", Fixed(in_order(score, -9.0, -9.0, -9.0)))
    found = searcher.search("攻撃するたびにトークンは出る？")
    assert (found.kind, found.needed) == (kind, retrieval.UNNAMED)
    assert searcher.search("エーデリンで攻撃するたびにトークンは出る？").kind == "direct"


def test_what_stands_close_contends(ask) -> None:
    found = ask("腐乱持ちは必ず殴る？", in_order(3.0, 1.6, 1.4, 0.4))
    assert found.contenders == found.hits[:2]


def test_who_types_a_rule_number_gets_the_order_of_citing_with_falling_scores(ask) -> None:
    found = ask("702.34a", in_order(-3.0, 2.0, -4.0, 1.0))
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    # It cites the rule asked for, whatever the ranker makes of it.
    assert found.kind == "direct"
    assert found.hits[0].probability == found.confidence == pytest.approx(0.6)


@pytest.mark.parametrize("query", ["殴る", "教えてください", "腐乱", "腐乱とは？", "腐乱って何？"])
def test_a_word_alone_is_no_question(ask, query: str) -> None:
    assert ask(query, in_order(9.0, 8.0, 7.0, 6.0)).kind == "none"


def test_a_word_alone_is_answered_where_it_is_known_as_a_question(
    searcher: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searcher, "ranker", Fixed(in_order(9.0, 8.0, 7.0, 6.0)))
    # As if no question had more words than say too little.
    monkeypatch.setattr(retrieval, "FEW_WORDS", 100)
    monkeypatch.setattr(retrieval, "SURE", 1.1)
    assert searcher.search(NOTES[3].questions.ja[0]).kind == "direct"
    assert searcher.search("腐乱のゾンビで相手のトークンを攻撃する？").kind == "none"


def test_two_words_are_answered_only_where_that_is_sure(ask) -> None:
    assert ask("腐乱は殴る？", in_order(9.0, -9.0, -9.0, -9.0)).kind == "direct"
    assert ask("腐乱は殴る？", in_order(2.0, -9.0, -9.0, -9.0)).refused == "few-words"


def test_what_is_mostly_unknown_is_not_answered(ask) -> None:
    scores = in_order(9.0, 8.0, 7.0, 6.0)
    assert ask("腐乱持ちは必ず殴る？", scores).kind == "direct"
    assert ask("腐乱した牛乳を冷蔵庫の奥で発見した", scores).kind == "none"


@pytest.mark.parametrize(
    ("query", "score", "reason"),
    [
        ("腐乱持ちは必ず殴る？", 9.0, None),
        ("腐乱持ちは必ず殴る？", 0.3, "unsure"),
        ("腐乱とは？", 9.0, "few-words"),
        ("腐乱した牛乳を冷蔵庫の奥で発見した", 9.0, "unknown-words"),
        ("腐乱持ちで殴らなかったら反則をとられた", 9.0, "penalty"),
    ],
)
def test_who_gets_no_answer_is_told_why(ask, query: str, score: float, reason: str) -> None:
    found = ask(query, in_order(score, -9.0, -9.0, -9.0))
    assert found.refused == reason
    assert found.answered == (reason is None)
    assert found.needed == 0.6


def test_a_ruling_of_a_card_not_asked_about_is_no_answer(
    store: Store, encoder: BagEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = cards(store, card_note(1, ADELINE))
    monkeypatch.setattr(searcher, "ranker", Fixed(in_order(9.0, -9.0)))
    assert searcher.search("エーデリンで攻撃するたびにトークンは出る？").answered
    assert searcher.search("墓所這いで攻撃するたびにトークンは出る？").refused == "other-card"


def test_the_name_of_a_card_alone_is_no_question(
    store: Store, encoder: BagEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = cards(store, card_note(1, ADELINE, RULE.id))
    monkeypatch.setattr(searcher, "ranker", Fixed(in_order(9.0, 8.0)))
    assert searcher.search("輝かしい聖戦士、エーデリン").kind == "none"
    assert searcher.search("稲妻").kind == "none"
    assert searcher.search("エーデリンで攻撃したら？").kind == "direct"


@pytest.fixture
def ruled(store: Store, encoder: BagEncoder) -> Searcher:
    return cards(store, card_note(1, ADELINE, RULE.id))


def test_the_ruling_of_a_card_asked_about_goes_before_its_principle(
    ruled: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "エーデリンで攻撃するたびにトークンは出る？"
    monkeypatch.setattr(ruled, "ranker", Fixed(with_principle(1.0, 2.0)))
    found = ruled.search(question)
    assert [hit.entry.kind for hit in found.hits] == ["ruling", "principle"]
    # The two say the same, so that either would answer.
    assert found.confidence == pytest.approx(probability(np.logaddexp(2.0, 1.0)))
    assert found.contenders == found.hits[:1]
    # Far behind, it says something else.
    monkeypatch.setattr(ruled, "ranker", Fixed(with_principle(-1.0, 2.0)))
    assert ruled.search(question).kind == "principle"


def test_without_a_ranker_nothing_is_answered(
    ruled: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruled, "ranker", None)
    found = ruled.search("エーデリンで攻撃するたびにトークンは出る？ 702.34a")
    assert (found.kind, found.confidence) == ("none", 0.0)
    assert found.hits


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ジャッジー！ 腐乱は殴る？", "腐乱は殴る？"),
        ("すみません、質問です。腐乱は殴る？", "腐乱は殴る？"),
        ("腐乱は殴る？ 教えてください。よろしくお願いいたします。", "腐乱は殴る？"),
        ("Hi! Rules question: can decayed block? Thanks in advance!", "can decayed block"),
        ("ジャッジを呼んでいい？", "ジャッジを呼んでいい？"),
        ("Is this question about a judge able to attack?", "Is this question about a judge able"),
    ],
)
def test_courtesies_say_nothing_and_their_words_elsewhere_do(text: str, left: str) -> None:
    assert left in without_courtesies(text)
    assert not set("ジャッジすみませんよろしく") & set(without_courtesies(text)) - set(left)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("腐乱持ちで殴らないと反則になりますか", True),
        ("腐乱持ちで殴らなかったら反則をとられた", True),
        ("腐乱持ちは反則とみなされる？", True),
        ("腐乱持ちで必ず殴るのは反則ですか", False),
        ("腐乱持ちで殴るのって反則じゃないの？", False),
    ],
)
def test_who_asks_whether_it_is_allowed_asks_for_no_penalty(ask, query: str, asked: bool) -> None:
    assert ask(query, in_order(9.0, 1.0, 1.0, 1.0)).reading.penalty == asked
