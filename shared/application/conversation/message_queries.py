"""What stored messages are found by, and the orders in which they are read."""

from __future__ import annotations

from datetime import datetime

from shared.application.ports.store import Filter, Order

UNREAD = Filter("chunk", "==", None)


EDITED = Filter("rederive", "==", True)


BY_ID, NEWEST_FIRST = Order("message_id"), Order("message_id", descending=True)


BY_SENT_AT, LAST_SENT_FIRST = Order("sent_at"), Order("sent_at", descending=True)


BY_RECEIVED_AT, LAST_RECEIVED_FIRST = Order("received_at"), Order("received_at", descending=True)


BY_RETELL_AT = Order("retell_at")


def before(message_id: int) -> Filter:
    """Return the condition that a message has a lower id."""
    return Filter("message_id", "<", message_id)


def after(message_id: int) -> Filter:
    """Return the condition that a message has a higher id."""
    return Filter("message_id", ">", message_id)


def in_topic(thread_id: int | None) -> Filter:
    """Return the condition that a message is in a topic of a forum; None is the general one."""
    return Filter("thread_id", "==", thread_id)


def in_album(media_group_id: str) -> Filter:
    """Return the condition that a message's file is in an album."""
    return Filter("media.media_group_id", "==", media_group_id)


def by_author(user_id: int) -> Filter:
    """Return the condition that a member said it."""
    return Filter("user_id", "==", user_id)


def sent_since(at: datetime) -> Filter:
    """Return the condition that a message was sent at or after an instant."""
    return Filter("sent_at", ">=", at)


def sent_until(at: datetime) -> Filter:
    """Return the condition that a message was sent at or before an instant."""
    return Filter("sent_at", "<=", at)


def received_since(at: datetime) -> Filter:
    """Return the condition that a message came here at or after an instant."""
    return Filter("received_at", ">=", at)


def replies_to(message_id: int) -> Filter:
    """Return the condition that a message replies to another one."""
    return Filter("reply_to", "==", message_id)


def sent_for(answer_id: str) -> Filter:
    """Return the condition that a message is a piece of one answer (`StoredMessage.answer_id`)."""
    return Filter("answer", "==", int(answer_id) if answer_id.isdecimal() else answer_id)


def retelling_due(now: datetime) -> Filter:
    """Return the condition that what the model made of a message is to be made anew by now."""
    return Filter("retell_at", "<=", now)
