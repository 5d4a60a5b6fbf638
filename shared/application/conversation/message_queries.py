"""The conditions by which stored messages are found, and the orders in which they are read."""

from datetime import datetime

from shared.application.ports.store import Filter, OpenFilter, Order

UNREAD = Filter("chunk", "==", None)


EDITED = Filter("rederive", "==", True)


BY_ID, NEWEST_FIRST = Order("message_id"), Order("message_id", descending=True)


BY_SENT_AT, LAST_SENT_FIRST = Order("sent_at"), Order("sent_at", descending=True)


BY_RECEIVED_AT, LAST_RECEIVED_FIRST = Order("received_at"), Order("received_at", descending=True)


BY_RETELL_AT = Order("retell_at")

before = OpenFilter[int]("message_id", "<")
"""The condition that a message has a lower id."""

after = OpenFilter[int]("message_id", ">")
"""The condition that a message has a higher id."""

in_topic = OpenFilter[int | None]("thread_id", "==")
"""The condition that a message is in a topic of a forum; None is the general one."""

in_album = OpenFilter[str]("media.media_group_id", "==")
"""The condition that a message's file is in an album."""

by_author = OpenFilter[int]("user_id", "==")
"""The condition that a member said it."""

sent_since = OpenFilter[datetime]("sent_at", ">=")
"""The condition that a message was sent at or after an instant."""

sent_until = OpenFilter[datetime]("sent_at", "<=")
"""The condition that a message was sent at or before an instant."""

received_since = OpenFilter[datetime]("received_at", ">=")
"""The condition that a message came here at or after an instant."""

replies_to = OpenFilter[int]("reply_to", "==")
"""The condition that a message replies to another one."""


def filter_sent_for(answer_id: str) -> list[Filter]:
    """Return two conditions of which a message that says one answer meets one (`StoredMessage.answer_ids`): the first
    when it says no other before it."""
    kept = int(answer_id) if answer_id.isdecimal() else answer_id
    return [Filter("answer", "==", kept), Filter("answers", "array_contains", kept)]


retelling_due = OpenFilter[datetime]("retell_at", "<=")
"""The condition that what the model made of a message is to be made anew by now."""
