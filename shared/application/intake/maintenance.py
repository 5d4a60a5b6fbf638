"""The night shift's front door: fans jobs out over the chats, and runs one for a chat."""

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Mapping
from datetime import UTC, datetime
from math import ceil
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.job import JobResult
from shared.application.chats.marks import (
    SKEW,
    ChatRecord,
    Mark,
    fingerprint,
    is_done,
    note_change,
    read_record,
    why_due,
    write_mark,
)
from shared.application.delivery.parcels import LASTS
from shared.application.documents import chat_path
from shared.application.intake.jobs import GLOBAL, NIGHT, TASKS
from shared.application.night.fan_out import NIGHTLY, FanOut, Job, fan_out
from shared.application.payload_codec import field_in, number_in
from shared.application.ports.objects import ObjectStore
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.reading.moving import move_chat
from shared.application.schedule import Schedule
from shared.domain.chats.hours import timezone_named
from shared.domain.errors import BadPayload, ChatUnavailable, ChatUnconfigured, SendUncertain, UnknownJob

log = logging.getLogger(__name__)

JOBS = ("night", *NIGHTLY, *GLOBAL, "migrate", *TASKS)

MOST_PARTS = 1_000
"""Tasks that one run of a job may take for a chat; what is left then is the next night's."""


def check_job(job: str) -> None:
    """Refuse the name of a job that there is none of.

    Raises:
        UnknownJob: It is one.
    """
    if job not in JOBS:
        raise UnknownJob(f"there is no maintenance job {job!r}; jobs are {', '.join(JOBS)}")


async def run_job(app: App, job: str, payload: Mapping[str, Any]) -> dict[str, int]:
    """Run a job for the chat that the payload names, or fan it out over all chats when it names none.

    The job `night` fans out all jobs of `NIGHTLY` in one pass.

    Args:
        payload: `{}` begins a fan-out, and `{"now": true}` one whose tasks do not wait for the chats' night;
            `{"from": …, "after": …}` goes on with one. `{"chat_id": …}` runs the job for a chat, due or not;
            `{"chat_id": …, "day": …}` is the task of a night and `{"chat_id": …, "from": …}` that of a fan-out of now,
            both with `part` and `began` where a run goes on.

    Returns:
        Counts of what was done.

    Raises:
        UnknownJob: There is no such job.
        BadPayload: The payload is not of its shape.
        MalformedChat: The chat's document is not of its shape.
        TransientError: Run it again.
    """
    check_job(job)
    if job == "migrate":
        return await _migrate(app, payload)
    if job in TASKS:
        return await _do_asked(app.schedule, app.clock, job, payload, TASKS[job]()(app, payload))
    if job in GLOBAL:
        return dict((await GLOBAL[job]()(app)).counts)
    chat_id = field_in(payload, "chat_id", int)
    if chat_id is not None:
        if job not in NIGHTLY:
            raise BadPayload(f"{job} is for all chats: name one of {', '.join(NIGHTLY)} for a chat")
        return await _run_task(app, NIGHTLY[job], chat_id, payload)
    return await _begin(app, job, payload)


async def _do_asked(
    schedule: Schedule, clock: Clock, job: str, payload: Mapping[str, Any], work: Awaitable[dict[str, int]]
) -> dict[str, int]:
    """Do what a member asked for; while Telegram is away, ask for it once more, for as long as answers wait."""
    try:
        return await work
    except (ChatUnavailable, SendUncertain) as error:
        now = clock.now()
        since = field_in(payload, "since", datetime) or now
        if isinstance(error, ChatUnconfigured) or since + LASTS <= now:
            raise
        asked = json.dumps({**payload, "since": None}, sort_keys=True).encode()
        pause = max(error.retry_after or 0, min(max(10.0, (now - since).total_seconds() / 4), 300.0))
        again = {**payload, "since": since.isoformat()}
        run_at = datetime.fromtimestamp(ceil((now.timestamp() + pause) / 10) * 10, UTC)  # asked twice it comes once
        mark = f"{hashlib.sha256(asked).hexdigest()[:32]}-{run_at.timestamp():.0f}"
        await schedule.job(job, mark=mark, payload=again, run_at=run_at)
        return {"later": 1}


