"""Reads the talk since the last consolidation, in the order of time, a bounded stretch at once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import readable_by_ids, readable_messages, usable_messages
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import (
    BY_SENT_AT,
    LAST_SENT_FIRST,
    NEWEST_FIRST,
    UNREAD,
    sent_since,
)
from shared.application.documents import index_head_path, index_segment_path, messages_path
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.recall.head_codec import Head, head_of, segment_of
from shared.application.recall.loading import TAIL
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.segment import SegmentUnreadable

REACH = timedelta(days=7)
"""Nothing said longer ago is read (consolidation plan, pass A)."""

MOST_MESSAGES = 600
"""Read at once; what was said after them is the next run's, which follows at once."""

LATE = timedelta(minutes=10)
"""Messages that came so much later than they were sent are still read: Telegram delivers again."""

_PAGE = 200
_MOST_REPLIED = 50


class ReviewTalk(NamedTuple):
    """A stretch of talk, in the order of time; nothing of members who opted out, nothing said in private.

    Attributes:
        messages: What is new.
        earlier: What was said before in the last days, as far as it is cheap to read.
        replied: Messages from before all that, to which some of it replies.
        until: When the last of the new ones was sent, or None when there is none.
        more: There is more to read right now.
    """

    messages: Sequence[Message] = ()
    earlier: Sequence[Message] = ()
    replied: Sequence[Message] = ()
    until: datetime | None = None
    more: bool = False

    @property
    def whole(self) -> list[Message]:
        """Return what is new, and what was said before."""
        return [*self.earlier, *self.messages]

    @property
    def by_id(self) -> dict[int, Message]:
        """All of it."""
        return {message.message_id: message for message in (*self.replied, *self.whole)}


async def read_talk(store: DocumentStore, clock: Clock, state: ChatState, *, since: datetime | None) -> ReviewTalk:
    """Return what was said since then.

    The index holds it with all of the last days, at a few reads however much was said; where there is none, or it is
    not whole, each new message is read.

    Args:
        since: Up to where the last run read, or None when there was none.
    """
    now = clock.now()
    earliest = max(filter(None, (now - REACH, state.learn_from)))
    start = max(earliest, since - LATE) if since else earliest
    found = await _read_from_index(store, state, earliest)
    if found is None:
        found = await _read_pages(store, state, start)
    new = [message for message in found if message.sent_at >= start]
    if since and len(new) > MOST_MESSAGES and new[MOST_MESSAGES - 1].sent_at <= since:  # all of that was read before
        new = [message for message in new if message.sent_at >= since]
    taken, before = new[:MOST_MESSAGES], [message for message in found if message.sent_at < start]
    earlier = before[max(0, len(before) + len(taken) - MOST_MESSAGES) :]
    unknown = {message.reply_to for message in taken if message.reply_to is not None} - {m.message_id for m in found}
    replied = await readable_by_ids(store, state, sorted(unknown)[-_MOST_REPLIED:])
    return ReviewTalk(taken, earlier, replied, min(now, taken[-1].sent_at) if taken else None, len(new) > len(taken))


async def newest_at(store: DocumentStore, state: ChatState) -> datetime | None:
    """Return when the newest stored message of a chat was sent, or None when there is none."""
    found = await store.query(messages_path(state.chat_id), order_by=[LAST_SENT_FIRST], limit=1)
    return read_message(found[0]).message.sent_at if found else None


async def _read_pages(store: DocumentStore, state: ChatState, start: datetime) -> list[Message]:
    """The messages from an instant on, read one by one; a page more than are taken at once."""
    found, last, since = list[Message](), None, [sent_since(start)]
    while len(found) <= 2 * MOST_MESSAGES:
        path = messages_path(state.chat_id)
        page = await store.query(path, where=since, order_by=[BY_SENT_AT], limit=_PAGE, after=last)
        found += readable_messages(state, page)
        if len(page) < _PAGE:
            break
        last = page[-1]
    return found


async def _read_from_index(store: DocumentStore, state: ChatState, start: datetime) -> list[Message] | None:
    """The messages from an instant on as the index holds them; None when it does not hold them all."""
    if not state.chunks:  # nothing was read yet, so nothing is in the index
        return None
    tail = await store.query(messages_path(state.chat_id), where=[UNREAD], order_by=[NEWEST_FIRST], limit=TAIL)
    head = head_of(await store.get(index_head_path(state.chat_id)))  # after it: it holds what has left it meanwhile
    if not head.entries or head.broken or len(tail) == TAIL:
        return None
    segments = await _segments(store, state.chat_id, head, start)
    if segments is None:
        return None
    found = {message.message_id: message for segment in segments for message in segment}
    found |= {message.message_id: message for message in readable_messages(state, tail)}
    shown = usable_messages(state, (m for m in found.values() if m.sent_at >= start))
    return sorted(shown, key=lambda message: (message.sent_at, message.message_id))


async def _segments(store: DocumentStore, chat_id: int, head: Head, start: datetime) -> list[list[Message]] | None:
    """The messages of the newest segments, down to one from before an instant; None when one cannot be read."""
    found = []
    for entry in reversed(head.entries):  # ids grow with time
        try:
            segment, revision = segment_of(await store.get(index_segment_path(chat_id, entry.number)))
        except SegmentUnreadable:
            return None
        if revision != entry.revision:
            return None
        found.append(segment.messages())
        if any(message.sent_at < start for message in found[-1]):
            break
    return found
