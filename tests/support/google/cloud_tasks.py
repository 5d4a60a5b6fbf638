"""A strict Cloud Tasks server: it takes gRPC and REST on one port, and it delivers tasks over real HTTP.

It refuses what the service refuses (names outside the queue, too much payload, schedules too far ahead, …), keeps names
taken after their task is gone, and signs OIDC tokens that a verifier can check against `certs`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import grpc
import httpx
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt
from google.cloud import tasks_v2
from google.protobuf import empty_pb2, json_format

from infra.web.tls import tls_context
from shared.application.ports.system import Clock

ISSUER = "https://accounts.google.com"
KEY_ID = "fake-cloud-tasks"
MAX_BODY_BYTES = 100 * 1024
MAX_AHEAD = timedelta(days=30)
MAX_BACKOFF = timedelta(minutes=10)
_PARENT = re.compile(r"projects/[\w:.-]+/locations/[a-z0-9-]+/queues/[A-Za-z0-9-]{1,100}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,500}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_WITH_BODY = {tasks_v2.HttpMethod.POST, tasks_v2.HttpMethod.PUT, tasks_v2.HttpMethod.PATCH}
_HTTP_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
"""As google.rpc.Code says."""

_MANY = httpx.Limits(max_connections=1_000)
_RESERVED_HEADERS = ("host", "content-length", "x-google-", "x-appengine-", "x-cloudtasks-")


class Refused(Exception):
    """What a call is answered with instead of a result."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call, after it took effect or instead."""

    code: grpc.StatusCode | None = None
    delay: float = 0.0
    drop: bool = False
    after_effect: bool = False

    def takes_effect(self) -> bool:
        return self.after_effect or (self.code is None and not self.drop)


@dataclass
class Stored:
    """A task that waits, with its history of deliveries."""

    task: tasks_v2.Task
    due: datetime
    attempts: int = 0
    responses: int = 0
    statuses: list[int | None] = field(default_factory=list)
    is_running: bool = False

    @functools.cached_property  # asked of every task at every delivery, and a message of proto-plus is slow to read
    def queue(self) -> str:
        return self.task.name.split("/")[5]

    @functools.cached_property
    def id(self) -> str:
        return self.task.name.rsplit("/", 1)[-1]


