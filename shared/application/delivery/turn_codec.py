"""The codec of a chat's turn, which says whose turn it is to send what waits: `chats/{c}/delivery/turn`.

Only workers that deliver write it, one at a time, so it is as quiet as the chat may be spoken into.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.delivery.ledger_codec import LONGEST
from shared.application.derived_codec import DerivedCodec

_KEPT = timedelta(days=1)
_FRESH = timedelta(seconds=10)


class Turn(NamedTuple):
    """A worker's turn to send.

    Attributes:
        token: The worker's; "" when it is nobody's.
        until: When it is over unless the worker goes on; None when it is nobody's.
        not_before: Until when Telegram takes nothing more for the chat, as it said; None when it takes more.
    """

    token: str = ""
    until: datetime | None = None
    not_before: datetime | None = None

    def closed_until(self, token: str, now: datetime) -> datetime | None:
        """Return until when a worker may not send, for another one does or Telegram takes nothing; or None."""
        until = None if self.token in ("", token) else self.until
        return max((at for at in (until, self.not_before) if at is not None and at > now), default=None)

    def is_to_be_renewed(self, now: datetime) -> bool:
        """Return whether it was taken so long ago that it is not sure to outlast the slowest message."""
        return self.until is None or self.until - now < LONGEST - _FRESH


def turn_path(chat_id: int) -> str:
    """Return where a chat's turn stands."""
    return f"chats/{chat_id}/delivery/turn"


_TURN = DerivedCodec(Turn)

read_turn = _TURN.of
"""Return whose turn it is; nobody's where nothing stands."""


def turn_fields(token: str, *, now: datetime, not_before: datetime | None = None) -> dict[str, Any]:
    """Return that the turn is a worker's, for as long as the slowest message may take, or ("") nobody's, and nothing is
    to be sent before an instant."""
    return {**_TURN.document(Turn(token, now + LONGEST if token else None, not_before)), "expire_at": now + _KEPT}
