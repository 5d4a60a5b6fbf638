"""A night of a local run: all its jobs, for all chats, now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from infra.local.assembly import Local
from shared.application.intake.maintenance import jobs_of, run_job, run_through
from shared.application.night.fan_out import PAGE, next_chats

Counts = Mapping[str, Mapping[str, int]]
"""Counts by job: what was done, by name, over all chats."""


async def run_night(local: Local) -> Counts:
    """Run all jobs of the night for all chats, due or not, and then what they ask for.

    Raises:
        SpomynError: As the jobs do.
    """
    app, done, after = local.app, dict[str, Counter[str]](), None
    while True:
        page = await next_chats(app.store, after)
        for document in page:
            for name, job in jobs_of(app.archive).items():
                done.setdefault(name, Counter()).update(await run_through(app, job, int(document.id)))
        if len(page) < PAGE:
            break
        after = page[-1].id
    done["sweep"] = Counter(await run_job(app, "sweep", {}))
    await local.worker.run_due()
    return {name: dict(counter) for name, counter in done.items()}


def counts_as_text(done: Counts) -> str:
    """Return what a night did in one line for people; what counts nothing is left out."""
    found = {job: ", ".join(f"{what} {n}" for what, n in sorted(counts.items()) if n) for job, counts in done.items()}
    return "; ".join(f"{job}: {counts}" for job, counts in found.items() if counts) or "there was nothing to do"
