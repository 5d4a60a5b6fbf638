"""Reads refusals of Google's REST APIs: `google.rpc.Status` as JSON."""

from __future__ import annotations

import json

from infra.rest.http import HttpReply


def error_of(reply: HttpReply) -> tuple[str, str]:
    """Return the name of what went wrong, and a message."""
    try:
        told = json.loads(reply.body)
        error = (told[0] if isinstance(told, list) else told)["error"]
        return str(error.get("status", "")), str(error.get("message", ""))
    except (ValueError, LookupError, TypeError, AttributeError):
        return "", f"HTTP {reply.status}"
