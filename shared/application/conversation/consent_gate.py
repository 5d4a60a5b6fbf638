"""Decides which talk of a chat the memory may use: the one place for it, for all code that stores or reads talk.

Whatever is read for a model passes here: documents by `readable_messages`, messages from elsewhere by
`usable_messages`, what was made of several people's words by `may_retell`.

Neither what was said in private nor the words of members who opted out, not even as context, nor in somebody else's
message: as a quote, or as what is forwarded. Nor what others retell of members who were forgotten.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.settings_codec import hearsay_fields
from shared.application.chats.state import Chats
from shared.application.conversation.message_codec import ChunkState, StoredMessage, read_message
from shared.application.conversation.message_queries import BY_ID, NEWEST_FIRST, after, before
from shared.application.documents import chat_path, message_path, messages_path
from shared.application.ports.store import Document, DocumentStore, Transaction
from shared.domain.conversation.messages import Message, comes_from


def readable_messages(state: ChatState, documents: Iterable[Document | None]) -> list[Message]:
    """The messages that extraction may read, in the given order; those that are not there are passed over.

    What was set aside is none of them, not even as context: it would break the reading of what stands beside it, too.
    """
    stored = (read_message(document) for document in documents if document is not None)
    found = (readable(state, each) for each in stored if each.chunk_state is not ChunkState.SET_ASIDE)
    return [message for message in found if message is not None]


def readable(state: ChatState, stored: StoredMessage) -> Message | None:
    """Return a stored message as the memory may use it, or None: it was said in private, or is not to be kept."""
    return None if stored.chunk_state is ChunkState.PRIVATE else usable(state, stored.message)


def usable_messages(state: ChatState, messages: Iterable[Message]) -> list[Message]:
    """Return what the memory may use of messages that do not come from their documents, in the given order."""
    return [kept for message in messages if (kept := usable(state, message)) is not None]


def quotable_messages(state: ChatState, messages: Iterable[Message]) -> list[Message]:
    """The usable ones that may be found and shown: not those that only call a forgotten member ("oh Moira")."""
    return [m for m in usable_messages(state, messages) if not state.hearsay.is_called_in(m.text, by=m.user_id)]


def silent_members(state: ChatState) -> frozenset[int]:
    """Return the members of whom nothing is used, read or shown: those who opted out."""
    return state.opted_out


def may_speak(state: ChatState, user_id: int | None) -> bool:
    """Return whether what somebody says may be used: they did not opt out."""
    return user_id not in state.opted_out


def may_retell(state: ChatState, speakers: Iterable[int]) -> bool:
    """Return whether what was made of these people's words (a note, a portrait, CONTEXT.md) may be used as it is."""
    return state.opted_out.isdisjoint(speakers)


def usable(state: ChatState, message: Message) -> Message | None:
    """Return what the memory may use of a message, wherever it comes from: as `keepable`, and neither a message nor a
    quote that retells a forgotten member."""
    kept = keepable(state, message)
    if kept is None or not state.hearsay.retold_in(kept):
        return kept
    own = replace(kept, quote=None)
    return None if kept.quote is None or state.hearsay.retold_in(own) else own


def keepable(state: ChatState, message: Message) -> Message | None:
    """A message without the words of opted-out members and what a forgotten member said before; None when nothing is
    left of it: they said it, or it is forwarded. Cheap: the webhook asks it of every message."""
    if message.user_id in state.opted_out:
        return None
    theirs = bool(state.opted_out) and comes_from(message, state.opted_out, state.opted_out_names)
    if (message.forwarded or message.quote is not None) and (theirs or state.hearsay.is_said_then(message)):
        return None if message.forwarded else state.hearsay.hash_origins(replace(message, quote=None))
    return state.hearsay.hash_origins(message)


async def consent_changed(chats: Chats, state: ChatState) -> bool:
    """Return whether the chat became private, somebody opted out or in, or something was forgotten, since `state` was
    read.

    Asked when the model has answered, which takes long: what it was shown may no longer be used then.
    """
    return not same_consent(await chats.state(state.chat_id, fresh=True), state)


async def consent_holds(tx: Transaction, state: ChatState) -> bool:
    """Return whether nothing changed of what `consent_changed` asks about. Asked in the transaction that writes what
    was made, before its first write: nothing can come between."""
    return same_consent(read_chat(state.chat_id, await tx.get(chat_path(state.chat_id))), state)


def same_consent(now: ChatState, read: ChatState) -> bool:
    """Return whether a chat allows a reader what it did; of one that was forgotten whole only the instant is left."""
    depends_on = ("known", "private_mode", "opted_out", "forgotten_at")
    return all(getattr(now, name) == getattr(read, name) for name in depends_on)


async def readable_by_ids(store: DocumentStore, state: ChatState, message_ids: Iterable[int]) -> list[Message]:
    """Return what may be read of these messages, in the order of the ids given."""
    paths = [message_path(state.chat_id, message_id) for message_id in message_ids]
    return readable_messages(state, await store.get_many(paths)) if paths else []


async def readable_before(store: DocumentStore, state: ChatState, message_id: int, *, limit: int) -> list[Message]:
    """Return what may be read of the `limit` messages before one, oldest first."""
    found = await store.query(
        messages_path(state.chat_id), where=[before(message_id)], order_by=[NEWEST_FIRST], limit=limit
    )
    return readable_messages(state, reversed(found))


async def readable_after(store: DocumentStore, state: ChatState, message_id: int, *, limit: int) -> list[Message]:
    """Return what may be read of the `limit` messages after one, oldest first."""
    found = await store.query(messages_path(state.chat_id), where=[after(message_id)], order_by=[BY_ID], limit=limit)
    return readable_messages(state, found)


async def notice_namesakes(chats: Chats, state: ChatState, messages: Sequence[Message]) -> None:
    """Write down what is heard of members who are called as a forgotten one is, and what a forgotten one says anew.

    Costs nothing in a chat where nobody was forgotten, and else only when there is news.
    """

    def note(found: ChatState) -> dict[str, Any]:
        heard = found.hearsay.notice(messages)
        return {} if heard == found.hearsay else hearsay_fields(heard)

    if note(state):
        await chats.amend(state.chat_id, note)
