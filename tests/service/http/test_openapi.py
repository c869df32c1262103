"""The OpenAPI document is complete, and the service does as it says on whatever is asked."""

import dataclasses

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from saitei.service.app import create_app
from saitei.service.settings import Settings

PROBLEM = "application/problem+json"
GENERATE = Phase.generate
# A text without a letter ("!!!") cannot be searched, which a schema cannot say of a question.
NOT_CHECKED = ["positive_data_acceptance"]


@pytest.fixture(scope="module")
def app(packaged_kb):
    return create_app(dataclasses.replace(Settings(), kb=str(packaged_kb), rate=0, mcp=False))


@pytest.fixture(scope="module")
def document(app) -> dict:
    with TestClient(app) as client:
        return client.get("/openapi.json").json()


@pytest.fixture(scope="module")
def schema(app):
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def operations(document: dict):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def test_every_operation_has_words_and_examples(document) -> None:
    for name, operation in operations(document):
        assert operation["summary"], name
        assert operation["description"], name
        assert operation["tags"], name
        for status, response in operation["responses"].items():
            for kind, content in response["content"].items():
                if kind == "application/json":
                    assert content["examples"], (name, status)
                elif kind == PROBLEM:
                    assert content["example"]["status"] == int(status), (name, status)


def test_every_parameter_has_a_description(document) -> None:
    for name, operation in operations(document):
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (name, parameter["name"])


def test_every_error_is_described_as_a_problem(document) -> None:
    for name, operation in operations(document):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert list(response["content"]) == [PROBLEM], (name, status)


OPERATIONS = {
    path: methods["get"]
    for path, methods in create_app(Settings(mcp=False)).openapi()["paths"].items()
}


def can_be_wrong(operation: dict) -> bool:
    """Whether any request is against the schema: in a path, every text is as good as another."""
    parameters = operation.get("parameters", [])
    return any(each["in"] == "query" or "enum" in each["schema"] for each in parameters)


ASKED = [
    pytest.param(path, mode, id=f"{mode.value} {path}")
    for path, operation in OPERATIONS.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or can_be_wrong(operation)
]


@pytest.mark.parametrize(("path", "mode"), ASKED)
def test_whatever_is_asked_the_answer_is_as_described(schema, path: str, mode) -> None:
    excluded = [check for check in CHECKS.get_all() if check.__name__ in NOT_CHECKED]

    @settings(max_examples=8, deadline=None, database=None, derandomize=True, phases=[GENERATE])
    @given(case=schema[path]["get"].as_strategy(generation_mode=mode))
    def ask(case) -> None:
        case.call_and_validate(excluded_checks=excluded)

    ask()
