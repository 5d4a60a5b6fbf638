"""Tidies a chat's facts at night: those that nobody confirmed expire, and two that say the same become one."""

import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from shared.application.app import App
from shared.application.bulk import each_document
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.job import JobResult
from shared.application.chats.marks import note_change
from shared.application.chats.migration import is_moving_in
from shared.application.conversation.consent_gate import silent_members
from shared.application.documents import fact_path, facts_path, learning_path, subjects_path
from shared.application.facts.codec import (
    HOLDS_UNTIL,
    LAST_REINFORCED_AT,
    about,
    fact_from_fields,
    read_heading,
    with_status,
)
from shared.application.facts.memory import revise_fact
from shared.application.facts.profiles import refresh_profiles
from shared.application.facts.subject_codec import NOT_DEDUPED, read_subject, subject_changes
from shared.application.facts.version_codec import move_versions, version_path
from shared.application.facts.writes import fold_writes
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Filter, Order, Transaction, Upsert
from shared.domain.facts.change import FactChange
from shared.domain.facts.dedup import DuplicateMatch, FactIndex, verdict
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.folding import Folding, fold, may_fold, sort_by_strength
from shared.domain.facts.revision import expire, expire_rival, recount

log = logging.getLogger(__name__)

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
    next_at = None if more else await _next_at(app.store, app.policy, chat_id, since)
    return JobResult({"expired": expired}, next_at, more)


async def _old(
    store: DocumentStore, policy: Policy, chat_id: int, *, now: datetime, since: datetime
) -> AsyncIterator[Document]:
    """Facts that time has overtaken, rivals that have waited as long, and those counted by another consensus."""
    over = [with_status(Status.ACTIVE), Filter(HOLDS_UNTIL, "<=", now)]
    async for document in each_document(store, facts_path(chat_id), where=over, order_by=[Order(HOLDS_UNTIL)]):
        yield document
    for status in (Status.PENDING, Status.ACTIVE):
        until = now if status is Status.PENDING else since
        where = [with_status(status), Filter(LAST_REINFORCED_AT, "<=", until)]
        async for document in each_document(store, facts_path(chat_id), where=where, order_by=_OLDEST):
            heading = read_heading(document)  # what is pinned does not age
            too_old = not heading.is_pinned and heading.last_reinforced_at <= since
            if too_old or not _is_counted(policy, document):
                yield document


def _is_counted(policy: Policy, document: Document) -> bool:
    return read_heading(document).believed_with in (None, policy.consensus)


async def _revise(app: App, chat_id: int, fact_id: str, *, now: datetime, since: datetime) -> bool:
    def decay(fact: Fact, name: str) -> FactChange | None:
        if name != fact.value_key:
            return recount(fact, now=now) or expire_rival(fact, name, now=now, unconfirmed_since=since)
        is_over = fact.holds_until is not None and fact.holds_until <= now
        return expire(fact, now=now, unconfirmed_since=now if is_over else since)

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


MOST_FOLDED, MOST_SUBJECTS = 300, 500
"""Facts folded, and subjects gone through, by one run: a minute's work on a store over the net."""

MOST_MOVED = 100
"""Versions moved by one transaction: two writes each, and far below its ten megabytes."""


async def dedup_chat(app: App, state: ChatState) -> JobResult:
    """Fold what is about the same in every subject whose facts changed since the last time.

    A chat in private mode is left alone, and so are the facts about members who opted out. Facts that another chat is
    still bringing along (a migration) are waited for.
    """
    if state.migrated_to is not None or state.is_private(by_default=app.policy.private_mode):
        return JobResult()
    if await is_moving_in(app.store, state.chat_id):  # a fact that goes may have versions there
        return JobResult(next_at=app.clock.now())
    left_alone = {f"user:{user_id}" for user_id in silent_members(state)}
    limit = MOST_SUBJECTS + len(left_alone) + 1
    found = await app.store.query(subjects_path(state.chat_id), where=[NOT_DEDUPED], limit=limit)
    subjects = [document.id for document in found if document.id not in left_alone]
    more, folded = len(subjects) > MOST_SUBJECTS, 0
    for subject in subjects[:MOST_SUBJECTS]:
        fewer, done = await _dedup_subject(app, state.chat_id, subject, most=MOST_FOLDED - folded)
        folded += fewer
        more = more or not done or folded >= MOST_FOLDED
        if folded >= MOST_FOLDED:
            break
    if folded:
        log.debug("dedup folded=%d", folded)
    return JobResult({"folded": folded}, more=more)


