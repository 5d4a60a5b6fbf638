"""One pass over the chats: for each, a named task for every job that is due. Of a chat that the bot has left these are
few (`marks.AFTER_LEAVING`).

A task of the fan-out takes a thousand chats, a page at a time, and hands on to the next one by name, after the tasks of
its chats are in the queue. So it may die anywhere and run again: what is asked for twice has one name.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from shared.application.app import App
from shared.application.chats.marks import ChatRecord, MalformedChat, fingerprint, read_record, why_due
from shared.application.dead_letters import give_up
from shared.application.ports.store import Document, DocumentStore
from shared.application.schedule import Schedule
from shared.domain.chats.hours import timezone_named
from shared.domain.text.data_files import read_data

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


class Job(NamedTuple):
    """A job that is done for each chat at night.

    Attributes:
        name: In paths, names of tasks and marks.
        at: Local time of the chat at which it runs.
    """

    name: str
    at: time


NIGHTLY = {name: Job(name, at) for name, at in read_data(__package__, "jobs")["nightly"].items()}
"""The jobs of one chat, in the order of a night: each works on what those before it left."""

AHEAD = timedelta(hours=30)
"""The time that a call plans ahead: the next daily call may come six hours late."""

_DAY = timedelta(days=1)


class JobRun(NamedTuple):
    """One run of a job: the chat's local day, `YYYY-MM-DD`, and the instant."""

    day: str
    at: datetime


@lru_cache(maxsize=4_096)  # a fan-out asks the same of every chat of a zone
def runs(at: time, zone: ZoneInfo, start: datetime, *, ahead: timedelta = AHEAD) -> tuple[JobRun, ...]:
    """Return when it is `at` in a zone, from `start` on and before `start + ahead`; once a local day.

    A time that the clocks leave out in spring is as long after midnight as on other days; of one that comes twice in
    autumn the first counts. A day that a zone leaves out has none.
    """
    end = start + ahead
    first, last = start.astimezone(zone).date() - _DAY, end.astimezone(zone).date() + _DAY
    days = [first + _DAY * n for n in range((last - first).days + 1)]
    found = [(day, datetime.combine(day, at, zone).astimezone(UTC)) for day in days]
    return tuple(
        JobRun(day.isoformat(), instant)
        for day, instant in found
        if start <= instant < end and instant.astimezone(zone).date() == day
    )


log = logging.getLogger(__name__)

PAGE, MOST_CHATS = 100, 1_000
"""Chats read at once, and by one task."""

MOST_TIME = timedelta(minutes=4)
"""The time after which a task hands on; it has ten minutes."""

_AT_ONCE = 20
_LONG_ID = 64


class FanOut(NamedTuple):
    """A fan-out, or where one goes on.

    Attributes:
        name: What was called for: a job, or "night" for all.
        since: When it began; all its chats are judged by this instant.
        after: Id of the last chat that was seen to, or None.
        at_once: What is due runs now, instead of at its local time.
    """

    name: str
    since: datetime
    after: str | None = None
    at_once: bool = False


class DueJob(NamedTuple):
    """A job that is due for a chat; `run` is None where it is not waited for."""

    job: Job
    why: str
    run: JobRun | None


_Ask = Callable[[], Awaitable[object]]
"""Asks for one task."""


