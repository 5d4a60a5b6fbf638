"""Ties log lines to the request that they belong to, as Google Cloud names requests."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import NamedTuple

# Compiled by the first request that has such a header: not every start of the webhook should pay for both.
_PARENT = r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?"
_CLOUD = r"([0-9a-fA-F]{32})(?:/([0-9]{1,20}))?(?:;o=([0-9]))?"


class Trace(NamedTuple):
    """A request.

    Attributes:
        trace_id: 32 hexadecimal digits.
        span_id: 16 hexadecimal digits, or "" when unknown.
        sampled: Whether the trace is kept.
    """

    trace_id: str
    span_id: str
    sampled: bool


_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


def read_trace(headers: Mapping[str, str]) -> Trace | None:
    """The trace of a request: of `traceparent` (W3C), else of `X-Cloud-Trace-Context` (Google); anything else is none.

    A header may come from anybody: only hexadecimal digits of the right number are taken.
    """
    if (parent := re.fullmatch(_PARENT, headers.get("traceparent", ""))) is not None:
        return Trace(parent[1], parent[2], sampled=bool(int(parent[3], 16) & 1))
    if (cloud := re.fullmatch(_CLOUD, headers.get("x-cloud-trace-context", ""))) is not None:
        span = int(cloud[2] or 0)
        known = 0 < span < 1 << 64
        return Trace(cloud[1].lower(), f"{span:016x}" if known else "", sampled=cloud[3] == "1")
    return None


@contextlib.contextmanager
def trace_request(headers: Mapping[str, str]) -> Iterator[None]:
    """Tie what is logged inside to the request with these headers."""
    token = _current.set(read_trace(headers))
    try:
        yield
    finally:
        _current.reset(token)


def trace_at_hand(project: str) -> dict[str, str | bool]:
    """Cloud Logging's fields for the request that is dealt with now; none outside of one."""
    trace = _current.get()
    if trace is None or not project:
        return {}
    name = "logging.googleapis.com/"
    span = {f"{name}spanId": trace.span_id} if trace.span_id else {}
    return {
        f"{name}trace": f"projects/{project}/traces/{trace.trace_id}",
        **span,
        f"{name}trace_sampled": trace.sampled,
    }
