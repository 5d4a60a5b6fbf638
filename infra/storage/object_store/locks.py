"""The locks that keep a version of an object from being deleted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_HELD = "legal hold"


def find_lock(found: Mapping[str, Any]) -> str | None:
    """Say, from the answer to a head, what keeps an object; None when nothing does, or we may not see it."""
    if found.get("ObjectLockLegalHoldStatus") == "ON":
        return _HELD
    until: datetime | None = found.get("ObjectLockRetainUntilDate")
    return None if until is None else f"locked until {until:%Y-%m-%d}"


def longer(one: str, other: str) -> str:
    """Return the lock that lasts longer; a hold has no known end, so it counts as longest."""
    return max(one, other, key=lambda kept: (kept == _HELD, kept))
