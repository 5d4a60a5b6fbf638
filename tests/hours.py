"""`python -m tests.hours [--all] [--at NAME] [pytest's arguments]`: run tests as if it were other hours, one run each.

Without --all only those run that ask the machine for the hour (`wall_clock`), each where it stands in its order; with
it the whole suite. The emulators written in Java and Go keep the machine's time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from infra.system import SystemClock
from tests.support.hour import put_forward

BY_THE_MACHINE = (
    "tests/unit/infra/tasks/test_cloud_tasks.py::test_cloud_silence_ends_at_the_time_limit",
    "tests/unit/infra/cli/archive/test_import_.py::test_after_forgetting_an_import_says_when_and_what_there_is_instead",
    "tests/scenarios/whole/test_load.py::test_on_one_machine_nothing_of_any_shape_is_lost_doubled_or_refused",
    "tests/scenarios/whole/test_load.py::test_as_functions_on_firestore_nothing_is_lost_doubled_refused_or_held_up",
)
"""Tests that compare our clock with one that stays the machine's: gRPC's deadlines, and what the file system stamps;
and loads, whose processes live in real time, and for which no hour matters."""

ROOT = Path(__file__).resolve().parents[1]
MARK = "wall_clock"

_CHANGE = time(0, 58, 30)
"""Two minutes before Europe's clocks change, in UTC."""


def moments(now: datetime) -> dict[str, tuple[datetime, str]]:
    """The hours by name, each the next of its kind after `now`, with the machine's time zone there.

    A day is a hundred and more minutes away from the next gap or midnight, so one run meets one trap.
    """
    tomorrow = now.date() + timedelta(days=1)
    leap = next(year for year in range(now.year, now.year + 9) if year % 4 == 0 and _leap_day(year) > now)
    spring = next(day for year in (now.year, now.year + 1) if (day := _last_sunday(year, 3)) > now)
    autumn = next(day for year in (now.year, now.year + 1) if (day := _last_sunday(year, 10)) > now)
    return {
        "night": (_at(tomorrow, time(0, 30)), "UTC"),
        "small hours": (_at(tomorrow, time(3)), "America/Los_Angeles"),
        "evening": (_at(tomorrow, time(19)), "Pacific/Auckland"),
        "midnight": (_at(tomorrow, time(23, 59, 50)), "UTC"),
        "leap day": (_leap_day(leap), "Europe/Kyiv"),
        "spring": (spring, "Europe/Kyiv"),
        "autumn": (autumn, "Europe/Kyiv"),
    }


def _at(day: date, hour: time) -> datetime:
    return datetime.combine(day, hour, UTC)


def _leap_day(year: int) -> datetime:
    return datetime(year, 2, 29, 21, 30, tzinfo=UTC)


def _last_sunday(year: int, month: int) -> datetime:
    last = datetime(year, month, 31, tzinfo=UTC)
    return datetime.combine(last - timedelta(days=(last.weekday() + 1) % 7), _CHANGE, UTC)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hours", description="Run tests as if it were other hours.")
    named = moments(SystemClock().now())
    parser.add_argument("--all", action="store_true", help="the whole suite, not only tests that ask for the hour")
    parser.add_argument("--at", action="append", choices=named, metavar="NAME", help=f"only one of: {', '.join(named)}")
    options, arguments = parser.parse_known_args()
    if not options.all:
        arguments = ["-m", MARK, *arguments, *([] if _has_paths(arguments) else files_with_the_mark())]
    arguments += [f"--deselect={test}" for test in BY_THE_MACHINE]
    failed = [name for name in options.at or named if not _passes(name, *named[name], arguments)]
    sys.exit(f"Tests failed as if it were: {', '.join(failed)}" if failed else 0)


def files_with_the_mark() -> list[str]:
    """Return the files that marked tests stand in: to import all others, too, takes longer than most tests."""
    found = (path for path in (ROOT / "tests").rglob("test_*.py") if MARK in path.read_text("utf-8"))
    return sorted(str(path.relative_to(ROOT)) for path in found)


def _has_paths(arguments: list[str]) -> bool:
    return any(Path(each.partition("::")[0]).exists() for each in arguments)


def _passes(name: str, moment: datetime, zone: str, arguments: list[str]) -> bool:
    print(f"As if it were {moment:%Y-%m-%d %H:%M:%S} UTC ({name}), on a machine in {zone}", flush=True)
    environment = os.environ | put_forward(moment, zone)
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode == 0


if __name__ == "__main__":
    main()
