"""``/v1`` beyond questions: cards, scenarios, verdicts, documents, principles, changes, bulk."""

import dataclasses
import json
import re
import shutil

import pytest
from fastapi.testclient import TestClient

from saitei.data import PATH as DATA
from saitei.data.yaml_text import read_yaml
from saitei.engine.verdicts import Run
from saitei.index.database import Change
from saitei.ingest.sources import read_source
from saitei.service.app import create_app
from saitei.service.knowledge import Knowledge
from saitei.service.replays import files
from saitei.service.scenarios import FOLDER, packaged_scenarios, read_scenarios
from saitei.service.settings import Settings
from saitei.service.views import ENGINE_CAVEAT

HOUSE_FAQ = """\
「銀枝の庭」よくある質問集

最終更新日:2010年8月31日

*** カード別 ***

《銀枝の門番》
* 戦闘中にお茶カウンターを取り除いても、銀枝の門番は攻撃クリーチャーのままである。
* 銀枝の門番の能力は、それが死亡したターンの終了ステップに誘発する。
"""
ADELINE = "輝かしい聖戦士、エーデリン"


@pytest.fixture(scope="module")
def app(packaged_kb):
    return create_app(dataclasses.replace(Settings(), kb=str(packaged_kb), rate=0, mcp=False))


@pytest.fixture(scope="module")
def client(app):
    with TestClient(app) as client:
        yield client


def pages(client, path: str) -> list:
    """The data of a list, page after page."""
    found = []
    while path:
        page = client.get(path).json()
        assert page["object"] == "list"
        assert page["has_more"] == (page["next_page"] is not None)
        found += page["data"]
        path = page["next_page"]
    return found


class TestCards:
    @pytest.mark.parametrize(
        "name",
        [
            "エーデリン",
            "adeline",
            "輝かしい聖騎士、エーデリン",
            "Adeline Resplendant Cathar",
            "かがやかしいせいせんし、えーでりん",
            "ｴｰﾃﾞﾘﾝ",
            "アデラインレスプレンデントキャサー",
            ADELINE,
        ],
    )
    def test_fuzzy_finds_a_part_a_misspelling_or_a_name_in_kana(self, client, name: str) -> None:
        card = client.get("/v1/cards/named", params={"fuzzy": name}).json()
        assert (card["object"], card["ja"]) == ("card", ADELINE)
        assert card["rulings"] == 5
        assert len(client.get(card["rulings_uri"]).json()["data"]) == 5

    def test_exact_takes_the_whole_name_only(self, client) -> None:
        assert client.get("/v1/cards/named", params={"exact": ADELINE}).status_code == 200
        part = client.get("/v1/cards/named", params={"exact": "エーデリン"})
        assert part.json()["code"] == "card_not_found"

    def test_several_that_fit_are_named(self, client) -> None:
        answer = client.get("/v1/cards/named", params={"fuzzy": "ジェイス"})
        assert (answer.status_code, answer.json()["code"]) == (404, "card_ambiguous")
        assert len(answer.json()["candidates"]) > 1

    def test_a_part_that_begins_others_still_finds_the_one_with_rulings(self, client) -> None:
        card = client.get("/v1/cards/named", params={"fuzzy": "サリア"}).json()
        assert card["ja"] == "スレイベンの守護者、サリア"

    def test_marks_are_no_part_of_a_name(self, client) -> None:
        answer = client.get("/v1/cards/named", params={"fuzzy": "..."})
        assert answer.json()["code"] == "card_not_found"

    def test_a_name_found_twice_counts_once(self, client) -> None:
        # Some begin so and are read so as well; there is room for one in which it stands.
        found = client.get("/v1/cards/autocomplete", params={"q": "アヴァシ", "limit": 10}).json()
        assert "大天使アヴァシン" in found["data"]

    def test_what_begins_names_is_not_taken_for_a_misspelling(self, client) -> None:
        # "Deliver" is spelt more like it than any of these.
        answer = client.get("/v1/cards/named", params={"fuzzy": "delver"}).json()
        assert "秘密を掘り下げる者" in answer["candidates"]

    @pytest.mark.parametrize("query", ["", "?fuzzy=a&exact=a", "?fuzzy="])
    def test_it_is_one_of_fuzzy_and_exact(self, client, query: str) -> None:
        assert client.get(f"/v1/cards/named{query}").json()["code"] == "bad_parameter"

    @pytest.mark.parametrize(
        "typed", ["輝かしい聖", "えーで", "エーデ", "かがやかしいせい", "ADELINE, R"]
    )
    def test_completion_by_beginning_part_and_reading(self, client, typed: str) -> None:
        names = client.get("/v1/cards/autocomplete", params={"q": typed}).json()["data"]
        assert names[0] in (ADELINE, "Adeline, Resplendent Cathar")

    def test_completion_of_nothing_and_at_most_as_many_as_asked(self, client) -> None:
        assert client.get("/v1/cards/autocomplete?q=").json()["data"] == []
        many = client.get("/v1/cards/autocomplete", params={"q": "の", "limit": 25}).json()["data"]
        assert len(many) == len(set(many)) == 25


