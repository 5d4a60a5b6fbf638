"""What is kept in the archive: exports by hand, and nothing of what was forgotten."""

import gzip
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.archive.keeping import (
    erase_archive,
    record_path,
    rewrite_archive,
    store_export,
)
from shared.application.archive.nightly import archive_chat
from shared.application.documents import chat_path, message_path
from shared.application.ports.store import Delete
from shared.domain.errors import Contention, ObjectLocked, PreconditionFailed
from tests.support.archive import group_state
from tests.support.exports import CHAT, CONTEXT, NOW, STATE, TODAY, active, fill, keys, whole


async def test_an_export_by_hand_replaces_the_days(local):
    await archive_chat(local, STATE)
    before = await local.archive.head(TODAY)
    await local.store.update(message_path(CHAT, 3), {"text": "нове"})
    info = await store_export(local, CHAT)
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
        await store_export(replace(local, archive=Raced()), CHAT)


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
