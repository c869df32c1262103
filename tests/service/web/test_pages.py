"""The pages as they are sent: what stands on them, in what order, and that they are sound HTML."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from fastapi.testclient import TestClient

from saitei.ingest.principles import load_principles
from saitei.service.views import ENGINE_CAVEAT, REFUSAL
from saitei.service.web.page import STATIC, report_link
from saitei.service.web.pages import EXAMPLES
from saitei.service.web.shelf import Shelf
from saitei.service.web.words import LABELS, lead_and_rest
from tests.browser.site import REPORTS, recorded, site
from tests.service.web.page_html import Page, order_of

FLASHBACK = "フラッシュバックで唱えた呪文が打ち消されたらどうなる？"
OUTDATED = "地獄乗りの1点、相手のPWに移せる？"
PRINCIPLE = "対象が1つだけの除去が不発になったら、ついでのドローは？"
STRANGE = "明日の東京の天気と最高気温を教えて"
FINGERPRINT = "c97ba3070b48"


@pytest.fixture(scope="module")
def client(packaged_kb: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("replays")
    with recorded(folder), TestClient(site(packaged_kb)) as client:
        yield client


def page(client: TestClient, path: str, **parameters: str) -> str:
    """A page with its entities resolved."""
    answer = client.get(path, params=parameters)
    assert answer.status_code == 200, path
    return html.unescape(answer.text)


PAGES = [
    "/",
    f"/?q={FLASHBACK}",
    f"/?q={OUTDATED}",
    f"/?q={STRANGE}",
    f"/?q={PRINCIPLE}",
    "/sets",
    "/sets/MID",
    "/cards",
    "/cards/adeline-resplendent-cathar",
    "/cards/lightning-bolt",
    "/cards/brutal-cathar",
    "/mechanics",
    "/mechanics/flashback",
    "/principles",
    "/principles/all-targets-illegal",
    "/engine",
    "/outdated",
    "/scenarios",
    "/scenarios/flashback.countered-is-exiled",
    "/scenarios/hostile-hostel.attached-phase-out-together",
    f"/rulings/{FINGERPRINT}",
    "/rulings/nothing",
]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_page_is_sound_html(client: TestClient, path: str, language: str) -> None:
    url = path if language == "ja" else f"{path}{'&' if '?' in path else '?'}lang=en"
    assert Page(client.get(url).text).faults == []


@pytest.mark.parametrize("path", PAGES[:-1])
def test_every_link_of_ours_leads_somewhere(client: TestClient, path: str) -> None:
    links = {one for one in Page(client.get(path).text).links if one.startswith("/")}
    assert links
    # A page has hundreds of like links: the first of each kind.
    kinds = {re.sub(r"[^/]+$", "", urlsplit(one).path): one for one in sorted(links)}
    for link in kinds.values():
        assert client.get(link).status_code == 200, link


def test_the_answer_comes_first_then_why_source_rules_status_engine(client: TestClient) -> None:
    shown = page(client, "/", q=FLASHBACK)
    assert order_of(
        shown,
        "読み取ったカード・用語",
        "フラッシュバック",
        'class="verdict"',
        "追放される",
        'class="because"',
        "出典",
        "リリースノート",
        "2021-09-15",
        "行目",
        "規則",
        "702.34a",
        "状態",
        "現行",
        "2025年2月7日版の総合ルールで確認",
        "エンジン",
        "再現を見る",
        ENGINE_CAVEAT,
        "この答えを報告",
    )


def test_other_results_are_called_candidates_and_are_no_answers(client: TestClient) -> None:
    shown = page(client, "/", q=FLASHBACK)
    _, _, others = shown.partition("ほかの候補（この質問の答えとは限りません）")
    assert others
    assert 'class="verdict"' not in others
    assert shown.count('class="verdict"') == 1


def test_an_outdated_ruling_is_answered_by_todays_rules_and_says_so(client: TestClient) -> None:
    shown = page(client, "/", q=OUTDATED)
    assert order_of(
        shown, "いいえ。", "旧裁定（2018-04-27", "上の答えは今の規則によるものです", "出典"
    )
    assert "カードの文章が変更されています" in shown


def test_an_answer_by_principle_says_so_and_shows_rulings_it_rests_on(client: TestClient) -> None:
    answer = client.get("/v1/answer", params={"q": PRINCIPLE}).json()
    if answer["kind"] != "principle":
        pytest.skip("the search now finds a ruling for this")
    shown = page(client, "/", q=PRINCIPLE)
    assert order_of(shown, "原則では、", "条件", "例外", "この原則の裁定", "/rulings/")


def test_a_principle_without_rulings_has_no_empty_list(client: TestClient) -> None:
    with_rulings, alone = (
        next(one.id for one in load_principles() if bool(one.instances) == some)
        for some in (True, False)
    )
    assert "この原則の裁定" in page(client, f"/principles/{with_rulings}")
    assert "この原則の裁定" not in page(client, f"/principles/{alone}")


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize(
    ("question", "advised"),
    [
        ("Blorf wugs zxqv the quux plover?", True),
        # The card is named already; a name decides no penalty.
        ("《稲妻》を撃たれたら昼寝していい？", False),
        ("腐乱持ちで殴らなかったら反則をとられた", False),
    ],
)
def test_a_name_is_only_asked_for_where_it_may_help(
    client: TestClient, language: str, question: str, advised: bool
) -> None:
    shown = page(client, "/", q=question, lang=language)
    said = dict(zip(("ja", "en"), LABELS["refusal_help"], strict=True))[language]
    assert (said in shown) == advised
    penalty = dict(zip(("ja", "en"), LABELS["procedure_caveat"], strict=True))[language]
    assert (penalty in shown) == ("反則" in question)


def test_a_question_without_a_ruling_is_refused(client: TestClient) -> None:
    shown = page(client, "/", q=STRANGE)
    assert order_of(shown, REFUSAL, "近い裁定（この質問の答えとは限りません）")
    assert "この答えを報告" not in shown


def test_a_card_without_rulings_says_just_that(client: TestClient) -> None:
    assert "このカードの裁定は収録していません" in page(client, "/cards/lightning-bolt")


@pytest.mark.parametrize("question", EXAMPLES["ja"] + EXAMPLES["en"])
def test_the_examples_on_the_front_page_are_answered(client: TestClient, question: str) -> None:
    assert client.get("/v1/answer", params={"q": question}).json()["answered"]


def test_a_report_is_prefilled_with_question_answer_and_address(client: TestClient) -> None:
    shown = page(client, "/", q=FLASHBACK)
    link = next(one for one in Page(shown).links if one.startswith(REPORTS))
    said = parse_qs(urlsplit(link).query)
    assert FINGERPRINT in said["title"][0]
    body = said["body"][0]
    assert order_of(body, FLASHBACK, "追放される", f"http://testserver/rulings/{FINGERPRINT}")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("", "mailto:?subject=a%20b&body=c%26d"),
        ("mailto:judge@example.org", "mailto:judge@example.org?subject=a%20b&body=c%26d"),
        ("https://t.example/n?labels=x", "https://t.example/n?labels=x&title=a%20b&body=c%26d"),
        ("https://t.example/{title}?t={body}", "https://t.example/a%20b?t=c%26d"),
    ],
)
def test_where_a_report_goes_is_a_setting(template: str, expected: str) -> None:
    assert report_link(template, "a b", "c&d") == expected


def test_the_text_to_share_fits_a_chat(client: TestClient) -> None:
    shown = client.get("/", params={"q": FLASHBACK}).text
    text = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", shown, re.DOTALL)[1])
    assert order_of(
        text, "Q. フラッシュバック", "A. 追放される", "702.34a", "http://testserver/rulings/"
    )
    assert len(text) <= 400


def test_what_is_typed_is_shown_as_text(client: TestClient) -> None:
    sent = client.get("/", params={"q": '腐乱<script>alert(1)</script>"'}).text
    assert "<script>alert" not in sent
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;" in sent


@pytest.mark.parametrize("query", ["!?", "あ" * 2000])
def test_a_question_that_is_none_is_one_line_on_the_page(client: TestClient, query: str) -> None:
    answer = client.get("/", params={"q": query})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/rulings/nothing",
        "/scenarios/nothing.at-all",
        "/cards/nobody-knows-it",
        "/mechanics/nothing",
        "/sets/XXX",
        "/principles/nothing",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "見つかりません" in answer.text


def test_a_ruling_has_one_page_for_all_its_ids(client: TestClient) -> None:
    occurrence = client.get(f"/v1/rulings/{FINGERPRINT}").json()["id"]
    by_occurrence = page(client, f"/rulings/{occurrence}")
    assert "追放される" in by_occurrence
    assert "この裁定が答える質問" in by_occurrence


def test_a_card_is_found_by_its_name_too(client: TestClient) -> None:
    by_id = page(client, "/cards/adeline-resplendent-cathar")
    assert "輝かしい聖戦士、エーデリン" in by_id
    assert Page(page(client, "/cards/輝かしい聖戦士、エーデリン")).links


def test_rulings_that_mention_a_card_are_no_candidates(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shelf, "mentioning", lambda shelf, _: shelf.about("flashback"))
    shown = page(client, "/cards/lightning-bolt")
    assert order_of(shown, "このカードに触れている裁定", "追放される")
    assert "答えとは限りません" not in shown


def test_the_engine_page_counts_and_lists_what_is_wrong(client: TestClient) -> None:
    shown = page(client, "/engine")
    assert order_of(shown, "試したエンジン", "phase ", "裁定どおりに動くことを確認")
    assert ENGINE_CAVEAT in shown


def test_the_outdated_page_says_since_when_and_by_what(client: TestClient) -> None:
    shown = page(client, "/outdated")
    assert "旧裁定（2018-04-27、" in shown


def test_a_scenario_shows_pictures_checks_contrast_and_definition(client: TestClient) -> None:
    shown = page(client, "/scenarios/flashback.countered-is-exiled")
    assert order_of(
        shown,
        "裁定の場面",
        "はじめの場面",
        "あなたが《思い返し》を唱える",
        "《ただの打ち消し》が解決する",
        "追放",
        "確かめたこと",
        "もし〜なら",
        "手札から唱えて打ち消されたなら墓地に置かれる",
        "裁定の場面とここが違う",
        "シナリオの定義",
        "flashback.countered-is-exiled",
    )


def test_a_replay_of_an_older_scenario_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saitei.service.web import pages

    run = pages.committed_run()
    assert run is not None
    changed = [one.model_copy(update={"scenario_sha256": "0" * 64}) for one in run.verdicts]
    monkeypatch.setattr(
        pages, "committed_run", lambda: run.model_copy(update={"verdicts": changed})
    )
    warning = "この再現は、書き換えられる前の場面のものです"
    assert warning in page(client, "/scenarios/flashback.countered-is-exiled")


def test_a_scenario_without_a_replay_still_has_a_page(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from saitei.service.web import pages

    monkeypatch.setattr(pages, "committed_replays", lambda: None)
    monkeypatch.setattr(pages, "committed_run", lambda: None)
    shown = page(client, "/scenarios/flashback.countered-is-exiled")
    assert "この場面の再現はまだありません" in shown
    assert "シナリオの定義" in shown


@pytest.mark.parametrize(
    ("path", "lang", "said"),
    [
        ("/scenarios", "ja", "カードの文を言い換え"),
        ("/scenarios/flashback.countered-is-exiled", "ja", "カードの文を言い換え"),
        ("/scenarios/flashback.countered-is-exiled", "en", "card text reworded"),
    ],
)
def test_confirmed_is_never_said_without_how_the_card_was_written(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, lang: str, said: str
) -> None:
    from saitei.service.web import pages

    run = pages.committed_run()
    assert run is not None
    changed = [one.model_copy(update={"text": "reworded"}) for one in run.verdicts]
    monkeypatch.setattr(
        pages, "committed_run", lambda: run.model_copy(update={"verdicts": changed})
    )
    assert said in page(client, path, lang=lang)


def test_english_is_kept_from_page_to_page(client: TestClient) -> None:
    sent = client.get("/", params={"q": FLASHBACK, "lang": "en"})
    assert sent.headers["content-language"] == "en"
    shown = Page(sent.text)
    assert "Other candidates (they may not answer this question)" in sent.text
    ours = [one for one in shown.links if one.startswith("/") and "v1" not in one]
    back = [one for one in ours if "lang=en" not in one]
    assert [unquote(one) for one in back] == [f"/?q={FLASHBACK}", "/openapi.json"]


def test_every_label_is_used() -> None:
    files = [path for path in STATIC.parent.rglob("*") if path.suffix in (".html", ".py")]
    said = "".join(path.read_text("utf-8").partition("LABELS: ")[0] for path in files)
    said += (STATIC.parent / "words.py").read_text("utf-8").partition("_OUTCOME_EN")[2]
    chosen = {"day", "night"}  # the word of a board's day_night
    assert {key for key in LABELS if f'"{key}"' not in said} <= chosen


def test_every_label_is_there_in_both_languages() -> None:
    empty = {key for key, (ja, en) in LABELS.items() if not ja or not en}
    assert empty == {"answers_japanese", "line"}


def test_a_page_takes_nothing_from_elsewhere(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for name in ("page.js", "replay.js", "page.css"):
        assert "//" not in re.sub(r"(?m)^\s*//.*|\s// .*", "", (STATIC / name).read_text("utf-8"))


def test_a_static_file_with_its_version_is_kept_for_good(client: TestClient) -> None:
    address = re.search(r'href="(/static/page\.css\?v=\w+)"', client.get("/").text)[1]
    assert "immutable" in client.get(address).headers["cache-control"]
    assert "immutable" not in client.get("/static/page.css").headers.get("cache-control", "")


@pytest.mark.parametrize(
    ("answer", "lead"),
    [
        ("いいえ。攻撃しなくてよい。", "いいえ。"),
        ("はい。", ""),
        ("追放される。解決されても同じ。", "追放される。"),
        ("墓地から唱えた呪文は追放される。打ち消されても同じ。", ""),
    ],
)
def test_a_short_verdict_is_set_off(answer: str, lead: str) -> None:
    assert lead_and_rest(answer)[0] == lead
    assert "".join(lead_and_rest(answer)) == answer
