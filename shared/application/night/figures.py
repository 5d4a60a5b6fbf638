"""The figures of all chats and of one: counted by the store, not read."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, get_args

from shared.application.answering.answer_codec import answers_path, made_since
from shared.application.app import App
from shared.application.chats.about_codec import ACTIVE, LATEST_FIRST
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.chats.marks import Mark, read_marks
from shared.application.conversation.message_queries import UNREAD, sent_since
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
from shared.application.facts.codec import in_category, with_status
from shared.application.night.health_codec import HEALTH_PATH, read_health
from shared.application.ports.model import Purpose
from shared.application.ports.store import Document, DocumentStore, Filter
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Backlog
from shared.application.recall.head_codec import head_of
from shared.application.recall.note_queries import MODEL_PENDING
from shared.application.spending.usage_codec import DayUsage, read_usage, usage_days_path
from shared.domain.errors import TransientError
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Status

DAYS = 30
"""The days of usage that are added up: a month, as bills are."""


class ChatFigures(NamedTuple):
    """One chat.

    Attributes:
        counts: Documents by kind: messages, unread (without a chunk), chunks, waiting (for the model), metas,
            episodes, members, facts.
        statuses: Facts by status.
        categories: Active facts by category, those that there are.
        tokens: Read and written tokens of the last `DAYS` days by purpose.
        calls: Calls of the model in that time.
        repeated: Pieces of answers that were sent again in that time, for they might not have arrived.
        nightly: What the night shift noted about each job.
        segments, index_bytes: Of the retrieval index.
    """

    document: Document
    counts: Mapping[str, int]
    statuses: Mapping[str, int]
    categories: Mapping[str, int]
    tokens: Mapping[str, int]
    calls: int
    repeated: int
    nightly: Mapping[str, Mark]
    segments: int
    index_bytes: int


class ChatLine(NamedTuple):
    """One chat in a list: its document, and counts of messages, chunks, active facts, members; tokens as above."""

    document: Document
    counts: Mapping[str, int]
    tokens: int


_ACTIVE = with_status(Status.ACTIVE)


async def count_chats(store: DocumentStore) -> dict[str, int]:
    """Return how many chats there are, and in how many of them the bot is."""
    return {"known": await store.count("chats"), "active": await store.count("chats", where=[ACTIVE])}


async def read_liveliest_chats(store: DocumentStore, clock: Clock, *, limit: int) -> list[ChatLine]:
    """The chats that something was learnt of last, the newest first, then others; some five counts each."""
    found = await store.query("chats", order_by=[LATEST_FIRST], limit=limit)
    if len(found) < limit:  # of the others nothing was learnt yet
        listed = {document.path for document in found}
        found = [*found, *(d for d in await store.query("chats", limit=limit) if d.path not in listed)]
    lines = []
    for document in found[:limit]:
        chat_id = int(document.id)
        counts = {
            "messages": await store.count(messages_path(chat_id)),
            "chunks": await store.count(chunks_path(chat_id)),
            "facts": await store.count(facts_path(chat_id), where=[_ACTIVE]),
            "members": await store.count(f"{chat_path(chat_id)}/members"),
        }
        usage = await _usage(store, clock, chat_id)
        lines.append(ChatLine(document, counts, sum(_tokens(usage).values())))
    return lines


async def chat_figures(store: DocumentStore, clock: Clock, chat_id: int) -> ChatFigures | None:
    """All figures of one chat; None when there is no such chat."""
    document = await store.get(chat_path(chat_id))
    if document is None:
        return None
    usage = await _usage(store, clock, chat_id)
    head = head_of(await store.get(index_head_path(chat_id)))
    asked: dict[str, tuple[str, Sequence[Filter]]] = {
        "messages": (messages_path(chat_id), ()),
        "unread": (messages_path(chat_id), (UNREAD,)),
        "chunks": (chunks_path(chat_id), ()),
        "waiting": (chunks_path(chat_id), (MODEL_PENDING,)),
        "metas": (metas_path(chat_id), ()),
        "episodes": (episodes_path(chat_id), ()),
        "members": (f"{chat_path(chat_id)}/members", ()),
        "facts": (facts_path(chat_id), ()),
    }
    named = sorted({*CHAT_CATEGORIES, *MEMBER_CATEGORIES})
    counted = await asyncio.gather(*(_facts(store, chat_id, _ACTIVE, in_category(name)) for name in named))
    return ChatFigures(
        document=document,
        counts={name: await store.count(path, where=where) for name, (path, where) in asked.items()},
        statuses={str(s): await _facts(store, chat_id, with_status(s)) for s in Status},
        categories={name: count for name, count in zip(named, counted, strict=True) if count},
        tokens=_tokens(usage),
        calls=sum(day.calls for day in usage),
        repeated=sum(day.answers_repeated for day in usage),
        nightly=read_marks(document),
        segments=len(head.entries),
        index_bytes=sum(entry.size for entry in head.entries),
    )


async def _facts(store: DocumentStore, chat_id: int, *where: Filter) -> int:
    return await store.count(facts_path(chat_id), where=where)


async def _usage(store: DocumentStore, clock: Clock, chat_id: int) -> list[DayUsage]:
    """The days of the last `DAYS` of which there is something, the oldest first."""
    before = Document(usage_path(chat_id, clock.now().date() - timedelta(days=DAYS)), {})
    return [read_usage(document) for document in await store.query(usage_days_path(chat_id), after=before)]


def _tokens(usage: Sequence[DayUsage]) -> dict[str, int]:
    tokens = Counter(dict.fromkeys(map(str, get_args(Purpose)), 0))
    for day in usage:
        tokens.update({purpose: used.tokens for purpose, used in day.purposes.items()})
    return dict((+tokens).most_common())


# --- what a chat costs and what came of it -------------------------------------------------------

SPELLS = (1, 7, DAYS)
"""Days up to today, of UTC as usage is counted."""

_MOST_REFUSED = 3
_MOST_TASKS = 100  # of the queue that are counted: more than that is "more than a hundred"


class Spell(NamedTuple):
    """Some days up to today.

    Attributes:
        messages: Those said in these days that are still stored, the bot's among them.
        answers: That a model or memory made.
        calls, tokens: Of the model, by purpose, those that there were.
        cached: Share of what the model read that came from its cache, in [0, 1].
        dollars: What the calls cost.
    """

    days: int
    messages: int
    answers: int
    calls: Mapping[str, int]
    tokens: Mapping[str, int]
    cached: float
    dollars: float


class Account(NamedTuple):
    """An account of what a chat costs, and what came of it.

    Attributes:
        spells: For each of `SPELLS`.
        budget, spent: Tokens of today: what the model may take, what it took.
        facts, conflicts: How many are believed, and how many wait for a decision.
        refused: Why candidates were refused in the last `DAYS` days, the most frequent reasons first.
        nights: When each job of the night ran last, those that did.
        health: Errors and warnings of the deployment, and when it was looked at; None: never.
        backlog: What waits in the deployment's queue, or None: it cannot be known now.
    """

    spells: tuple[Spell, ...]
    budget: int
    spent: int
    facts: int
    conflicts: int
    refused: Sequence[tuple[str, int]]
    nights: Mapping[str, datetime]
    health: tuple[int, int, datetime] | None
    backlog: Backlog | None


async def chat_account(app: App, state: ChatState) -> Account:
    """The figures of one chat for its admins: 8 counts and at most 32 reads, all at once.

    Raises:
        StoreUnavailable: Then nothing can be known.
    """
    chat_id, today = state.chat_id, app.clock.now().date()

    async def count_backlog() -> Backlog | None:
        try:
            return await app.queue.backlog(app.clock.now(), limit=_MOST_TASKS)
        except TransientError:
            return None

    read = app.store.get_many([chat_path(state.chat_id), HEALTH_PATH])
    ((chat, health), usage, backlog), (facts, conflicts), spells = await asyncio.gather(
        asyncio.gather(read, _usage(app.store, app.clock, chat_id), count_backlog()),
        asyncio.gather(*(_facts(app.store, chat_id, with_status(s)) for s in (Status.ACTIVE, Status.PENDING))),
        asyncio.gather(*(_count_said(app.store, app.clock, chat_id, days) for days in SPELLS)),
    )
    refused = sum((Counter(day.refused) for day in usage), Counter[str]())
    found = read_health(health)
    worst = Counter(known.finding.severity for known in found.findings)
    return Account(
        spells=tuple(spell(today, days, usage, *said) for days, said in zip(SPELLS, spells, strict=True)),
        budget=choices_for(app.policy, state).tokens_per_day,
        spent=sum(day.tokens for day in _last_days(today, usage, days=1)),
        facts=facts,
        conflicts=conflicts,
        refused=refused.most_common(_MOST_REFUSED),
        nights={} if chat is None else {job: mark.at for job, mark in read_marks(chat).items()},
        health=None if found.at is None else (worst["error"], worst["warning"], found.at),
        backlog=backlog,
    )


async def _count_said(store: DocumentStore, clock: Clock, chat_id: int, days: int) -> tuple[int, int]:
    midnight = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    start = midnight - timedelta(days=days - 1)
    messages, answers = await asyncio.gather(
        store.count(messages_path(chat_id), where=[sent_since(start)]),
        store.count(answers_path(chat_id), where=[made_since(start)]),
    )
    return messages, answers


def spell(today: date, days: int, usage: Sequence[DayUsage], messages: int, answers: int) -> Spell:
    """Return what the usage of some days up to today comes to."""
    counted = _last_days(today, usage, days=days)
    calls = Counter(dict.fromkeys(map(str, get_args(Purpose)), 0))
    for day in counted:
        calls.update({purpose: used.calls for purpose, used in day.purposes.items() if purpose in calls})
    read = sum(used.input_tokens for day in counted for used in day.purposes.values())
    cached = sum(day.cached_tokens for day in counted) / read if read else 0.0
    dollars = sum(day.microdollars for day in counted) / 1_000_000
    return Spell(days, messages, answers, +calls, _tokens(counted), cached, dollars)


def _last_days(today: date, usage: Sequence[DayUsage], *, days: int) -> list[DayUsage]:
    return [day for day in usage if day.day >= today - timedelta(days=days - 1)]
