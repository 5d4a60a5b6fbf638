"""A running group per test, over either store."""

from collections.abc import AsyncIterator

import pytest

from tests.support.group import Group, running_group


@pytest.fixture
async def group(store) -> AsyncIterator[Group]:
    async with running_group(store) as running:
        yield running
