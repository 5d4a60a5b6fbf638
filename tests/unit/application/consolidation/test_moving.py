"""A group becomes a supergroup: its CONTEXT.md moves with it, and the next night finds what shows each line."""

from dataclasses import replace

import pytest

from shared.application.chats.context_codec import context_path
from shared.application.chats.migration import begin_migration
from shared.application.consolidation import consolidate, edit_board, read_board, read_revisions
from shared.application.documents import chat_path, messages_path
from shared.application.reading.moving import move_chat
from shared.domain.conversation.messages import migrated_message_id
from tests.support.faults import Crashed, DyingStore
from tests.support.nights import PROMISE
from tests.support.tool_chat import CHAT, OLYA, TARAS

NEW = -1_009_999


class Unasked:
    """A schedule that nobody waits for."""

    async def extraction_later(self, *args, **kwargs):
        pass

    async def job(self, *args, **kwargs):
        pass


@pytest.fixture
async def moving(chat):
    """A chat after two nights, which is about to move."""
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    portrait = {"text": "Возять драконів", "made_at": chat.app.clock.now(), "speakers": [OLYA], "facts": []}
    mark = {"at": chat.app.clock.now(), "next_at": None, "day": "2026-11-08", "by": ""}
    await chat.app.chats.change(CHAT, {"culture_summary": portrait, "nightly": {"consolidate": mark}})
    chat.having(schedule=Unasked())
    await begin_migration(chat.app, CHAT, NEW)
    return chat


async def consolidated(chat):
    return await consolidate(chat.app, await chat.app.chats.state(NEW, fresh=True))


async def test_the_next_night_keeps_every_item_with_its_quotes_under_their_new_ids(moving):
    before = await moving.board()
    await move_chat(moving.app, CHAT, NEW)
    done = await consolidated(moving)
    assert (done.changed, done.board.text, len(done.board.items)) == (False, before.text, 2)
    quotes = [[(migrated_message_id(q.message_id), *q[1:]) for q in item.quotes] for item in before.items]
    assert [[tuple(q) for q in item.quotes] for item in done.board.items] == quotes
    (revision,) = await read_revisions(moving.app.store, NEW)
    assert revision.items[0].quotes[0].message_id < 0
    stored = await moving.app.store.get(context_path(NEW))
    assert all(message_id < 0 for message_id in stored.data["message_ids"])


async def test_neither_marks_nor_the_portrait_are_left_under_the_old_id_or_inherited(moving):
    await move_chat(moving.app, CHAT, NEW)
    for chat_id in (CHAT, NEW):
        document = await moving.app.store.get(chat_path(chat_id))
        assert {"nightly", "culture_summary"}.isdisjoint(document.data)


async def test_a_night_that_comes_while_the_chat_moves_waits(moving):
    store = DyingStore(moving.app.store)
    store.arm(3, after=True)
    with pytest.raises(Crashed):
        await move_chat(replace(moving.app, store=store), CHAT, NEW)
    assert len((await read_board(moving.app.store, NEW)).items) == 2
    assert await moving.app.store.query(messages_path(NEW)) == []
    done = await consolidated(moving)
    assert (done.board.items, done.next_at) == ((), moving.app.clock.now())
    await move_chat(moving.app, CHAT, NEW)
    assert len((await consolidated(moving)).board.items) == 2


async def test_what_both_have_on_the_board_is_on_one(moving):
    await edit_board(moving.app, await moving.app.chats.state(NEW, fresh=True), "## Триває\n- Ремонт даху\n")
    await move_chat(moving.app, CHAT, NEW)
    texts = [item.text for item in (await read_board(moving.app.store, NEW)).items]
    assert (len(texts), "Ремонт даху" in texts) == (3, True)
    assert len((await consolidated(moving)).board.items) == 3


async def test_of_two_boards_one_that_cannot_be_read_is_left_out_and_the_rest_moves(moving):
    nonsense = {"schema": 1, "text": "дракон", "items": ["дракон"]}
    for chat_id, items in ((NEW, 2), (CHAT, 2)):
        await moving.app.store.set(context_path(chat_id), nonsense)
        await move_chat(moving.app, CHAT, NEW)
        assert len((await read_board(moving.app.store, NEW)).items) == items
    assert [d async for d in moving.app.store.subtree(chat_path(CHAT))] == []
