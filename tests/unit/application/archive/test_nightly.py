"""The job `archive`: CONTEXT.md, an export now and then, and nothing of what was forgotten."""

import gzip
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.archive.importing import import_chat
from shared.application.archive.keeping import (
    erase_archive,
    export_key,
    latest_export,
    record_path,
    rewrite_archive,
    store_export,
)
from shared.application.archive.nightly import archive_chat
from shared.application.conversation.tombstones import chat_tombstone, lay
from shared.application.documents import chat_path, message_path
from shared.application.job import JobResult
from shared.application.ports.store import Delete
from shared.domain.errors import ArchiveUnavailable, Contention, NothingToExport, ObjectLocked, PreconditionFailed
from tests.support.archive import group_state
from tests.support.exports import CHAT, NOW, app_on, contents, fill, source, whole
from tests.support.faults import Crashed, DyingStore

TODAY = export_key(CHAT, NOW)
CONTEXT = f"chats/{CHAT}/CONTEXT.md"
STATE = group_state(CHAT)


@pytest.fixture
async def app(store, tmp_path):
    await fill(store, 10)
    return app_on(DyingStore(store), folder=tmp_path / "archive")


@pytest.fixture
async def local(sqlite_store, tmp_path):
    """As `app`, on SQLite only."""
    await fill(sqlite_store, 10)
    return app_on(DyingStore(sqlite_store), folder=tmp_path / "archive")


async def keys(app, prefix=""):
    return [info.key async for info in app.archive.list(prefix)]


async def active(app, at):
    await app.store.update(chat_path(CHAT), {"last_active_at": at})


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
        await store_export(local, CHAT, anew=True)
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


async def test_an_export_by_hand_replaces_the_days(local):
    await archive_chat(local, STATE)
    before = await local.archive.head(TODAY)
    await local.store.update(message_path(CHAT, 3), {"text": "нове"})
    info = await store_export(local, CHAT, anew=True)
    assert (info.key, info.etag != before.etag) == (TODAY, True)
    assert "нове" in gzip.decompress(await whole(local.archive.get(TODAY))).decode()


async def test_an_export_by_hand_that_loses_a_race_says_so(local):
    class Raced:
        def __getattr__(self, name):
            return getattr(local.archive, name)

        async def put(self, key, chunks, **more):
            async def other():
                yield b"of another run"

            await local.archive.put(key, other(), content_type="x")
            return await local.archive.put(key, chunks, **more)

    with pytest.raises(PreconditionFailed):
        await store_export(replace(local, archive=Raced()), CHAT, anew=True)


# Forgetting reaches the archive.


async def forget(app, *message_ids):
    await app.store.batch([Delete(message_path(CHAT, message_id)) for message_id in message_ids])


async def test_erasing_takes_everything_of_the_chat_and_nothing_else(app):
    await archive_chat(app, STATE)
    await fill(app.store, 1, chat_id=-10011)
    await archive_chat(app, group_state(-10011))
    assert await erase_archive(app.store, app.archive, CHAT) == 2
    assert await keys(app) == ["chats/-10011/CONTEXT.md", "chats/-10011/export-20261122.jsonl.gz"]
    assert await erase_archive(app.store, app.archive, CHAT) == 0


async def test_after_somebody_was_forgotten_the_archive_is_made_anew(app):
    await archive_chat(app, STATE)
    await forget(app, 7)
    assert await rewrite_archive(app, CHAT) == 2
    assert await keys(app) == [CONTEXT, TODAY]
    text = gzip.decompress(await whole(app.archive.get(TODAY))).decode()
    assert "повідомлення 6 " in text
    assert "повідомлення 7 " not in text


async def test_an_export_that_began_before_the_forgetting_does_not_stay(local):
    class Slow:
        """Forgets while the upload goes on."""

        def __getattr__(self, name):
            return getattr(local.archive, name)

        async def put(self, key, chunks, **more):
            content = await whole(chunks)
            if key == TODAY:
                await forget(local, 7)
                await rewrite_archive(local, CHAT)

            async def again():
                yield content

            return await local.archive.put(key, again(), **more | {"if_none_match": False})

    with pytest.raises(Contention, match="forgotten while it was archived"):
        await archive_chat(replace(local, archive=Slow()), STATE)
    assert await keys(local) == []
    assert (await archive_chat(local, STATE)).counts["exports"] == 1
    assert "повідомлення 7 " not in gzip.decompress(await whole(local.archive.get(TODAY))).decode()


async def test_what_a_run_left_that_died_before_the_forgetting_is_erased_by_the_next(local):
    await active(local, NOW)
    await local.store.upsert(record_path(CHAT), {"schema": 1, "writing": 0, "erasures": 1})

    async def old():
        yield b"forgotten words"

    await local.archive.put(TODAY, old(), content_type="x")
    assert (await archive_chat(local, STATE)).counts["exports"] == 1
    assert (await whole(local.archive.get(TODAY)))[:2] == b"\x1f\x8b"


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


async def test_the_objects_of_the_id_before_a_migration_go_once_all_is_moved(local):
    await archive_chat(local, STATE)
    new = -2002
    await fill(local.store, 1, chat_id=new)
    await local.store.update(chat_path(new), {"migrated_from": CHAT})
    await archive_chat(local, group_state(new))
    assert len(await keys(local, f"chats/{CHAT}/")) == 2  # something is still under the old id
    for path in [d.path async for d in local.store.subtree(chat_path(CHAT))]:
        await local.store.delete(path)
    local.clock.advance(timedelta(days=8))
    await local.store.update(chat_path(new), {"last_active_at": local.clock.now()})
    await archive_chat(local, group_state(new))
    assert await keys(local, f"chats/{CHAT}/") == []


async def test_erasing_reaches_the_id_before_a_migration(local):
    await archive_chat(local, STATE)
    await fill(local.store, 1, chat_id=-2002)
    await local.store.update(chat_path(-2002), {"migrated_from": CHAT})
    assert await erase_archive(local.store, local.archive, -2002) == 2
    assert await keys(local) == []


async def test_locked_objects_are_told_when_all_else_is_done(local):
    await archive_chat(local, STATE)

    class Locked:
        def __getattr__(self, name):
            return getattr(local.archive, name)

        async def erase(self, prefix):
            await local.archive.erase(prefix)
            raise ObjectLocked(f"{TODAY} (locked until 2099-01-02)", keys=(TODAY,))

    await forget(local, 7)
    with pytest.raises(ObjectLocked, match="2099") as refused:
        await rewrite_archive(replace(local, archive=Locked()), CHAT)
    assert refused.value.keys == (TODAY,)
    assert await keys(local) == [CONTEXT, TODAY]