class TestEngine:
    def test_a_scenario_as_written_with_its_caveat(self, client) -> None:
        written = next(iter(packaged_scenarios().values()))
        scenario = client.get(f"/v1/scenarios/{written.id}").json()
        assert (scenario["object"], scenario["id"]) == ("scenario", written.id)
        assert scenario["rulings"]
        assert scenario["given"]
        assert scenario["then"]
        assert scenario["yaml"].startswith(f"- id: {written.id}\n")
        assert scenario["caveat"] == ENGINE_CAVEAT

    def test_every_scenario_of_the_files_is_found(self) -> None:
        files = sorted((DATA / "scenarios").rglob("*.scenario.yaml"))
        ids = [each["id"] for path in files for each in read_yaml(path).value]
        found = list(read_scenarios(FOLDER))
        assert [scenario.id for scenario in found] == ids
        titles = [each["title"] for path in files for each in read_yaml(path).value]
        assert [scenario.title for scenario in found] == titles

    @pytest.mark.parametrize("path", ["/v1/scenarios/nothing", "/v1/scenarios/nothing/replay"])
    def test_an_unknown_scenario(self, client, path: str) -> None:
        assert client.get(path).json()["code"] == "scenario_not_found"

    def test_a_replay_comes_from_what_is_committed(self, client, monkeypatch) -> None:
        monkeypatch.setattr("saitei.service.replays.files.committed_replays", lambda: None)
        written = next(iter(packaged_scenarios()))
        answer = client.get(f"/v1/scenarios/{written}/replay")
        assert (answer.status_code, answer.json()["code"]) == (404, "replay_not_available")

    def test_a_committed_replay_is_shown_with_its_caveat(self, client) -> None:
        recorded = files.committed_replays()
        if recorded is None:
            pytest.skip("no replays are committed")
        known = [each for each in recorded.scenarios if each in packaged_scenarios()]
        replay = client.get(f"/v1/scenarios/{known[0]}/replay").json()
        assert replay["caveat"] == ENGINE_CAVEAT
        assert replay["replay"]["scenario"] == known[0]
        assert replay["replay"]["main"]["frames"]

    @pytest.fixture
    def run(self, monkeypatch) -> Run:
        """A run of two scenarios in place of the committed one."""
        verdicts = [
            {
                "scenario": f"card.{outcome}",
                "rulings": rulings,
                "outcome": outcome,
                "cause": None,
                "text": "as-written",
                "expectations": [],
                "contrasts": [],
                "reason": "",
                "scenario_sha256": "",
                "seconds": 0.1,
            }
            for outcome, rulings in (
                ("confirmed", ["0a1b2c3d4e5f#a"]),
                ("contradicted", ["0a1b2c3d4e5f#b", "111111111111"]),
            )
        ]
        run = Run.model_validate({"engine": "phase", "version": "1.0", "verdicts": verdicts})
        for user in ("verdicts", "http.api_engine"):
            monkeypatch.setattr(f"saitei.service.{user}.committed_run", lambda: run)
        return run

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("", ["card.confirmed", "card.contradicted"]),
            ("outcome=contradicted", ["card.contradicted"]),
            ("ruling=0a1b2c3d4e5f", ["card.confirmed", "card.contradicted"]),
            ("ruling=0a1b2c3d4e5f%23a", ["card.confirmed"]),
            ("ruling=111111111111&outcome=confirmed", []),
        ],
    )
    def test_verdicts_by_outcome_and_ruling(self, client, run, query: str, found: list) -> None:
        answer = client.get(f"/v1/verdicts?{query}").json()
        assert [verdict["scenario"] for verdict in answer["data"]] == found
        assert (answer["engine"], answer["version"]) == ("phase", "1.0")
        assert answer["caveat"] == ENGINE_CAVEAT

    def test_verdicts_come_in_pages(self, client, run) -> None:
        assert [each["scenario"] for each in pages(client, "/v1/verdicts?limit=1")] == [
            "card.confirmed",
            "card.contradicted",
        ]


