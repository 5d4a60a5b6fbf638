"""Tombstones of what was erased and must not come back: hashes of ids, and nothing that can be read.

A tombstone says until when it holds: what a member said later, or what is said in a chat later, is new. It is looked up
only for what is no news: a message that is older than the chat's last forgetting, an edit of a message that is not
stored, an import. So storing an ordinary message costs no read more.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document, DocumentStore, Set, Transaction, Write
from shared.domain.conversation.messages import Message


class Tombstone(NamedTuple):
    """A tombstone.

    Attributes:
        until: What was said until then, of whom or in what it marks, must not come back; what came later is new.
    """

    until: datetime

    def bars(self, at: datetime) -> bool:
        """Return whether it keeps out what was said at an instant."""
        return at <= self.until


_TOMBSTONE = DerivedCodec(Tombstone)

read_tombstone = _TOMBSTONE.of
"""Return what a tombstone says."""


tombstone_fields = _TOMBSTONE.document
"""Return the document of a tombstone."""


_AT_ONCE = 100
_BATCH = 400


def chat_tombstone(chat_id: int) -> str:
    """Path of the mark of a chat that was forgotten."""
    return _path("chat", chat_id)


def member_tombstone(chat_id: int, user_id: int) -> str:
    """Path of the mark of a member of a chat."""
    return _path("member", chat_id, user_id)


def message_tombstone(chat_id: int, message_id: int) -> str:
    """Path of the mark of one message."""
    return _path("message", chat_id, message_id)


def erasure_mark(chat_id: int) -> str:
    """Path of the mark that says when something of a chat was last erased: what is made of its memory looks there.

    It stays when the whole chat is forgotten: an answer under way was made of a memory that is gone."""
    return _path("erased", chat_id)


def _path(kind: str, *ids: int) -> str:
    return f"tombstones/{hashlib.sha256(':'.join([kind, *map(str, ids)]).encode()).hexdigest()[:32]}"


async def lay(store: DocumentStore, paths: Iterable[str], *, until: datetime) -> None:
    """Put up tombstones; one that is there already holds until the later of the two instants."""
    wanted = sorted(set(paths))
    for start in range(0, len(wanted), _BATCH):
        page = wanted[start : start + _BATCH]
        known = await store.get_many(page)
        writes: list[Write] = [
            Set(path, tombstone_fields(Tombstone(until)))
            for path, document in zip(page, known, strict=True)
            if document is None or read_tombstone(document).until < until
        ]
        if writes:
            await store.batch(writes)


def marks_of(message: Message) -> list[str]:
    """The tombstones that would keep a message out: its own, its author's, its chat's."""
    return [
        message_tombstone(message.chat_id, message.message_id),
        member_tombstone(message.chat_id, message.user_id),
        chat_tombstone(message.chat_id),
    ]


def covers(found: Sequence[Document | None], message: Message) -> bool:
    """Return whether one of the tombstones at `marks_of(message)` keeps it out; its own does whenever it was sent."""
    own, *others = found
    return own is not None or any(mark is not None and read_tombstone(mark).bars(message.sent_at) for mark in others)


async def is_forgotten(reader: DocumentStore | Transaction, messages: Sequence[Message]) -> bool:
    """Return whether a message must not be stored.

    Args:
        messages: It, under each id that it has or had (a group that became a supergroup goes on under another).
    """
    return bool(await find_forgotten(reader, messages))


async def read_ends(store: DocumentStore, paths: Iterable[str]) -> dict[str, datetime]:
    """Return until when they hold of those tombstones that are there, by path; a read each."""
    found, left = dict[str, datetime](), iter(paths)
    while page := list(islice(left, _BATCH)):
        marks = await store.get_many(page)
        found |= {mark.path: read_tombstone(mark).until for mark in marks if mark is not None}
    return found


async def find_forgotten(reader: DocumentStore | Transaction, messages: Sequence[Message]) -> set[int]:
    """Ids of those messages that must not come back; for imports, a page at a time."""
    gone: set[int] = set()
    for start in range(0, len(messages), _AT_ONCE):
        page = messages[start : start + _AT_ONCE]
        found = await reader.get_many([path for message in page for path in marks_of(message)])
        gone |= {m.message_id for at, m in enumerate(page) if covers(found[3 * at : 3 * at + 3], m)}
    return gone
