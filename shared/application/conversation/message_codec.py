"""The codec of a message's document.

What is stored of a message beside its words says what became of it: whether it was read, when it goes, what a reply to
it means. Queries and partial updates take their fields from here, too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple

from shared.application.conversation.reply_codec import ReplyContext, read_reply_context, reply_context_fields
from shared.application.derived_codec import DerivedCodec
from shared.application.documents import message_path
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.conversation.messages import Edition, Message, migrated_message_id


class ChunkState(Enum):
    """The state of reading of a message; the values are stored in `chunk`, where a chunk's id stands for `READ`.

    Attributes:
        UNREAD: It waits to be read.
        READ: It is in a chunk.
        PRIVATE: It was said while the chat was private: never read, also not when the chat is private no more.
        SET_ASIDE: Reading it failed time and again (`setting_aside`); it waits for an operator.
    """

    UNREAD = None
    READ = "read"
    PRIVATE = "private"
    SET_ASIDE = "set-aside"

    @classmethod
    def of(cls, chunk: str | None) -> ChunkState:
        """Return what the stored field `chunk` says."""
        return cls(chunk) if chunk in _NO_CHUNKS else cls.READ


_NO_CHUNKS = frozenset(state.value for state in ChunkState if state is not ChunkState.READ)


class StoredMessage(NamedTuple):
    """A message's document.

    Attributes:
        message: What was said.
        received_at: When it came here first, also when it was edited later.
        expire_at: When it goes, or None of one of a time when that was not noted.
        chunk_state: What reading made of it.
        chunk_id: Id of the chunk that it is in, "" when in none.
        is_edited: Whether its words changed, by an edit or by what came to be known of them, since facts were learnt
            from it: what they taught is taken back and learnt anew.
        retell_at: When what the model made of its old words is to be made anew, or None when it need not.
        edit_update_id: Of the update that told its last edit; when it was never edited, of the one in which it asks
            something, or 0.
        reply_context: What a reply to it means, of a message of the bot; else None.
        answer_ids: Under which ids it is kept what the model was given for it (`documents.answer_path`): several
            when it answers several questions.
        people: Whose facts or words it shows, by user id, of a message of the bot.
    """

    message: Message
    received_at: datetime
    expire_at: datetime | None = None
    chunk_state: ChunkState = ChunkState.UNREAD
    chunk_id: str = ""
    is_edited: bool = False
    retell_at: datetime | None = None
    edit_update_id: int = 0
    reply_context: ReplyContext | None = None
    answer_ids: tuple[str, ...] = ()
    people: tuple[int, ...] = ()

    @property
    def edition_order(self) -> tuple[datetime, int]:
        """Orders the versions of a message; Telegram's dates are whole seconds, so within one the update id decides."""
        return self.message.edited_at or self.message.sent_at, self.edit_update_id

    @property
    def file_id(self) -> str | None:
        """The id that is the same for the same file, or None when it carries none."""
        return None if self.message.media is None else self.message.media.file_unique_id


_WORDS = DerivedCodec(
    Message,
    apart=["chat_id"],
    # Most messages answer nobody: an absent field costs no index entry.
    sparse=["editions", "origin_ids", "origin_names", "origin_at"],
)

_STORED = DerivedCodec(
    StoredMessage,
    names={"is_edited": "rederive"},
    apart=["message", "chunk_state", "chunk_id", "reply_context", "answer_ids", "people"],
    sparse=["retell_at", "edit_update_id"],
)

# --- reading -------------------------------------------------------------------------------------


def read_message(document: Document) -> StoredMessage:
    """Return what stands in a message's document; its chat is that of its path."""
    return read_message_fields(int(document.path.split("/", 2)[1]), document.data)


