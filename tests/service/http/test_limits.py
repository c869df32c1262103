"""Limits: how often, how much, how long; whose requests are counted together."""

import asyncio
import dataclasses

import httpx2
import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse

from saitei.service.app import create_app
from saitei.service.http.limits import BodyLimit, RateCounter, TimeLimit, client_of
from saitei.service.settings import Settings


def service(packaged_kb, **changed) -> TestClient:
    settings = dataclasses.replace(Settings(), kb=str(packaged_kb), mcp=False, **changed)
    return TestClient(create_app(settings), raise_server_exceptions=False)


class TestRate:
    def test_a_burst_then_a_rate(self) -> None:
        now = [0.0]
        counter = RateCounter(rate=2, burst=3, clients=10, clock=lambda: now[0])
        assert [counter.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
        assert counter.wait("b") == 0
        now[0] = 0.5
        assert counter.wait("a") == 0
        assert counter.wait("a") == 0.5
        now[0] = 1000
        assert [counter.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]

    def test_only_so_many_clients_are_remembered(self) -> None:
        counter = RateCounter(rate=1, burst=1, clients=2, clock=lambda: 0.0)
        for client in "abc":
            assert counter.wait(client) == 0
        assert counter.wait("b") > 0
        assert counter.wait("a") == 0

    def test_too_many_requests_are_told_when_to_come_again(self, packaged_kb) -> None:
        with service(packaged_kb, rate=0.1, burst=2) as client:
            answers = [client.get("/v1/revision") for _ in range(3)]
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            assert answers[2].json()["code"] == "rate_limited"
            assert int(answers[2].headers["retry-after"]) == 10
            # A page of another origin may read why.
            assert answers[2].headers["access-control-allow-origin"] == "*"
            assert client.get("/healthz").status_code == 200
            assert 'status="429"' in client.get("/metrics").text

    def test_a_header_does_not_make_another_client(self, packaged_kb) -> None:
        with service(packaged_kb, rate=0.1, burst=1) as client:
            statuses = [
                client.get("/v1/revision", headers={"x-forwarded-for": f"10.0.0.{n}"}).status_code
                for n in range(2)
            ]
            assert statuses == [200, 429]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        # What the client wrote itself stands left of what our proxies added.
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["nonsense"], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("2001:db8:1:2:3::4", [], "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", [], "203.0.113.9"),
        ("testclient", ["198.51.100.1"], "testclient"),
    ],
)
def test_whose_request_it_is(peer: str, forwarded: list[str], client: str) -> None:
    trusted = Settings(trusted_proxies="10.0.0.0/8, ::1").proxies()
    assert client_of(peer, forwarded, trusted) == client


class TestBody:
    def test_a_body_that_says_it_is_too_large(self, packaged_kb) -> None:
        with service(packaged_kb, max_body=10) as client:
            answer = client.post("/v1/answer", content=b"x" * 11)
            assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
            assert client.post("/v1/answer", content=b"x" * 10).status_code == 405

    def test_a_body_that_does_not_say(self) -> None:
        async def echo(scope, receive, send) -> None:
            body = await Request(scope, receive).body()
            await PlainTextResponse(body)(scope, receive, send)

        async def ask(size: int) -> httpx2.Response:
            async def chunks():
                for _ in range(size):
                    yield b"x"

            transport = httpx2.ASGITransport(app=BodyLimit(echo, 10))
            async with httpx2.AsyncClient(transport=transport, base_url="http://t") as client:
                return await client.post("/", content=chunks())

        assert asyncio.run(ask(10)).text == "x" * 10
        refused = asyncio.run(ask(11))
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")


class TestTime:
    @staticmethod
    def ask(app, seconds: float) -> httpx2.Response:
        async def over() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=TimeLimit(app, seconds))
            async with httpx2.AsyncClient(transport=transport, base_url="http://t") as client:
                return await client.get("/")

        return asyncio.run(over())

    def test_a_slow_answer_is_given_up(self) -> None:
        async def slow(scope, receive, send) -> None:
            await asyncio.sleep(0.2)
            await JSONResponse({})(scope, receive, send)

        answer = self.ask(slow, 0.02)
        assert (answer.status_code, answer.json()["code"]) == (503, "timeout")
        assert self.ask(slow, 5).status_code == 200

    def test_a_response_that_has_begun_may_take_its_time(self) -> None:
        async def long(scope, receive, send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await asyncio.sleep(0.05)
            await send({"type": "http.response.body", "body": b"done"})

        assert self.ask(long, 0.02).text == "done"

    def test_an_error_in_time_is_still_an_error(self) -> None:
        async def broken(scope, receive, send) -> None:
            raise LookupError("inside")

        with pytest.raises(LookupError, match="inside"):
            self.ask(broken, 5)


class TestQuestion:
    def test_the_longest_question_is_a_setting(self, packaged_kb) -> None:
        with service(packaged_kb, max_query=5) as client:
            answer = client.get("/v1/answer", params={"q": "あ" * 6})
            assert (answer.status_code, answer.json()["code"]) == (422, "bad_query")
            assert "上限は5文字" in answer.json()["detail"]
            page = client.get("/", params={"q": "あ" * 6})
            assert page.status_code == 422
            assert "上限は5文字" in page.text
            assert client.get("/v1/answer", params={"q": "あ" * 5}).status_code == 200

    def test_the_page_size_is_a_setting(self, packaged_kb) -> None:
        with service(packaged_kb, max_limit=3, max_page=2) as client:
            assert client.get("/v1/search?q=腐乱&limit=4").json()["code"] == "bad_parameter"
            assert client.get("/v1/search?q=腐乱&page=3").json()["code"] == "bad_parameter"
            last = client.get("/v1/search?q=腐乱&page=2").json()
            assert (len(last["data"]), last["next_page"]) == (3, None)
            assert last["warnings"] == ["検索は 2 ページまでです。"]
