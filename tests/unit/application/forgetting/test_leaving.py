"""Members who leave: kept, or erased where the chat wants that."""

from datetime import timedelta

import pytest

from shared.application.documents import chat_path
from shared.application.forgetting.leaving import member_left
from shared.domain.intake.updates import ChatInfo, MemberLeft
from tests.support import updates
from tests.support.group import CHAT

HANNA = (104, "Ганна")


async def leaves(group):
    update = MemberLeft(900, ChatInfo(CHAT, "supergroup", "Test"), HANNA[0], group.clock.now())
    return [str(await member_left(group.runtime.app, update)) for _ in range(2)]


async def texts(group):
    return [message["text"] for message in await group.messages() if message["user_id"] == HANNA[0]]


async def test_who_leaves_is_kept_by_default(laptop):
    await laptop.say("Я живу у Житомирі", *HANNA)
    assert await leaves(laptop) == ["left: kept"] * 2
    await laptop.settle()
    assert await texts(laptop) == ["Я живу у Житомирі"]


async def test_where_the_chat_wants_it_who_leaves_is_erased_and_what_they_say_when_they_are_back_is_new(laptop):
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.settle()
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"when_leaving": "erase"}})
    assert await leaves(laptop) == ["left: to be erased"] * 2
    laptop.clock.advance(timedelta(seconds=1))
    await laptop.say("Я знову тут і живу в Одесі", *HANNA)
    await laptop.settle()
    assert await texts(laptop) == ["Я знову тут і живу в Одесі"]
    assert "Житомир" not in repr([document.data async for document in laptop.store.subtree(chat_path(CHAT))])
    assert laptop.answers == []


@pytest.mark.parametrize("how", ["chat_member", "left_chat_member"])
async def test_telegram_tells_it_in_two_ways(laptop, how):
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.settle()
    await laptop.runtime.app.chats.change(CHAT, {"settings": {"when_leaving": "erase"}})
    hanna, now = updates.user(*HANNA), int(laptop.clock.now().timestamp())
    if how == "chat_member":
        update = updates.member_update("member", "left", update_id=900, who=hanna, date=now)
    else:
        update = updates.leaving_update(hanna, update_id=900, message_id=77, date=now)
    assert await laptop.deliver(update) == 200
    await laptop.settle()
    assert await texts(laptop) == []
