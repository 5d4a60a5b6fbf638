"""The cache of the chats' indexes that one instance keeps between two questions."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # made at an instance's start, before the first answer needs numpy
    from shared.application.recall.loading import Held

MOST_BYTES = 192 << 20
"""The size of all chats' indexes together: a chat of 100,000 messages takes a third of it."""


class IndexCache:
    """Chats by the time of their last question; the oldest go when there are too many bytes.

    The newest stays even when it alone is too large: without it every question would read everything again.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._held: OrderedDict[int, Held] = OrderedDict()

    def get(self, chat_id: int) -> Held | None:
        """Return what is held of a chat."""
        held = self._held.get(chat_id)
        if held is not None:
            self._held.move_to_end(chat_id)
        return held

    def put(self, chat_id: int, held: Held) -> None:
        """Hold this of a chat instead of what was held."""
        self._held[chat_id] = held
        self._held.move_to_end(chat_id)
        while len(self._held) > 1 and self.nbytes > self._most:
            self._held.popitem(last=False)

    def forget(self, chat_id: int) -> None:
        """Hold nothing of a chat."""
        self._held.pop(chat_id, None)

    @property
    def nbytes(self) -> int:
        """Return what is held in all, about."""
        return sum(held.nbytes for held in self._held.values())
