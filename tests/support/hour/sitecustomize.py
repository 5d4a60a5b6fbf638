"""Puts the clock of a Python process that a test started forward: Python imports this by its name.

Only a process whose PYTHONPATH names this folder finds it (see `tests.support.hour.handed_on`).
"""

import os
import sys

from clock_ahead import put_ahead

_path = sys.path[:]
sys.path.append(os.environ["TESTS_CLOCK_PACKAGES"])  # the process may have few packages of its own
sys.modules["pytest"] = sys.modules["dateutil.parser"] = None  # type: ignore[assignment]  # imported if they are found
put_ahead(float(os.environ["TESTS_CLOCK_AHEAD"]))
del sys.modules["pytest"], sys.modules["dateutil.parser"]
sys.path[:] = _path