class FakeCloudTasks:
    """Queues on 127.0.0.1. `host` is what an emulator host setting takes.

    Args:
        answers: Name of a second queue.
        rewrite: Prefixes of task URLs and what they become for delivery (a function's URL -> a local server, or
            for ever the next one of its instances).
        require_oidc: Refuse tasks without an OIDC token.
        max_attempts, answers_attempts: Deliveries before a task is dropped into `exhausted`; of answers.
        min_backoff: Wait after the first failed delivery; doubles with each.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        project: str = "spomyn-test",
        location: str = "europe-west1",
        queue: str = "tasks",
        answers: str = "answers",
        rewrite: Mapping[str, str | Iterator[str]] | None = None,
        require_oidc: bool = False,
        max_attempts: int = 3,
        answers_attempts: int = 3,
        min_backoff: timedelta = timedelta(seconds=1),
    ) -> None:
        self.project, self.location, self.queue = project, location, queue
        self.queue_path = f"projects/{project}/locations/{location}/queues/{queue}"
        self.answers = answers
        self.answers_path = f"projects/{project}/locations/{location}/queues/{answers}"
        self.tasks: dict[str, Stored] = {}
        self.taken: set[str] = set()
        self.exhausted: list[Stored] = []
        self.calls: list[str] = []
        self._clock = clock
        self._rewrite = {} if rewrite is None else rewrite  # may still be filled after the start
        self._require_oidc = require_oidc
        self._max_attempts = {queue: max_attempts, answers: answers_attempts}
        self._min_backoff = min_backoff
        self._faults: deque[Fault] = deque()
        self._server = grpc.aio.server()
        self._server.add_generic_rpc_handlers((self._handlers(),))
        self._proxy = _Proxy()

    async def __aenter__(self) -> FakeCloudTasks:
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        app = web.Application(client_max_size=1 << 20)
        app.router.add_post("/v2/{parent:projects/.+/queues/[^/]+}/tasks", self._create_over_rest)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        await self._proxy.start(port, self._runner.addresses[0][1])
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Go away for good: the port is closed."""
        await self._proxy.stop()
        await self._runner.cleanup()
        await self._server.stop(None)

    @property
    def host(self) -> str:
        """`127.0.0.1:<port>`."""
        return f"127.0.0.1:{self._proxy.port}"

    @property
    def certs(self) -> dict[str, str]:
        """Key id -> PEM certificate, in the form that Google serves at /oauth2/v1/certs."""
        return {KEY_ID: _keys()[1]}

    # --- Faults ---

    def fail_next(self, times: int, code: grpc.StatusCode, *, after_effect: bool = False) -> None:
        """Answer the next calls with `code`; `after_effect` does what was asked first."""
        self._faults.extend([Fault(code=code, after_effect=after_effect)] * times)

    def delay_next(self, times: int, seconds: float) -> None:
        """Answer the next calls late."""
        self._faults.extend([Fault(delay=seconds)] * times)

    def drop_next(self, times: int, *, after_effect: bool = False) -> None:
        """Cut the connection instead of answering the next calls."""
        self._faults.extend([Fault(drop=True, after_effect=after_effect)] * times)

    # --- gRPC ---

    def _handlers(self) -> grpc.GenericRpcHandler:
        def method(name: str, request: Any, serialize: Any) -> grpc.RpcMethodHandler:
            call = functools.partial(self._call, name)
            return grpc.unary_unary_rpc_method_handler(call, request.deserialize, serialize)

        methods = {
            "CreateTask": method("create_task", tasks_v2.CreateTaskRequest, tasks_v2.Task.serialize),
            "GetQueue": method("get_queue", tasks_v2.GetQueueRequest, tasks_v2.Queue.serialize),
            "ListTasks": method("list_tasks", tasks_v2.ListTasksRequest, tasks_v2.ListTasksResponse.serialize),
            "DeleteTask": method("delete_task", tasks_v2.DeleteTaskRequest, empty_pb2.Empty.SerializeToString),
        }
        return grpc.method_handlers_generic_handler("google.cloud.tasks.v2.CloudTasks", methods)

    async def _call(self, name: str, request: Any, context: grpc.aio.ServicerContext) -> Any:
        try:
            return await self._do(name, request)
        except Refused as refused:
            await context.abort(refused.code, str(refused))

    async def _do(self, name: str, request: Any) -> Any:
        self.calls.append(name)
        fault = self._faults.popleft() if self._faults else Fault()
        await asyncio.sleep(fault.delay)
        result = getattr(self, f"_{name}")(request) if fault.takes_effect() else None
        if fault.drop:
            self._proxy.drop()
        if fault.code is not None:
            raise Refused(fault.code, "injected")
        return result

    async def _create_over_rest(self, request: web.Request) -> web.Response:
        try:
            body = await request.json()
            if set(body) != {"task"} or not request.headers.get("authorization"):
                _invalid("a task and who asks for it")
            task = tasks_v2.Task.from_json(json.dumps(body["task"]))
            asked = tasks_v2.CreateTaskRequest(parent=request.match_info["parent"], task=task)
            made = await self._do("create_task", asked)
        except (ValueError, json_format.ParseError) as error:
            return _refusal(Refused(grpc.StatusCode.INVALID_ARGUMENT, str(error)))
        except Refused as refused:
            return _refusal(refused)
        return web.Response(text=tasks_v2.Task.to_json(made) if made else "{}", content_type="application/json")

    def _create_task(self, request: tasks_v2.CreateTaskRequest) -> tasks_v2.Task:
        self._check_queue(request.parent)
        task = tasks_v2.Task(request.task)
        now = self._clock.now()
        task.name = task.name or f"{request.parent}/tasks/{len(self.taken) + 1:020d}"
        _check_task(task, request.parent, now, require_oidc=self._require_oidc)
        if task.name in self.taken:
            raise Refused(grpc.StatusCode.ALREADY_EXISTS, "Requested entity already exists")
        task.create_time = now
        task.schedule_time = max(_instant(task.schedule_time) or now, now)
        self.taken.add(task.name)
        self.tasks[task.name] = Stored(task, _instant(task.schedule_time) or now)
        return _basic_view(task)

    def _get_queue(self, request: tasks_v2.GetQueueRequest) -> tasks_v2.Queue:
        self._check_queue(request.name)
        return tasks_v2.Queue(name=request.name, state=tasks_v2.Queue.State.RUNNING)

    def _list_tasks(self, request: tasks_v2.ListTasksRequest) -> tasks_v2.ListTasksResponse:
        self._check_queue(request.parent)
        if not 0 <= request.page_size <= 1000:
            _invalid("page_size must be at most 1000")
        full = request.response_view == tasks_v2.Task.View.FULL
        own = {name: one for name, one in self.tasks.items() if name.startswith(f"{request.parent}/tasks/")}
        left = [stored.task for name, stored in sorted(own.items()) if name > request.page_token]
        tasks = left[: request.page_size or 1000]
        token = tasks[-1].name if len(tasks) < len(left) else ""
        listed = [task if full else _basic_view(task) for task in tasks]
        return tasks_v2.ListTasksResponse(tasks=listed, next_page_token=token)

    def _delete_task(self, request: tasks_v2.DeleteTaskRequest) -> empty_pb2.Empty:
        self._check_queue(request.name.rpartition("/tasks/")[0])
        if self.tasks.pop(request.name, None) is None:
            raise Refused(grpc.StatusCode.NOT_FOUND, "Requested entity was not found")
        return empty_pb2.Empty()

    def _check_queue(self, path: str) -> None:
        if not _PARENT.fullmatch(path):
            _invalid(f"Queue path {path!r} is malformed")
        if path not in (self.queue_path, self.answers_path):
            raise Refused(grpc.StatusCode.NOT_FOUND, f"Queue {path} does not exist")

    # --- Delivery ---

    async def dispatch_due(self, now: datetime | None = None, *, queue: str | None = None) -> int:
        """Deliver once every task that is due, of one queue or of all, and is not being delivered; how many were."""
        instant = now or self._clock.now()
        known = [stored for stored in self.tasks.values() if queue in (None, stored.queue) and not stored.is_running]
        due = sorted((stored for stored in known if stored.due <= instant), key=lambda one: one.due)
        if not due:
            return 0  # to make a client takes longer than to look
        for stored in due:
            stored.is_running = True
        async with httpx.AsyncClient(trust_env=False, verify=tls_context()) as client:
            for stored in due:
                try:
                    await self._deliver(client, stored, instant)
                finally:
                    stored.is_running = False
        return len(due)

    async def serve(self, *, at_once: int = 200) -> None:
        """Deliver for ever what is due, as the service does: tasks side by side, up to so many of a queue."""
        async with httpx.AsyncClient(trust_env=False, verify=tls_context(), limits=_MANY) as client:
            running: set[asyncio.Task[None]] = set()
            while True:
                now = self._clock.now()
                busy = Counter(stored.queue for stored in self.tasks.values() if stored.is_running)
                due = [stored for stored in self.tasks.values() if stored.due <= now and not stored.is_running]
                for stored in sorted(due, key=lambda one: one.due):
                    if busy[stored.queue] < at_once:
                        busy[stored.queue] += 1
                        stored.is_running = True
                        delivery = asyncio.create_task(self._deliver_one(client, stored, now))
                        running.add(delivery)
                        delivery.add_done_callback(running.discard)
                await asyncio.sleep(0.02)

    async def _deliver_one(self, client: httpx.AsyncClient, stored: Stored, now: datetime) -> None:
        try:
            await self._deliver(client, stored, now)
        finally:
            stored.is_running = False

    async def dispatch_all(self) -> int:
        """Deliver without waiting for schedules or backoff, also what comes meanwhile, until nothing is left."""
        deliveries = 0
        while self.tasks:
            deliveries += await self.dispatch_due(max(stored.due for stored in self.tasks.values()))
        return deliveries

    async def _deliver(self, client: httpx.AsyncClient, stored: Stored, now: datetime) -> None:
        request = stored.task.http_request
        status: int | None = None
        with contextlib.suppress(httpx.TransportError):
            response = await client.request(
                tasks_v2.HttpMethod(request.http_method).name,
                self._delivery_url(request.url),
                content=request.body,
                headers=self._headers(stored, min(now, self._clock.now())),  # no token is of the future
                timeout=stored.task.dispatch_deadline.total_seconds(),
            )
            status = response.status_code
        self._account(stored, status, now)

    def _account(self, stored: Stored, status: int | None, now: datetime) -> None:
        if not stored.attempts:
            stored.task.first_attempt = tasks_v2.Attempt(dispatch_time=now)
        stored.attempts += 1
        stored.task.dispatch_count = stored.attempts
        stored.responses += status is not None
        stored.statuses.append(status)
        if status is not None and 200 <= status < 300:
            self.tasks.pop(stored.task.name, None)
        elif stored.attempts >= self._max_attempts[stored.queue]:
            self.tasks.pop(stored.task.name, None)
            self.exhausted.append(stored)
        else:
            stored.due = now + min(self._min_backoff * 2 ** (stored.attempts - 1), MAX_BACKOFF)
            stored.task.schedule_time = stored.due

    def _delivery_url(self, url: str) -> str:
        prefix = max((one for one in self._rewrite if url.startswith(one)), key=len, default="")
        server = self._rewrite.get(prefix, "")
        return (server if isinstance(server, str) else next(server)) + url.removeprefix(prefix)

    def _headers(self, stored: Stored, now: datetime) -> dict[str, str]:
        request = stored.task.http_request
        headers = {
            "Content-Type": "application/octet-stream",
            "User-Agent": "Google-Cloud-Tasks",
            **request.headers,
            "X-CloudTasks-TaskName": stored.id,
            "X-CloudTasks-QueueName": stored.queue,
            "X-CloudTasks-TaskRetryCount": str(stored.attempts),
            "X-CloudTasks-TaskExecutionCount": str(stored.responses),
            "X-CloudTasks-TaskETA": f"{stored.due.timestamp():.6f}",
        }
        if stored.statuses and stored.statuses[-1] is not None:
            headers["X-CloudTasks-TaskPreviousResponse"] = str(stored.statuses[-1])
        if request.oidc_token.service_account_email:
            headers["Authorization"] = f"Bearer {sign(request.oidc_token, request.url, now)}"
        return headers


