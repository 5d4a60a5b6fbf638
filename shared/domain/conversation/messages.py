"""Stored messages: how they read when, who said them, and what may be learnt from them.

A message that was edited keeps, for each time that its words are known, a mark of them, never the words: agreement and
answers count only for the wording that they were given to, in whatever order edits were delivered (law 10). Two texts
are one wording when they differ only in spaces, in letter case, or in the full stops and exclamation marks at the end.

Ids are Telegram's. A message of a basic group that became a supergroup keeps its order under the new chat with a
negative id (see `migrated_message_id`): the two id sequences overlap.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

MOST_EDITIONS = 50
"""Editions of one message that are known, the newest; what was agreed to before them counts no more."""

_AT_THE_END = " .!…"


class Edition(NamedTuple):
    """Since when a message has had a wording.

    Attributes:
        at: When it was sent, or edited; Telegram tells whole seconds.
        update_id: Of the update that told the edit, 0 of the original: of two in one second the later one.
        mark: Mark of its words (`wording_mark`).
    """

    at: datetime
    update_id: int
    mark: str


def wording_mark(text: str) -> str:
    """Twelve hex digits for a wording, the same for texts that differ in nothing that matters."""
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(_AT_THE_END)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def join_editions(*known: Iterable[Edition]) -> tuple[Edition, ...]:
    """All of them, oldest first; of too many the newest. A union, so order and repetition change nothing."""
    return tuple(sorted({each for editions in known for each in editions})[-MOST_EDITIONS:])


def worded_at(editions: Iterable[Edition], sent_at: datetime) -> datetime:
    """Since when a message reads as it does now: the begin of the last stretch of editions with one wording.

    Args:
        editions: Of an edited message, oldest first; none of one that never was.
        sent_at: When it was sent.
    """
    since, mark = sent_at, None
    for edition in editions:
        if edition.mark != mark:
            since, mark = edition.at, edition.mark
    return since


def read_the_same_at(editions: Iterable[Edition], at: datetime) -> bool:
    """Return whether a message read at some time as it reads now, for sure.

    What it read before its first known edition nobody knows, nor which of the words of one second were seen: then no.
    """
    known = list(editions)
    if not known:
        return True
    before = [edition.mark for edition in known if edition.at < at][-1:]
    within = [edition.mark for edition in known if edition.at == at]
    return bool(before) and {*before, *within} == {known[-1].mark}


SCHEMA = 1
"""Version that every document carries in `schema`."""

_MIGRATION_SHIFT = 1 << 40


class MediaFile(NamedTuple):
    """A file of Telegram's. Type and name are the sender's: not to be trusted.

    Attributes:
        file_id: Downloads it.
        file_unique_id: The same for the same file.
        file_size: In bytes.
        duration: In seconds.
        emoji: A sticker's.
        thumbnail: A small still picture of it.
        media_group_id: The same for all of an album.
    """

    file_id: str
    file_unique_id: str
    file_size: int | None = None
    mime_type: str | None = None
    duration: int | None = None
    file_name: str | None = None
    emoji: str | None = None
    thumbnail: MediaFile | None = None
    media_group_id: str | None = None

    @property
    def label(self) -> str:
        """Return what a text calls it: the emoji of a sticker, else the name of the file, "" where it has neither."""
        return self.emoji or self.file_name or ""

    @classmethod
    def of_stored(cls, stored: Mapping[str, Any]) -> MediaFile:
        """Return the file that `stored_fields` describe."""
        still, known = stored.get("thumbnail"), {name: stored[name] for name in cls._fields if name in stored}
        return cls(**known | {"thumbnail": still and cls.of_stored(still)})

    def stored_fields(self) -> dict[str, Any]:
        """Return what is stored of it: the fields that are known."""
        still = {} if self.thumbnail is None else {"thumbnail": self.thumbnail.stored_fields()}
        return {name: value for name, value in self._asdict().items() if value is not None} | still


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat.

    Attributes:
        user_id: Who speaks; for a channel or an anonymous admin the id of the chat they speak as (negative).
        kind: "text", "command" (not talk), or the kind of media ("photo", "voice", "sticker", "poll", …).
        text: Text or caption, "" when there is none. Never truncated below Telegram's own limits.
        reply_to: Message id in the same chat, or None.
        quote: Text that the author quoted from the message replied to; not the author's words.
        forwarded: Somebody else's words (forwarded, posted via an inline bot, or an automatic channel forward).
        is_admin: Whether its author was an admin when it was said and got its words: True also when the update itself
            proves it (anonymous admin); None when nothing says so.
        media: The file that it carries, or None.
        origin_ids: Whose words it carries or answers beside the author's own, by id: of what is forwarded, quoted or
            replied to (in this chat or another), of a story; persons and chats.
        origin_at: When the oldest of that was said, or None.
        origin_names: Of those who hide their account when forwarded nothing but the name is told: its `name_mark`.
        media_text: What is in the media, as a model described or transcribed it; "" when nobody looked. Not the
            author's typed words: it is found and shown, and makes no fact.
        editions: Of an edited message how it read since when, oldest first; none of one that never was.
    """

    chat_id: int
    message_id: int
    sent_at: datetime
    user_id: int
    name: str
    username: str | None = None
    text: str = ""
    kind: str = "text"
    is_bot: bool = False
    is_admin: bool | None = None
    reply_to: int | None = None
    quote: str | None = None
    thread_id: int | None = None
    forwarded: bool = False
    edited_at: datetime | None = None
    media: MediaFile | None = None
    media_text: str = ""
    origin_ids: tuple[int, ...] = ()
    origin_names: tuple[str, ...] = ()
    origin_at: datetime | None = None
    editions: tuple[Edition, ...] = ()

    @property
    def worded_at(self) -> datetime:
        """Since when it reads as it does now."""
        return worded_at(self.editions, self.sent_at)

    def is_reacted_to_by(self, later: Message) -> bool:
        """Return whether who wrote `later`, as that reads now, had these words before them, and no older ones."""
        return read_the_same_at(self.editions, later.worded_at)

    def is_by_admin(self, admins: Collection[int]) -> bool:
        """Return whether its author could decree when they said it; else whether they are one of `admins`."""
        return self.user_id in admins if self.is_admin is None else self.is_admin

    @property
    def may_teach(self) -> bool:
        """Return whether facts may be learnt from it: only from a member's own words (law 3)."""
        return bool(self.text) and not self.is_bot and not self.forwarded and self.kind != "command"


