"""The hour at which the tests run: the machine's, or the one that `python -m tests.hours` names.

A clock that is put forward goes on from there; timers keep the machine's monotonic clock. Processes that tests start
live in the same hour when they are given `handed_on()`. Never back: gRPC would find its deadlines passed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import pytest
import time_machine

from infra.system import SystemClock
from tests.support.hour.clock_ahead import put_ahead

AHEAD = "TESTS_CLOCK_AHEAD"
_PACKAGES = "TESTS_CLOCK_PACKAGES"


def put_forward(to: datetime, timezone: str) -> dict[str, str]:
    """Return what the environment of a test run has to hold so that it begins at `to`, on a machine in `timezone`.

    Raises:
        ValueError: The instant has passed.
    """
    ahead = (to - SystemClock().now()).total_seconds()
    if ahead < 0:
        raise ValueError(f"{to} has passed: the clock of a run can only be put forward")
    ahead += float(os.environ.get(AHEAD, "0"))  # by which this process is ahead already
    return {AHEAD: str(ahead), _PACKAGES: str(Path(time_machine.__file__).parents[1]), "TZ": timezone}


def begin() -> None:
    """Put this process's clock forward, if its environment says so, for its life."""
    if AHEAD in os.environ:
        put_ahead(float(os.environ[AHEAD]))


def handed_on(*paths: Path, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what a process has to be given to live in the hour of `environment` and to import from `paths`."""
    told = {name: environment[name] for name in (AHEAD, _PACKAGES, "TZ") if name in environment}
    folders = (Path(__file__).parent, *paths) if AHEAD in told else paths
    return told | {"PYTHONPATH": os.pathsep.join(map(str, folders))}


class Watch:
    """Lets only those tests ask the machine for the hour that say so (`pytest.mark.wall_clock`).

    They run at many hours in the gate; what any other test finds must not depend on one.
    """

    def __init__(self) -> None:
        self._allowed = True
        self._now: Callable[[SystemClock], datetime] = SystemClock.now

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "wall_clock: asks the machine for the hour; runs at several in the gate")
        watch = self

        def now(clock: SystemClock) -> datetime:
            assert watch._allowed, "this test depends on the hour: give it a clock, or mark it wall_clock"
            return watch._now(clock)

        SystemClock.now = now  # type: ignore[method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        self._allowed = item.get_closest_marker("wall_clock") is not None
        try:
            return (yield)
        finally:
            self._allowed = True
