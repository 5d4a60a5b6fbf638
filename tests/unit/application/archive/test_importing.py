"""Export, wipe, import: the same documents, on either store, whenever the process dies."""

import pytest

from infra.sqlite import SqliteStore
from shared.application.archive.exporting import TransferProgress, export_chat
from shared.application.archive.importing import import_chat
from shared.application.archive.record_codec import record_path
from shared.application.conversation.tombstones import chat_tombstone, lay, member_tombstone, message_tombstone
from shared.application.documents import chat_path, message_path
from shared.domain.errors import Contention, ExportRefused
from tests.support.exports import CHAT, NOW, app_on, contents, fill, source, whole, wipe
from tests.support.faults import Crashed, DyingStore

OTHER = -10011  # begins like CHAT


async def test_export_wipe_import_is_the_identity(store):
    await fill(store, 5, chat_id=OTHER)
    documents = await fill(store, 60)
    app, before, others = app_on(store), await contents(store), await contents(store, OTHER)
    content = await whole(export_chat(app.store, app.clock, CHAT))
    await wipe(store)
    done = await import_chat(app, source(content))
    assert done == (CHAT, documents, documents, 0, 0)
    assert await contents(store) == before
    assert await contents(store, OTHER) == others
    assert await import_chat(app, source(content)) == (CHAT, documents, 0, documents, 0)


async def test_a_chat_goes_from_sqlite_to_firestore_and_back(sqlite_store, firestore_store, tmp_path):
    await fill(sqlite_store, 20)
    before = await contents(sqlite_store)
    await import_chat(
        app_on(firestore_store), source(await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT)))
    )
    assert await contents(firestore_store) == before
    third = SqliteStore(tmp_path / "third.db")
    await import_chat(
        app_on(third), source(await whole(export_chat(firestore_store, app_on(firestore_store).clock, CHAT)))
    )
    assert await contents(third) == before
    await third.aclose()


async def test_two_thousand_documents_come_back_in_batches_the_chats_own_last(sqlite_store):
    documents = await fill(sqlite_store, 2_000)
    before, tally = await contents(sqlite_store), TransferProgress()
    content = await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT, tally=tally))
    assert tally == TransferProgress(documents, len(content))
    await wipe(sqlite_store)
    order = []

    class Watched:
        def __getattr__(self, name):
            return getattr(sqlite_store, name)

        async def batch(self, writes):
            order.append([write.path for write in writes])
            await sqlite_store.batch(writes)

    await import_chat(app_on(Watched()), source(content))
    assert await contents(sqlite_store) == before
    assert max(map(len, order)) <= 400
    assert order[-1] == [chat_path(CHAT)]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("replace", [False, True])
async def test_an_import_that_dies_anywhere_is_finished_by_the_next(sqlite_store, export, after, replace):
    content, before = export
    dying = DyingStore(sqlite_store)
    app, point = app_on(dying), 0
    while True:
        point += 1
        if replace:
            await sqlite_store.set(message_path(CHAT, 7), {"text": "інше"})
            await sqlite_store.set(message_path(CHAT, 777), {"text": "зайве"})
        dying.arm(point, after=after)
        try:
            await import_chat(app, source(content), replace=replace)
        except Crashed:
            dying.arm(None)
            await import_chat(app, source(content), replace=replace)
            assert await contents(sqlite_store) == before
            await wipe(sqlite_store)
        else:
            break
    assert point > 3


async def test_it_is_finished_on_firestore_too(firestore_store, export):
    content, before = export
    dying = DyingStore(firestore_store)
    app = app_on(dying)
    for point in (2, 4):
        dying.arm(point, after=True)
        with pytest.raises(Crashed):
            await import_chat(app, source(content))
        dying.arm(None)
        await import_chat(app, source(content))
        assert await contents(firestore_store) == before
        await wipe(firestore_store)


