"""Export -> wipe -> import of a chat: the identity, megabytes a second each way, and memory that does not grow."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import BinaryIO

from infra.cli.archive.transfer import OpenFile
from infra.sqlite import SqliteStore
from shared.application.archive.exporting import entry_text, export_chat
from shared.application.archive.importing import import_chat
from shared.application.documents import chat_path
from shared.application.ports.store import DocumentStore, Set, Vector
from shared.domain.conversation.messages import SCHEMA
from tests.benchmarks.report import Figure
from tests.support.archive import archive, said
from tests.support.exports import CHAT, app_on, fill

FEW, MANY = 2_000, 20_000
FACTS, SEGMENT_BYTES, DIMENSIONS = 1_000, 400_000, 768
_MEGABYTE = 1_000_000
_CYCLE = 997


async def measure(folder: Path) -> list[Figure]:
    """The time without the memory's tracing, and the memory in a run of its own."""
    figures, peaks = [], {}
    for messages in (FEW, MANY):
        store = SqliteStore(folder / f"from-{messages}.db")
        documents = await _fill(store, messages)
        timed = await _round_trip(store, folder, messages, _seconds)
        peaks[messages] = await _round_trip(store, folder, messages, _peak)
        if messages == MANY:
            figures += await _told(timed, documents, folder / f"{messages}.jsonl.gz")
        await store.aclose()
    for at, way in enumerate(("export", "import")):
        figures += [
            Figure("archive", f"{way}: peak memory, {n:,} messages", peaks[n][at], "MB", most=24) for n in (FEW, MANY)
        ]
    return figures


async def _told(timed: list[float], documents: int, file: Path) -> list[Figure]:
    size = file.stat().st_size / _MEGABYTE
    plain = sum(len(line) for line in _plain(file)) / _MEGABYTE
    export, restore = timed
    return [
        Figure("archive", f"documents of a chat of {MANY:,} messages", documents),
        Figure("archive", "size of the export", size, "MB"),
        Figure("archive", "size of its lines", plain, "MB"),
        Figure("archive", "export: lines a second", plain / export, "MB/s"),
        Figure("archive", "import, with both readings: lines a second", plain / restore, "MB/s"),
        Figure("archive", "export: documents a second", documents / export),
        Figure("archive", "import: documents a second", documents / restore),
    ]


def _plain(file: Path) -> list[bytes]:
    import gzip

    with gzip.open(file) as lines:
        return list(lines)


async def _round_trip(
    store: DocumentStore, folder: Path, messages: int, measured: Callable[[Awaitable[object]], Awaitable[float]]
) -> list[float]:
    """Export, import into an empty store, and compare; what was measured of both.

    Raises:
        RuntimeError: The documents are others.
    """
    target = folder / "to.db"
    target.unlink(missing_ok=True)
    path, other = folder / f"{messages}.jsonl.gz", SqliteStore(target)
    with path.open("w+b") as file:
        export = await measured(_save(file, export_chat(store, app_on(store).clock, CHAT)))
        restore = await measured(import_chat(app_on(other), OpenFile(file)))
    if await _digest(store) != await _digest(other):
        raise RuntimeError("the restored chat is another")
    await other.aclose()
    return [export, restore]


async def _seconds(work: Awaitable[object]) -> float:
    began = perf_counter()
    await work
    return perf_counter() - began


async def _peak(work: Awaitable[object]) -> float:
    tracemalloc.start()
    await work
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / _MEGABYTE


async def _save(file: BinaryIO, chunks: AsyncIterator[bytes]) -> None:
    async for chunk in chunks:
        file.write(chunk)
    file.flush()


async def _digest(store: DocumentStore) -> str:
    """Of every document's encoded bytes, in the store's order."""
    digest = hashlib.sha256()
    chat = await store.get(chat_path(CHAT))
    digest.update(entry_text("", chat.data if chat else None).encode())
    async for document in store.subtree(chat_path(CHAT)):
        digest.update(entry_text(document.path, document.data).encode())
    return digest.hexdigest()


async def _fill(store: DocumentStore, messages: int) -> int:
    """Messages in chunks with vectors, facts with versions, and index segments; how many documents."""
    documents = await fill(store, 0)
    for start in range(0, messages, 1_000):
        talk = [said(n, _text(n), 101 + n % 7, chat_id=CHAT) for n in range(start + 1, start + 1_001)]
        vector = Vector((n * 37 % _CYCLE) / _CYCLE + start for n in range(DIMENSIONS))
        await archive(store, talk, embedding=vector, embedding_model="test/768", episodic=_text(start) * 5)
        payload = bytes(hashlib.shake_128(str(start).encode()).digest(SEGMENT_BYTES))
        await store.set(f"{chat_path(CHAT)}/index/seg-{start // 1_000:04d}", {"schema": SCHEMA, "payload": payload})
        facts = FACTS * 1_000 // MANY
        await store.batch([write for n in range(start, start + facts) for write in _fact(n)])
        documents += 1_100 + 1 + 2 * facts
    return documents


def _fact(number: int) -> list[Set]:
    path = f"{chat_path(CHAT)}/facts/f{number:06d}"
    evidence = [{"message_id": number + n, "quote": _text(number + n), "user_id": 101} for n in range(3)]
    fact = {"schema": SCHEMA, "subject": "user:101", "value": _text(number), "confidence": 0.9, "evidence": evidence}
    return [Set(path, fact), Set(f"{path}/versions/1", fact)]


def _text(number: int) -> str:
    words = ("кавун", "Карпати", "the boiler", "субота", "велосипед", "release", "дощ", "оренда", "Monday", "гривень")
    return " ".join(words[number * step % 10] for step in (1, 3, 7, 9)) + f" {number}"
