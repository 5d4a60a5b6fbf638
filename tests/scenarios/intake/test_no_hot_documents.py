"""The webhook writes what belongs to its one update alone: nothing that others of the chat write, no transaction."""

from contextlib import asynccontextmanager

import pytest

from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, message_path, update_path
from tests.support import updates
from tests.support.group import CHAT, running_group

OLIA, TARAS, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")
SINGLE = ("set", "upsert", "update", "delete", "create")


class Recording:
    """A real store that remembers which documents are written, by themselves and in transactions, and what those read.

    Attributes:
        written: Paths, of transactions too.
        contended: Paths that transactions read or wrote.
    """

    def __init__(self, store):
        self._store, self.written, self.contended = store, set(), set()

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if name not in SINGLE:
            return method

        async def write(path, *args):
            self.written.add(path)
            return await method(path, *args)

        return write

    async def batch(self, writes):
        self.written.update(each.path for each in writes)
        return await self._store.batch(writes)

    async def transaction(self, body):
        return await self._store.transaction(lambda tx: body(RecordedTransaction(tx, self)))


class RecordedTransaction:
    """One attempt of a transaction."""

    def __init__(self, transaction, store):
        self._transaction, self._store = transaction, store

    async def get(self, path):
        self._store.contended.add(path)
        return await self._transaction.get(path)

    async def get_many(self, paths):
        self._store.contended.update(paths)
        return await self._transaction.get_many(paths)

    def write(self, write):
        self._store.contended.add(write.path)
        self._store.written.add(write.path)
        self._transaction.write(write)


@asynccontextmanager
async def watched_group(store):
    """A group that is at home, and the store beneath it."""
    recording = Recording(store)
    async with running_group(recording) as group:
        await group.say("Завтра йдемо в гори", *OLIA)
        await group.say("/gryadchatreset", *TARAS)
        yield group, recording


async def taken_in(group, recording, update):
    """What the webhook wrote for an update, and what it had transactions on; its answer is not made."""
    recording.written.clear()
    recording.contended.clear()
    assert await group.post(update) == 200
    return set(recording.written), set(recording.contended)


def own_documents(update):
    """The documents of an update and of the message that it brings."""
    message = update.get("message")
    return {update_path(update["update_id"])} | ({message_path(CHAT, message["message_id"])} if message else set())


@pytest.mark.parametrize(
    "arriving",
    [
        lambda group: group.says("І воду беріть", *MARKO),
        lambda group: group.says("гряг, куди йдемо?", *MARKO),
        lambda group: group.says("/gryadfacts", *MARKO),
        lambda group: group.says("А це як?", *MARKO, reply_to_message={**group.says("Що?")["message"]}),
        lambda group: group.pressing("", *TARAS),
    ],
    ids=["talk", "question", "command", "reply", "press"],
)
async def test_what_arrives_writes_its_own_documents_only_and_in_no_transaction(sqlite_store, arriving):
    async with watched_group(sqlite_store) as (group, recording):
        update = arriving(group)
        written, contended = await taken_in(group, recording, update)
        assert contended == set()
        assert written
        assert written <= own_documents(update)


async def test_an_edit_meets_nobody_but_its_message_and_the_question_that_it_was(sqlite_store):
    """Its author alone edits it, and an answer may be made of it at that moment: the newer words must win."""
    async with watched_group(sqlite_store) as (group, recording):
        asked = group.says("гряг, куди йдем?", *OLIA)
        await group.post(asked)
        edit = {**asked["message"], "text": "гряг, куди йдемо?", "edit_date": asked["message"]["date"] + 5}
        written, contended = await taken_in(group, recording, {"update_id": 9_001, "edited_message": edit})
        assert message_path(CHAT, edit["message_id"]) in written
        assert written | contended <= own_documents(asked)
        stored = read_message(await group.store.get(message_path(CHAT, edit["message_id"])))
        assert stored.message.text == "гряг, куди йдемо?"


async def test_a_stop_meets_nobody_but_what_its_author_asked(sqlite_store):
    """It must hold at once, and ends only what is not sent: so it reads each question as it ends it."""
    async with watched_group(sqlite_store) as (group, recording):
        asked, others = group.says("гряг, куди йдемо?", *OLIA), group.says("гряг, а коли?", *MARKO)
        await group.post(asked)
        await group.post(others)
        stop = group.says("гряг, стоп", *OLIA)
        written, contended = await taken_in(group, recording, stop)
        assert contended == {update_path(asked["update_id"])}
        assert written == own_documents(stop) | contended


async def test_who_becomes_an_admin_is_noted_in_the_chat_in_the_one_transaction_on_what_all_share(sqlite_store):
    """It must hold from the next message on, in whatever order such changes are told; they are rare."""
    async with watched_group(sqlite_store) as (group, recording):
        promoted = updates.member_update("member", "administrator", update_id=9_001)
        assert await taken_in(group, recording, promoted) == ({chat_path(CHAT)}, {chat_path(CHAT)})


async def test_a_new_title_is_written_over_the_old_one_without_looking(sqlite_store):
    """Whoever comes last has the newest: nothing is read for it."""
    async with watched_group(sqlite_store) as (group, recording):
        renamed = group.says("Нова назва!", *OLIA, chat={**updates.chat(), "title": "Карпати"})
        assert await taken_in(group, recording, renamed) == (
            {chat_path(CHAT), message_path(CHAT, renamed["message"]["message_id"])},
            set(),
        )
