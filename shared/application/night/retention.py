"""Retention: what is past its age goes, also where the store deletes nothing by itself.

Messages, chunks, metas, episodes, what answers were made from, descriptions of files, earlier revisions of CONTEXT.md,
what members spent and whose turn to send it is carry `expire_at`, by which Firestore deletes them within a day or so
and this job at once. It was written with the retention time of that day; when the setting, or the chat's own choice
(never longer than the deployment's), is shorter now, age decides (`born` in `_dates`: when a document was made).
A longer one holds for what is stored from then on: nobody is promised less than at the time when they said it.

What refers to something that is gone finds nothing and goes on, so any order and any death half-way do no harm; the
index comes last and is repeated until nothing is left to delete. A message that was never extracted goes, too: the age
is a promise to people, and extraction had all this time; it is logged. Facts with their quotes, versions and quality
records stay (docs/memory.md).
"""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from shared.application.answering.answer_codec import answers_path
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.context_codec import revisions_path
from shared.application.chats.job import JobResult
from shared.application.conversation.message_codec import ChunkState, chunk_state_of
from shared.application.conversation.tombstones import read_tombstone
from shared.application.derived_codec import moment_in
from shared.application.documents import chat_path, chunks_path, episodes_path, messages_path, metas_path
from shared.application.policy import Policy
from shared.application.ports.store import Delete, DocumentStore, Filter, Order
from shared.application.spending.usage_codec import spendings_path, usage_day, usage_days_path

log = logging.getLogger(__name__)

MOST = 500
"""Documents that one run deletes: well within a task's time."""

USAGE_KEPT = timedelta(days=400)
"""Age of the counts of a day's usage at which they go: a year can be compared with the one before."""

SECOND_LOOKS = timedelta(days=2)
"""The time after a forgetting in which the job looks for what came in although it was forgotten: Telegram delivers an
update again for a day."""

MOST_SWEPT = 20_000
"""Ledger entries that one sweep deletes: it is called every night, and a minute is enough for them."""

_PAGE = 250


def _dates(chat_id: int, retention: timedelta) -> Iterator[tuple[str, str, str, timedelta]]:
    """Yield by what documents go: name and path of their collection, a field, and how long after it they do."""
    for name, path, born in (
        ("messages", messages_path(chat_id), "received_at"),
        ("chunks", chunks_path(chat_id), "made_at"),
        ("metas", metas_path(chat_id), "made_at"),
        ("episodes", episodes_path(chat_id), "made_at"),
        ("answers", answers_path(chat_id), "made_at"),
        ("media", f"{chat_path(chat_id)}/media", "made_at"),
        ("revisions", revisions_path(chat_id), "updated_at"),
        ("spending", spendings_path(chat_id), None),
        ("delivery", f"{chat_path(chat_id)}/delivery", None),
    ):
        yield name, path, "expire_at", timedelta()
        if born is not None:
            yield name, path, born, retention


async def retain_chat(app: App, state: ChatState) -> JobResult:
    """Delete what is past its age, and look for what was forgotten and came back.

    Returns:
        Counts by collection, and when the next document is due. At most `MOST` documents go in one run.
    """
    now, counts = app.clock.now(), Counter[str]()
    if not state.known or state.migrated_to is not None:
        return JobResult()
    counts["forgotten"] = await _look_again(app, state, now=now)
    age = state.retention(app.policy.retention)
    for name, path, field, after in _dates(state.chat_id, age):
        counts[name] += await _delete_past(app.store, path, field, now - after, most=MOST - counts.total())
    page = await app.store.query(usage_days_path(state.chat_id), limit=_PAGE)  # by day, the oldest first
    old = [Delete(document.path) for document in page if usage_day(document) + USAGE_KEPT < now.date()]
    if old:
        await app.store.batch(old)
    counts["usage"] = len(old)
    if any(counts[kind] for kind in ("messages", "chunks", "metas", "episodes")):
        from shared.application.recall.placing import forget_in_index

        await forget_in_index(app.store, app.indexes, state.chat_id, expired=now - age)
    more = counts.total() >= MOST
    return JobResult(dict(+counts), None if more else await _next_at(app.store, app.policy, state, now=now), more)


async def _look_again(app: App, state: ChatState, *, now: datetime) -> int:
    """Return what came in although it was forgotten: of a memory that is new, perhaps with the whole chat."""
    from shared.application.conversation.tombstones import chat_tombstone
    from shared.application.forgetting.restored import forget_again

    forgotten_at, since = state.forgotten_at, state.first_seen_at
    if forgotten_at is None and (since is None or now - since < SECOND_LOOKS):
        mark = await app.store.get(chat_tombstone(state.chat_id))
        forgotten_at = None if mark is None else read_tombstone(mark).until
    if forgotten_at is None or now - forgotten_at >= SECOND_LOOKS:
        return 0
    return await forget_again(app, state.chat_id, forgotten_at)


async def _delete_past(store: DocumentStore, path: str, field: str, until: datetime, *, most: int) -> int:
    """Delete the oldest documents of a collection that are past an instant; how many."""
    deleted, past = 0, [Filter(field, "<=", until)]
    while deleted < most and (
        page := await store.query(path, where=past, order_by=[Order(field)], limit=min(most - deleted, _PAGE))
    ):
        unread = [path.endswith("/messages") and chunk_state_of(document) is ChunkState.UNREAD for document in page]
        if expired := sum(unread):  # no task ever took them up: nothing is lost silently
            log.warning("%d messages grew too old without ever being extracted", expired)
        await store.batch([Delete(document.path) for document in page])
        deleted += len(page)
    return deleted


async def _next_at(store: DocumentStore, policy: Policy, state: ChatState, *, now: datetime) -> datetime | None:
    chat_id, age = state.chat_id, state.retention(policy.retention)
    due: list[datetime] = []
    for _, path, field, after in _dates(chat_id, age):
        found = await store.query(path, order_by=[Order(field)], limit=1)
        due += [moment_in(document, field) + after for document in found]
    usage = await store.query(usage_days_path(chat_id), limit=1)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    due += [midnight + (usage_day(each) + USAGE_KEPT + timedelta(days=1) - now.date()) for each in usage]
    return min(due, default=None)


async def sweep_expired(app: App) -> JobResult:
    """Delete ledger entries and dead letters of all chats that are past `expire_at`; at most `MOST_SWEPT` each."""
    counts = {
        collection: await _delete_past(app.store, collection, "expire_at", app.clock.now(), most=MOST_SWEPT)
        for collection in ("updates", "dead_letters")
    }
    return JobResult(counts, more=MOST_SWEPT in counts.values())
