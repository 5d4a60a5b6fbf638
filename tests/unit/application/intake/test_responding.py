"""Who is answered, where, and when nobody is."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import message_fields, new_message
from shared.application.delivery.ledger_codec import LONGEST, read_entry, update_path
from shared.application.documents import message_path
from shared.application.intake.responding import MOST, WITHIN, claim_earlier
from shared.application.policy import Policy
from tests.support import updates
from tests.support.builders import message
from tests.support.delivery.answers import asked
from tests.support.group import CHAT
from tests.support.queues import NOON, SteppedClock


async def test_the_bot_answers_a_mention_a_reply_its_name_and_a_private_chat_only(group):
    group.api.add_chat(555, "private")
    await group.say("просто розмова про грягові справи")
    assert group.answers == []
    await group.say("@gryag_bot привіт")
    await group.say("Гряг, привіт")
    bot = {"id": 123456, "is_bot": True, "first_name": "gryag", "username": "gryag_bot"}
    await group.say("а ти?", reply_to_message=updates.message("відповідь", message_id=999, sender=bot))
    await group.say("привіт", chat=updates.chat(555))
    assert len(group.answers) == 4


async def test_an_answer_goes_to_the_same_topic_as_a_reply(group):
    group.api.add_chat(-1009, "supergroup", is_forum=True)
    await group.say(
        "гряг, ти тут?", chat=updates.chat(-1009, is_forum=True), message_thread_id=7, is_topic_message=True
    )
    (sent,) = group.api.sent
    assert sent.thread_id == 7
    assert sent.reply_to == 1


async def test_other_bots_forwards_and_media_are_stored_but_not_answered(group):
    bot = {"id": 900, "is_bot": True, "first_name": "інший", "username": "other_bot"}
    await group.say("гряг, привіт", sender=bot)
    await group.say(
        "гряг, привіт",
        forward_origin={"type": "hidden_user", "sender_user_name": "хтось", "date": 1_790_000_000},
    )
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9, "file_size": 100}]
    await group.say(None, photo=photo, caption="захід сонця")
    stored = await group.messages()
    assert [(m["kind"], m["is_bot"], m["forwarded"]) for m in stored] == [
        ("text", True, False),
        ("text", False, True),
        ("photo", False, False),
    ]
    assert stored[2]["text"] == "захід сонця"
    assert stored[2]["media"]["file_id"] == "f"
    assert group.answers == []


async def test_joining_greets_once_and_being_removed_marks_the_chat_inactive(group):
    joined = updates.membership_update("left", "member", update_id=600, chat=updates.chat())
    assert await group.deliver(joined) == 200
    assert await group.deliver(joined) == 200
    assert len(group.answers) == 1
    assert "/gryadhelp" in group.answers[0]
    assert await group.deliver(updates.membership_update("member", "kicked", update_id=601)) == 200
    assert not (await group.runtime.app.chats.state(CHAT, fresh=True)).active


POLICY = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",))
STATE = read_chat(CHAT, None)
SECOND = timedelta(seconds=1)
OTHERS = {"user_id": 102}


async def says(store, message_id, text="гряг, а чому?", *, at=NOON, asks=True, **fields):
    """A message, and the question that it asks, of the same number."""
    said = message(text, **{"chat_id": CHAT, "message_id": message_id, "user_id": 101, "sent_at": at} | fields)
    stored = new_message(said, now=at, retention=timedelta(days=9), is_private=False)
    await store.create(message_path(CHAT, message_id), message_fields(stored))
    if asks:
        await asked(store, message_id, at=at, user_id=said.user_id)
        where = {"thread_id": said.thread_id, "ask": {"kind": "message"}}
        await store.update(update_path(message_id), where)
    return said


def app_of(store, clock=None):
    """What this takes of an app; the run's token is "t"."""
    ids = SimpleNamespace(token=lambda: "t")
    return SimpleNamespace(store=store, clock=clock or SteppedClock(), policy=POLICY, ids=ids)


