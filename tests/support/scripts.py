"""Replays scripts as `python -m infra.local --script FILE --json` does, in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from infra.local.clocks import ReplayClock
from infra.local.script import read_script
from infra.local.script.replay import replay
from shared.settings import Settings
from tests.support.group import FRIDAY


def replayed(path: Path, *, keep: Path | None = None, **settings: str) -> dict[str, Any]:
    """The outcome of a script as JSON; `keep` is the SQLite file to make."""
    script = read_script(path, clock=ReplayClock(FRIDAY))
    told = asyncio.run(replay(Settings.from_env(settings), script, lambda _: None, keep=keep))
    assert told.unextracted == 0
    return json.loads(json.dumps(told.to_json()))


def script_of(folder: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    """A script of these lines."""
    path = folder / "talk.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    return path
