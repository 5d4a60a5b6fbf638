"""Puts the clock of a Python process that a test started forward: Python imports this by its name.

Only a process whose PYTHONPATH names this folder finds it (see `tests.support.hour.handed_on`).
"""

import os
import sys
from datetime import UTC, datetime, timedelta

_path, _ahead = sys.path[:], timedelta(seconds=float(os.environ["TESTS_CLOCK_AHEAD"]))
sys.path.append(os.environ["TESTS_CLOCK_PACKAGES"])  # the process may have few packages of its own
sys.modules["pytest"] = sys.modules["dateutil.parser"] = None  # type: ignore[assignment]  # imported if they are found
import time_machine  # noqa: E402

del sys.modules["pytest"], sys.modules["dateutil.parser"]
sys.path[:] = _path
time_machine.travel(datetime.now(UTC) + _ahead, tick=True).start()  # noqa: TID251 - nothing of ours is imported yet
