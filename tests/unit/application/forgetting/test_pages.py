"""However much there is, it is looked through a page at a time: a worker's memory has an end, a collection need not."""

from datetime import timedelta

import pytest

from shared.application.bulk import write_all
from shared.application.documents import chat_path, message_path, messages_path
from shared.application.forgetting.proof import prove
from shared.application.forgetting.restored import forget_again, forget_restored
from shared.application.forgetting.traces.outside import delete_dead_letters
from shared.application.forgetting.traces.scope import ForgottenWords, Preview, Scope
from shared.application.ports.store import Set
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.stores.messages import new_message_fields

CHAT, HANNA = -1001, 104
SCOPE = Scope(CHAT, HANNA, frozenset(), at(100))
MOST, COUNT = 300, 305


class Pages:
    """A store that tells how much it gave at once of each collection."""

    def __init__(self, store):
        self._store, self.given = store, {}

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def query(self, path, **more):
        found = await self._store.query(path, **more)
        self.given.setdefault(path, []).append(len(found))
        return found


@pytest.fixture
async def store(sqlite_store):
    said = [message(message_id=n, chat_id=CHAT, sent_at=at(n)) for n in range(1, COUNT + 1)]
    fields = [new_message_fields(each, now=each.sent_at, retention=timedelta(days=9)) for each in said]
    writes = [Set(message_path(CHAT, each.message_id), told) for each, told in zip(said, fields, strict=True)]
    writes += [Set(f"dead_letters/{n:03}", {"body": "nothing"}) for n in range(COUNT)]
    writes += [Set(chat_path(-2000 - n), {"schema": 1, "chat_id": -2000 - n}) for n in range(COUNT)]
    await write_all(sqlite_store, writes)
    return Pages(sqlite_store)


def given(store, path):
    """What was given of a collection: all of it, and never too much at once."""
    return sum(store.given[path]), max(store.given[path]) <= MOST


async def test_letters_are_deleted_and_proven_to_be_gone_page_by_page(store):
    await delete_dead_letters(store, SCOPE, CHAT, ForgottenWords())
    assert given(store, "dead_letters") == (COUNT, True)
    store.given.clear()
    assert (await prove(store, app_on(store).archive, Preview([], SCOPE, ForgottenWords(), {}))).searched == COUNT
    assert given(store, "dead_letters") == (COUNT, True)


async def test_chats_of_a_backup_are_walked_page_by_page(store):
    assert len([each async for each in forget_restored(app_on(store))]) == COUNT
    assert given(store, "chats") == (COUNT, True)


async def test_what_came_in_late_is_looked_at_page_by_page_from_a_while_before(store):
    app = app_on(store)
    assert await forget_again(app, CHAT, at(0)) == 0
    assert given(store, messages_path(CHAT)) == (COUNT, True)
    store.given.clear()
    await forget_again(app, CHAT, at(300))
    assert given(store, messages_path(CHAT)) == (11, True)  # five minutes of others' clocks
