"""What came back goes once more: of whom a restored chat names, what is as old as their mark, and what was late."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.conversation.tombstones import chat_tombstone, lay, member_tombstone, message_tombstone
from shared.application.delivery.lease import note_erasure
from shared.application.delivery.ledger_codec import LONGEST
from shared.application.documents import answer_path, chat_path, message_path, messages_path
from shared.application.forgetting.restored import forget_again, forget_leftovers, forget_restored, forget_restored_in
from shared.domain.recall.index.segment import Segment
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.forgetting.facts_told import quality_record
from tests.support.queues import SteppedClock
from tests.support.stores.messages import new_message_fields

CHAT, HANNA, TARAS = -1001, 104, 102
UNTIL = at(100)


class Nobody:
    """Whom nobody need ask: what they would do is not looked at here."""

    async def enqueue(self, task):
        return True

    async def extraction_later(self, *args, **kwargs):
        return None


@pytest.fixture
def app(sqlite_store):
    return replace(app_on(sqlite_store), schedule=Nobody(), queue=Nobody())


async def put(store, message_id, *, user_id=TARAS, **more):
    said = message("so", message_id=message_id, user_id=user_id, **{"sent_at": at(1), "chat_id": CHAT} | more)
    fields = new_message_fields(said, now=at(1), retention=at(9) - at(0))
    await store.set(message_path(CHAT, message_id), fields)


async def left(store):
    return {document.data["message_id"] for document in await store.query(messages_path(CHAT))}


async def begun(store, **more):
    await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""} | more)


@pytest.mark.parametrize(("minutes", "goes"), [(99, True), (100, True), (101, False)])
async def test_a_members_words_go_that_are_as_old_as_their_mark(app, sqlite_store, minutes, goes):
    await begun(sqlite_store)
    await put(sqlite_store, 1, user_id=HANNA, sent_at=at(minutes))
    await put(sqlite_store, 2, sent_at=at(minutes))
    await lay(sqlite_store, [member_tombstone(CHAT, HANNA)], until=UNTIL)
    counts = await forget_restored_in(app, CHAT)
    assert await left(sqlite_store) == ({2} if goes else {1, 2})
    assert counts == ({"messages": 1} if goes else {})
    assert await forget_restored_in(app, CHAT) == {}


QUOTE = {"message_id": 9, "user_id": HANNA, "quote": "x", "sent_at": at(1)}
FACT = {"subject": "chat", "value": "x", "others": [], "conflicts_with": None}
SEGMENT = Segment.build([message("x", message_id=9, user_id=HANNA, sent_at=at(1), chat_id=CHAT)]).encode()
CHUNK = {"first": 1, "last": 2, "first_at": at(1), "last_at": at(1), "message_ids": []}
NAMING = {
    "a list with a time": ("chunks/1-2", CHUNK | {"speakers": [HANNA], "last_at": at(100)}),
    "a later one": ("chunks/1-2", CHUNK | {"speakers": [HANNA], "last_at": at(101)}),
    "one without a time": ("other/1", {"speakers": [HANNA]}),
    "another's": ("chunks/1-2", CHUNK | {"speakers": [TARAS]}),
    "a quote": ("other/1", {"deep": {"evidence": [QUOTE]}}),
    "a later quote": ("other/1", {"deep": {"evidence": [QUOTE | {"sent_at": at(101)}]}}),
    "a quote beside a time": ("other/1", {"made_at": at(100), "evidence": [{"user_id": HANNA}]}),
    "a quote beside a later one": ("other/1", {"made_at": at(101), "evidence": [{"user_id": HANNA}]}),
    "a subject": ("other/1", {"subject": f"user:{HANNA}", "updated_at": at(100)}),
    "a later subject": ("other/1", {"subject": f"user:{HANNA}", "updated_at": at(101)}),
    "the index": ("other/1", {"payload": SEGMENT}),
    "a spoilt index": ("other/1", {"payload": b"spoilt"}),
}
NAMES_NOBODY = {"a later one", "another's", "a later quote", "a quote beside a later one", "a later subject"}


@pytest.mark.parametrize("naming", NAMING)
async def test_whoever_is_named_beside_an_instant_is_forgotten_when_their_mark_is_as_new(app, sqlite_store, naming):
    path, data = NAMING[naming]
    await begun(sqlite_store)
    await sqlite_store.set(f"{chat_path(CHAT)}/{path}", data)
    await sqlite_store.set(f"{chat_path(CHAT)}/spending/x", {"user_id": HANNA, "expire_at": at(9), "at": at(200)})
    await lay(sqlite_store, [member_tombstone(CHAT, HANNA)], until=UNTIL)
    await forget_restored_in(app, CHAT)
    is_named = naming not in NAMES_NOBODY | {"a spoilt index"}
    assert (await sqlite_store.get(f"{chat_path(CHAT)}/spending/x") is None) is is_named


@pytest.mark.parametrize(
    ("path", "data", "goes"),
    [
        (message_path(CHAT, 9), None, True),
        (f"{chat_path(CHAT)}/quality/q", quality_record(message_ids=[9]), True),
        (f"{chat_path(CHAT)}/quality/q", quality_record(message_ids=[8]), False),
    ],
)
async def test_a_message_that_was_forgotten_by_itself_takes_along_what_names_it(app, sqlite_store, path, data, goes):
    await begun(sqlite_store)
    await put(sqlite_store, 7)
    if data is None:
        await put(sqlite_store, 9)
    else:
        await sqlite_store.set(path, data)
    await lay(sqlite_store, [message_tombstone(CHAT, 9)], until=UNTIL)
    await forget_restored_in(app, CHAT)
    assert (await sqlite_store.get(path) is None) is goes
    assert await left(sqlite_store) == {7}


@pytest.mark.parametrize("name", ["chunks/9-9", "episodes/9-9"])
async def test_a_summary_that_keeps_the_id_of_what_is_gone_names_nothing(app, sqlite_store, name):
    await begun(sqlite_store)
    note = {"message_ids": [9], "first": 9, "last": 9, "speakers": [], "summary": "made anew"}
    await sqlite_store.set(f"{chat_path(CHAT)}/{name}", note)
    await lay(sqlite_store, [message_tombstone(CHAT, 9)], until=UNTIL)
    assert await forget_restored_in(app, CHAT) == {}
    assert (await sqlite_store.get(f"{chat_path(CHAT)}/{name}")).data["summary"] == "made anew"


@pytest.mark.parametrize(
    ("first_seen", "sent", "expected"),
    [
        (90, [1, 100], None),
        (None, [1, 100], None),
        (90, [1, 100, 101], {3}),
        (101, [1, 100, 101], {3}),
        (101, [1, 100], set()),
    ],
)
async def test_of_a_chat_that_was_forgotten_whole_all_goes_that_is_as_old(
    app, sqlite_store, first_seen, sent, expected
):
    """None: the chat itself, too."""
    await begun(sqlite_store, first_seen_at=None if first_seen is None else at(first_seen))
    for number, minutes in enumerate(sent, 1):
        await put(sqlite_store, number, sent_at=at(minutes))
    await lay(sqlite_store, [chat_tombstone(CHAT)], until=UNTIL)
    await forget_restored_in(app, CHAT)
    assert await left(sqlite_store) == (expected or set())
    assert (await sqlite_store.get(chat_path(CHAT)) is None) is (expected is None)


async def test_a_member_is_forgotten_until_the_later_of_their_own_mark_and_the_chats(app, sqlite_store):
    await begun(sqlite_store, first_seen_at=at(300))
    for user_id in (HANNA, TARAS):
        for minutes in (100, 150, 250):
            await put(sqlite_store, 1000 * (user_id - 100) + minutes, user_id=user_id, sent_at=at(minutes))
    await lay(sqlite_store, [chat_tombstone(CHAT)], until=at(120))
    await lay(sqlite_store, [member_tombstone(CHAT, HANNA)], until=at(200))
    await lay(sqlite_store, [member_tombstone(CHAT, TARAS)], until=at(50))
    await forget_restored_in(app, CHAT)
    assert await left(sqlite_store) == {4250, 2150, 2250}


async def test_of_a_forgotten_chat_goes_also_what_was_restored_without_the_chats_own_document(app, sqlite_store):
    await sqlite_store.set(f"{chat_path(CHAT)}/chunks/1-2", {"speakers": [], "message_ids": [], "first": 1})
    await lay(sqlite_store, [chat_tombstone(CHAT)], until=UNTIL)
    await forget_restored_in(app, CHAT)
    assert [document async for document in sqlite_store.subtree(chat_path(CHAT))] == []


async def test_a_chat_of_which_only_who_opted_out_is_known_counts_for_nothing(app, sqlite_store):
    await sqlite_store.set(chat_path(CHAT), {"forgotten": True, "opted_out": [HANNA], "chat_id": CHAT})
    await lay(sqlite_store, [chat_tombstone(CHAT)], until=UNTIL)
    assert await forget_restored_in(app, CHAT) == {}
    assert (await sqlite_store.get(chat_path(CHAT))).data["opted_out"] == [HANNA]


async def test_more_than_a_page_of_chats_and_of_members_is_walked(app, sqlite_store):
    for number in range(103):
        await sqlite_store.set(chat_path(-2000 - number), {"schema": 1, "chat_id": -2000 - number})
    people = list(range(1000, 1301))
    await begun(sqlite_store)
    await sqlite_store.set(f"{chat_path(CHAT)}/chunks/1-2", CHUNK | {"speakers": people})
    await sqlite_store.set(f"{chat_path(CHAT)}/spending/x", {"user_id": people[-1], "at": at(1)})
    await lay(sqlite_store, [member_tombstone(CHAT, people[-1])], until=UNTIL)
    walked = [each.chat_id async for each in forget_restored(app)]
    assert len(set(walked)) == len(walked) == 104
    assert await sqlite_store.get(f"{chat_path(CHAT)}/spending/x") is None


BOT, SECOND = 1, timedelta(seconds=1)
FORGOTTEN = at(100)


async def put_late(store, message_id, *, received=None, **more):
    said = message("so", message_id=message_id, **{"sent_at": at(1), "chat_id": CHAT} | more)
    fields = new_message_fields(said, now=received or said.sent_at, retention=timedelta(days=90))
    await store.set(message_path(CHAT, message_id), fields)


async def forgotten_chat(store, *, until=FORGOTTEN):
    await lay(store, [chat_tombstone(CHAT)], until=until)


async def ids(store):
    return {document.data["message_id"] for document in await store.query(messages_path(CHAT))}


async def test_of_a_chat_that_is_not_known_anew_what_is_older_goes_and_what_is_newer_stays(sqlite_store):
    await forgotten_chat(sqlite_store)
    await put_late(sqlite_store, 1, sent_at=FORGOTTEN)
    await put_late(sqlite_store, 2, sent_at=FORGOTTEN + SECOND)
    await sqlite_store.set(f"{chat_path(CHAT)}/facts/f", {"value": "x"})
    assert await forget_leftovers(sqlite_store, CHAT) == 1
    assert await ids(sqlite_store) == {2}
    assert await sqlite_store.get(f"{chat_path(CHAT)}/facts/f") is not None


async def test_where_no_message_is_left_all_that_was_made_goes_too(sqlite_store):
    await forgotten_chat(sqlite_store)
    await put_late(sqlite_store, 1, sent_at=FORGOTTEN)
    for name in ("facts/f", "facts/f/versions/1", "members/1"):
        await sqlite_store.set(f"{chat_path(CHAT)}/{name}", {"value": "x"})
    assert await forget_leftovers(sqlite_store, CHAT) == 4
    assert [document async for document in sqlite_store.subtree(chat_path(CHAT))] == []


async def test_a_chat_without_a_mark_or_known_anew_is_left_alone(sqlite_store):
    app = app_on(sqlite_store)
    await put_late(sqlite_store, 1)
    assert await forget_leftovers(app.store, CHAT) == 0
    await forgotten_chat(sqlite_store)
    await sqlite_store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""})
    assert await forget_leftovers(app.store, CHAT) == 0
    assert await ids(sqlite_store) == {1}


async def test_that_a_new_memory_has_begun_is_told_by_one_message(sqlite_store):
    await forgotten_chat(sqlite_store)
    for number in range(1, 60):
        await put_late(sqlite_store, number, sent_at=FORGOTTEN + SECOND)
    before = sqlite_store.usage.reads
    await forget_leftovers(sqlite_store, CHAT)
    assert sqlite_store.usage.reads - before <= 5


@pytest.mark.parametrize(
    ("received", "goes"),
    [
        (FORGOTTEN, False),
        (FORGOTTEN + SECOND, True),
        (FORGOTTEN + LONGEST, True),
        (FORGOTTEN + LONGEST + SECOND, False),
    ],
)
@pytest.mark.parametrize("late", [timedelta(0), timedelta(minutes=10)], ids=["at once", "late"])
async def test_what_the_bot_said_while_it_was_erased_goes(sqlite_store, received, goes, late):
    app = unasked(sqlite_store)
    await note_erasure(sqlite_store, SteppedClock(FORGOTTEN + late), CHAT)
    received = received + late if received > FORGOTTEN else received
    await put_late(sqlite_store, 5, received=received, sent_at=received, user_id=BOT, is_bot=True)
    await put_late(sqlite_store, 6, received=received, sent_at=received)
    assert await forget_again(app, CHAT, FORGOTTEN) == int(goes)
    assert await ids(sqlite_store) == ({6} if goes else {5, 6})


def unasked(store):
    return replace(app_on(store), schedule=_Nobody(), queue=_Nobody())


class _Nobody:
    """Whom nobody need ask: what they would do is not looked at here."""

    async def enqueue(self, task):
        return True

    async def extraction_later(self, *args, **kwargs):
        return None


async def test_what_answers_under_way_were_given_goes_unless_it_was_said_before(sqlite_store):
    app = unasked(sqlite_store)
    made = {
        "1": FORGOTTEN - LONGEST - SECOND,
        "2": FORGOTTEN - LONGEST,
        "3": FORGOTTEN,
        "4": FORGOTTEN + LONGEST,
        "5": FORGOTTEN + LONGEST + SECOND,
        "6": FORGOTTEN,
        "say-7": FORGOTTEN,
        "8": FORGOTTEN,
    }
    for name, when in made.items():
        await sqlite_store.set(answer_path(CHAT, name), {"made_at": when, "facts": []})
    for number, answer, received in ((60, 6, FORGOTTEN), (70, "say-7", FORGOTTEN), (80, 8, FORGOTTEN + SECOND)):
        await put_late(sqlite_store, number, sent_at=received, user_id=BOT, is_bot=False)
        await sqlite_store.update(message_path(CHAT, number), {"answer": answer, "received_at": received})
    await forget_again(app, CHAT, FORGOTTEN)
    left = {document.id for document in await sqlite_store.query(f"{chat_path(CHAT)}/answers")}
    assert left == {"1", "5", "6", "say-7"}
