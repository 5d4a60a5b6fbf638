"""Deleting any number of documents: in batches that every store takes, and in no more of them than that needs."""

import pytest

from shared.application.bulk import delete_all, delete_subtree, write_all
from shared.application.ports.store import Set

CHAT = "chats/-1001"
MOST = 400


class Batches:
    """A store that tells the sizes of what it was given at once."""

    def __init__(self, store):
        self._store, self.sizes = store, []

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def batch(self, writes):
        self.sizes.append(len(writes))
        await self._store.batch(writes)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (MOST, [MOST]), (MOST + 1, [MOST, 1]), (2 * MOST + 5, [MOST, MOST, 5])]
)
async def test_a_subtree_goes_in_full_batches_and_the_document_itself_stays(sqlite_store, count, sizes):
    paths = [CHAT, "chats/-10010/messages/1", *(f"{CHAT}/messages/{number}" for number in range(count))]
    await write_all(sqlite_store, [Set(path, {"n": 1}) for path in paths])
    store = Batches(sqlite_store)
    assert await delete_subtree(store, CHAT) == count
    assert store.sizes == sizes
    assert [document async for document in sqlite_store.subtree(CHAT)] == []
    assert None not in await sqlite_store.get_many(paths[:2])


async def test_writes_take_effect_in_order(sqlite_store):
    store = Batches(sqlite_store)
    await write_all(store, [Set("things/a", {"n": number}) for number in range(MOST + 3)])
    assert store.sizes == [MOST, 3]
    assert (await sqlite_store.get("things/a")).data == {"n": MOST + 2}


async def test_documents_are_deleted_however_many_and_counted(sqlite_store):
    paths = [f"things/{number}" for number in range(MOST + 1)]
    await write_all(sqlite_store, [Set(path, {"n": 1}) for path in paths])
    store = Batches(sqlite_store)
    assert await delete_all(store, iter(paths)) == MOST + 1
    assert store.sizes == [MOST, 1]
    assert set(await sqlite_store.get_many(paths)) == {None}
    assert await delete_all(store, []) == 0
