"""A run of `python -m infra.local` in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx

from tests.support.hour import handed_on

ROOT = Path(__file__).parents[4]
COMMAND = [sys.executable, "-m", "infra.local"]
SCRIPTS = ROOT / "tests" / "data" / "scripts"


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Only these settings, and the folder's SQLite file; any free port."""
    own = {**handed_on(ROOT), "SPOMYN_PORT": "0", "SPOMYN_STORE": f"sqlite:{folder}/spomyn.db"}
    return {"PATH": os.environ["PATH"], **own, **settings}


def run(folder: Path, *arguments: str, lines: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*COMMAND, *arguments],
        check=False,
        cwd=folder,
        env=environment(folder, **settings),
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=180,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@contextlib.asynccontextmanager
async def serving(folder: Path, **settings: str) -> AsyncIterator[tuple[httpx.AsyncClient, asyncio.StreamReader]]:
    """A run with nothing on its standard input: a client of its HTTP server and what it prints. It ends cleanly."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        cwd=folder,
        env=environment(folder, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        address = (await line_with(process.stdout, "http://")).split()[3]
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            yield client, process.stdout
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    assert b"Traceback" not in errors, errors.decode()


async def line_with(output: asyncio.StreamReader, words: str) -> str:
    """The next line that holds these words."""
    async with asyncio.timeout(120):
        while words not in (line := (await output.readline()).decode()):
            assert line, f"the run ended without saying {words!r}"
    return line
