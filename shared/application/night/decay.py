"""The job `decay`: nobody believes for ever what nobody confirms."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from datetime import datetime

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import note_change
from shared.application.documents import facts_path
from shared.application.facts.codec import HOLDS_UNTIL, LAST_REINFORCED_AT, read_heading, with_status
from shared.application.facts.memory import revise_fact
from shared.application.facts.profiles import refresh_profiles
from shared.application.job import JobResult
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Filter, Order
from shared.domain.facts.change import FactChange
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.revision import expire, expire_rival, recount

log = logging.getLogger(__name__)

PAGE = 500
"""Facts read at once."""

MOST_REVISED = 100
"""Facts that one run revises: each takes about five writes, of the 500 that a run may take."""

_OLDEST = [Order(LAST_REINFORCED_AT)]


async def decay_chat(app: App, state: ChatState) -> JobResult:
    """Stop believing the chat's facts, and keeping its pending rivals, that nobody confirmed for too long, and facts
    that hold no more by their own words.

    Rivals that wait by another number of members than now make a consensus are counted anew.

    Returns:
        `expired`: how many; `next_at`: when the next one would.
    """
    now, chat_id = app.clock.now(), state.chat_id
    since = now - app.policy.fact_expiry
    noted, expired = False, 0
    async for document in _old(app.store, app.policy, chat_id, now=now, since=since):
        # More than the end of a rival's wait may come of it: then other jobs have to look at the chat.
        changes = read_heading(document).status is Status.ACTIVE or not _is_counted(app.policy, document)
        if not noted and changes:
            noted = True
            await note_change(app.store, app.clock, chat_id)  # before: a run that dies leaves it said
        expired += await _revise(app, chat_id, document.id, now=now, since=since)
        if expired == MOST_REVISED:
            break
    if expired:
        await refresh_profiles(app, chat_id)
        log.debug("decay expired=%d", expired)
    more = expired == MOST_REVISED
    return JobResult(
        {"expired": expired}, None if more else await _next_at(app.store, app.policy, chat_id, since), more=more
    )


async def _old(
    store: DocumentStore, policy: Policy, chat_id: int, *, now: datetime, since: datetime
) -> AsyncIterator[Document]:
    """Facts that time has overtaken, rivals that have waited as long, and those counted by another consensus."""
    over = [with_status(Status.ACTIVE), Filter(HOLDS_UNTIL, "<=", now)]
    for document in await store.query(facts_path(chat_id), where=over, order_by=[Order(HOLDS_UNTIL)], limit=PAGE):
        yield document
    for status in (Status.PENDING, Status.ACTIVE):
        until = now if status is Status.PENDING else since
        where = [with_status(status), Filter(LAST_REINFORCED_AT, "<=", until)]
        page: list[Document] = []
        while not page or len(page) == PAGE:
            after = page[-1] if page else None
            page = await store.query(facts_path(chat_id), where=where, order_by=_OLDEST, limit=PAGE, after=after)
            for document in page:
                heading = read_heading(document)  # what is pinned does not age
                too_old = not heading.is_pinned and heading.last_reinforced_at <= since
                if too_old or not _is_counted(policy, document):
                    yield document
            if not page:
                break


def _is_counted(policy: Policy, document: Document) -> bool:
    return read_heading(document).believed_with in (None, policy.consensus)


async def _revise(app: App, chat_id: int, fact_id: str, *, now: datetime, since: datetime) -> bool:
    def decay(fact: Fact, name: str) -> FactChange | None:
        if fact.holds_until is not None and fact.holds_until <= now and name == fact.value_key:
            return expire(fact, now=now, unconfirmed_since=now)
        if name == fact.value_key:
            return expire(fact, now=now, unconfirmed_since=since)
        return recount(fact, now=now) or expire_rival(fact, name, now=now, unconfirmed_since=since)

    return await revise_fact(app, chat_id, fact_id, decay) is not None


async def _next_at(store: DocumentStore, policy: Policy, chat_id: int, since: datetime) -> datetime | None:
    moments: list[datetime] = []
    for status in (Status.PENDING, Status.ACTIVE):
        where = [with_status(status), Filter(LAST_REINFORCED_AT, ">", since)]
        first = await store.query(facts_path(chat_id), where=where, order_by=_OLDEST, limit=1)
        moments += [read_heading(document).last_reinforced_at + policy.fact_expiry for document in first]
    ending = [with_status(Status.ACTIVE), Filter(HOLDS_UNTIL, ">", since + policy.fact_expiry)]
    first = await store.query(facts_path(chat_id), where=ending, order_by=[Order(HOLDS_UNTIL)], limit=1)
    moments += [read_heading(document).holds_until for document in first]
    return min(moments, default=None)