async def claims(store, newest, clock=None):
    """Return which are held beside the newest one."""
    async with claim_earlier(app_of(store, clock), STATE, newest.message_id, newest) as held:
        return [each.update_id for each in held]


async def test_what_was_asked_right_before_is_held_oldest_first(store):
    for number in range(1, 4):
        await says(store, number, at=NOON + number * WITHIN)
    newest = await says(store, 4, at=NOON + 4 * WITHIN)
    assert await claims(store, newest) == [1, 2, 3]
    entry = read_entry(await store.get(update_path(1)))
    assert (entry.yields_to, entry.is_leased_by("t"), entry.lease_until) == (4, True, NOON + LONGEST)


async def test_no_more_than_so_many_are_held(sqlite_store):
    for number in range(1, MOST + 4):
        newest = await says(sqlite_store, number)
    assert await claims(sqlite_store, newest) == [*range(3, MOST + 3)]


@pytest.mark.parametrize(
    "older",
    [
        {"at": NOON - WITHIN - SECOND},
        {"user_id": 102},
        {"thread_id": 7},
        {"reply_to": 900},
        {"text": ""},
        {"text": "гряг, запам'ятай, що я люблю чай"},
        {"text": "гряг, забудь, що я люблю чай"},
        {"text": "гряг, стоп"},
    ],
    ids=str,
)
async def test_what_is_something_else_is_left_to_itself(sqlite_store, older):
    await says(sqlite_store, 1, **older)
    assert await claims(sqlite_store, await says(sqlite_store, 2)) == []


@pytest.mark.parametrize(
    ("between", "held"),
    [
        ({}, [1]),
        (OTHERS, [1]),
        (OTHERS | {"reply_to": 900}, [1]),
        (OTHERS | {"is_bot": True}, [1]),
        (OTHERS | {"reply_to": 1}, []),
        (OTHERS | {"text": "а хто їде? "}, []),
        (OTHERS | {"text": "а хто їде?", "thread_id": 7}, [1]),
        ({"text": "ну?"}, [1]),
    ],
    ids=str,
)
async def test_somebody_elses_question_or_reply_parts_them_and_talk_does_not(sqlite_store, between, held):
    await says(sqlite_store, 1)
    await says(sqlite_store, 2, asks=False, **{"text": "ага"} | between)
    assert await claims(sqlite_store, await says(sqlite_store, 3)) == held


async def test_of_who_opted_out_or_was_forgotten_nothing_is_held(sqlite_store):
    said = await says(sqlite_store, 1)
    newest = await says(sqlite_store, 2)
    state = STATE._replace(opted_out=frozenset({101}))
    async with claim_earlier(app_of(sqlite_store), state, 2, newest) as held:
        assert held == ()
    await sqlite_store.delete(message_path(CHAT, said.message_id))
    assert await claims(sqlite_store, newest) == []


async def test_what_is_not_answered_is_given_back_at_once(sqlite_store):
    await says(sqlite_store, 1)
    newest, clock = await says(sqlite_store, 2), SteppedClock()
    with pytest.raises(ZeroDivisionError):
        async with claim_earlier(app_of(sqlite_store, clock), STATE, 2, newest):
            raise ZeroDivisionError
    assert read_entry(await sqlite_store.get(update_path(1))).lease_until == clock.now()


async def test_the_older_ones_are_held_for_longer_than_any_answer_takes(store):
    """Files are fetched, tools are called, the model is slow: `test_the_time_for_an_answer_ends_before_its_lease`."""
    await says(store, 1)
    newest, clock = await says(store, 2), SteppedClock()
    async with claim_earlier(app_of(store, clock), STATE, 2, newest):
        held = read_entry(await store.get(update_path(1)))
    assert (held.is_leased_by("t"), held.lease_until) == (True, clock.now() + LONGEST)


async def test_who_was_ended_meanwhile_holds_nothing(sqlite_store):
    await says(sqlite_store, 1)
    newest = await says(sqlite_store, 2)
    await sqlite_store.update(update_path(2), {"state": "done"})
    assert await claims(sqlite_store, newest) == []
