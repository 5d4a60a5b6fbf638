"""A small group for tests of forgetting: who says what in it, and a worker that dies."""

from datetime import timedelta

from shared.application.chats.chat_codec import read_chat
from shared.application.documents import chat_path, message_path, messages_path
from tests.support.builders import message
from tests.support.exports import NOW
from tests.support.stores.messages import new_message_fields

CHAT, NEW, HANNA, TARAS, BOT = -1001, -1009, 104, 102, 1
HOUR = timedelta(hours=1)


class Recorder:
    """Notes what is asked of the queue and of the schedule."""

    def __init__(self):
        self.tasks, self.extractions = [], []

    async def enqueue(self, task):
        self.tasks.append(task)
        return True

    async def extraction_later(self, chat_id, *, mark, run_at):
        self.extractions.append((chat_id, run_at))


async def put(store, message_id, text="so it is", *, user_id=HANNA, fields=None, chat_id=CHAT, **more):
    more = {"sent_at": NOW - HOUR, "name": "Ганна" if user_id == HANNA else "Тарас"} | more
    told = message(text, message_id=message_id, user_id=user_id, chat_id=chat_id, **more)
    stored = new_message_fields(told, now=more["sent_at"], retention=timedelta(days=90))
    await store.set(message_path(chat_id, message_id), stored | (fields or {}))


async def begun(store, chat_id=CHAT, **more):
    await store.set(chat_path(chat_id), {"schema": 1, "chat_id": chat_id, "type": "group", "title": ""} | more)


async def left(store, chat_id=CHAT):
    return {document.data["message_id"] for document in await store.query(messages_path(chat_id))}


async def state(store, chat_id=CHAT):
    return read_chat(chat_id, await store.get(chat_path(chat_id)))


class Died(Exception):
    """The worker is gone."""


class Dying:
    """A store that fails when everything of a chat is looked through."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    def subtree(self, path):
        raise Died
