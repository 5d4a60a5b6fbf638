"""What becomes of one attempt at a task."""

import pytest

from shared.application.intake.tasks import deal_with_task
from shared.domain.errors import BadPayload, GivenUp, SettingsError, StoreUnavailable, TransientError, UnforeseenFailure
from tests.support.faults import dead_letters

BUGS = (ValueError, KeyError, RecursionError, AttributeError, AssertionError)


async def attempt(laptop, error, *, is_last):
    """The dead letter that one attempt at a task left, or what it raised."""

    async def work():
        raise error

    app = laptop.runtime.app
    with pytest.raises((GivenUp, TransientError)) as raised:
        await deal_with_task(app.store, app.clock, b'{"chat_id": 7}', work, job="decay", is_last=is_last)
    if isinstance(raised.value, TransientError):
        assert await dead_letters(laptop) == []
        return raised.value
    assert raised.value.__cause__ is error
    assert raised.value.letter_id.startswith("task-")
    (letter,) = await dead_letters(laptop)
    assert (letter["kind"], letter["body"]) == ("task", '{"chat_id": 7}')
    return letter["reason"]


async def test_a_task_that_is_done_need_not_come_again(laptop):
    async def work():
        return {"chunks": 3}

    app = laptop.runtime.app
    assert await deal_with_task(app.store, app.clock, b"{}", work, job="x", is_last=True) == {"chunks": 3}
    assert await dead_letters(laptop) == []


@pytest.mark.parametrize("is_last", [False, True])
async def test_a_task_that_can_never_be_done_is_a_dead_letter_at_once(laptop, is_last):
    assert await attempt(laptop, BadPayload("no chat"), is_last=is_last) == "no chat"


async def test_what_is_away_has_a_task_come_again_until_its_last_attempt(laptop):
    away = StoreUnavailable("away", retry_after=9)
    assert await attempt(laptop, away, is_last=False) is away
    assert await attempt(laptop, away, is_last=True) == "last attempt failed: away"


@pytest.mark.parametrize("bug", [*BUGS, SettingsError])
async def test_a_bug_has_a_task_come_again_until_its_last_attempt(laptop, bug):
    error = bug("planted")
    raised = await attempt(laptop, error, is_last=False)
    assert isinstance(raised, UnforeseenFailure)
    assert raised.__cause__ is error
    assert await attempt(laptop, error, is_last=True) == f"last attempt failed: {error!r}"


async def test_a_task_whose_dead_letter_cannot_be_written_comes_again(laptop):
    async def fails(*_):
        raise StoreUnavailable("away")

    laptop.store.create = fails
    assert isinstance(await attempt(laptop, BadPayload("no chat"), is_last=True), StoreUnavailable)
