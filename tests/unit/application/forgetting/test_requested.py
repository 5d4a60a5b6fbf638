"""The task that forgets on request: of which form it must be, and when it comes."""

import pytest

from shared.application.forgetting.request import ForgettingRequest
from shared.application.forgetting.requested import forget_as_requested
from shared.domain.errors import BadPayload
from tests.support.builders import at
from tests.support.exports import app_on

CHAT, HANNA = -1001, 104
REQUEST = ForgettingRequest(CHAT, HANNA, at(0), 7, "uk")
PAYLOAD = dict(REQUEST.task("1").payload)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chat_id": str(CHAT)},
        {"chat_id": None},
        {"chat_id": True},
        {"user_id": "104"},
        {"user_id": None},
        {"user_id": False},
        {"message_id": "7"},
        {"message_id": True},
        {"until": None},
        {"until": "now"},
        {"until": "2026-03-06T18:00:00"},
    ],
    ids=str,
)
async def test_one_wrong_field_is_refused(sqlite_store, wrong):
    with pytest.raises(BadPayload):
        await forget_as_requested(app_on(sqlite_store), PAYLOAD | wrong)


async def test_nobody_need_be_told(sqlite_store):
    """Without a message that shows it, nothing is asked of Telegram, and no numbers are kept."""
    told = await forget_as_requested(app_on(sqlite_store), PAYLOAD | {"message_id": None})
    assert told["messages"] == 0
    assert await sqlite_store.query("updates") == []


def test_one_task_is_asked_for_by_a_mark_and_it_comes_a_moment_later():
    task = REQUEST.task("1")
    assert task.name == REQUEST._replace(language="en").task("1").name != REQUEST.task("2").name
    assert task.run_at > REQUEST.until
