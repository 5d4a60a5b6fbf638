"""The job `archive`: CONTEXT.md, an export now and then, and nothing of what was forgotten."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.archive.importing import import_chat
from shared.application.archive.keeping import (
    erase_archive,
    latest_export,
    record_path,
    store_export,
)
from shared.application.archive.nightly import archive_chat
from shared.application.chats.job import JobResult
from shared.application.conversation.tombstones import chat_tombstone, lay
from shared.application.documents import chat_path, message_path
from shared.domain.errors import ArchiveUnavailable, NothingToExport
from tests.support.archive import group_state
from tests.support.exports import CHAT, CONTEXT, NOW, STATE, TODAY, active, app_on, contents, fill, keys, source, whole
from tests.support.faults import Crashed, DyingStore


async def test_the_first_night_writes_both_and_the_next_does_nothing(app):
    outcome = await archive_chat(app, STATE)
    assert (outcome.counts["contexts"], outcome.counts["exports"], outcome.counts["documents"]) == (1, 1, 22)
    assert (outcome.next_at, outcome.more) == (None, False)
    assert await keys(app) == [CONTEXT, TODAY]
    assert await whole(app.archive.get(CONTEXT)) == "# Контекст\n".encode()
    before, usage = await contents(app.store), replace(app.store.usage)
    app.clock.advance(timedelta(days=1))
    assert await archive_chat(app, STATE) == JobResult({}, None)
    assert (app.store.usage.reads - usage.reads, app.store.usage.writes - usage.writes) == (3, 0)
    assert await contents(app.store) == before


async def test_without_an_archive_nothing_is_done(sqlite_store):
    await fill(sqlite_store, 1)
    before = await contents(sqlite_store)
    assert await archive_chat(app_on(sqlite_store), STATE) == JobResult()
    assert await erase_archive(sqlite_store, app_on(sqlite_store).archive, CHAT) == 0
    assert await contents(sqlite_store) == before


async def test_what_is_archived_can_be_restored(local):
    before = await contents(local.store)
    await archive_chat(local, STATE)
    content = await whole(local.archive.get((await latest_export(local.archive, CHAT)).key))
    for path in [d.path async for d in local.store.subtree(chat_path(CHAT))]:
        await local.store.delete(path)
    await local.store.delete(chat_path(CHAT))
    await import_chat(local, source(content))
    after = await contents(local.store)
    after.pop(record_path(CHAT))
    assert after == before


async def test_a_chat_that_talks_is_exported_again_when_it_is_time(local):
    await archive_chat(local, STATE)
    local.clock.advance(timedelta(days=2))
    await active(local, local.clock.now())
    outcome = await archive_chat(local, STATE)
    assert outcome == JobResult({}, NOW.replace(hour=0) + timedelta(days=7))
    local.clock.advance(timedelta(days=5))
    outcome = await archive_chat(local, STATE)
    assert (outcome.counts["exports"], outcome.next_at) == (1, None)
    assert len(await keys(local, f"chats/{CHAT}/export-")) == 2


async def test_what_was_said_on_the_day_of_an_export_is_in_the_next(local):
    await active(local, NOW - timedelta(minutes=1))
    assert (await archive_chat(local, STATE)).next_at == NOW.replace(hour=0) + timedelta(days=7)
    local.clock.advance(timedelta(days=7))
    assert (await archive_chat(local, STATE)).counts["exports"] == 1
    local.clock.advance(timedelta(days=30))
    assert await archive_chat(local, STATE) == JobResult({}, None)


async def test_a_chat_in_private_mode_is_known_to_talk_by_its_messages(local):
    private = STATE._replace(private_mode=True)
    assert (await archive_chat(local, private)).next_at is not None
    local.clock.advance(timedelta(days=8))
    assert (await archive_chat(local, private)).counts == {}
    await local.store.update(message_path(CHAT, 3), {"received_at": local.clock.now()})
    assert (await archive_chat(local, private)).counts["exports"] == 1


async def test_a_context_that_changed_is_written_and_one_that_is_gone_goes(local):
    await archive_chat(local, STATE)
    path = f"{chat_path(CHAT)}/context/current"
    await local.store.update(path, {"text": "# Context\n- new"})
    assert (await archive_chat(local, STATE)).counts == {"contexts": 1}
    assert await whole(local.archive.get(CONTEXT)) == b"# Context\n- new"
    await local.store.delete(path)
    assert (await archive_chat(local, STATE)).counts == {"contexts": 1}
    assert await keys(local) == [TODAY]
    assert (await archive_chat(local, STATE)).counts == {}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_dying_anywhere_and_running_again_is_as_running_once(store, tmp_path, after):
    await fill(store, 10)
    before, point = await contents(store), 0
    undisturbed = app_on(store, folder=tmp_path / "whole")
    await archive_chat(undisturbed, STATE)
    expected = await contents(store)
    while True:
        point += 1
        await store.delete(record_path(CHAT))
        assert await contents(store) == before
        app = app_on(DyingStore(store), folder=tmp_path / f"{after}{point}")
        app.store.arm(point, after=after)
        try:
            await archive_chat(app, STATE)
        except Crashed:
            app.store.arm(None)
            await archive_chat(app, STATE)
            found = await contents(store)
            assert sorted(found) == sorted(expected)
            assert await keys(app) == [CONTEXT, TODAY]
        else:
            break
    assert await contents(store) == expected
    assert point > 4


async def test_a_chat_that_is_gone_or_moved_is_left_alone(local):
    assert await archive_chat(local, group_state(-5)) == JobResult()
    await local.chats.change(CHAT, {"migrated_to": -2})
    assert await archive_chat(local, STATE) == JobResult()
    with pytest.raises(NothingToExport):
        await store_export(local, CHAT)
    assert await keys(local) == []


async def test_an_outage_of_the_archive_is_an_error_and_made_up_for(local):
    class Down:
        def __getattr__(self, name):
            return getattr(local.archive, name)

        async def put(self, key, chunks, **more):
            raise ArchiveUnavailable("busy")

    with pytest.raises(ArchiveUnavailable):
        await archive_chat(replace(local, archive=Down()), STATE)
    assert (await archive_chat(local, STATE)).counts["exports"] == 1


async def test_of_two_runs_at_once_one_wins_and_both_are_well(local):
    from asyncio import gather

    first, second = await gather(archive_chat(local, STATE), archive_chat(local, STATE))
    assert (first.counts["exports"], second.counts["exports"]) == (1, 1)
    assert await keys(local) == [CONTEXT, TODAY]


async def test_what_is_left_of_a_chat_that_was_forgotten_goes_but_not_of_one_that_was_lost(local):
    await archive_chat(local, STATE)
    for path in [d.path async for d in local.store.subtree(chat_path(CHAT))]:
        await local.store.delete(path)
    await local.store.delete(chat_path(CHAT))
    assert await archive_chat(local, STATE) == JobResult()
    assert len(await keys(local)) == 2
    await lay(local.store, [chat_tombstone(CHAT)], until=NOW)
    assert await archive_chat(local, STATE) == JobResult()
    assert await keys(local) == []