async def _dedup_subject(app: App, chat_id: int, subject: str, *, most: int) -> tuple[int, bool]:
    """Return how many facts were folded, and whether it is gone through and nothing has changed meanwhile."""
    guard = await app.store.get(learning_path(chat_id, subject))  # first: what is learnt meanwhile is then noticed
    believed = each_document(app.store, facts_path(chat_id), where=[about(subject), with_status(Status.ACTIVE)])
    read = [fact_from_fields(document.data, consensus=app.policy.consensus) async for document in believed]
    facts = {fact.id: fact for fact in read if may_fold(fact)}
    index = FactIndex(facts.values())
    waiting, folded = deque(sorted(facts)), 0
    while waiting and folded < most:
        fact_id = waiting.popleft()
        match = index.twin(fact_id)
        folding = await _fold(app, chat_id, facts[fact_id], match) if match is not None else None
        if folding is None:
            continue
        folded += 1
        kept, gone = folding.change.belief, folding.gone.after.id
        index.remove(gone)
        index.put(kept)
        facts[kept.id] = kept
        waiting.append(kept.id)
    revision = read_subject(guard).revision + folded if guard is not None else None
    return folded, not waiting and await _mark(app.store, chat_id, subject, revision)


async def _mark(store: DocumentStore, chat_id: int, subject: str, revision: int | None) -> bool:
    """Note that a subject is gone through, unless its facts have changed meanwhile."""

    async def mark(tx: Transaction) -> bool:
        guard = await tx.get(learning_path(chat_id, subject))
        if guard is None:
            return True  # the chat is gone, or has moved: there is nothing to do here
        if read_subject(guard).revision != revision:
            return False
        tx.write(Upsert(guard.path, subject_changes(deduped=True)))
        return True

    return await store.transaction(mark)


async def _fold(app: App, chat_id: int, fact: Fact, match: DuplicateMatch) -> Folding | None:
    """Fold two facts as they are now; None when they have changed so that this run must not."""
    now = app.clock.now()
    kept, gone = (each.id for each in sort_by_strength(fact, match.fact))
    versions = await _few_versions(app.store, chat_id, gone, kept, now)

    async def decide(tx: Transaction) -> Folding | None:
        found = await tx.get_many([fact_path(chat_id, kept), fact_path(chat_id, gone), *versions])
        now_there = [d for d in found[:2] if d is not None]
        facts = [fact_from_fields(document.data, consensus=app.policy.consensus) for document in now_there]
        # Another step may have been taken since the versions were listed, or have made the other one the stronger.
        if len(facts) < 2 or version_path(chat_id, facts[1]) not in versions:
            return None
        one, other = facts
        folding = fold(one, other, now=now, judge=verdict, score=match.score)
        if folding is None or folding.gone.after.id != gone:
            return None
        moving = [version for version in found[2:] if version is not None]
        for write in fold_writes(chat_id, folding, moving, now=now):
            tx.write(write)
        return folding

    return await app.store.transaction(decide)


async def _few_versions(store: DocumentStore, chat_id: int, gone: str, kept: str, now: datetime) -> Sequence[str]:
    """Paths of a fact's versions, the newest of them when there are many: the others are moved ahead of it.

    Whose a version is, is told by what it says (`version_fact_id`), so they may lie under either fact in the meantime.
    """
    paths = [version.path for version in await store.query(f"{fact_path(chat_id, gone)}/versions")]

    async def move_ahead(tx: Transaction) -> None:
        # Read here: what was listed may have been erased meanwhile, or lost a quote.
        *found, fact = await tx.get_many([*paths[:MOST_MOVED], fact_path(chat_id, kept)])
        there = [version for version in found if version is not None]
        for write in move_versions(chat_id, gone, kept, there, now=now) if fact is not None else ():
            tx.write(write)

    while len(paths) > MOST_MOVED:
        await store.transaction(move_ahead)
        paths = paths[MOST_MOVED:]
    return paths
