"""A log as Google Cloud reads it."""

import pytest

from infra.observability import configure_cloud_logging
from tests.unit.infra.observability.logs import Log


@pytest.fixture
def log(logging_restored):
    written = Log()
    configure_cloud_logging("DEBUG", project="my-project", key=b"key", stream=written.stream)
    return written
