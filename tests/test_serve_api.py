"""The API keeps what its own OpenAPI description promises: schemathesis makes the requests."""

from typing import Any

import pytest
import schemathesis
from helpers.serving import kitchen
from hypothesis import HealthCheck, settings

from hrrxml.serve import served
from hrrxml.serve.app import build


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Any:
    models = served.load([str(kitchen(tmp_path_factory.mktemp("serve")))], [])
    return schemathesis.openapi.from_asgi("/openapi.json", build(models, "127.0.0.1"))


schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_the_api_does_what_it_describes(case: schemathesis.Case) -> None:
    case.call_and_validate()
