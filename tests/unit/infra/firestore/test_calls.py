"""What an error of the SDK means to who asked."""

import asyncio

import pytest
from google.api_core.exceptions import Aborted, AlreadyExists, InvalidArgument, ServiceUnavailable

from infra.firestore.calls import LostRace, calling
from shared.domain.errors import StoreUnavailable


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (Aborted("contention"), LostRace),
        (InvalidArgument("the transaction has expired"), LostRace),
        (InvalidArgument("a bad filter"), ValueError),
        (ServiceUnavailable("down"), StoreUnavailable),
        (TimeoutError(), StoreUnavailable),
    ],
)
async def test_an_error_is_told_by_what_the_caller_should_do(error, meaning):
    with pytest.raises(meaning):
        async with calling(5.0):
            raise error


async def test_what_the_caller_expects_comes_through():
    with pytest.raises(AlreadyExists):
        async with calling(5.0, expected=(AlreadyExists,)):
            raise AlreadyExists("taken")


async def test_a_server_that_says_nothing_is_unavailable():
    with pytest.raises(StoreUnavailable, match="did not answer within 0 s"):
        async with calling(0.0):
            await asyncio.Event().wait()
