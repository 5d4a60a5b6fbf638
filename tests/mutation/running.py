"""One mutant against the tests that reach it, in a copy of the checkout."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant
from tests.mutation.reach import ROOT, Reach

_FIRST = 25
"""Tests of the first round: most mutants die in it, and starting pytest costs more than running these."""

_SLACK_SECONDS = 60.0
_SLOWER = 6.0
"""How much longer than recorded tests may take before a mutant counts as one that never ends."""

_STAMPS = itertools.count(2_000_000_000)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: killed by a failing test, by never ending, not at all, or no test reaches it."""

    mutant: Mutant
    outcome: str
    tests: int

    @property
    def killed(self) -> bool:
        return self.outcome in ("failed", "never ended")


class Copy:
    """A copy of the checkout, in which one mutant at a time lives."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder, self._environment = folder, os.environ | environment
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, listed.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / ".venv").symlink_to(ROOT / ".venv")

    def judge(self, mutant: Mutant, reach: Reach) -> Verdict:
        """Run the tests that reach the mutant until one notices."""
        tests = reach.tests_of(mutant.path, mutant.line, mutant.last_line)
        if not tests:
            return Verdict(mutant, "no test reaches it", 0)
        with self._living(mutant):
            for part in filter(None, (tests[:_FIRST], tests[_FIRST:])):
                outcome = self._outcome(part, sum(reach.seconds[test] for test in part))
                if outcome != "passed":
                    return Verdict(mutant, outcome, len(tests))
        return Verdict(mutant, "survived", len(tests))

    @contextmanager
    def _living(self, mutant: Mutant) -> Iterator[None]:
        path = self.folder / mutant.path
        before = path.read_text()
        try:
            self._write(path, mutant.source)
            yield
        finally:
            self._write(path, before)

    def _write(self, path: Path, source: str) -> None:
        path.write_text(source)
        stamp = next(_STAMPS)  # two of one size within a second would share their bytecode
        os.utime(path, (stamp, stamp))

    def _outcome(self, tests: Sequence[str], seconds: float) -> str:
        names = self.folder / "tests.txt"
        names.write_text("\n".join(tests))
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", f"@{names}"]
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=self._environment,
                capture_output=True,
                check=False,
                timeout=seconds * _SLOWER + _SLACK_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return "never ended"
        return "passed" if done.returncode == 0 else "failed"
