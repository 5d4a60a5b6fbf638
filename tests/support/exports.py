"""Chats with documents of every kind for exports, and files that are not quite exports."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from infra.offline.model import OfflineModel
from infra.storage.object_folder import ObjectFolder
from infra.system import SystemIds
from shared.application.app import App
from shared.application.archive.exporting import entry_text
from shared.application.archive.keeping import export_key
from shared.application.chats.state import Chats
from shared.application.documents import chat_path
from shared.application.policy import Policy
from shared.application.ports.store import Delete, DocumentStore, Set, Vector
from shared.application.recall.cache import IndexCache
from shared.application.schedule import Schedule
from tests.support.archive import archive, group_state, said
from tests.support.queues import SteppedClock

CHAT = -1001
NOW = datetime(2026, 11, 22, 4, 0, tzinfo=UTC)
TODAY = export_key(CHAT, NOW)
CONTEXT = f"chats/{CHAT}/CONTEXT.md"
STATE = group_state(CHAT)


def app_on(store: Any, *, folder: Any = None, clock: SteppedClock | None = None) -> App:
    """Spomyn with a store, a folder as its archive, and nobody to talk to."""
    clock = clock or SteppedClock(NOW)
    policy = Policy(1, "gryag_bot", ("гряг",))
    nobody: Any = None
    return App(
        store=store,
        queue=nobody,
        gateway=nobody,
        model=None,
        offline=OfflineModel(),
        embedder=None,
        clock=clock,
        ids=SystemIds(),
        policy=policy,
        chats=Chats(store, clock),
        schedule=Schedule(nobody, clock, policy),
        indexes=IndexCache(),
        archive=None if folder is None else ObjectFolder(folder),
    )


ODD: dict[str, Any] = {
    "schema": 1,
    "none": None,
    "yes": True,
    "int": 1,
    "float": 1.0,
    "tiny": 5e-324,
    "minus_zero": -0.0,
    "big": (1 << 63) - 1,
    "small": -(1 << 63),
    "at": datetime(2026, 11, 22, 4, 5, 6, 7, tzinfo=UTC),
    "bytes": bytes(range(256)),
    "no_bytes": b"",
    "vector": Vector([0.1, -2.5, 1e300]),
    "text": 'Ґанок\u2028 \x00\x01 \U0001f984 "лапки" [meta] \r\n',
    "list": [1, 1.0, "a", {"at": datetime(1970, 1, 1, tzinfo=UTC)}, None],
    "$t": "a key like a type",
    "$$": {"$b": "and below", "з крапкою.": {}},
    "empty": {},
    "nothing": [],
}
"""A document with every type of value, and keys that look like types."""


async def fill(store: DocumentStore, messages: int, *, chat_id: int = CHAT) -> int:
    """A chat with so many messages and what follows from them; how many documents there are."""
    talk = [said(n, f"повідомлення {n} про кавун", 101 + n % 3, chat_id=chat_id) for n in range(1, messages + 1)]
    await archive(store, talk, embedding=Vector([0.125] * 16), embedding_model="test/16")
    rest: dict[str, dict[str, Any]] = {
        "": {"chat_id": chat_id, "title": "Родина", "last_active_at": NOW - timedelta(days=1)},
        "members/101": {"user_id": 101, "name": "Оля"},
        "facts/abc": {"value": "кавун", "evidence": [{"message_id": 1, "quote": "про кавун"}]},
        "facts/abc/versions/1": {"change": "new"},
        "learning/user:101": {"made": 1, "revision": 2},
        "index/seg-0001": {"payload": bytes(range(256)) * 40},
        "context/current": {"text": "# Контекст\n", "revision": 1},
        "context/current/revisions/000001": {"text": "# Контекст\n"},
        "usage/2026-11-21": {"odd": ODD},
        "quality/q": ODD,
    }
    await store.batch([Set(f"{chat_path(chat_id)}/{p}".rstrip("/"), {"schema": 1, **d}) for p, d in rest.items()])
    return messages + -(-messages // 10) + len(rest)


async def contents(store: DocumentStore, chat_id: int = CHAT) -> dict[str, str]:
    """Every document of a chat, as the bytes of its line in an export."""
    found = {d.path: entry_text(d.path, d.data) async for d in store.subtree(chat_path(chat_id))}
    chat = await store.get(chat_path(chat_id))
    return found | ({chat.path: entry_text(chat.path, chat.data)} if chat is not None else {})


async def whole(chunks: AsyncIterable[bytes]) -> bytes:
    return b"".join([chunk async for chunk in chunks])


def source(content: bytes, size: int = 4096) -> Callable[[], AsyncIterator[bytes]]:
    """A file in memory."""

    async def opened() -> AsyncIterator[bytes]:
        for start in range(0, len(content), size):
            yield content[start : start + size]

    return opened


def plain(content: bytes) -> list[str]:
    return gzip.decompress(content).decode().splitlines()


def packed(lines: Sequence[str | bytes]) -> bytes:
    """A file of these lines."""
    whole = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    return gzip.compress(whole, mtime=0)


def signed(lines: Sequence[str]) -> bytes:
    """A file of these lines and a last one that is right."""
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    return packed([*lines, json.dumps({"documents": len(lines) - 1, "sha256": digest})])


HEADER = json.dumps(
    {
        "chat_id": CHAT,
        "exported_at": {"$t": "2026-11-22T04:00:00.000000+00:00"},
        "format": "spomyn-export",
        "spomyn": "0.1.0",
        "version": 1,
    }
)

DOCUMENT = '{"data":{"a":1},"path":"facts/abc"}'


async def wipe(store, chat_id=CHAT):
    paths = [document.path async for document in store.subtree(chat_path(chat_id))]
    for start in range(0, len(paths), 400):
        await store.batch([Delete(path) for path in paths[start : start + 400]])
    await store.delete(chat_path(chat_id))


async def keys(app, prefix=""):
    return [info.key async for info in app.archive.list(prefix)]


async def active(app, at):
    await app.store.update(chat_path(CHAT), {"last_active_at": at})
