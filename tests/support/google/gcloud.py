"""A strict gcloud on PATH: knows the commands that we use, exactly as we use them, and answers like the real one.

Its errors are those of Google Cloud CLI 528, tried against a server of the APIs on 127.0.0.1.

    gcloud = FakeGcloud(folder)            # folder/gcloud is the program
    gcloud.update(projects={"my-project": {...}})
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("gcloud_program.py")


class FakeGcloud:
    """Writes the program and what it knows; `calls` are the command lines that reached it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._knows, self._calls = folder / "gcloud.json", folder / "gcloud.calls"
        program = folder / "gcloud"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{PROGRAM}" "{folder}" "$@"\n')
        program.chmod(0o755)
        self.knows: dict[str, Any] = {}

    def update(self, **knows: Any) -> None:
        """Change what there is; see `gcloud_program` for the words."""
        self.knows |= knows
        self._knows.write_text(json.dumps(self.knows))

    @property
    def calls(self) -> list[list[str]]:
        """Arguments of each call, in order."""
        if not self._calls.is_file():
            return []
        return [json.loads(line) for line in self._calls.read_text().splitlines()]