async def test_what_differs_is_told_and_left_alone(sqlite_store, export):
    content, _ = export
    await sqlite_store.set(message_path(CHAT, 7), {"text": "інше"})
    await sqlite_store.set(message_path(CHAT, 777), {"text": "нове"})
    before = await contents(sqlite_store)
    with pytest.raises(ExportRefused) as refused:
        await import_chat(app_on(sqlite_store), source(content))
    assert sorted(refused.value.problems) == [
        f"{message_path(CHAT, 7)} differs",
        f"{message_path(CHAT, 777)} is not in the export",
    ]
    assert await contents(sqlite_store) == before


async def test_what_is_noted_of_the_archive_is_no_memory_and_stays(store, export):
    content, before = export
    record = {"schema": 1, "erasures": 3}
    await import_chat(app_on(store), source(content))
    await store.set(record_path(CHAT), record)
    for replace in (False, True):
        await store.upsert(chat_path(CHAT), {"nightly": {"archive": {"day": f"2026-11-2{replace}"}}})
        done = await import_chat(app_on(store), source(content), replace=replace)
        assert (done.written, done.removed) == (0, 0)
    assert (await store.get(record_path(CHAT))).data == record  # what was erased meanwhile is still known
    later = await whole(export_chat(store, app_on(store).clock, CHAT))
    await store.upsert(record_path(CHAT), {"erasures": 4})
    assert (await import_chat(app_on(store), source(later), replace=True)).written == 0
    assert (await store.get(record_path(CHAT))).data["erasures"] == 4
    await wipe(store)
    await import_chat(app_on(store), source(later))
    assert (await store.get(record_path(CHAT))).data == record
    assert await contents(store) != before


async def test_replace_makes_the_chat_as_it_was(store, export):
    content, before = export
    await store.set(message_path(CHAT, 7), {"text": "інше"})
    await store.set(message_path(CHAT, 777), {"text": "нове"})
    await store.set(message_path(OTHER, 777), {"text": "чуже"})
    done = await import_chat(app_on(store), source(content), replace=True)
    assert (done.written, done.removed) == (len(before), 1)
    assert await contents(store) == before
    assert len(await contents(store, OTHER)) == 1


async def test_what_somebody_writes_meanwhile_is_not_overwritten(sqlite_store, export):
    content, _ = export

    class Raced:
        def __getattr__(self, name):
            return getattr(sqlite_store, name)

        async def batch(self, writes):
            await sqlite_store.set(message_path(CHAT, 7), {"text": "щойно"})
            await sqlite_store.batch(writes)

    with pytest.raises(Contention):
        await import_chat(app_on(Raced()), source(content))
    assert (await sqlite_store.get(message_path(CHAT, 7))).data == {"text": "щойно"}


async def test_an_export_of_another_chat_is_refused(sqlite_store, export):
    with pytest.raises(ExportRefused, match=f"is of chat {CHAT}, not of {OTHER}"):
        await import_chat(app_on(sqlite_store), source(export[0]), only=OTHER)
    assert await contents(sqlite_store) == {}


@pytest.mark.parametrize(
    "mark", [chat_tombstone(CHAT), member_tombstone(CHAT, 102), message_tombstone(CHAT, 7)], ids=["chat", "who", "what"]
)
async def test_what_was_forgotten_does_not_come_back_with_an_old_file(sqlite_store, export, mark):
    content, _ = export
    await lay(sqlite_store, [mark], until=NOW)
    with pytest.raises(
        ExportRefused, match=r"was forgotten on 2026-\d\d-\d\d at .* after it was made, and stays forgotten"
    ):
        await import_chat(app_on(sqlite_store), source(content), replace=True)
    assert await contents(sqlite_store) == {}


async def test_what_was_forgotten_before_the_export_is_not_in_it_and_does_not_matter(sqlite_store, export):
    content, before = export
    await lay(sqlite_store, [chat_tombstone(CHAT), member_tombstone(CHAT, 102)], until=NOW.replace(hour=1))
    await import_chat(app_on(sqlite_store), source(content))
    assert await contents(sqlite_store) == before
