"""Playing many seeds: on several processes, with progress, and the shortest story of each that fails."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.simulation.run import Run, simulate

_TOLD = 60
"""Lines of a story that are told."""

_GARBAGE_EVERY = 50
"""Seeds, which leave some 20 MB."""


class Kept(NamedTuple):
    """A seed that failed once, and what it had found; an open one fails still, and is left out of many."""

    number: int
    found: str
    open: bool = False


def kept() -> list[Kept]:
    """Read `seeds.toml`."""
    read = tomllib.loads((Path(__file__).parent / "seeds.toml").read_text("utf-8"))
    return [Kept(**each) for each in read.get("seed", [])]


def play(seed: int, events: int | None = None) -> Run:
    """Play a seed."""
    return simulate(seed, events=events)


def _play_in_pool(seed: int) -> Run:
    """Play a seed, and look for garbage now and then: a run leaves little, and looking in it takes a tenth of it."""
    run = play(seed)
    if seed % _GARBAGE_EVERY == 0:
        gc.collect()
    return run


def shortest(seed: int) -> tuple[int | None, Run]:
    """Return the fewest of its first events with which a seed still fails, and that run."""
    whole = play(seed)
    for events in range(1, 46):
        run = play(seed, events)
        if run.problems:
            return events, run
    return None, whole


def play_one(seed: int, events: int | None) -> int:
    """Play one seed and print its story."""
    run = play(seed, events)
    for line in run.trace:
        print(line)
    for problem in run.problems:
        print(f"PROBLEM {problem}")
    print(f"seed {seed}: {len(run.problems)} problems, {run.events} updates, digest {run.digest}")
    return 1 if run.problems else 0


def play_range(seeds: Sequence[int], jobs: int) -> int:
    """Play many seeds and print those that fail."""
    still_open = {each.number for each in kept() if each.open}
    begun, failed, updates = time.monotonic(), [], 0
    play(seeds[0])  # reads the tables that the product reads late: once, and not in each process
    gc.freeze()
    gc.disable()
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for done, run in enumerate(
            pool.imap_unordered(_play_in_pool, [n for n in seeds if n not in still_open], chunksize=2), 1
        ):
            updates += run.events
            if run.problems:
                failed.append(run)
                print(f"seed {run.seed} fails: {run.problems[0][:400]}", flush=True)
            if done % max(1, len(seeds) // 20) == 0:
                rate = done / (time.monotonic() - begun)
                print(f"{done} of {len(seeds)}, {rate:.1f} a second, {len(failed)} failed", file=sys.stderr, flush=True)
    for run in failed[:3]:
        tell(run.seed)
    print(f"{len(seeds)} seeds, {updates} updates, {len(failed)} failed: {[run.seed for run in failed]}")
    return 1 if failed else 0


def tell(seed: int) -> None:
    """Print the shortest story of a seed that fails."""
    events, run = shortest(seed)
    print(f"\nseed {seed}, its first {events} events; again: make simulate SEED={seed} ARGS='--events {events}'")
    for line in run.trace[-_TOLD:]:
        print(f"  {line}")
    for problem in run.problems:
        print(f"  PROBLEM {problem}")
