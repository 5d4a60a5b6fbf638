"""The app over a chat that is indexed."""

import pytest


@pytest.fixture
def app(laptop):
    return laptop.runtime.app
