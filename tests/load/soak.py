"""Watching one process for long: what must not grow while people talk at an even rate."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.load.arrivals import arrivals, steady
from tests.load.outcome import Outcome
from tests.load.running import run
from tests.load.targets import MODEL_SECONDS, Target, local_target

FLAT = 0.05
"""By how much the last third may be above the second: the first is for filling caches."""


_LATEST = 60
"""Seconds by which a task may be late in the last third."""


class Sample(NamedTuple):
    """What a process holds.

    Attributes:
        at: Seconds from the start.
        memory: Bytes in memory (RSS).
        open_files: Its descriptors.
        log: Bytes of SQLite's write-ahead log.
        queue_age: Seconds by which the task late longest was late, by mean since the sample before.
    """

    at: float
    memory: int
    open_files: int
    log: int
    queue_age: float


async def soak(folder: Path, *, minutes: float, rate: float) -> tuple[list[Sample], Outcome]:
    """Let people talk at an even rate, and look every fifteen seconds in an hour; until everything is answered."""
    samples: list[Sample] = []
    async with local_target(folder) as target:
        talk = arrivals(steady, rate, minutes * 60)
        watching = asyncio.create_task(_watch(target, samples, seconds=minutes * 60))
        try:
            outcome = await run("soak", target, talk)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    return samples, outcome


async def _watch(target: Target, samples: list[Sample], *, seconds: float) -> None:
    """Look while people talk: what waits for Telegram afterwards is no longer what is watched."""
    begun, every = time.monotonic(), max(1.0, seconds / 240)
    while (at := time.monotonic() - begun) < seconds:
        ages = []
        while time.monotonic() - begun < at + every:
            await asyncio.sleep(1.0)
            ages.append(await target.queue_age())
        samples.append(_sample(target, time.monotonic() - begun, statistics.mean(ages)))
        last = samples[-1]
        sys.stderr.write(f"\r{last.at / 60:6.1f} min {last.memory / 2**20:7.1f} MiB {last.open_files} files")
        sys.stderr.flush()


def _sample(target: Target, at: float, queue_age: float) -> Sample:
    memory = sum(_resident(pid) for pid in target.process_ids)
    files = sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in target.process_ids)  # noqa: PTH208 - a count is enough
    log = sum(path.stat().st_size for path in target.files if path.name.endswith("-wal") and path.exists())
    return Sample(at, memory, files, log, queue_age)


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def growth(samples: Sequence[Sample]) -> dict[str, float]:
    """Return by which share each figure grew from the second third to the last: its mean, and of the log, which SQLite
    empties whenever it has a thousand pages, the highest that was seen (the mean of so few looks at a saw's teeth is
    chance: it varies by a twelfth); of the queue's age, which comes and goes with what is read, as long as one call of
    the model takes is nothing."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    shares = {}
    for name in ("memory", "open_files", "log", "queue_age"):
        of = max if name == "log" else statistics.mean
        before, after = (of([getattr(sample, name) for sample in part]) for part in (middle, last))
        is_moment = name == "queue_age" and 0 < after - before <= MODEL_SECONDS
        shares[name] = 0.0 if is_moment else (after - before) / max(before, 1)
    return shares


def is_flat(samples: Sequence[Sample]) -> bool:
    """Return whether nothing grew by more than a twentieth, and no task of the last third was a minute late."""
    late = max(sample.queue_age for sample in samples[2 * (len(samples) // 3) :])
    return all(share <= FLAT for share in growth(samples).values()) and late <= _LATEST


def as_lines(samples: Sequence[Sample], outcome: Outcome) -> str:
    """Return ten samples of the whole time as a table, what grew, and the verdict."""
    shown = samples[:: max(1, len(samples) // 10)]
    rows = [
        f"| {s.at / 60:.1f} | {s.memory / 2**20:.1f} | {s.open_files} | {s.log / 2**20:.2f} | {s.queue_age:.1f} |"
        for s in shown
    ]
    grown = ", ".join(f"{name} {share:+.1%}" for name, share in growth(samples).items())
    head = ["| minutes | memory (MiB) | open files | SQLite's log (MiB) | queue age (s) |", "|" + " ---: |" * 5]
    told = f"{outcome.messages} messages, {outcome.asked} questions: {outcome.lost} lost, {outcome.doubled} doubled"
    verdict = "flat" if is_flat(samples) else "NOT flat"
    return "\n".join([*head, *rows, "", f"From the second third to the last: {grown}: {verdict}. {told}."])
