"""The head of an export: which chat it is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from infra.telegram.export.fields import CHANNELS, clean

ACCOUNT = ("chats", "personal_information", "about")
"""Keys that only the export of a whole account has at its top."""

_TYPES = {
    "private_group": "group",
    "private_supergroup": "supergroup",
    "public_supergroup": "supergroup",
    "personal_chat": "private",
    "bot_chat": "private",
    "saved_messages": "private",
    "private_channel": "channel",
    "public_channel": "channel",
}


class ExportError(Exception):
    """The file is no export of one chat, or cannot be read any further; the message says where and why."""


class ExportedChat(NamedTuple):
    """The chat under the id that the Bot API gives it.

    Attributes:
        chat_id: None when the export does not tell it: that of a chat with a bot names the bot.
        type: "group", "supergroup", "private" or "channel".
    """

    chat_id: int | None
    type: str
    title: str


def exported_chat(top: Mapping[str, Any]) -> ExportedChat:
    """The chat that the export's head (`name`, `type`, `id`) tells of.

    Raises:
        ExportError: It is not the export of one chat.
    """
    if any(key in top for key in ACCOUNT):
        raise ExportError(
            "the export of a whole account; export one group from its own menu in Telegram Desktop (Export chat "
            'history, "Machine-readable JSON")'
        )
    exported, number, name = top.get("type"), top.get("id"), top.get("name")
    kind = _TYPES.get(exported) if isinstance(exported, str) else None
    if kind is None:
        raise ExportError(
            f"not the export of one chat (its type is {str(exported or '')[:40]!r}); "
            'export a group from its own menu in Telegram Desktop, as "Machine-readable JSON"'
        )
    tells = type(number) is int and 0 < number < -CHANNELS and exported not in ("bot_chat", "saved_messages")
    title = clean(name) if isinstance(name, str) else ""
    return ExportedChat(_chat_id(kind, number) if tells and isinstance(number, int) else None, kind, title)


def _chat_id(kind: str, number: int) -> int:
    return {"group": -number, "private": number}.get(kind, CHANNELS - number)
