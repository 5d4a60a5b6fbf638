"""A consolidation that dies anywhere, runs twice at once, or is overtaken by what people do meanwhile."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from infra.sqlite import SqliteStore
from shared.application.consolidation.changing import edit_context_file
from shared.application.consolidation.context_file_codec import read_revisions
from shared.application.consolidation.nightly import consolidate
from shared.application.documents import chat_path
from shared.domain.errors import Contention
from tests.support.faults import Crashed, DyingStore
from tests.support.nights import PROMISE, Nights, meanwhile
from tests.support.tool_chat import CHAT, OLYA, TARAS


async def documents_of(nights):
    return sorted([d async for d in nights.app.store.subtree(chat_path(CHAT))], key=lambda document: document.path)


async def second_night(dying):
    """A chat before its second night, in which an item is settled and another is new; nothing else is in the store."""
    for document in [document async for document in dying.subtree(chat_path(CHAT))]:
        await dying.delete(document.path)
    nights = await Nights(dying).begin()
    await nights.said(PROMISE["uk"], TARAS, "Тарас")
    await nights.night()
    await nights.said("Забронював квитки!", TARAS, "Тарас")
    await nights.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    nights.app.clock.advance(timedelta(hours=8))
    return nights


async def test_it_dies_anywhere_and_run_again_it_comes_to_the_same(store):
    dying, every = DyingStore(store), 1 if isinstance(store, SqliteStore) else 5
    undisturbed = await second_night(dying)
    await consolidate(undisturbed.app, await undisturbed.read_chat())
    expected = await documents_of(undisturbed)
    assert any("/revisions/" in document.path for document in expected)
    for after in (False, True):
        died, at = True, 1
        while died:
            nights = await second_night(dying)
            dying.arm(at, after=after)
            try:
                await consolidate(nights.app, await nights.read_chat())
                died = False
            except Crashed:
                dying.arm(None)
                await consolidate(nights.app, await nights.read_chat())
            dying.arm(None)
            assert await documents_of(nights) == expected, (after, at)
            at += every


async def test_two_runs_at_once_write_one_revision(nights):
    await nights.said(PROMISE["uk"], TARAS, "Тарас")
    nights.app.clock.advance(timedelta(hours=8))
    state = await nights.read_chat()
    done = await asyncio.gather(*(consolidate(nights.app, state) for _ in range(2)))
    assert sorted(one.changed for one in done) == [False, True]
    file = await nights.context_file()
    assert (file.revision, len(file.items)) == (1, 1)
    assert await read_revisions(nights.app.store, CHAT) == []


async def test_an_edit_by_hand_meanwhile_is_kept_beside_what_was_found(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")

    async def edit(store):
        await edit_context_file(chat.app, await chat.read_chat(), "## Триває\n- Ремонт даху\n")

    done = await meanwhile(chat, edit)
    assert (done.changed, done.after.revision) == (True, 2)
    assert [item.by_hand for item in done.after.items] == [True, False]
    assert "- Ремонт даху\n" in (await chat.context_file()).text


async def test_a_document_that_changes_again_and_again_is_left_to_the_next_run(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    edits = iter(range(9))

    async def edit(store):
        await edit_context_file(chat.app, await chat.read_chat(), f"## Триває\n- Рядок {next(edits)}\n")

    with pytest.raises(Contention):
        await meanwhile(chat, edit, times=3)
    assert (await chat.context_file()).revision == 3


@pytest.mark.parametrize(
    "change",
    [
        {"migrated_to": -777, "active": False},
        {"private_mode": True},
        {"learn_from": datetime(2026, 11, 6, 23, tzinfo=UTC)},
    ],
)
async def test_a_chat_that_moves_or_becomes_private_or_is_reset_meanwhile_gets_nothing(chat, change):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")

    async def happen(store):
        await store.update(chat_path(CHAT), change)

    assert not (await meanwhile(chat, happen)).changed
    assert await chat.context_file() is None


async def test_a_chat_that_is_deleted_meanwhile_gets_nothing(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")

    async def happen(store):
        await store.delete(chat_path(CHAT))

    assert not (await meanwhile(chat, happen)).changed
    assert await chat.context_file() is None


async def test_who_opts_out_meanwhile_is_not_quoted(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")

    async def happen(store):
        await store.update(chat_path(CHAT), {"opted_out": [TARAS]})

    await meanwhile(chat, happen)
    assert {q.user_id for item in (await chat.context_file()).items for q in item.quotes} == {OLYA}