def read_message_fields(chat_id: int, data: Mapping[str, Any]) -> StoredMessage:
    """Return what stands in the fields of a message's document that has no path yet, or another one."""
    chunk_state, answer = ChunkState.of(data.get("chunk")), data.get("answer")
    answers = data.get("answers") or ([] if answer is None else [answer])
    return _STORED.read(
        data,
        received_at=data.get("received_at") or data["sent_at"],
        message=read_words(chat_id, data),
        chunk_state=chunk_state,
        chunk_id=data["chunk"] if chunk_state is ChunkState.READ else "",
        reply_context=read_reply_context(data.get("asks")),
        answer_ids=tuple(map(str, answers)),
        people=tuple(data.get("people") or ()),
    )


def chunk_state_of(document: Document) -> ChunkState:
    """Return what reading made of a message, without reading the rest of it."""
    return ChunkState.of(document.data.get("chunk"))


def read_words(chat_id: int, data: Mapping[str, Any]) -> Message:
    """Return what was said, without what became of it; inverse of `words_fields`."""
    return _WORDS.read(data, chat_id=chat_id, name=data.get("name", ""))


# --- writing -------------------------------------------------------------------------------------


def new_message(message: Message, *, now: datetime, retention: timedelta, is_private: bool = False) -> StoredMessage:
    """Return a message as first stored: to be read, unless it was said in private, and deleted after its time."""
    return StoredMessage(message, now, now + retention, ChunkState.PRIVATE if is_private else ChunkState.UNREAD)


def message_fields(stored: StoredMessage) -> dict[str, Any]:
    """Return the whole document of a message, but for what is only of the bot's own (`own_message_fields`)."""
    told = chunk_field(stored.chunk_state, stored.chunk_id)
    return {**words_fields(stored.message), **_STORED.fields(stored), **told}


def own_message_fields(stored: StoredMessage, *, answers: Sequence[int | str]) -> dict[str, Any]:
    """Return the whole document of a message that the bot sent.

    Args:
        answers: Under which updates' ids it is kept what the model was given for it; as those ids are kept there.
    """
    own: dict[str, Any] = {"answer": answers[0] if answers else None, "people": list(stored.people)}
    own |= {"answers": [*answers]} if len(answers) > 1 else {}
    return {**message_fields(stored), **reply_context_field(stored.reply_context), **own}


words_fields = _WORDS.document
"""Return what was said, without what became of it."""


def moved_message(document: Document, chat_id: int) -> Document:
    """Return a message's document of a basic group as it reads under the id of the supergroup that it became."""
    moved, reply_to = migrated_message_id(int(document.id)), document.data.get("reply_to")
    ids = {"message_id": moved, "reply_to": None if reply_to is None else migrated_message_id(reply_to)}
    return Document(message_path(chat_id, moved), {**document.data, **ids})


# --- updates of a part ---------------------------------------------------------------------------


def chunk_field(state: ChunkState, chunk_id: str = "") -> dict[str, Any]:
    """Return what says that reading made this of a message.

    Args:
        chunk_id: Only of one that is in a chunk.
    """
    return {"chunk": chunk_id if state is ChunkState.READ else state.value}


def edited_field(is_edited: bool = True) -> dict[str, Any]:
    """Return what says that what a message taught is to be learnt anew, or no longer is."""
    return {"rederive": is_edited}


def retell_field(at: datetime | None) -> dict[str, Any]:
    """Return what says when what the model made of a message is to be made anew; None when it no longer is."""
    return {"retell_at": DELETE_FIELD if at is None else at}


def media_text_field(text: str) -> dict[str, Any]:
    """Return what says what is in a message's file."""
    return {"media_text": text}


def editions_field(editions: Collection[Edition]) -> dict[str, Any]:
    """Return what says how an edited message read since when."""
    return {"editions": [edition._asdict() for edition in editions]}


def reply_context_field(context: ReplyContext | None) -> dict[str, Any]:
    """Return what says what a reply to a message of the bot means."""
    return {"asks": reply_context_fields(context)}


def unquoted_fields() -> dict[str, Any]:
    """Return what takes others' words, and whose they were, out of a message that carried or answered them."""
    return {"quote": None, **dict.fromkeys(("origin_ids", "origin_names", "origin_at"), DELETE_FIELD)}
