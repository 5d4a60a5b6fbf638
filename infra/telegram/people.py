"""Telegram's users and chats to the domain's."""

from __future__ import annotations

from infra.telegram.json import Node
from shared.domain.intake.updates import (
    ChatInfo,
)


def name_of(node: Node) -> str:
    """Return first and last name, or the title; the username or the id when nothing of it can be seen."""
    parts = (node.find_text(key) for key in ("title", "first_name", "last_name"))
    name = " ".join(part.strip() for part in parts if part and part.strip())
    if any(character.isprintable() and not character.isspace() for character in name):
        return name
    return node.find_text("username") or str(node.integer("id"))


def chat_of(node: Node) -> ChatInfo:
    """Return what a Chat tells of itself."""
    parts = (node.find_text(key) for key in ("title", "first_name", "last_name"))
    return ChatInfo(
        chat_id=node.integer("id"),
        type=node.text("type"),
        title=" ".join(part.strip() for part in parts if part and part.strip()),
        username=node.find_text("username"),
        is_forum=node.flag("is_forum"),
    )


def speaker_of(message: Node) -> Node | None:
    """Return who speaks: the chat spoken for, else the user (who is a placeholder bot when a chat is spoken for)."""
    return message.find("sender_chat") or message.find("from")
