"""Fixtures for tests over the strict fake Cloud Tasks."""

import contextlib

import pytest

from tests.support.queues import CloudUnderTest


@pytest.fixture
async def cloud():
    """A queue of Cloud Tasks that is connected to the fake."""
    async with contextlib.AsyncExitStack() as stack:
        under_test = CloudUnderTest()
        await under_test.start(stack)
        yield under_test
        await under_test.queue.aclose()
