"""Message ids of a local run, given as Telegram gives them."""

from __future__ import annotations

from collections.abc import Collection

_OWN = 0
"""Stands for the sequence that the bot's ordinary groups and private chats share; no chat has this id."""


class Numbering:
    """Hands out message ids: in a supergroup members and bot share a sequence, elsewhere chats share the bot's."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self._shared: set[int] = set()
        self._reserved: dict[int, frozenset[int]] = {}

    def share(self, chat_id: int) -> None:
        """Number this chat with the bot's ordinary groups and private chats."""
        self._shared.add(chat_id)

    def reserve(self, chat_id: int, message_ids: Collection[int]) -> None:
        """Give nobody else the ids of messages that are still to come."""
        self._reserve(self._sequence(chat_id), message_ids)

    def reserve_shared(self, message_ids: Collection[int]) -> None:
        """Do the same in the sequence that ordinary groups and private chats share."""
        self._reserve(_OWN, message_ids)

    def keep(self, chat_id: int, message_id: int) -> None:
        """Go on behind an id that a message has already."""
        sequence = self._sequence(chat_id)
        self._last[sequence] = max(self._last.get(sequence, 0), message_id)

    def take(self, chat_id: int) -> int:
        """The id of the chat's next message."""
        sequence = self._sequence(chat_id)
        reserved = self._reserved.get(sequence, ())
        free = self._last.get(sequence, 0) + 1
        while free in reserved:
            free += 1
        self._last[sequence] = free
        return free

    def _reserve(self, sequence: int, message_ids: Collection[int]) -> None:
        self._reserved[sequence] = self._reserved.get(sequence, frozenset()) | frozenset(message_ids)

    def _sequence(self, chat_id: int) -> int:
        return _OWN if chat_id in self._shared else chat_id
