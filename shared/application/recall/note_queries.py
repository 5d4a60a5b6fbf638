"""The conditions by which notes are found, and the order in which they are read."""

from datetime import datetime

from shared.application.ports.store import Filter, OpenFilter, Order

STALE = Filter("stale", "==", True)
"""Notes whose source has changed since they were made."""


MODEL_PENDING = Filter("model_pending", "==", True)
"""Notes that were made without the model and wait for it; stale ones among them."""


AWAITS_INDEX = Filter("indexed", "==", False)
"""Notes that the index does not hold as they are now."""


BY_FIRST, BY_LAST, LAST_FIRST = Order("first"), Order("last"), Order("last", descending=True)
BY_LAST_AT = Order("last_at")
"""The orders by the first or the last message that a note is about, or by the time of the last one."""

holding_message = OpenFilter[int]("message_ids", "array_contains")
"""Chunks or episodes that were made of a message."""

starting_from = OpenFilter[int]("first", ">=")
"""Notes whose first message is this one or a later one."""

starting_with = OpenFilter[int]("first", "==")
"""Notes whose first message is this one."""

ending_from = OpenFilter[int]("last", ">=")
"""Notes whose last message is this one or a later one."""

ending_since = OpenFilter[datetime]("last_at", ">=")
"""Notes whose last message was sent at or after an instant."""


def ending_within(after: int, until: int) -> list[Filter]:
    """Notes whose last message comes after one, and not after another."""
    return [Filter("last", ">", after), Filter("last", "<=", until)]


spoken_by = OpenFilter[int]("speakers", "array_contains")
"""The condition that a note was made from words of a member."""