async def _migrate(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    old_id, new_id = number_in(payload, "chat_id"), number_in(payload, "new_chat_id")
    moved = await move_chat(app, old_id, new_id, part=field_in(payload, "part", int) or 0)
    await note_change(app.store, app.clock, new_id)
    return {"moved": moved}


async def _begin(app: App, job: str, payload: Mapping[str, Any]) -> dict[str, int]:
    """Begin a fan-out, or go on with it."""
    since, after = field_in(payload, "from", datetime) or app.clock.now(), _text(payload, "after", r"[^/]{1,1500}")
    jobs = [*jobs_of(app.archive).values()] if job == "night" else [NIGHTLY[job]]
    if after is None and any(each.name == "retention" for each in jobs):
        await app.schedule.job("sweep", mark=f"{since:%Y-%m-%d}", payload={})
    return await fan_out(app, FanOut(job, since, after, at_once=bool(field_in(payload, "now", bool))), jobs)


def jobs_of(archive: ObjectStore | None) -> dict[str, Job]:
    """The jobs of a chat's night: nothing is archived where there is no archive."""
    return {name: job for name, job in NIGHTLY.items() if name != "archive" or archive is not None}


class _ChatTask(NamedTuple):
    """One task of a run, as its payload describes it.

    Attributes:
        mark: Of its name, without the part.
        day: The chat's local day.
    """

    mark: str
    day: str | None
    since: datetime | None
    began: datetime
    part: int


async def _run_task(app: App, job: Job, chat_id: int, payload: Mapping[str, Any]) -> dict[str, int]:
    """Run a job for a chat, unless it is gone or that was done; then ask for the next part, or note the run."""
    task = _task(app.clock, chat_id, payload)
    record = await find_tended_chat(app.store, chat_id, job.name)
    if record is None and job.name == "retention":  # what came in meanwhile of a chat that was forgotten as a whole
        from shared.application.forgetting.restored import forget_leftovers

        return {"forgotten": gone} if (gone := await forget_leftovers(app.store, chat_id)) else {}
    if record is None or _is_over(app, job, record, task):
        return {}
    outcome = await NIGHT[job.name]()(app, record.state)
    log.debug("night job=%s part=%d %s", job.name, task.part, dict(outcome.counts))
    if not outcome.more:
        await note_run(app, job, record, outcome, began=task.began, day=task.day)
    elif task.part + 1 < MOST_PARTS:
        await _go_on(app.schedule, job, chat_id, task)
    else:
        log.error("night job=%s did not end in %d parts", job.name, MOST_PARTS, extra={"chat_id": chat_id})
    return dict(outcome.counts)


async def run_through(app: App, job: Job, chat_id: int) -> dict[str, int]:
    """Run a job for a chat here and now, due or not, with all its parts, and note it; the counts of all parts.

    Raises:
        SpomynError: As the job does.
    """
    began, counts = app.clock.now(), Counter[str]()
    for _ in range(MOST_PARTS):
        record = await find_tended_chat(app.store, chat_id, job.name)
        if record is None:
            break
        outcome = await NIGHT[job.name]()(app, record.state)
        counts.update(outcome.counts)
        if not outcome.more:
            await note_run(app, job, record, outcome, began=began)
            break
    return dict(counts)


def _task(clock: Clock, chat_id: int, payload: Mapping[str, Any]) -> _ChatTask:
    day, since = _text(payload, "day", r"\d{4}-\d{2}-\d{2}"), field_in(payload, "from", datetime)
    began = field_in(payload, "began", datetime) or clock.now()
    mark = f"{chat_id}-{day or f'{since or began:%Y%m%dT%H%M%S%f}'}"
    return _ChatTask(mark, day, since, began, field_in(payload, "part", int) or 0)


async def find_tended_chat(store: DocumentStore, chat_id: int, job: str) -> ChatRecord | None:
    """Return what a chat's document says, or None when a job is not done for it: the bot is not in the chat under this
    id.

    Raises:
        MalformedChat: It is not of its shape.
    """
    document = await store.get(chat_path(chat_id))
    record = None if document is None else read_record(document)
    return record if record is not None and record.wants(job) else None


def _is_over(app: App, job: Job, record: ChatRecord, task: _ChatTask) -> bool:
    """Return whether a night's task came twice, late, or for nothing: it was planned before another run."""
    now = app.clock.now()
    if task.day is not None:
        by = fingerprint(app, job.name, record.state)
        due = why_due(record, job.name, by=by, run_at=now + SKEW, now=now)
        return due is None or is_done(record, job.name, day=task.day, now=now)
    mark = record.marks.get(job.name)
    return task.since is not None and mark is not None and task.since <= mark.at <= now


async def note_run(
    app: App, job: Job, record: ChatRecord, outcome: JobResult, *, began: datetime, day: str | None = None
) -> None:
    """Note that a job is done for a chat, by what `record` says of it."""
    zone = timezone_named(record.state.timezone or app.policy.timezone)
    local_day = day or began.astimezone(zone).date().isoformat()
    mark = Mark(began, outcome.next_at, local_day, fingerprint(app, job.name, record.state))
    await write_mark(app.store, app.clock, record.state.chat_id, job.name, mark)


async def _go_on(schedule: Schedule, job: Job, chat_id: int, task: _ChatTask) -> None:
    since = {} if task.since is None else {"from": task.since.isoformat()}
    day = {} if task.day is None else {"day": task.day}
    payload = {"chat_id": chat_id, **day, **since, "part": task.part + 1, "began": task.began.isoformat()}
    await schedule.job(job.name, mark=f"{task.mark}-{task.part + 1}", payload=payload)


def _text(payload: Mapping[str, Any], name: str, pattern: str) -> str | None:
    text = field_in(payload, name, str)
    if text is not None and not re.fullmatch(pattern, text):
        raise BadPayload(f"{name} is not of its form")
    return text
