"""`dead-letters`: what failed is listed with its reason, and dealt with once more."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from infra.sqlite import SqliteStore
from infra.system import SystemClock
from shared.application.conversation.message_codec import ChunkState
from shared.application.dead_letters import record_dead_letter
from shared.application.documents import chat_path, message_path, update_path
from shared.application.reading.setting_aside import ExtractionPiece
from tests.support.updates import CHAT_ID, message_update

pytestmark = pytest.mark.wall_clock

LATE = "Привіт усім"


@pytest.fixture
def record(spomyn, tmp_path):
    """Writes dead letters into the command's store; their ids."""

    def write(kind, body, reason="it was down"):
        async def into_store():
            store = SqliteStore(tmp_path / "spomyn.db")
            letter = await record_dead_letter(store, SystemClock(), kind=kind, body=body, reason=reason)
            await store.aclose()
            return letter

        return asyncio.run(into_store())

    return write


def stored(tmp_path, path):
    async def read():
        store = SqliteStore(tmp_path / "spomyn.db")
        document = await store.get(path)
        await store.aclose()
        return document

    return asyncio.run(read())


def change(tmp_path, path, fields):
    async def write():
        store = SqliteStore(tmp_path / "spomyn.db")
        await store.upsert(path, fields)
        await store.aclose()

    asyncio.run(write())


def test_they_are_listed_with_reason_and_age(spomyn, record):
    assert spomyn("dead-letters", "list").out == "No dead letters.\n"
    first, second = record("update", b"{}", "no message\x1b[31m in it"), record("task", b"x" * 70_000)
    listed = spomyn("dead-letters", "list", "--json").json
    assert {(letter["id"], letter["replayable"]) for letter in listed} == {(first, True), (second, False)}
    told = spomyn("dead-letters", "list").out
    assert "cut: cannot be replayed" in told
    assert "\x1b[31m" not in told
    assert len(spomyn("dead-letters", "list", "--limit", 1, "--json").json) == 1


def test_an_update_is_handled_and_its_record_removed(spomyn, record, tmp_path):
    letter = record("update", json.dumps(message_update(LATE, message_id=5)).encode())
    done = spomyn("dead-letters", "replay", letter, "--json")
    assert (done.code, done.json) == (0, [{"id": letter, "done": True, "outcome": "stored"}])
    assert stored(tmp_path, message_path(CHAT_ID, 5)).data["text"] == LATE
    assert spomyn("dead-letters", "list", "--json").json == []


def test_tasks_run_by_their_target_or_by_what_they_hold(spomyn, record):
    record("task", json.dumps({"target": "/extract", "chat_id": CHAT_ID, "window": 1}).encode())
    record("task", json.dumps({"chat_id": CHAT_ID, "window": 1}).encode())
    record("task", json.dumps({"target": "/maintenance/decay", "chat_id": CHAT_ID}).encode())
    record("task", json.dumps({"target": "/answer", "update_id": 77}).encode())
    done = spomyn("dead-letters", "replay", "--all", "--json")
    assert done.code == 0
    assert [outcome["done"] for outcome in done.json] == [True] * 4


def test_an_update_that_asks_something_is_answered_here_and_now(spomyn, record, tmp_path):
    letter = record("update", json.dumps(message_update("гряг, ти тут?", update_id=7, message_id=5)).encode())
    done = spomyn("dead-letters", "replay", letter)
    assert "no token" in done.out.lower() or "TELEGRAM_BOT_TOKEN" in done.out, "here there is no way into the chats"
    assert done.code == 1
    assert stored(tmp_path, message_path(CHAT_ID, 5)) is not None
    assert stored(tmp_path, update_path(7)).data["ask"] is not None, "and it can be answered later"


