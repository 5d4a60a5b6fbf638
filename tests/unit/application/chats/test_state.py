"""A chat's own document follows what updates show of the chat."""

from datetime import timedelta

import pytest

from shared.application.chats.state import Chats
from shared.domain.intake.updates import ChatInfo
from tests.support.builders import START
from tests.support.queues import SteppedClock

SHOWN = ChatInfo(-1, "supergroup", "Друзі", "friends", is_forum=False)


@pytest.fixture
def chats(sqlite_store):
    return Chats(sqlite_store, SteppedClock(START))


async def shown_after(chats, info):
    await chats.meet(info, at=START + timedelta(minutes=1))
    state = await chats.state(info.chat_id, fresh=True)
    return ChatInfo(state.chat_id, state.type, state.title, state.username, state.is_forum)


@pytest.mark.parametrize(
    "change",
    [{"title": "Подруги"}, {"username": "others"}, {"username": None}, {"is_forum": True}, {"type": "group"}],
    ids=["title", "username", "no username", "topics", "type"],
)
async def test_a_chat_that_shows_itself_otherwise_is_written_down_once(chats, sqlite_store, change):
    assert await shown_after(chats, SHOWN) == SHOWN
    changed = SHOWN._replace(**change)
    writes = sqlite_store.usage.writes
    assert [await shown_after(chats, changed) for _ in range(3)] == [changed] * 3
    assert sqlite_store.usage.writes == writes + 1


async def test_meeting_a_chat_again_forgets_nothing_that_it_chose(chats):
    await chats.meet(SHOWN, at=START)
    await chats.change(-1, {"settings": {"persona": "козак", "timezone": "UTC"}})
    await chats.meet(SHOWN._replace(title="Інші"), at=START)
    state = await chats.state(-1, fresh=True)
    assert (state.title, state.persona, state.timezone) == ("Інші", "козак", "UTC")
