"""The API keeps what its own OpenAPI description promises: schemathesis makes the requests."""

from typing import Any

import pytest
import schemathesis
from helpers.serving import kitchen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from hrrxml.serve import served
from hrrxml.serve.app import build

PATHS = {
    "/api/models": "GET",
    "/api/predict": "POST",
    "/api/explain": "POST",
    "/api/neighbours": "POST",
    "/api/labels": "GET",
    "/api/file": "POST",
    "/api/algebra": "POST",
}
# A text may fit the description and still be no statement, or no file of texts. So that some are
# answered, these are asked as well.
STATEMENTS = ("a", "a * b + c", "l * legs + h * (e * eyes + n * nose)", "x ⊗ y")
FILES = ("my iron pan\nyeast\n", "\n", '{"text": "iron"}\n', "é")
WITH_GRAMMAR = {"/api/algebra": STATEMENTS, "/api/file": FILES}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    models = served.load([str(kitchen(tmp_path_factory.mktemp("serve")))], [])
    return schemathesis.openapi.from_asgi("/openapi.json", build(models, "testserver"))


def test_every_operation_is_described(api: Any) -> None:
    found = {result.ok().path: result.ok().method.upper() for result in api.get_all_operations()}
    assert found == PATHS


def name_what_exists(case: schemathesis.Case, label: str) -> None:
    """A random name is no model's: most requests would end there."""
    for values in (case.body, case.query):
        if isinstance(values, dict) and "model" in values:
            values["model"] = "kitchen"
        if isinstance(values, dict) and "label" in values:
            values["label"] = label
        if isinstance(values, dict) and "among" in values:
            values["among"] = values["among"] and [label]


def write_in_the_grammar(case: schemathesis.Case, text: str) -> None:
    """A statement without a question, or a file of texts."""
    if isinstance(case.body, dict):
        case.body |= {"statement": text, "ask": ""}
    else:
        case.body = text


@pytest.mark.parametrize("path", PATHS)
def test_what_the_description_allows(api: Any, path: str) -> None:
    operation, answered = api[path][PATHS[path]], set()
    cases = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    labels = st.sampled_from(["bread", "crème brûlée", "nothing"])
    valid = st.sampled_from(WITH_GRAMMAR.get(path, ("",)))

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(cases, labels, valid, st.booleans())
    def ask(case: schemathesis.Case, label: str, text: str, is_valid: bool) -> None:
        name_what_exists(case, label)
        if is_valid and path in WITH_GRAMMAR:
            write_in_the_grammar(case, text)
        excluded = [positive_data_acceptance] if path in WITH_GRAMMAR else []
        answered.add(case.call_and_validate(excluded_checks=excluded).status_code)

    ask()
    assert 200 in answered
    assert answered <= {200, 404, 413, 415, 422}


@pytest.mark.parametrize("path", sorted(PATHS.keys() - {"/api/models"}))
def test_what_the_description_forbids(api: Any, path: str) -> None:
    cases = api[path][PATHS[path]].as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(cases)
    def ask(case: schemathesis.Case) -> None:
        assert 400 <= case.call_and_validate().status_code < 500

    ask()
