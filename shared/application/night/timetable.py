"""Which jobs there are, and when in a chat's own night each of them runs; `intake.jobs` says what they do.

A call of the night plans everything of the next `AHEAD`. That is more than a day, so that a call that comes hours late
leaves no local night out; what two calls plan both has one name and runs once.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


NIGHTLY = {
    job.name: job
    for job in (
        Job("decay", time(1, 0)),
        Job("dedup", time(1, 10)),
        Job("summaries", time(1, 20)),
        Job("episodes", time(1, 30)),
        Job("culture", time(1, 40)),
        Job("consolidate", time(2, 0)),
        Job("retention", time(3, 0)),
        Job("archive", time(4, 0)),
    )
}
"""The jobs of one chat, in the order of a night: each works on what those before it left."""

AHEAD = timedelta(hours=30)
"""How far a call plans: the next daily call may come six hours late."""

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
