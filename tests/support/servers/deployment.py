"""Spomyn as it is deployed: four staged bundles, each a real server process with nothing but its `requirements.txt`.

The peers (Firestore's emulator, the fakes of Cloud Tasks, the Bot API and Gemini) listen on 127.0.0.1 and so do the
functions. A checkout, or a package that only the tests need, is not on any function's `sys.path`.
"""

from __future__ import annotations

import asyncio
import atexit
import compileall
import contextlib
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import venv
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web
from google.cloud import tasks_v2
from packaging.utils import canonicalize_name

from infra.bundle import Bundle, bundles, stage
from infra.bundle.requirements import read_lock
from infra.firestore import FirestoreStore
from infra.system import SystemClock
from shared.application.documents import chat_path, facts_path, messages_path
from shared.application.ports.store import Document
from tests.support import updates
from tests.support.gemini.server import FakeGemini
from tests.support.google.cloud_tasks import FakeCloudTasks, Stored, sign
from tests.support.hour import handed_on
from tests.support.servers.ports import kept_port
from tests.support.telegram.bot_api import FakeBotApi

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
SECRET = "s3cret"
GEMINI_KEY = "test-key"
ANSWER_URL = "https://answer-x.a.run.app"
EXTRACT_URL, MAINTENANCE_URL = "https://extract-x.a.run.app", "https://maintenance-x.a.run.app"
ACCOUNT = "invoker@spomyn-test.iam.gserviceaccount.com"
_START_SECONDS = 30.0
_SOON = timedelta(minutes=5)


# --- Processes ---------------------------------------------------------------------------------


def deployed_python(into: Path, requirements: Path = ROOT / "requirements.txt") -> Path:
    """Make a virtual environment with exactly the listed packages, linked from this one; its interpreter.

    What `pip install --require-hashes` of the whole lock put here is not installed again for each function: that takes
    half a minute of processor time each (`python -m tests.benchmarks bundles` does it).
    """
    venv.create(into, symlinks=True)
    (site,) = into.glob("lib/python*/site-packages")
    wanted = read_lock(requirements.read_text())
    for path, (owner, target) in _alone().items():
        if owner in wanted:
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).symlink_to(target)
    return into / "bin/python"


@cache
def _alone() -> dict[str, tuple[str, Path]]:
    """The uppermost files and folders that belong to one package alone, with its name: several share `google`."""
    paths = {canonicalize_name(each.name): (each, _paths(each)) for each in metadata.distributions()}
    owners = Counter(path for _, own in paths.values() for path in own)
    return {
        path: (name, Path(distribution.locate_file(path)))
        for name, (distribution, own) in paths.items()
        for path in own
        if owners[path] == 1 and owners.get(path.rpartition("/")[0], 2) > 1
    }


def _paths(distribution: metadata.Distribution) -> set[str]:
    """A package's files and folders, without scripts and compiled bytecode."""
    found: set[str] = set()
    for file in distribution.files or ():
        path = str(file)
        while path and path not in found and not path.startswith(("..", "__pycache__")):
            found.add(path)
            path = path.rpartition("/")[0]
    return found


def staged(into: Path) -> dict[str, Path]:
    """The bundles by function, their bytecode compiled as after a build: once in this process, and copied."""
    shutil.copytree(_compiled(), into)
    return {bundle.function: into / bundle.function for bundle in made_bundles()}


@cache
def _compiled() -> Path:
    """A folder with the bundles of this checkout and their bytecode, which takes seconds; it goes with this process."""
    folder = Path(tempfile.mkdtemp(prefix="spomyn-bundles-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for bundle in made_bundles():
        stage(bundle, folder)
    compileall.compile_dir(folder, quiet=2)
    return folder


@cache
def made_bundles() -> list[Bundle]:
    """The bundles of this checkout."""
    return bundles(ROOT)


@dataclass(frozen=True)
class Server:
    """A function being served from its bundle `folder`; `log` is what it writes to standard error."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    folder: Path

    def pids(self) -> list[int]:
        """The process and its workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [self.process.pid, *map(int, children.split())]


@contextlib.contextmanager
def serving(
    python: Path, bundle: Path, target: str, env: Mapping[str, str], log: Path, *, port: int
) -> Iterator[Server]:
    """Serve one bundle as the runtime does, at a kept port; its whole process group ends with the block."""
    command = [str(python), "-m", "functions_framework", "--asgi", "--target", target, "--source", "main.py"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    settings = {"PATH": os.defpath, "HOME": str(log.parent), "LANG": "C.UTF-8", **handed_on(), **env}
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=bundle, env=settings, stdout=output, stderr=output, start_new_session=True
        )
    try:
        yield Server(f"http://127.0.0.1:{port}", process, log, bundle)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(3)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # a worker may outlive its master
    process.wait()


def wait_until_listening(servers: Iterable[Server]) -> None:
    """Return when every server takes connections.

    Raises:
        RuntimeError: One ended instead, or took too long; with its log.
    """
    deadline = time.monotonic() + _START_SECONDS
    for server in servers:
        while not _is_listening(server):
            if server.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{server.url} did not start:\n{server.log.read_text()}")
            time.sleep(0.02)


def _is_listening(server: Server) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(server.url.rpartition(":")[2]))) == 0