async def fan_out(app: App, call: FanOut, jobs: Sequence[Job]) -> dict[str, int]:
    """Ask for the tasks of up to `MOST_CHATS` chats, and for the next task of the fan-out when there are more.

    Returns:
        How many chats were looked at, how many tasks they need, and how many chats could not be read.

    Raises:
        TransientError: Run it again.
    """
    began, chats, enqueued, failed, after = app.clock.now(), 0, 0, 0, call.after
    while True:
        page = await next_chats(app.store, after)
        read = [await _tasks(app, call, jobs, document) for document in page]
        asked = [ask for tasks in read for ask in tasks or ()]
        for start in range(0, len(asked), _AT_ONCE):
            await asyncio.gather(*(ask() for ask in asked[start : start + _AT_ONCE]))
        enqueued, chats = enqueued + len(asked), chats + len(page)
        failed += sum(tasks is None for tasks in read)
        if len(page) < PAGE:
            break
        after = page[-1].id
        if chats >= MOST_CHATS or app.clock.now() - began >= MOST_TIME:
            await _hand_on(app.schedule, call, after)
            break
    log.info("fan-out job=%s chats=%d enqueued=%d failed=%d", call.name, chats, enqueued, failed)
    return {"chats": chats, "enqueued": enqueued, "failed": failed}


async def next_chats(store: DocumentStore, after: str | None) -> list[Document]:
    """The next `PAGE` chats by id, also those that the bot has left."""
    return await store.query("chats", limit=PAGE, after=Document(f"chats/{after}", {}) if after is not None else None)


def due_jobs(app: App, record: ChatRecord, jobs: Sequence[Job], *, since: datetime, at_once: bool) -> list[DueJob]:
    """Return what is due for a chat, at each job's next local times, or by `since` when it is not waited for these."""
    jobs = [job for job in jobs if record.wants(job.name)]
    now, zone = app.clock.now(), timezone_named(record.state.timezone or app.policy.timezone)
    found = []
    for job in jobs:
        by = fingerprint(app, job.name, record.state)
        for run in [None] if at_once else runs(job.at, zone, since):
            why = why_due(record, job.name, by=by, run_at=since if run is None else run.at, now=now)
            found += [DueJob(job, why, run)] if why is not None else []
    return found


async def _tasks(app: App, call: FanOut, jobs: Sequence[Job], document: Document) -> list[_Ask] | None:
    """None when the chat's document is malformed, or fails in a way that nobody foresaw; that is written down."""
    try:
        record = read_record(document)
        due = due_jobs(app, record, jobs, since=call.since, at_once=call.at_once)
        return [_task_for(app.schedule, call, record.state.chat_id, each) for each in due]
    except Exception as failure:  # noqa: BLE001 - nothing is awaited above: it is this chat's alone
        error = failure
    # One dead letter a day, of the shape of a night's tasks: so `health` names the chat as long as it is left out.
    chat_id = document.id
    known = int(chat_id) if chat_id.removeprefix("-").isdecimal() else chat_id
    told = {"target": f"/maintenance/{call.name}", "chat_id": known, "day": f"{call.since:%Y-%m-%d}"}
    body = json.dumps(told).encode()
    reason = str(error) if isinstance(error, MalformedChat) else repr(error)
    store, clock = app.store, app.clock
    await give_up(store, clock, kind="task", body=body, reason=reason, error=error, job=call.name, chat_id=chat_id)
    return None


def _task_for(schedule: Schedule, call: FanOut, chat_id: int, due: DueJob) -> _Ask:
    if due.run is None:
        payload = {"chat_id": chat_id, "from": call.since.isoformat()}
        return partial(schedule.job, due.job.name, mark=f"{chat_id}-{_compact(call.since)}", payload=payload)
    payload = {"chat_id": chat_id, "day": due.run.day}
    return partial(schedule.job, due.job.name, mark=f"{chat_id}-{due.run.day}", payload=payload, run_at=due.run.at)


async def _hand_on(schedule: Schedule, call: FanOut, after: str) -> None:
    payload = {"from": call.since.isoformat(), "after": after} | ({"now": True} if call.at_once else {})
    if len(after) > _LONG_ID:  # no chat's, but the pass goes on behind it
        after = hashlib.blake2s(after.encode(), digest_size=16).hexdigest()
    await schedule.job(call.name, mark=f"fan-out-{_compact(call.since)}-{after}", payload=payload)


def _compact(instant: datetime) -> str:
    return f"{instant:%Y%m%dT%H%M%S%f}"
