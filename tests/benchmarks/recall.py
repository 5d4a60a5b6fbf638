"""A chat of 100,000 messages, of a real group's chatter: what its index costs to keep, to load and to ask."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from infra.bootstrap import build_app
from infra.sqlite import SqliteStore
from shared.application.app import App
from shared.application.documents import chat_path, message_path
from shared.application.ports.store import Set, Vector
from shared.application.recall.cache import IndexCache
from shared.application.recall.loading import load_corpus
from shared.application.recall.search import recall
from shared.application.recall.upkeep import index_chat
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.vectors import MOST_COMPONENTS, VectorKind, embedded_text, pack_vectors
from shared.settings import Settings
from tests.benchmarks.report import Figure, percentile
from tests.support.archive import SIZE, START, archive, chunk_document, group_state, leave
from tests.support.queues import SteppedClock

CHAT = -1001234567890
STATE = group_state(CHAT)
MESSAGES, STRETCH, TAIL = 100_000, 10_000, 9
ONE_BY_ONE = 50
QUERIES, LIMIT = 200, 25
AT_ONCE = 400
DIMENSIONS = 768
SPAN = timedelta(days=60)


class AnyVector:
    """An embedder that gives each text another direction: what vectors cost, not what they find."""

    name = f"any/{DIMENSIONS}"

    def __init__(self) -> None:
        self._dice = np.random.default_rng(11)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        return [self.vector() for _ in texts]

    def vector(self) -> Vector:
        raw = self._dice.normal(size=DIMENSIONS)
        return Vector((raw / np.linalg.norm(raw)).tolist())


class NoQueue:
    """Takes tasks and runs none: the benchmark calls what they would run."""

    async def enqueue(self, task: Any) -> bool:
        return True

    async def aclose(self) -> None:
        """Nothing to release."""


def chatter(lines: Sequence[dict[str, Any]]) -> Iterator[Message]:
    """The talk over and over with other names, its pace kept, within `SPAN`."""
    first, last = (datetime.fromisoformat(lines[at]["date"]) for at in (0, -1))
    rounds = -(-MESSAGES // len(lines))
    pace = SPAN / rounds / (last - first)
    for count in range(MESSAGES):
        number, line = divmod(count, len(lines))
        said, shift = lines[line], number * len(lines)
        yield Message(
            CHAT,
            count + 1,
            sent_at=START + SPAN / rounds * number + (datetime.fromisoformat(said["date"]) - first) * pace,
            user_id=said["user_id"] + number * 10_000,
            name=f"{said['name']}{number}",
            text=said["text"],
            reply_to=said["reply_to"] and said["reply_to"] + shift,
        )


async def measure(talk: Path) -> list[Figure]:
    """Build the index in stretches and then chunk by chunk, load it cold, ask it warm."""
    messages = list(chatter([json.loads(line) for line in talk.read_text(encoding="utf-8").splitlines()]))
    store = SqliteStore(":memory:")  # the disk is shared, and nothing here is about it
    app = _app(store)
    try:
        return [
            *await _building(app, messages),
            *await _one_by_one(app, messages),
            *await _loading(app, messages),
            *await _asking(app, messages),
        ]
    finally:
        await store.aclose()


def _app(store: SqliteStore) -> App:
    clock = SteppedClock(START + SPAN + timedelta(hours=1))
    app = build_app(Settings.from_env({}), clock=clock, queue=NoQueue(), gateway=None, store=store)
    return replace(app, embedder=AnyVector())


async def _building(app: App, messages: Sequence[Message]) -> list[Figure]:
    """All but the last chunks, ten thousand messages at a time; processor time, for the disk is shared."""
    costs = []
    for start in range(0, MESSAGES, STRETCH):
        end = min(start + STRETCH, MESSAGES - TAIL - ONE_BY_ONE * SIZE)
        await _archived(app, messages[start:end])
        began = process_time()
        while await index_chat(app, STATE):
            pass
        costs.append((process_time() - began) / (end - start))
    total = sum(costs) / len(costs) * MESSAGES
    return [
        Figure("recall", "building the index of 100,000 messages", total, "s"),
        Figure("recall", "messages indexed a second", MESSAGES / total),
        Figure("recall", "cost of a message, last ten thousand to first", costs[-1] / costs[0], most=1.5),
    ]


async def _archived(app: App, messages: Sequence[Message]) -> None:
    """Stored as extraction leaves it, each chunk with a summary, a vector, and those of its messages."""
    embedder = AnyVector()
    await archive(app.store, messages)
    noted = []
    for start in range(0, len(messages), SIZE):
        summary = " ".join(message.text for message in messages[start : start + SIZE])[:600]
        each = {text: embedder.vector() for m in messages[start : start + SIZE] if (text := embedded_text(m))}
        vector = {"embedding": embedder.vector(), "embedding_model": embedder.name}
        vectors = {**vector, "message_vectors": pack_vectors(each)}
        noted.append(Set(*chunk_document(messages[start : start + SIZE], summary=summary, **vectors)))
    for start in range(0, len(noted), AT_ONCE):
        await app.store.batch(noted[start : start + AT_ONCE])


async def _one_by_one(app: App, messages: Sequence[Message]) -> list[Figure]:
    """As in a chat's life: a chunk, then the index."""
    costs = []
    start = MESSAGES - TAIL - ONE_BY_ONE * SIZE
    for at in range(start, MESSAGES - TAIL, SIZE):
        await _archived(app, messages[at : at + SIZE])
        began = process_time()
        await index_chat(app, STATE)
        costs.append((process_time() - began) * 1_000)
    await leave(app.store, messages[MESSAGES - TAIL :])
    return [Figure("recall", "indexing one more chunk of ten messages, p50", percentile(costs, 0.5), "ms")]