class TestData:
    def test_documents_with_their_rulings_and_whether_their_text_is_here(self, client) -> None:
        documents = {each["id"]: each for each in pages(client, "/v1/documents")}
        assert documents["mid-release-notes"]["rulings"] == 311
        assert documents["mid-release-notes"]["text"] is False
        assert sum(each["rulings"] for each in documents.values()) == 589

    def test_principles_in_pages_and_one_by_one(self, client) -> None:
        found = pages(client, "/v1/principles?limit=50")
        assert len(found) == len({each["id"] for each in found}) >= 60
        assert client.get(f"/v1/principles/{found[-1]['id']}").json() == found[-1]
        assert client.get("/v1/principles/nothing").json()["code"] == "principle_not_found"

    def test_changes_from_where_one_left_off(self, client, app, monkeypatch) -> None:
        changes = [
            (
                number,
                Change("faq", "added", f"faq.{number:012d}", None, "文", "2025-03-01T00:00:00"),
            )
            for number in range(1, 6)
        ]
        database = app.state.knowledge.open().database
        monkeypatch.setattr(
            database,
            "changes",
            lambda since, limit: tuple(c for c in changes if c[0] > since)[:limit],
        )
        assert [each["number"] for each in pages(client, "/v1/changes?limit=2")] == [1, 2, 3, 4, 5]
        assert client.get("/v1/changes?since=3").json()["last"] == 5
        nothing = client.get("/v1/changes?since=5").json()
        assert (nothing["data"], nothing["last"], nothing["has_more"]) == ([], 5, False)

    def test_bulk_files_hold_the_objects_of_the_single_paths(self, client) -> None:
        files = {each["type"]: each["download_uri"] for each in pages(client, "/v1/bulk")}
        assert set(files) == {"notes", "scenarios", "verdicts", "principles"}
        lines = {kind: client.get(uri).text.splitlines() for kind, uri in files.items()}
        notes = [json.loads(line) for line in lines["notes"]]
        assert len(notes) == 576
        assert client.get(f"/v1/rulings/{notes[7]['id']}").json() == notes[7]
        scenario = json.loads(lines["scenarios"][0])
        assert client.get(f"/v1/scenarios/{scenario['id']}").json() == scenario
        assert len(lines["scenarios"]) == len(packaged_scenarios())
        assert json.loads(lines["principles"][0])["object"] == "principle"

    def test_no_such_bulk_file(self, client) -> None:
        assert client.get("/v1/bulk/everything").json()["code"] == "bad_parameter"


