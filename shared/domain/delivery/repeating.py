"""Decides when and how often a message is sent again when it is unknown if it arrived."""

from datetime import timedelta

AGAIN_AFTER = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))
"""Pauses after sends of which nobody knows. Most troubles are over in a minute and nearly all in an hour; each pause
outlasts what the one before did not, so that few repetitions are enough."""

MOST_SENDS = len(AGAIN_AFTER) + 1
"""The number of sends; then it is given up."""


def pause_after(doubts: int) -> timedelta:
    """Return after what time it is sent again, when it may have arrived so often before this time; after the last one
    it is given up at once."""
    return AGAIN_AFTER[doubts] if doubts < len(AGAIN_AFTER) else timedelta(0)
