"""Buckets for tests: moto in this process, moto's server, and a proxy before it that fails as networks do."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

from infra.storage.object_store import Bucket, S3ObjectStore

PART = 5 << 20
"""The smallest part that S3 takes."""

ACCOUNT = {"access_key_id": "AKIAEXAMPLE", "secret_access_key": "example", "region": "us-east-1"}
_BUSY = '<?xml version="1.0"?><Error><Code>{code}</Code><Message>Please reduce your request rate.</Message></Error>'


@contextlib.contextmanager
def moto_inside() -> Iterator[Any]:
    """AWS in this process; a client with which a test looks behind the adapter's back."""
    from moto import mock_aws

    with mock_aws(), contextlib.closing(_client(None)) as client:
        yield client


@contextlib.contextmanager
def moto_server() -> Iterator[Any]:
    """An S3 API on 127.0.0.1; a client of it."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        with contextlib.closing(_client(f"http://{host}:{port}")) as client:
            yield client
    finally:
        server.stop()


def _client(endpoint_url: str | None) -> Any:
    import boto3

    return boto3.client(
        "s3",
        endpoint_url=endpoint_url,
        region_name=ACCOUNT["region"],
        aws_access_key_id=ACCOUNT["access_key_id"],
        aws_secret_access_key=ACCOUNT["secret_access_key"],
    )


def store_on(name: str, endpoint_url: str | None, *, conditional: bool | None = None, **more: Any) -> S3ObjectStore:
    """The adapter on a bucket, under a prefix."""
    bucket = Bucket(name, "spomyn", endpoint_url=endpoint_url, conditional=conditional, **ACCOUNT)
    return S3ObjectStore(bucket, **{"part_bytes": PART, "timeout": 5.0, "attempts": 2, **more})


@dataclass
class Fault:
    """What happens to a request: `times` of those with this method whose path and query hold `within`.

    Attributes:
        kind: busy, cut_upload, cut_download, lose_answer, flip or hang.
    """

    kind: str
    method: str = "PUT"
    within: str = ""
    times: int = 1
    code: str = "SlowDown"
    status: int = 503


@dataclass
class FaultyProxy:
    """Passes requests on to an S3 API, but for the faults that are planned.

    Attributes:
        asked: Method, path and query of every request.
    """

    target: str
    faults: list[Fault] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[FaultyProxy]:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_route("*", "/{path:.*}", self._pass)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        async with aiohttp.ClientSession(auto_decompress=False) as self._http:
            try:
                yield self
            finally:
                await runner.cleanup()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"{request.method} {request.raw_path}")
        fault = self._fault(request)
        if fault == "busy":
            return self._answer
        if fault == "cut_upload":
            await request.content.readany()
            return await self._hang_up(request)
        if fault == "hang":
            await asyncio.sleep(3)
        status, headers, body = await self._forward(request)
        if fault == "lose_answer":
            return await self._hang_up(request)
        if fault == "cut_download":
            return await self._half(request, status, headers, body)
        if fault == "flip":
            body = body[:-9] + bytes([body[-9] ^ 1]) + body[-8:]
        return web.Response(status=status, headers=headers, body=body if request.method != "HEAD" else None)

    def _fault(self, request: web.Request) -> str:
        for fault in self.faults:
            if fault.times and fault.method == request.method and fault.within in request.raw_path:
                fault.times -= 1
                self._answer = web.Response(status=fault.status, text=_BUSY.format(code=fault.code))
                return fault.kind
        return ""

    async def _forward(self, request: web.Request) -> tuple[int, Mapping[str, str], bytes]:
        sent = {k: v for k, v in request.headers.items() if k.lower() not in ("expect", "content-length")}
        async with self._http.request(
            request.method, self.target + request.raw_path, headers=sent, data=io.BytesIO(await request.read())
        ) as answer:
            kept = {k: v for k, v in answer.headers.items() if k.lower() not in ("connection", "transfer-encoding")}
            return answer.status, kept, await answer.read()

    async def _half(
        self, request: web.Request, status: int, headers: Mapping[str, str], body: bytes
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=status, headers=headers)
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
        await asyncio.sleep(0.05)
        return await self._hang_up(request, response)

    async def _hang_up(self, request: web.Request, response: web.StreamResponse | None = None) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return response or web.Response(status=500)
