"""Marks of what was erased: they hold until an instant, the later of two, and a message's own for good."""

import pytest

from shared.application.conversation.tombstones import (
    Tombstone,
    chat_tombstone,
    covers,
    find_forgotten,
    is_forgotten,
    lay,
    member_tombstone,
    message_tombstone,
    read_tombstone,
    tombstone_fields,
)
from shared.application.ports.store import Document
from tests.support.builders import at, message

MARK = Document("tombstones/x", {"until": at(10)})


@pytest.mark.parametrize(
    ("found", "minutes", "expected"),
    [
        ((None, None, None), 1, False),
        ((MARK, None, None), 99, True),
        ((None, MARK, None), 10, True),
        ((None, MARK, None), 11, False),
        ((None, None, MARK), 10, True),
        ((None, None, MARK), 11, False),
        ((None, Document("tombstones/y", {"until": at(5)}), MARK), 9, True),
    ],
)
def test_a_mark_keeps_out_what_is_as_old_as_itself_and_a_messages_own_whatever_is_sent(found, minutes, expected):
    assert covers(found, message(message_id=1, sent_at=at(minutes))) is expected


async def test_the_later_of_two_instants_holds(sqlite_store):
    path = member_tombstone(-1001, 101)
    for minutes, until in ((10, 10), (5, 10), (20, 20)):
        await lay(sqlite_store, [path, path], until=at(minutes))
        assert (await sqlite_store.get(path)).data["until"] == at(until)


async def test_a_mark_that_holds_already_costs_no_write(sqlite_store):
    await lay(sqlite_store, [chat_tombstone(-1001)], until=at(10))
    before = sqlite_store.usage.writes
    await lay(sqlite_store, [chat_tombstone(-1001)], until=at(10))
    await lay(sqlite_store, [], until=at(10))
    assert sqlite_store.usage.writes == before


async def test_of_more_than_a_page_every_message_is_asked_for_by_its_own_marks(sqlite_store):
    said = [message(message_id=number, user_id=200 + number % 3, sent_at=at(number)) for number in range(1, 231)]
    gone = {3, 100, 101, 230}
    await lay(sqlite_store, [message_tombstone(-1001, each) for each in gone], until=at(0))
    assert await find_forgotten(sqlite_store, said) == gone
    await lay(sqlite_store, [member_tombstone(-1001, 201)], until=at(110))
    assert await find_forgotten(sqlite_store, said) == gone | {n for n in range(1, 111) if n % 3 == 1}


async def test_a_message_is_forgotten_under_any_of_its_ids(sqlite_store):
    here, there = message(message_id=1, sent_at=at(1)), message(message_id=2, chat_id=-55, sent_at=at(1))
    await lay(sqlite_store, [message_tombstone(-55, 2)], until=at(0))
    assert await is_forgotten(sqlite_store, [here, there])
    assert await is_forgotten(sqlite_store, [there, here])
    assert not await is_forgotten(sqlite_store, [here])


async def test_a_lot_of_marks_is_laid_whole(sqlite_store):
    paths = [message_tombstone(-1001, number) for number in range(401)]
    await lay(sqlite_store, paths, until=at(1))
    assert None not in await sqlite_store.get_many(paths)


def test_what_is_written_is_read_back():
    assert read_tombstone(Document("tombstones/x", tombstone_fields(Tombstone(at(10))))) == Tombstone(at(10))


def test_it_bars_what_was_said_until_then_and_nothing_later():
    assert [Tombstone(at(10)).bars(at(minute)) for minute in (9, 10, 11)] == [True, True, False]
