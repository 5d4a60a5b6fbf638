"""Telegram's changes of membership to the domain's: of the bot itself, of members and of administrators."""

from __future__ import annotations

from datetime import datetime

from infra.telegram.json import Node
from infra.telegram.people import chat_of
from shared.domain.intake.updates import (
    AdminChanged,
    ChatInfo,
    Ignored,
    MemberLeft,
    MembershipChanged,
    MembershipStatus,
    Update,
)

_ADMINISTRATORS = frozenset(("creator", "administrator"))


def parse_membership(update_id: int, node: Node) -> Update:
    """Return what became of the bot's own membership."""
    old, new = node.child("old_chat_member"), node.child("new_chat_member")
    user = node.child("from")
    return MembershipChanged(
        update_id,
        chat_of(node.child("chat")),
        _membership_status(old, new),
        user.integer("id"),
        user.find_text("language_code"),
    )


def parse_member(update_id: int, node: Node) -> Update:
    """Return what became of somebody else's status; the bot's own comes as `my_chat_member`."""
    old, new, chat = node.child("old_chat_member"), node.child("new_chat_member"), chat_of(node.child("chat"))
    was_admin, is_admin = (member.text("status") in _ADMINISTRATORS for member in (old, new))
    if chat.type == "channel" or (was_admin == is_admin and (_is_member(new) or not _is_member(old))):
        return Ignored(update_id, "a member who stays")
    user, at = new.child("user"), node.date("date")
    if _is_member(new):
        return _admin_changed(update_id, chat, user, at, is_admin=is_admin)
    return member_left(update_id, chat, user, at, was_admin=was_admin)


def _admin_changed(update_id: int, chat: ChatInfo, user: Node, at: datetime, *, is_admin: bool) -> Update:
    if user.flag("is_bot"):
        return Ignored(update_id, "another bot's rights")
    return AdminChanged(update_id, chat, user.integer("id"), at, is_admin)


def member_left(update_id: int, chat: ChatInfo, user: Node, at: datetime, *, was_admin: bool = False) -> Update:
    """Return that a member left; of a bot that means nothing."""
    if user.flag("is_bot"):
        return Ignored(update_id, "a bot left")
    return MemberLeft(update_id, chat, user.integer("id"), at, was_admin)


def _membership_status(old: Node, new: Node) -> MembershipStatus:
    if _is_member(old) != _is_member(new):
        return "joined" if _is_member(new) else "left"
    was_admin, is_admin = (member.text("status") in _ADMINISTRATORS for member in (old, new))
    if was_admin == is_admin:
        return "changed"
    return "promoted" if is_admin else "demoted"


def _is_member(member: Node) -> bool:
    status = member.text("status")
    return member.flag("is_member") if status == "restricted" else status in _ADMINISTRATORS or status == "member"
