"""A kept port is a server's alone, also while none listens there."""

import contextlib
import http.server
import socket

import pytest

from tests.support.servers.ports import kept_port


def test_a_kept_port_is_given_to_nobody_else_also_before_and_after_a_server_listens_there():
    with kept_port() as port:
        for _ in range(2):
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
            with socket.socket() as other, pytest.raises(OSError, match="in use"):
                other.bind(("127.0.0.1", port))
            with http.server.HTTPServer(("127.0.0.1", port), http.server.BaseHTTPRequestHandler):
                socket.create_connection(("127.0.0.1", port)).close()


def test_kept_ports_are_different_ones():
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(kept_port()) for _ in range(500)]
    assert len(set(ports)) == len(ports)
