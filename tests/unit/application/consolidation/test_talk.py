"""What a consolidation reads: all that is new, once, from the index where there is one."""

from datetime import timedelta

import pytest

from shared.application.consolidation.talk import LATE, MOST_MESSAGES, read_talk
from shared.application.documents import chat_path, index_head_path, index_segment_path
from shared.application.recall.upkeep import index_chat
from shared.domain.conversation.messages import SCHEMA
from tests.support.archive import archive, leave, said
from tests.support.tool_chat import CHAT, OLYA, TARAS


async def test_little_talk_is_read_message_by_message_in_the_order_of_time(chat):
    for number in range(3):
        await chat.said(f"слово {number}")
    talk = await read_talk(chat.app.store, chat.app.clock, await chat.read_chat(), since=None)
    assert [m.text for m in talk.messages] == ["слово 0", "слово 1", "слово 2"]
    assert (talk.until, talk.more) == (talk.messages[-1].sent_at, False)
    again = await read_talk(chat.app.store, chat.app.clock, await chat.read_chat(), since=talk.until + LATE)
    assert [m.text for m in again.messages] == ["слово 2"]


async def test_much_talk_is_read_in_parts_that_miss_nothing_and_end(chat):
    start = chat.app.clock.now()
    count = 2 * MOST_MESSAGES + 30
    told = [
        said(n, f"слово {n}", chat_id=CHAT, sent_at=start - timedelta(days=2) + timedelta(seconds=n // 3))
        for n in range(1, count + 1)
    ]
    await archive(chat.app.store, told)
    seen, since, parts = set(), None, 0
    while True:
        talk = await read_talk(chat.app.store, chat.app.clock, await chat.read_chat(), since=since)
        seen |= {m.message_id for m in talk.messages}
        parts, since = parts + 1, talk.until
        if not talk.more:
            break
    assert seen == set(range(1, count + 1))
    assert parts == 3


async def test_what_was_said_in_private_or_by_who_opted_out_or_before_a_reset_is_not_read(chat):
    for number in range(30):
        await chat.said(f"таємне {number}", user_id=OLYA)
    await chat.said("відкрите", user_id=TARAS)
    await chat.app.chats.change(CHAT, {"opted_out": [OLYA]})
    talk = await read_talk(chat.app.store, chat.app.clock, await chat.read_chat(), since=None)
    assert [m.text for m in talk.messages] == ["відкрите"]
    await chat.app.chats.change(CHAT, {"learn_from": chat.app.clock.now()})
    assert not (await read_talk(chat.app.store, chat.app.clock, await chat.read_chat(), since=None)).messages


@pytest.fixture
async def indexed(chat):
    """The chat after nine days of talk, forty messages a day, all but the last twenty of them in the index."""
    start = chat.app.clock.now() - timedelta(days=9)
    told = [said(n, f"слово {n}", chat_id=CHAT, sent_at=start + timedelta(minutes=36 * n)) for n in range(1, 361)]
    await archive(chat.app.store, told[:340])
    await leave(chat.app.store, told[340:])
    await chat.app.store.upsert(chat_path(CHAT), {"schema": SCHEMA, "chat_id": CHAT, "chunks": 34})
    await index_chat(chat.app, await chat.read_chat())
    return chat


async def test_the_index_gives_what_the_messages_do_at_few_reads(indexed):
    state, usage = await indexed.read_chat(), indexed.app.store.usage
    before = usage.reads
    talk = await read_talk(
        indexed.app.store, indexed.app.clock, state, since=indexed.app.clock.now() - timedelta(days=1)
    )
    assert usage.reads - before == 20 + 1 + 1  # what is not in the index yet, the head, and one segment
    assert [m.message_id for m in talk.messages] == list(range(320, 361))
    assert [m.message_id for m in talk.earlier] == list(range(80, 320))
    await indexed.app.store.delete(index_head_path(CHAT))
    paged = await read_talk(
        indexed.app.store, indexed.app.clock, state, since=indexed.app.clock.now() - timedelta(days=1)
    )
    assert (paged.messages, paged.until, paged.more) == (talk.messages, talk.until, False)
    assert not paged.earlier


async def test_where_nothing_was_read_yet_what_waits_is_not_looked_for_in_an_index(chat):
    for number in range(3):
        await chat.said(f"слово {number}")
    usage, state = chat.app.store.usage, await chat.read_chat()
    before = usage.reads
    assert len((await read_talk(chat.app.store, chat.app.clock, state, since=None)).messages) == 3
    assert usage.reads - before == 3


async def test_an_index_that_is_not_whole_is_not_relied_upon(indexed):
    state = await indexed.read_chat()
    expected = (await read_talk(indexed.app.store, indexed.app.clock, state, since=None)).messages
    segment = await indexed.app.store.get(index_segment_path(CHAT, 1))
    for broken in ({**segment.data, "payload": b"x"}, {**segment.data, "revision": "another"}, {"schema": 1}):
        await indexed.app.store.set(segment.path, broken)
        assert (await read_talk(indexed.app.store, indexed.app.clock, state, since=None)).messages == expected


async def test_the_index_does_not_show_who_opted_out_since(indexed):
    await indexed.said("щось", OLYA)
    await indexed.app.chats.change(CHAT, {"opted_out": [101]})
    talk = await read_talk(indexed.app.store, indexed.app.clock, await indexed.read_chat(), since=None)
    assert not talk.whole
