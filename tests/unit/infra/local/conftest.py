"""Scripts replayed in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infra.local.cli import main
from tests.support.scripts import replayed, script_of
from tests.unit.infra.local.processes import SCRIPTS, environment


@pytest.fixture
def play(tmp_path):
    return lambda *lines, **settings: replayed(script_of(tmp_path, lines), **settings)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """This process stands in the folder and has its settings: one of its own would read dictionaries for seconds."""
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.fixture
def replay(here: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], dict[str, Any]]:
    def replayed(script: str) -> dict[str, Any]:
        assert main(["--script", str(SCRIPTS / script), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return replayed


@pytest.fixture
def replay_lines(tmp_path: Path, replay: Callable[[str], dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Replays these lines; the outcome."""

    def played(*lines: dict[str, Any]) -> dict[str, Any]:
        script = tmp_path / "talk.jsonl"
        script.write_text("\n".join(json.dumps(line) for line in lines))
        return replay(str(script))

    return played