def _refusal(refused: Refused) -> web.Response:
    """A `google.rpc.Status` as JSON, as the REST API answers."""
    status = _HTTP_STATUS[refused.code]
    return web.json_response(
        {"error": {"code": status, "message": str(refused), "status": refused.code.name}}, status=status
    )


def sign(token: tasks_v2.OidcToken, url: str, now: datetime, **claims: object) -> str:
    """The JWT that goes with a task; `claims` replace the regular ones."""
    issued = int(now.timestamp())
    email = token.service_account_email
    regular = {"iss": ISSUER, "aud": token.audience or url, "sub": email, "azp": email, "email": email}
    payload = {**regular, "email_verified": True, "iat": issued, "exp": issued + 3600, **claims}
    return jwt.encode(_signer(), payload).decode()


@functools.cache
def _signer() -> crypt.RSASigner:
    return crypt.RSASigner.from_string(_keys()[0], KEY_ID)


def _check_task(task: tasks_v2.Task, parent: str, now: datetime, *, require_oidc: bool) -> None:
    above, _, task_id = task.name.rpartition("/tasks/")
    if above != parent or not _ID.fullmatch(task_id):
        _invalid(f"Task name {task.name!r} must be below the queue and its id match {_ID.pattern}")
    scheduled = _instant(task.schedule_time)
    if scheduled is not None and scheduled > now + MAX_AHEAD:
        _invalid("schedule_time must be at most 30 days ahead")
    deadline = task.dispatch_deadline or timedelta(minutes=10)
    if not timedelta(seconds=15) <= deadline <= timedelta(minutes=30):
        _invalid("dispatch_deadline must be between 15 s and 30 min")
    task.dispatch_deadline = deadline
    if "http_request" not in task:
        _invalid("Only HTTP tasks are served")
    _check_request(task.http_request, require_oidc=require_oidc)


