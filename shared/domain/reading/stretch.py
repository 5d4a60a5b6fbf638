"""A stretch of talk: what one call of the model reads, and the chunks that it is divided into.

Patterns read ten messages at a time, as they always did. A model reads several chunks in one call, for what a call says
beside the talk costs as much as sixty messages.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

MOST_CHUNKS = 8
"""Chunks in one stretch: about seventy messages, as it ends where the talk pauses."""

PAUSE = timedelta(minutes=10)
"""The pause between two messages where a stretch may end before it is full."""

_LEAST = 4 / 5
"""Share of a full stretch that is not cut: shorter ones would cost more than a better end is worth."""


def stretch_length(sent: Sequence[datetime], *, most: int, chunk: int) -> int:
    """Return how many of the oldest messages make a stretch: all of them, or up to the longest pause near its end.

    Args:
        sent: When those that wait were said, in their order.
        most: More are not read at once.
        chunk: A stretch of no more than one chunk is never cut.
    """
    whole = min(len(sent), most)
    if whole < most or most <= chunk:
        return whole
    ends = range(int(most * _LEAST), min(len(sent) - 1, most) + 1)
    longest = max(ends, key=lambda end: (sent[end] - sent[end - 1], end))
    return longest if sent[longest] - sent[longest - 1] >= PAUSE else whole
