"""The dual memory of ten messages: how a chunk is made of them.

Semantic memory is its summary, episodic memory its facts; both are made from the messages, neither from the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.application.chats.chat_codec import ChatState
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ModelPass
from shared.application.reading.notes.chunk_codec import Chunk, in_meta_for, new_chunk_path
from shared.application.recall.note_codec import NoteTexts
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.summaries import clean_facts, extractive_summary


def new_chunk(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    stretch: Sequence[Message],
    readable: Sequence[Message],
    kept: Sequence[Candidate],
    model: ModelPass,
) -> Chunk:
    """Make a chunk of a stretch of talk.

    Args:
        stretch: All messages of it, in the order of their ids.
        readable: Those that may be read.
        kept: What patterns found in them.
        model: What the model made of them.
    """
    first, last, now = stretch[0], stretch[-1], clock.now()
    texts = chunk_texts(readable, kept, model)
    return Chunk(
        path=new_chunk_path(state.chat_id, first.message_id, last.message_id),
        first=first.message_id,
        last=last.message_id,
        first_at=first.sent_at,
        last_at=last.sent_at,
        texts=texts,
        message_ids=tuple(message.message_id for message in stretch),
        sent_at=tuple(message.sent_at for message in stretch),
        threads=tuple(message.thread_id or 0 for message in stretch),
        awaiting_episode=tuple(range(len(stretch))),
        in_meta=in_meta_for(texts),
        speakers=members_in(readable),
        made_by=model.made_by,
        model_pending=model.pending,
        embedded=model.embedded,
        awaits_index=True,
        made_at=now,
        expire_at=now + state.retention(policy.retention),
    )


def chunk_texts(messages: Sequence[Message], kept: Sequence[Candidate], model: ModelPass) -> NoteTexts:
    """Return the model's texts, and excerpts and what patterns found where it gave none."""
    found = clean_facts("\n".join(f"- {candidate.description}" for candidate in kept))
    return NoteTexts(
        summary=model.summary or extractive_summary(messages),
        episodic=model.episodic or ("" if model.nothing_to_record else found),
    )


def members_in(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the members whose words these are, ascending."""
    return tuple(sorted({message.user_id for message in messages if not message.is_bot}))
