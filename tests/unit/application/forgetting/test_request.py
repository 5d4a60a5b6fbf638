"""What is told of a forgetting: what went, what was searched, and what stays."""

from datetime import timedelta

import pytest

from shared.application.documents import chat_path
from shared.application.forgetting.numbers_codec import ForgettingNumbers
from shared.application.forgetting.request import ForgettingRequest, member_left, opt_out_button, render_done
from shared.domain.delivery.markup import plain
from shared.domain.intake.updates import ChatInfo, MemberLeft
from tests.support import updates
from tests.support.builders import at
from tests.support.exports import app_on
from tests.support.group import CHAT as GROUP

CHAT, HANNA = -1001, 104
REQUEST = ForgettingRequest(CHAT, HANNA, at(0), 7)
COUNTS = {"messages": 3, "facts": 5, "notes": 7, "answers_of_the_bot": 9}


def told(store, *, request=REQUEST, counts=COUNTS, locked=0, opted_out=False):
    return render_done(app_on(store).policy, request, ForgettingNumbers(counts, 40, locked), opted_out=opted_out)


def test_what_is_told_names_what_went_what_was_searched_and_what_stays(sqlite_store):
    usual = plain(told(sqlite_store).html)
    assert all(number in usual for number in ("3", "5", "7", "9", "40"))
    old, locked = told(sqlite_store, counts=COUNTS | {"too_old_in_telegram": 61}), told(sqlite_store, locked=62)
    assert ("61" in plain(old.html), "61" in usual) == (True, False)
    assert ("62" in plain(locked.html), "62" in usual) == (True, False)


def test_of_a_whole_chat_the_sum_of_all_is_told(sqlite_store):
    assert "24" in plain(told(sqlite_store, request=REQUEST._replace(chat_id=HANNA)).html)
    assert "24" not in plain(told(sqlite_store).html)


def test_who_opted_out_is_not_offered_to_do_so_again(sqlite_store):
    button = opt_out_button(app_on(sqlite_store).policy, REQUEST)
    assert told(sqlite_store).buttons == ((button,),)
    opted_out = told(sqlite_store, opted_out=True)
    assert opted_out.buttons == ()
    assert opted_out.html != told(sqlite_store).html


ANNA = (104, "Ганна")


async def leaves(group):
    update = MemberLeft(900, ChatInfo(GROUP, "supergroup", "Test"), ANNA[0], group.clock.now())
    return [str(await member_left(group.runtime.app, update)) for _ in range(2)]


async def texts(group):
    return [message["text"] for message in await group.messages() if message["user_id"] == ANNA[0]]


async def test_who_leaves_is_kept_by_default(laptop):
    await laptop.say("Я живу у Житомирі", *ANNA)
    assert await leaves(laptop) == ["left: kept"] * 2
    await laptop.settle()
    assert await texts(laptop) == ["Я живу у Житомирі"]


async def test_where_the_chat_wants_it_who_leaves_is_erased_and_what_they_say_when_they_are_back_is_new(laptop):
    await laptop.say("Я живу у Житомирі", *ANNA)
    await laptop.settle()
    await laptop.runtime.app.chats.change(GROUP, {"settings": {"when_leaving": "erase"}})
    assert await leaves(laptop) == ["left: to be erased"] * 2
    laptop.clock.advance(timedelta(seconds=1))
    await laptop.say("Я знову тут і живу в Одесі", *ANNA)
    await laptop.settle()
    assert await texts(laptop) == ["Я знову тут і живу в Одесі"]
    assert "Житомир" not in repr([document.data async for document in laptop.store.subtree(chat_path(GROUP))])
    assert laptop.answers == []


@pytest.mark.parametrize("how", ["chat_member", "left_chat_member"])
async def test_telegram_tells_it_in_two_ways(laptop, how):
    await laptop.say("Я живу у Житомирі", *ANNA)
    await laptop.settle()
    await laptop.runtime.app.chats.change(GROUP, {"settings": {"when_leaving": "erase"}})
    hanna, now = updates.user(*ANNA), int(laptop.clock.now().timestamp())
    if how == "chat_member":
        update = updates.member_update("member", "left", update_id=900, who=hanna, date=now)
    else:
        update = updates.leaving_update(hanna, update_id=900, message_id=77, date=now)
    assert await laptop.deliver(update) == 200
    await laptop.settle()
    assert await texts(laptop) == []