@pytest.mark.parametrize(
    ("kind", "body", "complaint"),
    [
        ("update", b"nonsense", "not JSON"),
        ("update", b'{"update_id": 1, "message": {}}', "update.message.chat is missing"),
        ("update", b"\xff\xfe", "not JSON"),
        ("task", b"[1]", "no JSON object"),
        ("task", b"{nope", "Expecting property name"),
        ("task", b'{"target": "/maintenance/brew"}', "no maintenance job 'brew'"),
        ("task", b'{"target": "/extract"}', "names no chat"),
        ("task", b'{"target": "/answer"}', "needs update_id"),
        ("task", b'{"chat_id": 5}', "name it with --job"),
        ("task", b'{"target": "/extract", "chat_id": 5, "set_aside": "all"}', "no piece of a chat"),
        ("task", b'{"set_aside": "edit", "chat_id": 5, "version": 0, "message_ids": ["7"]}', "no piece of a chat"),
        ("update", b"[" + b"1," * 50_000, "only the beginning"),
    ],
)
def test_what_fails_again_is_kept_and_says_why(spomyn, record, kind, body, complaint):
    letter = record(kind, body)
    done = spomyn("dead-letters", "replay", letter)
    assert done.code == 1
    assert complaint in done.out
    assert "0 of 1 done" in done.out
    assert [kept["id"] for kept in spomyn("dead-letters", "list", "--json").json] == [letter]


def test_what_was_set_aside_is_put_back_and_read(spomyn, record, tmp_path):
    record("update", json.dumps(message_update(LATE, message_id=5)).encode())
    assert spomyn("dead-letters", "replay", "--all").code == 0
    change(
        tmp_path,
        message_path(CHAT_ID, 5),
        {"chunk": ChunkState.SET_ASIDE.value, "received_at": datetime(2026, 1, 1, tzinfo=UTC)},
    )
    change(
        tmp_path, chat_path(CHAT_ID), {"admins": [102], "admins_checked_at": SystemClock().now()}
    )  # no Telegram here
    letter = record("task", json.dumps(ExtractionPiece(CHAT_ID, "stretch", (5,)).payload()).encode())

    done = spomyn("dead-letters", "replay", letter, "--json")

    assert (done.code, done.json[0]["outcome"]) == (0, "put back: 1; extracted: 1 chunks, 0 changes of facts")
    assert stored(tmp_path, message_path(CHAT_ID, 5)).data["chunk"] == "5-5"
    assert spomyn("dead-letters", "list", "--json").json == []


def test_a_bug_in_one_letter_keeps_no_other_from_being_replayed(spomyn, record, tmp_path):
    record("task", json.dumps({"target": "/extract", "chat_id": 5, "window": 1}).encode())
    change(tmp_path, "chats/5", {"migrated_to": "nowhere"})
    record("task", json.dumps({"target": "/maintenance/decay", "chat_id": CHAT_ID}).encode())
    done = spomyn("dead-letters", "replay", "--all", "--json")
    assert (done.code, sorted(outcome["done"] for outcome in done.json)) == (1, [False, True])


def test_a_job_can_be_named(spomyn, record):
    letter = record("task", json.dumps({"chat_id": CHAT_ID}).encode())
    assert spomyn("dead-letters", "replay", letter, "--job", "decay").code == 0


def test_the_command_line_is_checked(spomyn):
    assert spomyn("dead-letters", "replay").code == 2
    assert spomyn("dead-letters", "replay", "task-1", "--all").code == 2
    assert spomyn("dead-letters", "replay", "../x").code == 1
    assert spomyn("dead-letters", "replay", "--all").out == "0 of 0 done\n"


def test_on_firestore_it_is_the_same(on_firestore, firestore_emulator):
    import os

    from infra.firestore import FirestoreStore

    async def write():
        store = FirestoreStore(os.environ["GOOGLE_CLOUD_PROJECT"], emulator_host=firestore_emulator)
        body = json.dumps(message_update(LATE, message_id=5)).encode()
        letter = await record_dead_letter(store, SystemClock(), kind="update", body=body, reason="down")
        await store.aclose()
        return letter

    letter = asyncio.run(write())
    assert on_firestore("dead-letters", "list", "--json").json[0]["id"] == letter
    assert on_firestore("dead-letters", "replay", "--all", "--json").json[0]["done"]
    assert on_firestore("dead-letters", "list", "--json").json == []
