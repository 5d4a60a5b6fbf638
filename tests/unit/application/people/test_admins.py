"""Who administrates: how old Telegram's word may be, what a list tells of who came and went, and in which order."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.commands.call import is_admin, is_member, refusal
from shared.application.documents import chat_path
from shared.application.people.admins import AdminRecord, admin_changed, admin_record, chat_admins, note_admin
from shared.domain.conversation.messages import Edition
from shared.domain.errors import ChatForbidden, ChatUnavailable, Contention, MessageRejected
from shared.domain.intake.updates import AdminChanged, ChatInfo
from shared.domain.people.admin_history import AdminNote
from tests.support.builders import message
from tests.support.exports import app_on
from tests.support.queues import NOON, SteppedClock

CHAT, OLIA, TARAS, PETRO = -1001, 101, 102, 203
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


class Telegram:
    """Says who administrates and who is there, or fails."""

    def __init__(self, *admins, error=None):
        self.admins, self.error = frozenset(admins), error

    async def administrators(self, chat_id):
        if self.error is not None:
            raise self.error
        return self.admins

    async def is_member(self, chat_id, user_id):
        if self.error is not None:
            raise self.error
        return user_id in self.admins


class Known:
    """A chat of which something is known."""

    def __init__(self, store, telegram):
        self.store, self.clock = store, SteppedClock()
        self.app = replace(app_on(store, clock=self.clock), gateway=telegram)

    async def knows(self, *admins, age=MINUTE, **more):
        checked = None if age is None else NOON - age
        known = {"schema": 1, "chat_id": CHAT, "type": "group", "title": "", "admins": list(admins)}
        await self.store.set(chat_path(CHAT), known | {"admins_checked_at": checked} | more)
        return await self.state()

    async def state(self):
        return read_chat(CHAT, await self.store.get(chat_path(CHAT)))


@pytest.mark.parametrize(
    ("age", "within", "asked"),
    [
        (timedelta(0), HOUR, False),
        (HOUR - SECOND, HOUR, False),
        (HOUR, HOUR, True),
        (-SECOND, HOUR, True),
        (None, HOUR, True),
        (timedelta(0), timedelta(0), True),
        (4 * MINUTE, 5 * MINUTE, False),
        (5 * MINUTE, 5 * MINUTE, True),
    ],
)
async def test_telegrams_word_is_as_old_as_it_may_be(sqlite_store, age, within, asked):
    known = Known(sqlite_store, Telegram(TARAS))
    state = await known.knows(OLIA, age=age)
    assert await chat_admins(known.app, state, within=within) == {TARAS if asked else OLIA, CHAT}


async def test_by_default_it_may_be_an_hour_old(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    assert await chat_admins(known.app, await known.knows(OLIA, age=HOUR - SECOND)) == {OLIA, CHAT}
    assert await chat_admins(known.app, await known.knows(OLIA, age=HOUR)) == {TARAS, CHAT}


@pytest.mark.parametrize(
    ("admins", "age", "within", "expected"),
    [
        ([OLIA], 2 * HOUR, HOUR, {OLIA, CHAT}),
        ([OLIA], None, HOUR, {OLIA, CHAT}),
        ([], 2 * HOUR, HOUR, {CHAT}),
        ([], None, HOUR, None),
        ([OLIA], 2 * HOUR, timedelta(0), None),
    ],
)
async def test_with_telegram_away_what_is_known_serves_where_it_may(sqlite_store, admins, age, within, expected):
    known = Known(sqlite_store, Telegram(error=ChatUnavailable("away")))
    state = await known.knows(*admins, age=age)
    if expected is None:
        with pytest.raises(ChatUnavailable):
            await chat_admins(known.app, state, within=within)
    else:
        assert await chat_admins(known.app, state, within=within) == expected


@pytest.mark.parametrize("error", [ChatForbidden("no"), MessageRejected("no")])
async def test_where_telegram_refuses_nobody_administrates_and_that_is_noted(sqlite_store, error):
    known = Known(sqlite_store, Telegram(error=error))
    assert await chat_admins(known.app, await known.knows(OLIA, age=2 * HOUR)) == {CHAT}
    state = await known.state()
    assert (state.admins, state.admins_checked_at) == (frozenset(), NOON)
    assert not await is_member(known.app, state, OLIA)


async def test_a_list_tells_who_came_and_who_went_since_the_one_before(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS, PETRO))
    await chat_admins(known.app, await known.knows(OLIA, PETRO, age=2 * HOUR))
    state = await known.state()
    assert (state.admins, state.admins_checked_at) == ({TARAS, PETRO}, NOON)
    assert set(state.admin_history) == {
        AdminNote(NOON - 2 * HOUR, OLIA, True, told=False),
        AdminNote(NOON, OLIA, False, told=False),
        AdminNote(NOON - 2 * HOUR, TARAS, False, told=False),
        AdminNote(NOON, TARAS, True, told=False),
    }


class Racing:
    """A store whose transactions lose their race."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def transaction(self, body):
        raise Contention("others had the lock")


