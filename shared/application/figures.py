"""What there is of all chats and of one, in figures: counted by the store, not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple, get_args

from shared.application.app import App
from shared.application.documents import (
    chat_path,
    chunks_path,
    episodes_path,
    facts_path,
    index_head_path,
    messages_path,
    metas_path,
    usage_path,
)
from shared.application.ports.model import Purpose
from shared.application.ports.store import Document, Filter, Order
from shared.application.recall.head import head_of
from shared.domain.facts import CHAT_CATEGORIES, MEMBER_CATEGORIES, Status

DAYS = 30
"""Of usage that is added up: a month, as bills are."""


class ChatFigures(NamedTuple):
    """One chat.

    Attributes:
        counts: Documents by kind: messages, unread (without a chunk), chunks, waiting (for the model), metas,
            episodes, members, facts.
        statuses: Facts by status.
        categories: Active facts by category, those that there are.
        tokens: Read and written tokens of the last `DAYS` days by purpose.
        calls: Calls of the model in that time.
        nightly: What the night shift noted about each job.
        segments, index_bytes: Of the retrieval index.
    """

    document: Document
    counts: Mapping[str, int]
    statuses: Mapping[str, int]
    categories: Mapping[str, int]
    tokens: Mapping[str, int]
    calls: int
    nightly: Mapping[str, Mapping[str, Any]]
    segments: int
    index_bytes: int


class ChatLine(NamedTuple):
    """One chat in a list: its document, and counts of messages, chunks, active facts, members; tokens as above."""

    document: Document
    counts: Mapping[str, int]
    tokens: int


async def count_chats(app: App) -> dict[str, int]:
    """How many chats there are, and in how many of them the bot is."""
    active = await app.store.count("chats", where=[Filter("active", "==", True)])
    return {"known": await app.store.count("chats"), "active": active}


async def liveliest_chats(app: App, *, limit: int) -> list[ChatLine]:
    """The chats that something was learnt of last, the newest first; some five counts each."""
    last = [Order("last_active_at", descending=True)]
    return [await _line(app, found) for found in await app.store.query("chats", order_by=last, limit=limit)]


async def _line(app: App, document: Document) -> ChatLine:
    chat_id = int(document.id)
    counts = {
        "messages": await app.store.count(messages_path(chat_id)),
        "chunks": await app.store.count(chunks_path(chat_id)),
        "facts": await app.store.count(facts_path(chat_id), where=[Filter("status", "==", str(Status.ACTIVE))]),
        "members": await app.store.count(f"{chat_path(chat_id)}/members"),
    }
    return ChatLine(document, counts, sum(_tokens(await _usage(app, chat_id)).values()))


async def chat_figures(app: App, chat_id: int) -> ChatFigures | None:
    """All figures of one chat; None when there is no such chat."""
    document = await app.store.get(chat_path(chat_id))
    if document is None:
        return None
    usage = await _usage(app, chat_id)
    head = head_of(await app.store.get(index_head_path(chat_id)))
    return ChatFigures(
        document=document,
        counts=await _counts(app, chat_id),
        statuses={str(s): await _facts(app, chat_id, Filter("status", "==", str(s))) for s in Status},
        categories=await _categories(app, chat_id),
        tokens=_tokens(usage),
        calls=sum(day.get("calls", 0) for day in usage),
        nightly=document.data.get("nightly") or {},
        segments=len(head.entries),
        index_bytes=sum(entry.size for entry in head.entries),
    )


async def _counts(app: App, chat_id: int) -> dict[str, int]:
    asked: dict[str, tuple[str, Sequence[Filter]]] = {
        "messages": (messages_path(chat_id), ()),
        "unread": (messages_path(chat_id), (Filter("chunk", "==", None),)),
        "chunks": (chunks_path(chat_id), ()),
        "waiting": (chunks_path(chat_id), (Filter("model_pending", "==", True),)),
        "metas": (metas_path(chat_id), ()),
        "episodes": (episodes_path(chat_id), ()),
        "members": (f"{chat_path(chat_id)}/members", ()),
        "facts": (facts_path(chat_id), ()),
    }
    return {name: await app.store.count(path, where=where) for name, (path, where) in asked.items()}


async def _categories(app: App, chat_id: int) -> dict[str, int]:
    active = Filter("status", "==", str(Status.ACTIVE))
    named = sorted({*CHAT_CATEGORIES, *MEMBER_CATEGORIES})
    counted = {name: await _facts(app, chat_id, active, Filter("category", "==", name)) for name in named}
    return {name: count for name, count in counted.items() if count}


async def _facts(app: App, chat_id: int, *where: Filter) -> int:
    return await app.store.count(facts_path(chat_id), where=where)


async def _usage(app: App, chat_id: int) -> list[Mapping[str, Any]]:
    today = app.clock.now().date()
    days = [usage_path(chat_id, today - timedelta(days=back)) for back in range(DAYS)]
    return [document.data for document in await app.store.get_many(days) if document is not None]


def _tokens(usage: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    tokens = Counter[str]()
    for day in usage:
        for purpose in get_args(Purpose):
            tokens[purpose] += day.get(f"{purpose}_input_tokens", 0) + day.get(f"{purpose}_output_tokens", 0)
    return dict((+tokens).most_common())
