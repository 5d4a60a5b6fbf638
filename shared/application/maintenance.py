"""The night shift: jobs that fan out over the active chats, one task per chat, job and day."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from shared.application.app import App
from shared.application.chats import chat_state
from shared.application.documents import facts_path
from shared.application.memory import revise_fact
from shared.application.migration import move_chat
from shared.application.ports.store import Document, Filter, Order
from shared.application.profiles import refresh_profiles
from shared.domain.errors import BadPayload, UnknownJob
from shared.domain.facts import Change, Fact, Status
from shared.domain.revision import expire, expire_rival, recount

log = logging.getLogger(__name__)

PAGE = 100
"""Chats per fan-out task (own choice): a hundred enqueues take seconds, far from the time limit."""

JOBS = ("decay", "migrate")


async def run_job(app: App, job: str, payload: Mapping[str, Any]) -> dict[str, int]:
    """Run a job for the chat that the payload names, or fan it out over all active chats when it names none.

    Args:
        payload: `{"chat_id": …}` for one chat; `{}` to begin a fan-out, `{"day": …, "after": …}` to go on with one.

    Returns:
        Counts of what was done.

    Raises:
        UnknownJob: There is no such job.
        BadPayload: The payload is not of its shape.
    """
    if job not in JOBS:
        raise UnknownJob(f"there is no maintenance job {job!r}; jobs are {', '.join(JOBS)}")
    chat_id = _integer(payload, "chat_id")
    if job == "migrate":
        new_chat_id = _integer(payload, "new_chat_id")
        if chat_id is None or new_chat_id is None:
            raise BadPayload("migrate needs chat_id and new_chat_id")
        return {"moved": await move_chat(app, chat_id, new_chat_id, part=_integer(payload, "part") or 0)}
    if chat_id is not None:
        return {"expired": await decay_chat(app, chat_id)}
    return await _fan_out(app, job, payload)


def _integer(payload: Mapping[str, Any], name: str) -> int | None:
    value = payload.get(name)
    if name in payload and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadPayload(f"{name} must be a whole number")
    return value


def _text(payload: Mapping[str, Any], name: str, pattern: str) -> str | None:
    value = payload.get(name)
    if name in payload and not (isinstance(value, str) and re.fullmatch(pattern, value)):
        raise BadPayload(f"{name} is not of its form")
    return value


async def _fan_out(app: App, job: str, payload: Mapping[str, Any]) -> dict[str, int]:
    day = _text(payload, "day", r"\d{4}-\d{2}-\d{2}") or app.clock.now().date().isoformat()
    after = _text(payload, "after", r"-?\d{1,20}")
    cursor = Document(f"chats/{after}", {}) if after else None
    page = await app.store.query("chats", where=[Filter("active", "==", True)], limit=PAGE, after=cursor)
    for document in page:
        chat_id = chat_state(int(document.id), document).chat_id
        await app.schedule.job(job, mark=f"{chat_id}-{day}", payload={"chat_id": chat_id, "day": day})
    if len(page) == PAGE:
        rest = {"day": day, "after": page[-1].id}
        await app.schedule.job(job, mark=f"fan-out-{day}-{page[-1].id}", payload=rest)
    return {"enqueued": len(page)}


async def decay_chat(app: App, chat_id: int) -> int:
    """Stop believing the chat's facts, and keeping its pending rivals, that nobody confirmed for too long; how many.

    Rivals that wait by another number of members than now make a consensus are counted anew.
    """
    now = app.clock.now()
    since = now - app.policy.fact_expiry

    def decay(fact: Fact, name: str) -> Change | None:
        if name == fact.name:
            return expire(fact, now=now, unconfirmed_since=since)
        return recount(fact, now=now) or expire_rival(fact, name, now=now, unconfirmed_since=since)

    expired = 0
    for status in (Status.PENDING, Status.ACTIVE):
        waits = status is Status.PENDING
        until = now if waits else since
        where = [Filter("status", "==", str(status)), Filter("last_reinforced_at", "<=", until)]
        order = [Order("last_reinforced_at")]
        for document in await app.store.query(facts_path(chat_id), where=where, order_by=order, limit=500):
            counted = document.data.get("believed_with") in (None, app.policy.consensus)
            if document.data["last_reinforced_at"] <= since or not counted:
                expired += await revise_fact(app, chat_id, document.id, decay) is not None
    if expired:
        await refresh_profiles(app, chat_id)
        log.info("decay chat=%s expired=%d", chat_id, expired)
    return expired
