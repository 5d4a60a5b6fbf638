"""What follows a forgetting: reading anew, and a second look."""

from shared.application.forgetting.forget import forget_member
from shared.application.forgetting.steps.follow_up import SECOND_LOOK
from tests.support.exports import NOW
from tests.support.forgetting.small_group import CHAT, HANNA, begun, put


async def test_what_is_left_is_read_anew_and_looked_at_once_more_a_little_later(app, sqlite_store):
    await begun(sqlite_store)
    await put(sqlite_store, 1)
    await forget_member(app, CHAT, HANNA)
    assert app.schedule.extractions == [(CHAT, None)]
    (look,) = [task for task in app.queue.tasks if task.target.endswith("retention")]
    assert (look.payload["chat_id"], look.run_at) == (CHAT, NOW + SECOND_LOOK)
