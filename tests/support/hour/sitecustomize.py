"""Puts the clock of a Python process that a test started forward: Python imports this by its name.

Only a process whose PYTHONPATH names this folder finds it (see `tests.support.hour.handed_on`).
"""

import os
import sys
import time

_path = sys.path[:]
sys.path.append(os.environ["TESTS_CLOCK_PACKAGES"])  # the process may have few packages of its own
sys.modules["pytest"] = sys.modules["dateutil.parser"] = None  # type: ignore[assignment]  # imported if they are found
import time_machine  # noqa: E402

del sys.modules["pytest"], sys.modules["dateutil.parser"]
sys.path[:] = _path
_to = time.time() + float(os.environ["TESTS_CLOCK_AHEAD"])  # noqa: TID251 - nothing of ours is imported yet
time_machine.travel(_to, tick=True).start()