def _check_request(request: tasks_v2.HttpRequest, *, require_oidc: bool) -> None:
    url = urlsplit(request.url)
    if url.scheme not in {"http", "https"} or not url.hostname or len(request.url) > 2083:
        _invalid(f"URL {request.url[:100]!r} must be http or https")
    request.http_method = request.http_method or tasks_v2.HttpMethod.POST
    if request.body and request.http_method not in _WITH_BODY:
        _invalid("A body needs POST, PUT or PATCH")
    if len(request.body) > MAX_BODY_BYTES:
        _invalid("The task is too large")
    for name in request.headers:
        if name.lower().startswith(_RESERVED_HEADERS):
            _invalid(f"Header {name} is reserved")
    email = request.oidc_token.service_account_email
    if "oidc_token" in request and not _EMAIL.fullmatch(email):
        _invalid(f"{email!r} is not a service account")
    if require_oidc and not email:
        _invalid("The task has no OIDC token")


def _invalid(message: str) -> None:
    raise Refused(grpc.StatusCode.INVALID_ARGUMENT, message)


def _instant(timestamp: datetime | None) -> datetime | None:
    """A plain datetime of the client library's nanosecond one."""
    return None if timestamp is None else datetime.fromtimestamp(timestamp.timestamp(), UTC)


def _basic_view(task: tasks_v2.Task) -> tasks_v2.Task:
    """The task without its body, as answers have it unless FULL is asked for."""
    view = tasks_v2.Task(task)
    view.http_request.body = b""
    return view


@functools.cache
def _keys() -> tuple[bytes, str]:
    """A private key and its self-signed certificate, both PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, KEY_ID)])
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return private, certificate.public_bytes(pem).decode()


class _Proxy:
    """Passes bytes between the client and the gRPC or the REST server, so that a connection can really be cut."""

    def __init__(self) -> None:
        self.port = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._grpc = self._rest = 0

    async def start(self, grpc_port: int, rest_port: int) -> None:
        self._grpc, self._rest = grpc_port, rest_port
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()
            self.drop()
            await server.wait_closed()

    def drop(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        first = b""
        with contextlib.suppress(ConnectionError):
            first = await reader.read(65536)
        upstream = self._grpc if first.startswith(b"PRI * HTTP/2") else self._rest
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", upstream)
        up_writer.write(first)
        pair = {writer, up_writer}
        self._writers |= pair
        await asyncio.gather(_copy(reader, up_writer), _copy(up_reader, writer))
        self._writers -= pair


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    writer.close()
