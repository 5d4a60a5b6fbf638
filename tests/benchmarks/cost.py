"""What 1,000 ordinary messages cost: documents read and written, and calls to the task queue."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from infra.sqlite import SqliteStore
from tests.benchmarks.report import Figure
from tests.support.group import Group, running_group

MESSAGES = 1000
PACES = {"one every 20 s": timedelta(seconds=20), "one a second": timedelta(seconds=1)}


async def measure(folder: Path) -> list[Figure]:
    """The webhook alone, then with the extraction of all of it, at two paces."""
    figures = []
    for name, pace in PACES.items():
        for worker in (False, True):
            store = SqliteStore(folder / f"cost-{pace.seconds}-{worker}.db")
            async with running_group(store) as group:
                figures += await _talk(group, name, pace, worker=worker)
            await store.aclose()
    return figures


async def _talk(group: Group, name: str, pace: timedelta, *, worker: bool) -> list[Figure]:
    for i in range(MESSAGES):
        update = group.says(f"звичайне повідомлення номер {i}", 101 + i % 7, f"Учасник {i % 7}")
        if await group.deliver(update) != 200:
            raise RuntimeError("a message was not accepted")
        group.clock.advance(pace)
        if worker and any(task.due <= group.clock.now() for task in group.tasks.tasks.values()):
            await group.tasks.dispatch_due(group.clock.now())
    if worker:
        await group.settle()
    if group.tasks.exhausted:
        raise RuntimeError(f"tasks failed: {group.tasks.exhausted[0].statuses}")
    usage, calls = group.store.usage, len(group.tasks.calls)
    what = f"{name}, {'with extraction' if worker else 'webhook alone'}"
    values = {"reads": usage.reads, "writes": usage.writes, "task calls": calls}
    return [
        Figure("cost", f"{what}: {unit} per 1,000 messages", value * 1000 / MESSAGES) for unit, value in values.items()
    ]
