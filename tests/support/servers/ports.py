"""Ports for servers that are processes of their own, and can be told a port only before they listen."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator


@contextlib.contextmanager
def kept_port() -> Iterator[int]:
    """Keep a port of 127.0.0.1 while the block lasts: the system gives it to nobody else, whoever listens there or not.

    A server that allows its address to be used again, as nearly all do, can listen there beside the one that keeps it.
    """
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind(("127.0.0.1", 0))
        yield int(keeper.getsockname()[1])
