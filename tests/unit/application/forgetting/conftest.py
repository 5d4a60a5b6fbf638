"""Spomyn with a store, and what it asks of the queue and of the schedule noted."""

from dataclasses import replace

import pytest

from tests.support.exports import app_on
from tests.support.forgetting.small_group import Recorder


@pytest.fixture
def app(sqlite_store):
    asked = Recorder()
    return replace(app_on(sqlite_store), schedule=asked, queue=asked)
