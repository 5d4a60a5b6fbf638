"""HTTP by the standard library, in threads, over connections that are kept: what needs no package starts soonest."""

from __future__ import annotations

import asyncio
import select
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

_AT_ONCE = 64


class HttpReply(NamedTuple):
    """The status and the body of a reply."""

    status: int
    body: bytes


class HttpPool:
    """Connections to one server; each serves one request at a time.

    Args:
        base_url: Scheme, host and port.
        timeout: Seconds that a request may go without progress.
    """

    def __init__(self, base_url: str, *, timeout: float) -> None:
        self._url = urlsplit(base_url)
        self._timeout = timeout
        self._idle: deque[HTTPConnection] = deque()
        self._threads: ThreadPoolExecutor | None = None

    async def request(
        self, method: str, path: str, *, headers: Mapping[str, str], body: bytes | None = None
    ) -> HttpReply:
        """Make one request, once.

        Raises:
            OSError, HTTPException: There is no connection, or it broke: nobody knows what became of the request.
        """
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="http")
        work = (method, path, body, dict(headers))
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._request, *work)

    async def aclose(self) -> None:
        """Close what is idle; the next request opens another."""
        while self._idle:
            self._idle.pop().close()
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False)

    def _request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> HttpReply:
        connection = self._connection()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            reply = HttpReply(response.status, response.read())
        except (OSError, HTTPException):
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        return reply

    def _connection(self) -> HTTPConnection:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if not _is_over(connection):
                return connection
            connection.close()
        host, port = self._url.hostname or "", self._url.port
        if self._url.scheme == "http":
            return HTTPConnection(host, port, timeout=self._timeout)
        from infra.web.tls import tls_context

        return HTTPSConnection(host, port, timeout=self._timeout, context=tls_context())


def _is_over(connection: HTTPConnection) -> bool:
    """Return whether the server closed it meanwhile: there is something to read although nothing was asked."""
    return connection.sock is None or bool(select.select([connection.sock], [], [], 0)[0])