def known_members(messages: Iterable[Message], *, without: frozenset[int] = frozenset()) -> dict[int, list[str]]:
    """The members who speak, by id, each with the names and usernames they are known by."""
    known: dict[int, list[str]] = {}
    for message in messages:
        if message.may_teach and message.user_id not in without:
            names = known.setdefault(message.user_id, [])
            names += [name for name in (message.name, message.username) if name and name not in names]
    return known


def name_mark(name: str) -> str:
    """Hash of a whole name as Telegram shows it: 16 hexadecimal digits, the same however it is cased or spaced.

    It tells the words of somebody who hides their account, without keeping the name of somebody who may be no member.
    """
    folded = " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())
    return hashlib.blake2b(folded.encode(), digest_size=8, person=b"origin-name").hexdigest()


def comes_from(message: Message, ids: Collection[int], names: Collection[str]) -> bool:
    """Return whether it carries or answers the words of one of these, by their ids or the marks of their names."""
    return not set(ids).isdisjoint(message.origin_ids) or not set(names).isdisjoint(message.origin_names)


def other_names(messages: Iterable[Message]) -> Callable[[Message], tuple[str, ...]]:
    """Return what gives, for a message, the names and usernames of the people in `messages` who are not its author."""
    people: dict[int, set[str]] = {}
    for message in messages:
        people.setdefault(message.user_id, set()).update(filter(None, (message.name, message.username)))

    def of_others(message: Message) -> tuple[str, ...]:
        own = people.get(message.user_id, set())
        others = {name for user, names in people.items() if user != message.user_id for name in names}
        return tuple(sorted(others - own))

    return of_others


def migrated_message_id(old_id: int) -> int:
    """Id under the supergroup of a message of the basic group that it was.

    Args:
        old_id: Id in the basic group, or one already mapped (then it is returned unchanged).
    Returns:
        A negative id; the old order is kept and every old message sorts before every new one.
    """
    return old_id if old_id < 0 else old_id - _MIGRATION_SHIFT


def move_message(message: Message, chat_id: int) -> Message:
    """Return a message under the chat's present id: one of the basic group that it was sorts before all others."""
    if message.chat_id == chat_id:
        return message
    reply_to = None if message.reply_to is None else migrated_message_id(message.reply_to)
    return replace(message, chat_id=chat_id, message_id=migrated_message_id(message.message_id), reply_to=reply_to)


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
