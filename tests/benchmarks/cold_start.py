"""From spawning a function to its first 200: the webhook with an ordinary message, each worker with a task of a chat
in which nothing is to do, beside a function that says hello.

All are served by the same command, each from its bundle in an environment of its own requirements alone (hello in the
webhook's), their bytecode compiled, and they take turns, so that a busy machine is busy for all.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from google.cloud.tasks_v2 import OidcToken

from infra.system import SystemClock
from tests.benchmarks.report import Figure
from tests.support import updates
from tests.support.google.cloud_tasks import sign
from tests.support.servers.deployment import (
    ACCOUNT,
    EXTRACT_URL,
    MAINTENANCE_URL,
    SECRET,
    Server,
    deployed_python,
    peers,
    serving,
    staged,
)
from tests.support.servers.ports import kept_port

MOST_RATIO = 1.7
MOST_MEGABYTES = 70.0
WARM_UP = 2
HELLO = """
import functions_framework.aio

@functions_framework.aio.http
async def hello(request):
    return "hello"
"""
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Start:
    """One cold start: milliseconds on the clock and of processor time, resident megabytes of the worker."""

    wall: float
    cpu: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Subject:
    """A function to start, and what it is sent."""

    name: str
    python: Path
    bundle: Path
    path: str = "/"
    audience: str = ""

    def request(self, run: int) -> tuple[bytes, dict[str, str]]:
        """Body and headers of one request; no two runs send the same."""
        now = SystemClock().now()
        headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET}
        if self.audience:
            token = sign(OidcToken(service_account_email=ACCOUNT, audience=self.audience), self.audience, now)
            return json.dumps({"chat_id": -run - 1}).encode(), headers | {"authorization": f"Bearer {token}"}
        # An ordinary message is news; an old one may have been forgotten.
        date = int(now.timestamp())
        said = updates.message_update("звичайне повідомлення", update_id=run + 1, message_id=run + 1, date=date)
        return json.dumps(said).encode(), headers


async def measure(emulator: str, folder: Path, runs: int) -> list[Figure]:
    """`runs` cold starts of each kind."""
    folder.mkdir()
    subjects = _subjects(folder)
    starts: dict[str, list[Start]] = {subject.name: [] for subject in subjects}
    async with peers(emulator, "bench-cold-start") as around:
        for run in range(WARM_UP + runs):
            for subject in subjects:
                start = await asyncio.to_thread(_start, subject, around.settings, folder / "log", run)
                starts[subject.name] += [start] if run >= WARM_UP else []
    return _figures(starts)


def _subjects(folder: Path) -> list[Subject]:
    folders = staged(folder / "build")
    pythons = {name: deployed_python(folder / name, folders[name] / "requirements.txt") for name in folders}
    hello = folder / "hello"
    hello.mkdir()
    (hello / "main.py").write_text(HELLO)
    return [
        Subject("hello", pythons["webhook"], hello),
        Subject("webhook", pythons["webhook"], folders["webhook"]),
        Subject("extract", pythons["extract"], folders["extract"], audience=EXTRACT_URL),
        Subject(
            "maintenance",
            pythons["maintenance"],
            folders["maintenance"],
            "/maintenance/decay",
            audience=MAINTENANCE_URL,
        ),
    ]


def _figures(starts: Mapping[str, list[Start]]) -> list[Figure]:
    def figure(name: str, value: float, unit: str = "", most: float | None = None) -> Figure:
        return Figure("cold_start", name, value, unit, most)

    webhook, hello = starts["webhook"], starts["hello"]
    figures = []
    for name in ("webhook", "hello", "extract", "maintenance"):
        walls = [start.wall for start in starts[name]]
        figures += [
            figure(f"{name}: median", median(walls), "ms"),
            figure(f"{name}: min", min(walls), "ms"),
            figure(f"{name}: processor time, median", median(start.cpu for start in starts[name]), "ms"),
            figure(
                f"{name}: resident memory of the worker",
                median(start.megabytes for start in starts[name]),
                "MB",
                MOST_MEGABYTES if name == "webhook" else None,
            ),
        ]
    pairs = [a.wall / b.wall for a, b in zip(webhook, hello, strict=True)]
    return [
        *figures,
        figure("webhook / hello, medians", figures[0].value / figures[4].value, "", MOST_RATIO),
        figure("webhook / hello, mins", figures[1].value / figures[5].value, "", MOST_RATIO),
        figure("webhook / hello, median of pairs", median(pairs)),
        figure("webhook / hello, processor time", figures[2].value / figures[6].value),
    ]


def _start(subject: Subject, env: Mapping[str, str], log: Path, run: int) -> Start:
    body, headers = subject.request(run)
    with kept_port() as port:
        before = time.perf_counter()
        with serving(subject.python, subject.bundle, subject.name, env, log, port=port) as server:
            _first_200(port, subject.path, body, headers, server)
            wall = time.perf_counter() - before
            return Start(wall * 1000, sum(map(_cpu_ms, server.pids())), _megabytes(server.pids()[-1]))


def _first_200(port: int, path: str, body: bytes, headers: dict[str, str], server: Server) -> None:
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
        except ConnectionRefusedError:
            if server.process.poll() is not None:
                raise RuntimeError(server.log.read_text()) from None
            time.sleep(0.002)
            continue
        finally:
            connection.close()
        if status != 200:
            raise RuntimeError(f"HTTP {status}: {server.log.read_text()}")
        return


def _cpu_ms(pid: int) -> float:
    """Processor time of a process, user and system, in milliseconds (the kernel counts in ticks of 10)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / _TICK


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