async def _loading(app: App, messages: Sequence[Message]) -> list[Figure]:
    documents = [d.data async for d in app.store.subtree(chat_path(CHAT)) if "/index/seg-" in d.path]
    segments, size = len(documents), sum(len(data["payload"]) for data in documents)
    reads, took = await _counted(app, load_corpus(app, STATE))
    memory = await _memory(app)
    return [
        Figure("recall", "segments", segments, most=MESSAGES / 1_000 + 1),
        Figure("recall", "segments' bytes", size / 1e6, "MB"),
        Figure("recall", "memory of the loaded index, with vectors", memory / 1e6, "MB", most=100),
        Figure("recall", "cold: documents read", reads, most=MESSAGES / 1_000 + 2 + TAIL),
        Figure("recall", "cold: loading", took * 1_000, "ms"),
    ]


async def _memory(app: App) -> int:
    """Bytes that a load leaves behind, vectors included."""
    app = replace(app, indexes=IndexCache())
    tracemalloc.start()
    corpus = await load_corpus(app, STATE)
    said, noted = corpus.vectors.stack, corpus.notes.vectors.stack
    kind, (of_notes,) = VectorKind(AnyVector.name, MOST_COMPONENTS), noted.kinds
    held = np.count_nonzero(said.scales[kind][corpus.vectors.places])
    if (
        not noted.scales[of_notes][corpus.notes.vectors.places].all()
        or corpus.size != MESSAGES
        or held < MESSAGES * 0.95
    ):
        raise RuntimeError("the index does not hold what was put in")
    _, _, _, _ = corpus.sent_at, corpus.replies, corpus.bots, said.middles
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held


async def _asking(app: App, messages: Sequence[Message]) -> list[Figure]:
    """Each question is the newest message, so the tail is another each time; with vectors, then without."""
    figures = await _asked(app, messages, "warm: a question", most=50)
    return [*figures, *(await _asked(replace(app, embedder=None), messages, "without vectors: a question"))[:2]]


async def _asked(app: App, messages: Sequence[Message], name: str, most: float | None = None) -> list[Figure]:
    times, reads, found = [], [], 0
    for text, asker in _questions(messages):
        await app.store.update(message_path(CHAT, MESSAGES), {"text": text})
        before, began = app.store.usage.reads, perf_counter()
        recalled = await recall(app, STATE, text, asker=asker, topic=None, limit=LIMIT, before=None)
        times.append((perf_counter() - began) * 1_000)
        reads.append(app.store.usage.reads - before)
        found += bool(recalled.messages)
    return [
        Figure("recall", f"{name}, p50", percentile(times[1:], 0.5), "ms"),
        Figure("recall", f"{name}, p95", percentile(times[1:], 0.95), "ms", most),
        Figure("recall", "warm: documents read", max(reads), most=1 + TAIL),
        Figure("recall", "questions that found something", found, f"of {QUERIES}"),
    ]


def _questions(messages: Sequence[Message]) -> Iterator[tuple[str, int]]:
    """Words of messages all over the past, asked for in several ways."""
    step = MESSAGES // QUERIES
    for count, message in enumerate(messages[step // 2 :: step]):
        words = " ".join(message.text.split()[1 : 4 + count % 5])
        forms = (f"what did {message.name} say about {words}?", f"who said {words}", words, f"{words} last week?")
        yield f"{forms[count % len(forms)]}", message.user_id


async def _counted(app: App, work: Awaitable[object]) -> tuple[int, float]:
    before, began = app.store.usage.reads, perf_counter()
    await work
    return app.store.usage.reads - before, perf_counter() - began


if __name__ == "__main__":  # one benchmark alone, while it is worked on
    import sys

    from tests.benchmarks.report import as_table

    print(as_table(asyncio.run(measure(Path(sys.argv[1]))), []))
