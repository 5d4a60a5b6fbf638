"""Fixtures that tests of this folder share."""

import asyncio
import json

import pytest

from infra.cli.root import main
from shared.settings import SETTINGS


@pytest.fixture
def run_doctor(tmp_path, monkeypatch, capsys):
    """Runs doctor in a folder of its own; its exit code and what it printed as JSON."""
    monkeypatch.chdir(tmp_path)
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)

    async def call(*arguments, **env):
        for name, value in {"SPOMYN_STORE": "sqlite:spomyn.db", **env}.items():
            monkeypatch.setenv(name, value)
        code = await asyncio.to_thread(main, ["doctor", "--json", *arguments])
        out = capsys.readouterr()
        assert out.err == ""
        return code, json.loads(out.out)

    return call
