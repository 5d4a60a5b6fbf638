"""How much Telegram lets a bot say: 20 messages a minute into one group, about 30 a second in all, about one a second
into one chat (Bot FAQ, "My bot is hitting limits"). The rest is refused by 429 with `retry_after`.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.telegram.bot_api_rules import Refusal


@dataclass
class SendingLimits:
    """What was sent lately, and whether more may be.

    Attributes:
        now: The time in seconds.
        per_minute: Messages into one group within any minute.
        per_second: Messages into all chats within any second.
        per_chat_second: Messages into one chat within any second.
        refused: How many were too many.
    """

    now: Callable[[], float]
    per_minute: int = 20
    per_second: int = 30
    per_chat_second: int = 1
    refused: int = 0
    _all: deque[float] = field(default_factory=deque)
    _of: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def fill(self, chat_id: int) -> None:
        """As if the bot had just said in a chat all that a group takes in a minute."""
        self._of[chat_id].extend([self.now()] * self.per_minute)

    def admit(self, chat_id: int, *, is_group: bool) -> None:
        """Count a message, or refuse it.

        Raises:
            Refusal: 429; after `retry_after` full seconds there is room.
        """
        now = self.now()
        own = self._of[chat_id]
        windows = [(self._all, self.per_second, 1.0), (own, self.per_chat_second, 1.0)]
        if is_group:
            windows.append((own, self.per_minute, 60.0))
        until = max(_free_at(sent, most, length, now) for sent, most, length in windows)
        if until > now:
            self.refused += 1
            wait = max(1, math.ceil(until - now))
            raise Refusal(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        for sent in (self._all, own):
            sent.append(now)
            while sent[0] <= now - 60:
                sent.popleft()


def _free_at(sent: deque[float], most: int, length: float, now: float) -> float:
    """When one more message is at most `most` within `length` seconds."""
    return now if len(sent) < most else max(now, sent[-most] + length)
