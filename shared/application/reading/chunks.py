"""The dual memory of ten messages: how a chunk is made of them.

Semantic memory is its summary, episodic memory its facts; both are made from the messages, neither from the other.
"""

from collections.abc import Sequence
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import readable_before
from shared.application.people.admins import admin_record
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ChunkReading, ModelPass, ModelTalk
from shared.application.reading.notes.codec import Chunk, in_meta_for, new_note_path
from shared.application.recall.note_codec import NoteTexts
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.people.naming import NameBook, mark_names
from shared.domain.reading.summaries.excerpts import extractive_summary
from shared.domain.reading.summaries.wording import clean_facts


def new_chunk(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    stretch: Sequence[Message],
    readable: Sequence[Message],
    kept: Sequence[Candidate],
    model: ModelPass,
    reading: ChunkReading,
    names: NameBook,
) -> Chunk:
    """Make a chunk of a stretch of talk.

    Args:
        stretch: All messages of it, in the order of their ids.
        readable: Those that may be read.
        kept: What was found in them.
        model: What the model made of all that it read with them.
        reading: What it made of these.
        names: Who is called what in the chat.
    """
    first, last, now = stretch[0], stretch[-1], clock.now()
    texts = chunk_texts(readable, kept, reading, names)
    return Chunk(
        path=new_note_path(state.chat_id, "chunk", first.message_id, last.message_id),
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
        speakers=tuple(sorted({*members_in(readable), *reading.speakers})),
        made_with=tuple(sorted(reading.made_with)),
        made_by=model.made_by,
        model_pending=model.pending,
        embedded=reading.embedded,
        awaits_index=True,
        made_at=now,
        expire_at=now + state.retention(policy.retention),
    )


def chunk_texts(
    messages: Sequence[Message], kept: Sequence[Candidate], reading: ChunkReading, names: NameBook
) -> NoteTexts:
    """Return the model's texts, and excerpts and what was found in these messages where it gave none, with marked
    names."""
    mark = partial(mark_names, book=names)
    ids = {message.message_id for message in messages}
    found = [each.description for each in kept if any(e.message_id in ids for e in each.evidence)]
    listed = clean_facts("\n".join(f"- {description}" for description in found))
    return NoteTexts(
        summary=mark(reading.summary or extractive_summary(messages)),
        episodic=mark(reading.episodic or ("" if reading.nothing_to_record else listed)),
    )


def members_in(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the members whose words these are, ascending."""
    return tuple(sorted({message.user_id for message in messages if not message.is_bot}))


CONTEXT = 10
"""Earlier messages seen beside a chunk: a proposal and its support may lie on both sides of a border."""


async def with_context(app: App, state: ChatState, parts: Sequence[Sequence[Message]], *, first: int) -> ModelTalk:
    """Return messages with what was said before the first of them, each with the rights that its author has now."""
    if not any(parts):
        return ModelTalk(state.chat_id, [], parts, frozenset())
    context = await readable_before(app.store, state, first, limit=CONTEXT)
    known = await admin_record(app, state)
    earlier, *said = ([known.with_rights(message) for message in each] for each in (context, *parts))
    return ModelTalk(state.chat_id, earlier, said, known.now)
