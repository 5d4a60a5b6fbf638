"""From spawning a function to its first 200: the webhook with an ordinary message, beside a function that says hello.

Both are served by the same command in an environment of `requirements.txt` alone, their bytecode compiled, and they
take turns, so that a busy machine is busy for both.
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

from infra.system import SystemClock
from tests.benchmarks.report import Figure
from tests.support import updates
from tests.support.deployment import SECRET, Server, deployed_python, free_port, peers, serving, staged

MOST_RATIO = 2.0
MOST_MEGABYTES = 90.0
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


async def measure(emulator: str, folder: Path, runs: int) -> list[Figure]:
    """`runs` cold starts of each kind."""
    folder.mkdir()
    python, webhook, hello = deployed_python(folder / "python"), staged(folder / "build")["webhook"], folder / "hello"
    hello.mkdir()
    (hello / "main.py").write_text(HELLO)
    starts: dict[str, list[Start]] = {"webhook": [], "hello": []}
    async with peers(emulator, "bench-cold-start") as around:
        for run in range(WARM_UP + runs):
            for name, bundle in (("hello", hello), ("webhook", webhook)):
                start = await asyncio.to_thread(_start, python, bundle, name, around.settings, folder / "log", run)
                starts[name] += [start] if run >= WARM_UP else []
    return _figures(starts["webhook"], starts["hello"])


def _figures(webhook: list[Start], hello: list[Start]) -> list[Figure]:
    def figure(name: str, value: float, unit: str = "", most: float | None = None) -> Figure:
        return Figure("cold_start", name, value, unit, most)

    figures = []
    for name, starts in (("webhook", webhook), ("hello", hello)):
        walls = [start.wall for start in starts]
        figures += [
            figure(f"{name}: median", median(walls), "ms"),
            figure(f"{name}: min", min(walls), "ms"),
            figure(f"{name}: processor time, median", median(start.cpu for start in starts), "ms"),
            figure(
                f"{name}: resident memory of the worker",
                median(start.megabytes for start in starts),
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


def _start(python: Path, bundle: Path, target: str, env: Mapping[str, str], log: Path, run: int) -> Start:
    port = free_port()
    now = int(SystemClock().now().timestamp())  # an ordinary message is news; an old one may have been forgotten
    said = updates.message_update("звичайне повідомлення", update_id=run + 1, message_id=run + 1, date=now)
    body = json.dumps(said).encode()
    before = time.perf_counter()
    with serving(python, bundle, target, env, log, port=port) as server:
        _first_200(port, body, server)
        wall = time.perf_counter() - before
        return Start(wall * 1000, sum(map(_cpu_ms, server.pids())), _megabytes(server.pids()[-1]))


def _first_200(port: int, body: bytes, server: Server) -> None:
    headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET}
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("POST", "/", body, headers)
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
