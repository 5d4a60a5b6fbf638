"""`python -m tests.simulation`: play seeds on all cores, and tell those that fail with their story."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys


def main() -> int:
    """Run what the command line asks for; 1 when a seed failed."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is part of a run
        return subprocess.call(
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]], env={**os.environ, "PYTHONHASHSEED": "0"}
        )
    from tests.simulation.seeds import play_one, play_range

    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="play only this one, and tell its story")
    parser.add_argument("--events", type=int, help="with --seed: only so many of its events")
    parser.add_argument("--seeds", type=int, default=1_000, help="play so many (default 1,000)")
    parser.add_argument("--start", type=int, default=1, help="begin with this one (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at the same time (default: all cores)")
    args = parser.parse_args()
    if args.seed is not None:
        return play_one(args.seed, args.events)
    return play_range(range(args.start, args.start + args.seeds), args.jobs)


if __name__ == "__main__":
    sys.exit(main())