# --- The deployment ----------------------------------------------------------------------------


@dataclass
class Peers:
    """What the functions talk to, and the settings that lead them there."""

    api: FakeBotApi
    tasks: FakeCloudTasks
    gemini: FakeGemini
    store: FirestoreStore
    settings: dict[str, str]


@contextlib.asynccontextmanager
async def peers(
    emulator: str,
    project: str,
    *,
    rewrite: Mapping[str, str | Iterator[str]] | None = None,
    answers_attempts: int = 3,
    **more: str,
) -> AsyncIterator[Peers]:
    """Start the fakes; `rewrite` says where tasks are delivered, and how often those of answers, `more` are further
    settings."""
    async with contextlib.AsyncExitStack() as stack:
        api = await stack.enter_async_context(FakeBotApi(TOKEN, username="gryag_bot", now=_unix_now))
        gemini = await stack.enter_async_context(FakeGemini(GEMINI_KEY))
        tasks = await stack.enter_async_context(
            FakeCloudTasks(
                SystemClock(),
                project=project,
                queue="spomyn",
                answers="spomyn-answers",
                rewrite=rewrite,
                require_oidc=True,
                answers_attempts=answers_attempts,
            )
        )
        certs = await stack.enter_async_context(_serving_certs(tasks.certs))
        store = FirestoreStore(project, emulator_host=emulator)
        stack.push_async_callback(store.aclose)
        settings = _settings(emulator, project, api, tasks) | {
            "OIDC_CERTS_URL": certs,
            "GOOGLE_GEMINI_BASE_URL": gemini.url,
        }
        yield Peers(api, tasks, gemini, store, settings | more)


def _unix_now() -> int:
    return int(SystemClock().now().timestamp())


def _settings(emulator: str, project: str, api: FakeBotApi, tasks: FakeCloudTasks) -> dict[str, str]:
    return {
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_WEBHOOK_SECRET": SECRET,
        "TELEGRAM_API_URL": api.url,
        "GEMINI_API_KEY": GEMINI_KEY,
        "SPOMYN_STORE": "firestore",
        "GOOGLE_CLOUD_PROJECT": project,
        "FIRESTORE_EMULATOR_HOST": emulator,
        "SPOMYN_QUEUE": "cloud-tasks",
        "CLOUD_TASKS_EMULATOR_HOST": tasks.host,
        "ANSWER_URL": ANSWER_URL,
        "EXTRACT_URL": EXTRACT_URL,
        "MAINTENANCE_URL": MAINTENANCE_URL,
        "OIDC_INVOKER_EMAIL": ACCOUNT,
    }


