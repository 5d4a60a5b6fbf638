"""Erasing a member with 500 messages by `/gryadforgetme`: what it costs, and which of 50 planted phrases are left."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from infra.sqlite import SqliteStore
from tests.benchmarks.report import Figure
from tests.support.erasure import PLANTED, come_back, erase_member, lived_group, remains

MESSAGES = 500


async def measure(folder: Path) -> list[Figure]:
    """On one SQLite file with an archive in a folder; the raw bytes of both are searched."""
    file, archive = folder / "erasure.db", folder / "erasure-archive"
    store = SqliteStore(file)
    async with lived_group(store, archive, MESSAGES) as (group, said):
        documents = 0
        async for _ in store.subtree(f"chats/{said[0].chat_id}"):
            documents += 1
        before = await remains(group, file=file, archive=archive)
        reads, writes, began = store.usage.reads, store.usage.writes, perf_counter()
        await erase_member(group)
        seconds = perf_counter() - began
        cost = (store.usage.reads - reads, store.usage.writes - writes)
        after = await remains(group, file=file, archive=archive)
        refused = await come_back(group, said)
        again = await remains(group, file=file, archive=archive)
    await store.aclose()
    return [
        Figure("erasure", f"documents of the chat, {MESSAGES} messages of the member", documents),
        Figure("erasure", "planted phrases in the documents before", len(before["documents"]), least=len(PLANTED)),
        Figure("erasure", "planted phrases in the file's bytes before", len(before["file"]), least=len(PLANTED)),
        Figure("erasure", "planted phrases in the archive before", len(before["archive"]), least=len(PLANTED)),
        Figure("erasure", "from the command to the proof, the summaries made again included", seconds, "s"),
        Figure("erasure", "documents read", cost[0]),
        Figure("erasure", "documents written or deleted", cost[1]),
        Figure("erasure", "planted phrases found afterwards, anywhere", _left(after), most=0),
        Figure("erasure", "messages that a second import is refused", refused, least=MESSAGES),
        Figure("erasure", "planted phrases after import, extraction and a night", _left(again), most=0),
    ]


def _left(found: dict[str, set[str]]) -> int:
    return len({word for words in found.values() for word in words})
