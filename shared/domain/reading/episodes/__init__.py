"""Episodes: conversations that are over, and what each was like."""

from shared.domain.reading.episodes.conversations import (
    MIN_MESSAGES,
    MOST_MESSAGES,
    SILENCE,
    Outline,
    divide_by_topic,
    is_over,
    split_by_silence,
)
from shared.domain.reading.episodes.portrait import Portrait, excerpt_portrait, read_portrait

__all__ = [
    "MIN_MESSAGES",
    "MOST_MESSAGES",
    "SILENCE",
    "Outline",
    "Portrait",
    "divide_by_topic",
    "excerpt_portrait",
    "is_over",
    "read_portrait",
    "split_by_silence",
]