@contextlib.asynccontextmanager
async def _serving_certs(certs: Mapping[str, str]) -> AsyncIterator[str]:
    async def answer(_: web.Request) -> web.Response:
        return web.json_response(dict(certs))

    app = web.Application()
    app.router.add_get("/certs", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/certs"
    finally:
        await runner.cleanup()


@dataclass
class Deployment:
    """The four functions and their peers, further instances of `answer` as `answer 2` and so on.

    `done` are the tasks that `settle` delivered.
    """

    peers: Peers
    servers: dict[str, Server]
    http: httpx.AsyncClient
    serve: Callable[[str], Server]
    done: list[tasks_v2.Task] = field(default_factory=list)
    _update_ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def kill(self, function: str) -> None:
        """End a function at once, wherever it is."""
        process = self.servers[function].process
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    async def start_again(self, function: str) -> None:
        """Serve a killed function again, at the same address; it takes connections then."""
        self.servers[function] = self.serve(function)
        await asyncio.to_thread(wait_until_listening, [self.servers[function]])

    def says(self, chat_id: int, text: str, user_id: int = 101, name: str = "Оля") -> dict[str, Any]:
        """The update for somebody's next message."""
        chat = updates.chat(chat_id)
        return updates.message_update(
            text,
            update_id=next(self._update_ids),
            message_id=self.peers.api.numbering(chat_id, chat["type"]).take(),
            chat=chat,
            sender=updates.user(user_id, name),
            date=int(self.clock.now().timestamp()),
        )

    async def deliver(self, update: Mapping[str, Any], *, secret: str = SECRET) -> int:
        """Post one update as Telegram does, and have what it asks answered; the webhook's status."""
        headers = {"content-type": "application/json", "x-telegram-bot-api-secret-token": secret}
        body = json.dumps(update).encode()
        response = await self.http.post(self.servers["webhook"].url, content=body, headers=headers)
        if response.is_success:
            await self.peers.api.call_from_webhook(response.content)
        await self.peers.tasks.dispatch_due(self.clock.now(), queue=self.peers.tasks.answers)
        return response.status_code

    async def say(self, chat_id: int, text: str, user_id: int = 101, name: str = "Оля") -> dict[str, Any]:
        """Somebody says something and it is accepted; the update."""
        update = self.says(chat_id, text, user_id, name)
        assert await self.deliver(update) == 200
        return update

    async def call(
        self, function: str, path: str = "", *, token: str | None = None, payload: Any = None
    ) -> httpx.Response:
        """Post to a worker, with a bearer token or without one."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        url = self.servers[function].url + path
        return await self.http.post(url, content=json.dumps(payload or {}).encode(), headers=headers)

    def token(self, audience: str, **claims: object) -> str:
        """A token of the tasks' account; `claims` replace the regular ones."""
        oidc = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=audience)
        return sign(oidc, audience, self.clock.now(), **claims)

    async def settle(self) -> int:
        """Deliver every task of the next minutes, and what they ask for in turn, without waiting; how many there were.

        What waits for an hour of silence stays: the functions' clocks are real, and its token would be of the future.
        """
        delivered = 0
        tasks = self.peers.tasks
        while waiting := [stored for stored in tasks.tasks.values() if stored.due <= self.clock.now() + _SOON]:
            self.done += [stored.task for stored in waiting if stored.attempts == 0]
            delivered += await tasks.dispatch_due(max(stored.due for stored in waiting))
        assert not tasks.exhausted, [stored.statuses for stored in tasks.exhausted]
        return delivered

    async def repeat(self) -> int:
        """Deliver every task once more, as the queue may; how many there were."""
        again, self.done = self.done, []
        for task in again:
            self.peers.tasks.tasks[task.name] = Stored(task, self.clock.now())
        return await self.settle()

    async def facts(self, chat_id: int) -> dict[tuple[str, str, str, str], Document]:
        found = await self.peers.store.query(facts_path(chat_id))
        return {tuple(d.data[name] for name in ("subject", "category", "key", "value")): d for d in found}

    async def messages(self, chat_id: int) -> dict[int, dict[str, Any]]:
        found = await self.peers.store.query(messages_path(chat_id))
        return {d.data["message_id"]: d.data for d in found}

    async def dump(self, chat_id: int) -> dict[str, Any]:
        """Every document of a chat but what the model cost."""
        below = [document async for document in self.peers.store.subtree(chat_path(chat_id))]
        own = await self.peers.store.get(chat_path(chat_id))
        return {d.path: d.data for d in [*below, *([own] if own else [])] if "/usage/" not in d.path}

    @property
    def clock(self) -> SystemClock:
        return SystemClock()


@contextlib.asynccontextmanager
async def deployed(
    emulator: str, project: str, folder: Path, *, answers_attempts: int = 3, answer_instances: int = 1, **more: str
) -> AsyncIterator[Deployment]:
    """Stage and start everything.

    Args:
        emulator: host:port of Firestore's emulator.
        project: Isolates this deployment's documents.
        folder: Empty; for the bundles, the environment and the logs.
        answers_attempts: How often the queue tries an answer.
        answer_instances: Processes of `answer`, which get the tasks in turn.
        more: Further settings of all four functions.
    """
    answers = ["answer", *(f"answer {number}" for number in range(2, answer_instances + 1))]
    folders = staged(folder / "build")
    pythons = {name: deployed_python(folder / "python" / name, folders[name] / "requirements.txt") for name in folders}
    async with contextlib.AsyncExitStack() as stack:
        ports = {name: stack.enter_context(kept_port()) for name in ("webhook", *answers, "extract", "maintenance")}
        urls = {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
        in_turn = itertools.cycle([urls[name] for name in answers])
        rewrite = {ANSWER_URL: in_turn, EXTRACT_URL: urls["extract"], MAINTENANCE_URL: urls["maintenance"]}
        around = await stack.enter_async_context(
            peers(emulator, project, rewrite=rewrite, answers_attempts=answers_attempts, **more)
        )

        def serve(name: str) -> Server:
            log, settings, function = folder / f"{name}.log", around.settings, name.partition(" ")[0]
            python, bundle = pythons[function], folders[function]
            return stack.enter_context(serving(python, bundle, function, settings, log, port=ports[name]))

        servers = {name: serve(name) for name in ports}
        await asyncio.to_thread(wait_until_listening, servers.values())
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=30, trust_env=False))
        yield Deployment(around, servers, http, serve)
