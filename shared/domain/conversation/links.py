"""Links to messages, where Telegram has them."""

from __future__ import annotations

_SUPERGROUP = -1_000_000_000_000


def message_link(
    chat_id: int, message_id: int, *, username: str | None = None, thread_id: int | None = None
) -> str | None:
    """The t.me link that opens a message in Telegram, or None where there is no such link.

    Only supergroups and channels have links (ids below -1,000,000,000,000; Bot API, "Dialog IDs"), and only for their
    own messages: not for those of the basic group that one of them was (negative message ids).

    Args:
        username: Of a public chat, without "@".
        thread_id: The forum topic that the message is in.
    """
    if chat_id >= _SUPERGROUP or message_id <= 0:
        return None
    chat = username or f"c/{_SUPERGROUP - chat_id}"
    topic = f"/{thread_id}" if thread_id else ""
    return f"https://t.me/{chat}{topic}/{message_id}"
