"""Answers that are overdue: found by the records of what was asked, which outlive every task.

Cloud Tasks drops a task after its last attempt, also when no attempt ever reached our code (a container that does not
start); then nobody else knows that a question is still open.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.delivery.ledger_codec import IS_OPEN, UpdateId, read_entry, update_id_of
from shared.application.night.health_codec import HealthFinding, Severity
from shared.application.ports.store import DocumentStore
from shared.application.schedule import Schedule

OVERDUE, LONG_OVERDUE = timedelta(minutes=15), timedelta(hours=1)
"""The time after its question at which an answer is looked for; after the second people have given the bot up."""

ABANDONED = timedelta(hours=3)
"""No task that was asked for with the question still runs: its thirty attempts are over after two hours."""

_LOOKED_AT = 500


class OverdueAnswer(NamedTuple):
    """An update that is not answered to the end, long after it was asked.

    Attributes:
        is_waiting: Its answer is made and waits for room in its chat.
    """

    update_id: UpdateId
    chat_id: int
    asked_at: datetime
    is_waiting: bool


async def overdue_answers(store: DocumentStore, now: datetime) -> list[OverdueAnswer]:
    """Return what should have been answered by now, oldest first; of very much only a part.

    Raises:
        StoreUnavailable: Nothing can be known.
    """
    open_fields = ["state", "chat_id", "received_at"]
    found = await store.query("updates", where=[IS_OPEN], limit=_LOOKED_AT, fields=open_fields)
    entries = [(update_id_of(document), read_entry(document)) for document in found]
    overdue = [
        OverdueAnswer(update_id, entry.chat_id, entry.asked_at, entry.is_waiting)
        for update_id, entry in entries
        if entry.asked_at is not None and now - entry.asked_at > OVERDUE
    ]
    return sorted(overdue, key=lambda each: each.asked_at)


def judge_overdue(overdue: Sequence[OverdueAnswer], now: datetime) -> list[HealthFinding]:
    """Return what is wrong with how long people wait for answers."""
    if not overdue:
        return []
    minutes = int((now - overdue[0].asked_at).total_seconds() // 60)
    text = f"{len(overdue)} questions are not answered to the end, the oldest for {minutes} min."
    remedy = "see that the queue of answers is not paused and that Telegram takes messages; `make logs FUNCTION=answer`"
    severity: Severity = "error" if now - overdue[0].asked_at > LONG_OVERDUE else "warning"
    return [HealthFinding("answers_late", severity, text, remedy, {"late": len(overdue), "minutes": minutes})]


async def ask_again(schedule: Schedule, overdue: Sequence[OverdueAnswer], now: datetime) -> None:
    """Ask for a new task for what no task runs for any more, once a day for each question: as often as its record
    lives, three times at most."""
    today = f"again-{now:%Y%m%d}"
    for each in overdue:
        if now - each.asked_at < ABANDONED:
            continue
        if each.is_waiting:
            await schedule.delivery(each.chat_id, mark=f"{each.chat_id}-{today}", run_at=now)
        elif isinstance(each.update_id, int):
            await schedule.answer(each.update_id, each.chat_id, mark=today)