class TestCaching:
    def test_the_tag_is_the_revision_and_is_answered_304(self, client) -> None:
        revision = client.get("/v1/revision").json()["revision"]
        for path in ("/v1/answer?q=腐乱", "/v1/documents", "/v1/bulk/principles"):
            first = client.get(path)
            assert first.headers["etag"] == f'"{revision}"'
            assert first.headers["cache-control"] == "public, max-age=60"
            again = client.get(path, headers={"if-none-match": first.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]

    @pytest.mark.parametrize("tags", ['"other"', '"other", W/"else"', "nonsense"])
    def test_another_tag_gets_the_answer(self, client, tags: str) -> None:
        assert client.get("/v1/revision", headers={"if-none-match": tags}).status_code == 200

    @pytest.mark.parametrize("tags", ['"a", W/{}', "*"])
    def test_a_weak_tag_in_a_list_will_do(self, client, tags: str) -> None:
        tag = client.get("/v1/revision").headers["etag"]
        answer = client.get("/v1/revision", headers={"if-none-match": tags.format(tag)})
        assert answer.status_code == 304

    def test_an_error_is_not_kept(self, client) -> None:
        answer = client.get("/v1/rulings/nothing", headers={"if-none-match": "*"})
        assert answer.status_code == 404
        assert answer.headers["cache-control"] == "no-store"

    def test_the_revision_changes_with_the_verdicts(self, app, tmp_path, monkeypatch) -> None:
        from saitei.service import revision

        knowledge = app.state.knowledge.open()
        (tmp_path / "verdicts").mkdir()
        monkeypatch.setattr(revision, "DATA", tmp_path)
        seen = set()
        for text in ("{}", '{"a": 1}'):
            (tmp_path / "verdicts" / "phase-1.json").write_text(text)
            revision._committed.cache_clear()
            seen.add(revision.revision_of(knowledge))
        revision._committed.cache_clear()
        assert len(seen) == 2


def test_what_another_process_ingests_is_served_at_once(packaged_kb, tmp_path) -> None:
    folder = tmp_path / "kb"
    shutil.copytree(packaged_kb, folder)
    settings = dataclasses.replace(Settings(), kb=str(folder), mcp=False)
    with TestClient(create_app(settings)) as client:
        before = client.get("/v1/documents").headers["etag"]
        source = tmp_path / "house-faq.txt"
        source.write_text(HOUSE_FAQ, "utf-8")
        Knowledge(folder).ingest([read_source(str(source))])
        documents = client.get("/v1/documents", headers={"if-none-match": before})
        assert documents.status_code == 200
        ours = next(each for each in documents.json()["data"] if each["id"] == "house-faq")
        assert (ours["rulings"], ours["text"]) == (2, True)
        changes = client.get("/v1/changes").json()
        assert [each["kind"] for each in changes["data"]] == ["added", "added"]
        asked = {"q": "お茶カウンターを取り除いたら攻撃クリーチャーのまま？"}
        found = client.get("/v1/search", params=asked).json()
        assert "お茶" in found["data"][0]["text"]


class TestOtherOrigins:
    def test_any_page_may_read(self, client) -> None:
        answer = client.get("/v1/revision", headers={"origin": "https://elsewhere.example"})
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers

    def test_a_preflight_allows_reading_only(self, client) -> None:
        asked = {"origin": "https://x.example", "access-control-request-method": "GET"}
        answer = client.options("/v1/answer", headers=asked)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-methods"] == "GET"
        assert answer.headers["access-control-allow-headers"] == "If-None-Match"

    def test_pages_for_people_are_not_for_other_pages(self, client) -> None:
        answer = client.get("/", headers={"origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in answer.headers


def test_addresses_are_those_people_reach(packaged_kb) -> None:
    settings = dataclasses.replace(
        Settings(), kb=str(packaged_kb), mcp=False, public_url="https://saitei.example/rules/"
    )
    with TestClient(create_app(settings)) as client:
        page = client.get("/v1/search?q=腐乱&limit=1").json()["next_page"]
        assert page.startswith("https://saitei.example/rules/v1/search?")
        chat = client.get(
            "/v1/answer?q=フラッシュバックで唱えた呪文が打ち消されたら？&format=chat"
        ).json()
        assert chat["url"].startswith("https://saitei.example/rules/rulings/")


def test_metrics_count_by_route_in_prometheus_text(client) -> None:
    client.get("/v1/rulings/nothing")
    client.get("/nothing/at/all")
    client.request("BREW", "/v1/revision")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.]+')
    assert all(line.startswith("#") or sample.fullmatch(line) for line in lines)
    label = 'method="GET",route="/v1/rulings/{ruling}",status="404"'
    assert any(line.startswith(f"saitei_requests_total{{{label}}}") for line in lines)
    assert any('route="other",status="404"' in line for line in lines)
    assert not any("BREW" in line for line in lines)
