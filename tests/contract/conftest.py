"""The suites of the adapters ask for what the port promises, whatever the product's indexes are."""

import pytest

from tests.support.gemini.fixtures import connect, gemini, model
from tests.support.google.fixtures import cloud
from tests.support.servers.fixtures import bucket, inside, server
from tests.support.telegram.fixtures import api, gateway

__all__ = ["any_query", "api", "bucket", "cloud", "connect", "gateway", "gemini", "inside", "model", "server"]


@pytest.fixture
def any_query() -> bool:
    return True
