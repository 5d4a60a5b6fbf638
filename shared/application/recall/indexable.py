"""What of a chat's documents the index may hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.hearing import may_retell, readable_messages
from shared.application.ports.store import Document
from shared.application.recall.note_codec import MOST_TEXT, StoredNote, index_note
from shared.application.recall.placing import IndexChange
from shared.domain.conversation.messages import Message
from shared.domain.recall.index.note import Note


def indexable(state: ChatState, documents: Iterable[Document | None]) -> list[Message]:
    """The messages that may be found: no commands, nothing said in private or by who opted out."""
    return [
        replace(message, media_text=message.media_text[:MOST_TEXT])
        for message in readable_messages(state, documents)
        if message.kind != "command"
    ]


def _note(state: ChatState, stored: StoredNote) -> Note:
    """The note as it is indexed; without its text when somebody speaks in it who has opted out since: the index may
    have lost their messages, by which it would be recognised."""
    note = index_note(stored)
    return note if may_retell(state, stored.speakers) else replace(note, text="")


def change_from(
    state: ChatState, notes: Iterable[StoredNote], messages: Iterable[Document | None], ids: Iterable[int]
) -> IndexChange:
    """Return what the index takes up of these notes and messages, and what of `ids` it must not hold (any more)."""
    kept = indexable(state, messages)
    told = [_note(state, note) for note in notes]
    return IndexChange(
        tuple(kept),
        tuple(note for note in told if note.text),
        frozenset(ids) - {message.message_id for message in kept},
        tuple(note for note in told if not note.text),
    )
