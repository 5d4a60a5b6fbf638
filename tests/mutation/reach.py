"""Which tests execute which lines, and how long each takes: a plugin of pytest that writes it down, and its reader.

A line counts for a test also when a server or a task executes it while the test waits.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parents[2]
WRITTEN_TO = "REACH_WRITTEN_TO"
_LINES, _SECONDS = "lines", "seconds.json"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a recorded run told.

    Attributes:
        seconds: How long each test took that passed, by its pytest id.
    """

    data: coverage.CoverageData
    seconds: dict[str, float]

    def tests_of(self, path: str, first: int, last: int) -> list[str]:
        """Return the tests that execute one of the lines and passed, quickest first; those on an emulator last.

        Lines that run only while the module is imported belong to every test that uses the module.
        """
        found = self.data.contexts_by_lineno(str(ROOT / path))
        changed = {test for line in range(first, last + 1) for test in found.get(line, ())}
        if changed == {""}:
            changed = {test for tests in found.values() for test in tests}
        tests = changed & self.seconds.keys()
        return sorted(tests, key=lambda test: ("firestore" in test.casefold(), self.seconds[test], test))


def read_reach(folder: Path) -> Reach:
    """Return what was recorded into a folder.

    Raises:
        FileNotFoundError: Nothing was.
    """
    seconds = json.loads((folder / _SECONDS).read_text())
    data = coverage.CoverageData(str(folder / _LINES))
    data.read()  # or an update would begin anew
    for part in sorted(folder.glob(f"{_LINES}.*")):
        worker = coverage.CoverageData(str(part))
        worker.read()
        data.update(worker)
        part.unlink()
    data.read()
    return Reach(data, seconds)


class _Recorder:
    def __init__(self, folder: Path, worker: str, *, runs_tests: bool) -> None:
        self._folder, self._seconds, self._failed = folder, dict[str, float](), set[str]()
        self._runs_tests = runs_tests
        source = [str(ROOT / name) for name in ("shared", "functions", "infra")]
        self._coverage = coverage.Coverage(str(folder / f"{_LINES}.{worker}"), source=source, config_file=False)
        if runs_tests:
            self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0) + report.duration
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if self._runs_tests:
            self._coverage.stop()
            self._coverage.save()
        if not hasattr(config, "workerinput"):  # the one who hears of all tests
            passed = {test: seconds for test, seconds in self._seconds.items() if test not in self._failed}
            (self._folder / _SECONDS).write_text(json.dumps(passed))


def pytest_configure(config: pytest.Config) -> None:
    """Record into the folder that the environment names."""
    worker = getattr(config, "workerinput", {}).get("workerid", "main")
    folder = Path(os.environ[WRITTEN_TO])
    hands_out = worker == "main" and config.getoption("numprocesses", None)
    config.pluginmanager.register(_Recorder(folder, worker, runs_tests=not hands_out))
