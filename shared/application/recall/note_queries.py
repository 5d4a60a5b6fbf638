"""What notes are found by, and the order in which they are read."""

from __future__ import annotations

from datetime import datetime

from shared.application.ports.store import Filter, Order

STALE = Filter("stale", "==", True)
"""Notes whose source has changed since they were made."""


MODEL_PENDING = Filter("model_pending", "==", True)
"""Notes that were made without the model and wait for it; stale ones among them."""


AWAITS_INDEX = Filter("indexed", "==", False)
"""Notes that the index does not hold as they are now."""


BY_FIRST, BY_LAST, LAST_FIRST = Order("first"), Order("last"), Order("last", descending=True)
BY_LAST_AT = Order("last_at")
"""By the first or the last message that a note is about, or by the time of the last one."""


def holding_message(message_id: int) -> Filter:
    """Chunks or episodes that were made of a message."""
    return Filter("message_ids", "array_contains", message_id)


def starting_from(message_id: int) -> Filter:
    """Notes whose first message is this one or a later one."""
    return Filter("first", ">=", message_id)


def starting_with(message_id: int) -> Filter:
    """Notes whose first message is this one."""
    return Filter("first", "==", message_id)


def ending_from(message_id: int) -> Filter:
    """Notes whose last message is this one or a later one."""
    return Filter("last", ">=", message_id)


def ending_since(at: datetime) -> Filter:
    """Notes whose last message was sent at or after an instant."""
    return Filter("last_at", ">=", at)


def ending_within(after: int, until: int) -> list[Filter]:
    """Notes whose last message comes after one, and not after another."""
    return [Filter("last", ">", after), Filter("last", "<=", until)]


def spoken_by(user_id: int) -> Filter:
    """Return the condition that a note was made from words of a member."""
    return Filter("speakers", "array_contains", user_id)
