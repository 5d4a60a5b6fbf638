"""`python -m tests.benchmarks [NAME ...] [--json] [--runs N] [--irc FILE]`: the figures of `docs/benchmarks.md`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks import (
    archive,
    cold_start,
    commands,
    context,
    cost,
    dedup,
    erasure,
    extraction,
    first_question,
    irc,
    night,
    ordinary_message,
    recall,
)
from tests.benchmarks.report import Figure, as_json, as_table
from tests.support.google.emulator import running_emulator
from tests.support.servers.deployment import ROOT

NAMES = (
    *("cold_start", "ordinary_message", "irc", "cost", "extraction", "recall", "context"),
    *("dedup", "night", "archive", "commands", "erasure", "first_question"),
)
ON_EMULATOR = {"ordinary_message": ordinary_message, "commands": commands}
ON_SQLITE = {
    "cost": cost,
    "dedup": dedup,
    "night": night,
    "archive": archive,
    "erasure": erasure,
    "first_question": first_question,
}
IRC = ROOT.parent / "shared/evals/irc_dev.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure the figures of the docs.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"one or more of {', '.join(NAMES)}; all by default")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--runs", type=int, default=15, help="cold starts of each kind")
    parser.add_argument("--irc", type=Path, default=IRC, help="JSON lines, one message of a talk a line")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        figures, notes = measure(options.names or NAMES, Path(folder), options.runs, options.irc)
    sys.stdout.write((as_json if options.json else as_table)(figures, notes) + "\n")


def measure(names: list[str] | tuple[str, ...], folder: Path, runs: int, talk: Path) -> tuple[list[Figure], list[str]]:
    """Run the named benchmarks, each on an emulator of its own; the figures, and what was skipped."""
    figures: list[Figure] = []
    notes: list[str] = []
    if "cold_start" in names:
        with _emulator() as host:
            figures += asyncio.run(cold_start.measure(host, folder / "cold_start", runs))
    for name in filter(ON_EMULATOR.__contains__, names):
        with _emulator() as host:
            figures += asyncio.run(ON_EMULATOR[name].measure(host))
    if "irc" in names and not talk.is_file():
        notes.append(f"irc was skipped: there is no file {talk.name}; name one with --irc FILE")
    elif "irc" in names:
        with _emulator() as host:
            figures += asyncio.run(irc.measure(host, folder / "irc", talk))
    for name in filter(ON_SQLITE.__contains__, names):
        figures += asyncio.run(ON_SQLITE[name].measure(folder))
    if "extraction" in names:
        figures += extraction.measure()
    if "recall" in names:
        more, skipped = _recall(talk)
        figures, notes = figures + more, notes + skipped
    if "context" in names and not talk.is_file():
        notes.append(f"context was skipped: there is no file {talk.name}; name one with --irc FILE")
    elif "context" in names:
        with _emulator() as host:
            figures += asyncio.run(context.measure(host, talk))
    return figures, notes


def _recall(talk: Path) -> tuple[list[Figure], list[str]]:
    if not talk.is_file():
        return [], [f"recall was skipped: there is no file {talk.name}; name one with --irc FILE"]
    return asyncio.run(recall.measure(talk)), []


@contextmanager
def _emulator() -> Iterator[str]:
    given = os.environ.get("FIRESTORE_EMULATOR_HOST")
    if given:
        yield given
        return
    with running_emulator() as host:
        yield host


if __name__ == "__main__":
    main()
