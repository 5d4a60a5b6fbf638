"""The command line over a store of its own, in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from infra.cli.root import main

_OWN = ("SPOMYN_STORE", "SPOMYN_QUEUE", "GEMINI_API_KEY", "TELEGRAM_BOT_TOKEN", "GOOGLE_CLOUD_PROJECT", "LOG_LEVEL")


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def logs(logging_restored: None) -> None:
    """Commands set up logs."""


@pytest.fixture
def spomyn(tmp_path, monkeypatch, capsys) -> Callable[..., Ran]:
    """Runs a command over a SQLite file in a folder of its own; only these settings."""
    for name in _OWN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("FIRESTORE_EMULATOR_HOST", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPOMYN_STORE", f"sqlite:{tmp_path}/spomyn.db")
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def on_firestore(spomyn, firestore_emulator, tmp_path, monkeypatch) -> Callable[..., Ran]:
    """The same over the emulator; a project of its own, tasks in a local file."""
    monkeypatch.setenv("SPOMYN_STORE", "firestore")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", f"test-cli-{abs(hash(str(tmp_path))) % 10**9}")
    return spomyn
