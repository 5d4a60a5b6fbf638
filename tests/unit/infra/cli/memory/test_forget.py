"""`forget`: what would go, the question, the proof, and exit codes."""

import asyncio
import io
import json
from datetime import UTC, datetime, timedelta

import pytest

from infra.cli.root import main
from infra.firestore import FirestoreStore
from infra.system import SystemClock
from shared.application.documents import chat_path, message_path
from shared.domain.conversation.messages import Message
from tests.support.servers.objects import ACCOUNT, moto_server
from tests.support.stores.messages import new_message_fields
from tests.unit.infra.cli.memory.chats import opened

pytestmark = pytest.mark.wall_clock

CHAT, OLYA, TARAS = -100, 101, 102
TALK = [(OLYA, "Оля", "Моя кішка Мурка хворіє на алергію"), (TARAS, "Тарас", "Співчуваю, одужуйте швидше")]


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A store with a chat in it, as the command will open it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPOMYN_STORE", f"sqlite:{tmp_path / 'spomyn.db'}")
    for name in ("GEMINI_API_KEY", "TELEGRAM_BOT_TOKEN", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    asyncio.run(_in(tmp_path / "spomyn.db", seed))
    return tmp_path / "spomyn.db"


async def _in(path, work):
    async with opened(path) as store:
        return await work(store)


async def seed(store):
    await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "supergroup", "active": True})
    now = SystemClock().now()
    for number, (user_id, name, text) in enumerate(TALK, start=1):
        at = now - timedelta(minutes=30 - number)
        message = Message(CHAT, number, at, user_id, name, text=text)
        fields = new_message_fields(message, now=at, retention=timedelta(days=90))
        await store.set(message_path(CHAT, number), fields)


async def texts(store):
    return [d.data["text"] for d in await store.query(f"{chat_path(CHAT)}/messages")]


def test_it_says_what_would_go_and_changes_nothing(file, capsys):
    assert main(["forget", str(CHAT), "--member", str(OLYA), "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "Would go" in out
    assert len(asyncio.run(_in(file, texts))) == 2


def test_of_a_whole_chat_it_says_how_many_documents_of_each_kind_would_go(file, capsys):
    assert main(["forget", str(CHAT), "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["would_go"]["messages"] == len(TALK)
    assert len(asyncio.run(_in(file, texts))) == len(TALK)


def test_a_member_goes_after_the_question_and_the_proof_finds_nothing(file, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(["forget", str(CHAT), "--member", str(OLYA)]) == 0
    assert "Nothing of it is left" in capsys.readouterr().out
    assert asyncio.run(_in(file, texts)) == [TALK[1][2]]
    assert "Мурка".encode() not in file.read_bytes()


def test_without_a_yes_nothing_goes(file, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert main(["forget", str(CHAT)]) == 1
    assert len(asyncio.run(_in(file, texts))) == 2


def test_single_messages_as_json(file, capsys):
    assert main(["forget", str(CHAT), "--message", "1", "--yes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["forgotten"]["messages"], told["left"], told["locked"]) == (1, [], [])
    assert main(["forget", str(CHAT), "--message", "1", "--yes"]) == 0


def test_a_whole_chat(file):
    assert main(["forget", str(CHAT), "--yes"]) == 0
    assert asyncio.run(_in(file, texts)) == []
    assert main(["forget", str(CHAT), "--yes"]) == 1


def test_what_is_left_is_named_and_the_exit_code_says_so(file, capsys):
    unknown = f"{chat_path(CHAT)}/notebook/1"  # a kind of document that forgetting was never taught

    async def note(store):
        await store.set(unknown, {"schema": 1, "text": "кішка Мурка хворіє на алергію"})

    asyncio.run(_in(file, note))
    assert main(["forget", str(CHAT), "--member", str(OLYA), "--yes"]) == 1
    assert f"Left: {unknown}" in capsys.readouterr().out


def test_a_member_and_messages_exclude_each_other(file):
    assert main(["forget", str(CHAT), "--member", "1", "--message", "2"]) == 2


def test_it_works_on_firestore(firestore_emulator, tmp_path, monkeypatch, capsys):
    project = f"forget-{tmp_path.name}".replace("_", "-").lower()
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "SPOMYN_STORE": "firestore",
        "FIRESTORE_EMULATOR_HOST": firestore_emulator,
        "GOOGLE_CLOUD_PROJECT": project,
        "SPOMYN_QUEUE": "local",
    }.items():
        monkeypatch.setenv(name, value)

    async def fill():
        store = FirestoreStore(project, emulator_host=firestore_emulator)
        await seed(store)
        await store.aclose()

    asyncio.run(fill())
    assert main(["forget", str(CHAT), "--member", str(OLYA), "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forgotten"]["messages"] == 1


def test_what_the_archive_keeps_is_named_with_the_day_until_which(file, capsys, monkeypatch):
    lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(2099, 1, 2, tzinfo=UTC)}
    with moto_server() as client:
        client.create_bucket(Bucket="kept", ObjectLockEnabledForBucket=True)
        client.put_object(Bucket="kept", Key=f"chats/{CHAT}/CONTEXT.md", Body=b"words", **lock)
        monkeypatch.setenv("SPOMYN_ARCHIVE", "s3://kept")
        monkeypatch.setenv("ARCHIVE_ENDPOINT_URL", client.meta.endpoint_url)
        for name, value in ACCOUNT.items():
            monkeypatch.setenv(f"ARCHIVE_{name.upper()}", value)
        assert main(["forget", str(CHAT), "--yes"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert f"chats/{CHAT}/CONTEXT.md (locked until 2099-01-02)" in told
    assert asyncio.run(_in(file, texts)) == []


def test_what_a_backup_brought_back_is_forgotten_again(file, capsys):
    async def documents(store):
        return [document async for document in store.subtree(chat_path(CHAT))]

    async def put_back(store):
        for document in kept:
            await store.set(document.path, document.data)

    kept = asyncio.run(_in(file, documents))
    assert main(["forget", str(CHAT), "--member", str(OLYA), "--yes"]) == 0
    asyncio.run(_in(file, put_back))
    assert len(asyncio.run(_in(file, texts))) == 2
    capsys.readouterr()
    assert main(["forget-again", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["chats"], told["forgotten"][str(CHAT)]["messages"], told["why"]) == (1, 1, None)
    assert asyncio.run(_in(file, texts)) == [TALK[1][2]]
    assert main(["forget-again", "--chat", str(CHAT)]) == 0
    assert "nothing had come back" in capsys.readouterr().out
    assert main(["forget-again", "--after", str(CHAT), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chats"] == 0
