"""What stored messages are found by."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.conversation import message_queries as queries
from shared.application.conversation.message_codec import (
    ChunkState,
    chunk_field,
    edited_field,
    new_message,
    own_message_fields,
    retell_field,
)
from shared.application.documents import message_path, messages_path
from shared.domain.conversation.messages import MediaFile
from tests.support.builders import at, message
from tests.support.stores.messages import new_message_fields

CHAT = -1001
ALBUM = MediaFile("f", "u", media_group_id="a")


async def found(store, *where):
    documents = await store.query(messages_path(CHAT), where=where)
    return sorted(document.data["message_id"] for document in documents)


@pytest.fixture
async def talk(sqlite_store):
    """Messages: read, edited, in a topic, of an album and a reply to the first, and the bot's answer to update 77."""
    said = [
        message("перше", message_id=1, sent_at=at(1)),
        message("друге", message_id=2, sent_at=at(2), user_id=102),
        message("третє", message_id=3, sent_at=at(3), thread_id=9),
        message("четверте", message_id=4, sent_at=at(4), media=ALBUM, reply_to=1),
    ]
    marks = [chunk_field(ChunkState.READ, "1-1"), edited_field(), {}, retell_field(at(10))]
    for each, more in zip(said, marks, strict=True):
        here, received_at = replace(each, chat_id=CHAT), at(20 + each.message_id)
        fields = new_message_fields(here, now=received_at, retention=timedelta(days=30))
        await sqlite_store.set(message_path(CHAT, each.message_id), fields | more)
    answer = new_message(
        replace(message("відповідь", message_id=5, sent_at=at(5), user_id=7), chat_id=CHAT),
        now=at(25),
        retention=timedelta(days=30),
    )
    await sqlite_store.set(message_path(CHAT, 5), own_message_fields(answer, answers=[77, "say-8"]))
    return sqlite_store


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        (queries.UNREAD, [2, 3, 4, 5]),
        (queries.EDITED, [2]),
        (queries.before(3), [1, 2]),
        (queries.after(3), [4, 5]),
        (queries.in_topic(9), [3]),
        (queries.in_album("a"), [4]),
        (queries.by_author(102), [2]),
        (queries.sent_since(at(4)), [4, 5]),
        (queries.sent_until(at(2)), [1, 2]),
        (queries.received_since(at(24)), [4, 5]),
        (queries.replies_to(1), [4]),
        (queries.filter_sent_for("77")[0], [5]),
        (queries.filter_sent_for("77")[1], [5]),
        (queries.filter_sent_for("say-8")[0], []),
        (queries.filter_sent_for("say-8")[1], [5]),
        (queries.retelling_due(at(10)), [4]),
        (queries.retelling_due(at(9)), []),
    ],
)
async def test_each_condition_finds_what_it_says_and_nothing_else(talk, condition, ids):
    assert await found(talk, condition) == ids