async def test_a_lost_race_is_no_sign_that_the_group_moved(sqlite_store):
    known = Known(Racing(sqlite_store), Telegram(TARAS))
    state = await known.knows(OLIA, age=2 * HOUR)
    with pytest.raises(Contention):
        await chat_admins(known.app, state)


async def test_the_administrators_of_a_group_that_moves_meanwhile_are_told_and_not_noted(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    state = await known.knows(OLIA, age=2 * HOUR)
    await known.store.upsert(chat_path(CHAT), {"migrated_to": -1002})
    assert await chat_admins(known.app, state) == {TARAS, CHAT}
    assert (await known.state()).admins == {OLIA}


async def test_the_same_list_and_the_first_one_tell_of_nobody(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    for admins, age in (([TARAS], 2 * HOUR), ([], None)):
        await chat_admins(known.app, await known.knows(*admins, age=age))
        state = await known.state()
        assert (state.admins, state.admins_checked_at, state.admin_history) == ({TARAS}, NOON, ())


async def test_this_instance_knows_of_a_new_list_at_once(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    await known.knows(OLIA, age=2 * HOUR)
    await chat_admins(known.app, await known.app.chats.state(CHAT))
    assert (await known.app.chats.state(CHAT)).admins == {TARAS}


def told(at, user_id=PETRO, *, is_admin=True):
    return AdminNote(at, user_id, is_admin, told=True)


@pytest.mark.parametrize(
    ("listed", "age", "notes", "expected"),
    [
        ([], HOUR, [told(NOON)], {PETRO}),
        ([PETRO], HOUR, [told(NOON, is_admin=False)], set()),
        ([TARAS], HOUR, [told(NOON)], {TARAS, PETRO}),
        ([TARAS, PETRO], HOUR, [told(NOON, is_admin=False)], {TARAS}),
        # A list that was read since says otherwise; one of the same minute does not.
        ([], timedelta(0), [told(NOON - MINUTE - SECOND)], set()),
        ([], timedelta(0), [told(NOON - MINUTE)], {PETRO}),
        ([PETRO], timedelta(0), [told(NOON - 2 * MINUTE, is_admin=False)], {PETRO}),
        ([], None, [told(NOON)], {PETRO}),
        # The newest counts, in whatever order it was told; what is told of others does not.
        ([], HOUR, [told(NOON), told(NOON - MINUTE, is_admin=False)], {PETRO}),
        ([], HOUR, [told(NOON, is_admin=False), told(NOON - MINUTE)], set()),
        ([], HOUR, [told(NOON), told(NOON + MINUTE, TARAS, is_admin=False)], {PETRO}),
    ],
)
async def test_what_is_told_of_one_admin_holds_until_something_newer_is_known(
    sqlite_store, listed, age, notes, expected
):
    known = Known(sqlite_store, Telegram())
    await known.knows(*listed, age=age)
    for note in notes:
        await note_admin(known.app.chats, CHAT, note)
    state = await known.state()
    assert state.admins == expected
    assert set(notes) <= set(state.admin_history)


@pytest.mark.parametrize(("becomes", "log"), [(True, "admin: promoted"), (False, "admin: demoted")])
async def test_a_change_is_noted_at_once_also_of_a_chat_that_is_not_known(sqlite_store, becomes, log):
    known = Known(sqlite_store, Telegram())
    await known.app.chats.state(CHAT)
    change = AdminChanged(1, ChatInfo(CHAT, "supergroup"), PETRO, NOON, becomes)
    assert str(await admin_changed(known.app.chats, change)) == log
    assert (await known.app.chats.state(CHAT)).admins == ({PETRO} if becomes else set())
    chat = await sqlite_store.get(chat_path(CHAT))
    assert (chat.data["chat_id"], chat.data["schema"]) == (CHAT, 1)


# --- who was one when it was said -------------------------------------------------------------------


EDITED = (Edition(NOON - MINUTE, 0, "a"), Edition(NOON + MINUTE, 7, "b"))


@pytest.mark.parametrize(
    ("now", "history", "said", "expected"),
    [
        ([PETRO], [], {}, True),
        ([], [], {}, False),
        ([], [], {"is_admin": True}, True),
        ([], [], {"user_id": -1001}, False),
        ([CHAT], [], {"user_id": -1001}, True),
        ([PETRO], [told(NOON)], {"sent_at": NOON - MINUTE}, False),
        ([PETRO], [told(NOON)], {"sent_at": NOON + MINUTE}, True),
        ([], [told(NOON, is_admin=False)], {"sent_at": NOON - MINUTE}, True),
        ([], [told(NOON, is_admin=False)], {"sent_at": NOON + MINUTE}, False),
        # Both when it was sent and when it got its words.
        ([PETRO], [told(NOON)], {"sent_at": NOON - MINUTE, "editions": EDITED}, False),
        ([], [told(NOON, is_admin=False)], {"sent_at": NOON - MINUTE, "editions": EDITED}, False),
        ([PETRO], [told(NOON, TARAS)], {"sent_at": NOON - MINUTE}, True),
    ],
)
def test_who_decrees_is_who_was_an_admin_when_it_was_said(now, history, said, expected):
    spoken = message(**{"user_id": PETRO, "sent_at": NOON, "chat_id": CHAT} | said)
    assert AdminRecord(frozenset(now), tuple(history)).may_rule(spoken) is expected


async def test_rulers_are_those_of_now_with_what_is_known_of_before(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    state = await known.knows(OLIA, age=2 * HOUR)
    found = await admin_record(known.app, state)
    assert found.now == {TARAS, CHAT}
    assert {note.user_id for note in found.history} == {OLIA, TARAS}


# --- what that allows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user_id", "more", "expected"),
    [
        (TARAS, {}, True),
        (PETRO, {}, False),
        (PETRO, {"proven": True}, True),
        (CHAT, {}, True),
        (OLIA, {}, False),
        (OLIA, {"fresh": True}, False),
    ],
)
async def test_an_admin_is_whom_telegram_says_or_the_update_proves(sqlite_store, user_id, more, expected):
    known = Known(sqlite_store, Telegram(TARAS))
    assert await is_admin(known.app, await known.knows(OLIA, age=6 * MINUTE), user_id, **more) is expected
    assert await refusal(known.app, await known.state(), user_id, "admins", **more) == (
        None if expected else "admins_only"
    )


async def test_for_five_minutes_the_word_is_believed_but_not_for_what_is_destructive(sqlite_store):
    known = Known(sqlite_store, Telegram(TARAS))
    assert await is_admin(known.app, await known.knows(OLIA, age=4 * MINUTE), OLIA)
    assert not await is_admin(known.app, await known.knows(OLIA, age=4 * MINUTE), OLIA, fresh=True)


@pytest.mark.parametrize(
    ("who", "user_id", "expected"),
    [
        ("everybody", CHAT, None),
        ("everybody", PETRO, None),
        ("people", PETRO, None),
        ("people", CHAT, "people_only"),
        ("members", TARAS, None),
        ("members", PETRO, "members_only"),
        ("members", CHAT, "people_only"),
    ],
)
async def test_a_refusal_tells_for_whom_it_is(sqlite_store, who, user_id, expected):
    known = Known(sqlite_store, Telegram(TARAS))
    assert await refusal(known.app, await known.knows(), user_id, who) == expected
