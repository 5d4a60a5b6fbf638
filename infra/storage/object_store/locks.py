"""What keeps a version of an object from being deleted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_HELD = "legal hold"


def kept_by(found: Mapping[str, Any]) -> str | None:
    """From the answer to a head, in words; None when nothing keeps it, or we may not see what does."""
    if found.get("ObjectLockLegalHoldStatus") == "ON":
        return _HELD
    until: datetime | None = found.get("ObjectLockRetainUntilDate")
    return None if until is None else f"locked until {until:%Y-%m-%d}"


def longer(one: str, other: str) -> str:
    """Of what keeps two versions, that which lasts longer; nobody knows when a hold ends."""
    return max(one, other, key=lambda kept: (kept == _HELD, kept))
