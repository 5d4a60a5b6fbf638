"""Making a piece of memory anew on demand: one chunk, one meta summary, the episodic facts of a range, vectors.

Each changes the documents it names and nothing else (usage is booked); only a stretch that was made anew
(`regenerate_some`) leaves it to the chat's next task to bring what is made of it up to date. It refuses while the model
is away: what is stored stays as it is rather than being replaced by something worse. What was said in private and the
words of members who opted out are not read. Running one again is harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import readable_by_ids
from shared.application.documents import chunks_path, metas_path
from shared.application.policy import Policy
from shared.application.ports.model import ModelReply
from shared.application.ports.store import Document, DocumentStore
from shared.application.reading.chunks import members_in
from shared.application.reading.model_pass import (
    ChunkReading,
    read_part,
    reading_request,
)
from shared.application.reading.notes.codec import Chunk, read_chunk, read_meta_summary
from shared.application.reading.notes.embeddings import embed_range
from shared.application.reading.notes.metas import meta_request, read_nodes, summary_from_answer
from shared.application.reading.notes.redoing import replace_or_raise
from shared.application.recall.note_codec import NoteTexts, remade_fields, text_fields
from shared.application.recall.note_queries import BY_LAST, LAST_FIRST, ending_from, ending_within
from shared.application.spending.asking import ask_or_raise, is_worth_asking
from shared.application.spending.budgets import is_over_budget
from shared.domain.conversation.messages import Message
from shared.domain.errors import Contention, ModelRefused, ModelUnavailable, PermanentError
from shared.domain.reading.model_reply import read_reply
from shared.domain.reading.numbered_talk import number_talk
from shared.prompts import prompt

_PAGE = 50

_NAMED = 5  # ids that are named to who asked for one that there is not
_TRIES = 3  # of a chunk that changes while it is made anew


class Stretch(NamedTuple):
    """Chunks that end after one message and up to another, by their ids."""

    after: int
    last: int


class Renewed(NamedTuple):
    """What became of some chunks.

    Attributes:
        made, kept: How many were made anew, and how many stay as they were: nothing of them may be read, or the model
            gave nothing of use.
        rest: What is left of the stretch, or None.
        is_stopped: The model is away or today's budget is used up: the rest has to wait.
    """

    made: int
    kept: int
    rest: Stretch | None
    is_stopped: bool = False


class NotRegenerable(PermanentError):
    """There is no such piece of memory, or nothing that it was made from may be read."""


async def regenerate_chunk(app: App, state: ChatState, chunk_id: str, *, above: bool = False) -> None:
    """Make a chunk's summary and episodic facts anew from its messages, and its vector from these.

    Args:
        above: Whether what is made of the chunk is to be made again, too, by the chat's next task.

    Raises:
        NotRegenerable: The chunk is not there, the chat is private, or nobody's words in it may be read.
        ModelUnavailable: No model, no budget, or no answer; the chunk is as it was.
        ModelRefused: The model gave nothing of use; the chunk is as it was.
        Contention: The chat's choices or the chunk changed meanwhile; run it again.
    """
    chunk = read_chunk(await _read_document(app.store, app.policy, state, f"{chunks_path(state.chat_id)}/{chunk_id}"))
    await _require_model(app, state)
    messages = await _messages_of(app.store, state, chunk)
    reply, reading = await _read(app, state, messages)
    again = replace(
        chunk,
        texts=NoteTexts(_useful(reading.summary, "summary"), _episodic(reading)),
        speakers=members_in(messages),
        made_by=f"{reply.model}/{prompt('reading').version}",
    )
    await replace_or_raise(app, state, chunk, again, text_fields, above=above)


async def regenerate_some(app: App, chat_id: int, stretch: Stretch, *, most: int) -> Renewed:
    """Make the oldest chunks of a stretch anew, at most `most` of them, each by what the chat allows then.

    There is a rest until nothing was left to make.

    Raises:
        TransientError: The store is away; run it again.
    """
    within = ending_within(stretch.after, stretch.last)
    found = await app.store.query(chunks_path(chat_id), where=within, order_by=[BY_LAST], limit=most)
    chunks = [read_chunk(document) for document in found]
    made, after = 0, stretch.after
    for count, chunk in enumerate(chunks):
        try:
            made += await _renew(app, chat_id, chunk.id)
        except (NotRegenerable, ModelRefused):
            pass  # it stays as it was
        except ModelUnavailable:
            return Renewed(made, count - made, stretch._replace(after=after), is_stopped=True)
        after = chunk.last
    rest = stretch._replace(after=after) if chunks else None
    return Renewed(made, len(chunks) - made, rest)


async def _renew(app: App, chat_id: int, chunk_id: str) -> bool:
    for _ in range(_TRIES):
        with suppress(Contention):
            await regenerate_chunk(app, await app.chats.state(chat_id, fresh=True), chunk_id, above=True)
            return True
    return False


async def regenerate_meta(app: App, state: ChatState, meta_id: str) -> None:
    """Make a meta summary anew from its nodes as they are now, and its vector from it.

    Raises:
        NotRegenerable: It is not there, the chat is private, or its nodes tell nothing (any more).
        ModelUnavailable: No model, no budget, or no answer; it is as it was.
        ModelRefused: The model gave nothing of use; it is as it was.
        Contention: The chat's choices or the meta summary changed meanwhile; run it again.
    """
    document = await _read_document(app.store, app.policy, state, f"{metas_path(state.chat_id)}/{meta_id}")
    meta = read_meta_summary(document)
    await _require_model(app, state)
    nodes = await read_nodes(app.store, state, meta)
    request = meta_request(app.policy, state, nodes.texts)
    if request is None:
        raise NotRegenerable(f"nothing is left of what meta summary {meta_id} was made from")
    reply = await ask_or_raise(app, state.chat_id, request)
    again = replace(
        meta,
        texts=NoteTexts(summary=_useful(summary_from_answer(reply.text), "meta summary")),
        speakers=nodes.speakers,
        made_by=f"{reply.model}/{prompt('meta').version}",
        model_pending=False,
        stale=False,
    )
    await replace_or_raise(app, state, meta, again, remade_fields)


async def regenerate_facts(app: App, state: ChatState, *, first: int, last: int) -> int:
    """Make the episodic facts of every chunk that holds messages between two ids anew; how many chunks.

    Chunks of which nothing may be read are left as they are.

    Raises:
        NotRegenerable: The chat is private.
        ModelUnavailable: No model, no budget, or no answer; chunks after the last one done are as they were.
        ModelRefused: The model gave nothing of use for a chunk.
        Contention: The chat's choices or a chunk changed meanwhile; run it again.
    """
    _require_public(app.policy, state)
    await _require_model(app, state)
    count, page = 0, None
    reaching = [ending_from(first)]
    while found := await app.store.query(
        chunks_path(state.chat_id), where=reaching, order_by=[BY_LAST], limit=_PAGE, after=page
    ):
        for chunk in map(read_chunk, found):
            if chunk.first > last:
                continue
            try:
                messages = await _messages_of(app.store, state, chunk)
            except NotRegenerable:
                continue
            _, reading = await _read(app, state, messages)
            texts = chunk.texts._replace(episodic=_episodic(reading))
            speakers = tuple(sorted({*chunk.speakers, *members_in(messages)}))
            await replace_or_raise(app, state, chunk, replace(chunk, texts=texts, speakers=speakers), text_fields)
            count += 1
        page = found[-1]
    return count


async def regenerate_embeddings(
    app: App, state: ChatState, *, first: int | None = None, last: int | None = None
) -> int:
    """Make the vectors of chunks, metas and episodes between two message ids anew, by default all; how many.

    Raises:
        NotRegenerable: The chat is private.
        ModelUnavailable: There is no embedder, or it is away; texts after the last one done are as they were.
        Contention: The chat's choices changed meanwhile; run it again.
    """
    _require_public(app.policy, state)
    return await embed_range(app.store, app.embedder, state, first=first, last=last)


def _require_public(policy: Policy, state: ChatState) -> None:
    if choices_for(policy, state).private:
        raise NotRegenerable(f"chat {state.chat_id} is private: its memory is neither read nor made")


async def _require_model(app: App, state: ChatState) -> None:
    if app.model is None:
        raise ModelUnavailable("no language model is configured (GEMINI_API_KEY): what is stored stays as it is")
    if await is_over_budget(app, state):
        raise ModelUnavailable("today's model budget of the chat is used up: what is stored stays as it is")


async def _read_document(store: DocumentStore, policy: Policy, state: ChatState, path: str) -> Document:
    _require_public(policy, state)
    document = await store.get(path)
    if document is None:
        newest = await store.query(path.rpartition("/")[0], order_by=[LAST_FIRST], limit=_NAMED)
        raise NotRegenerable(f"There is no {path}; the newest there: {', '.join(each.id for each in newest) or 'none'}")
    return document


async def _messages_of(store: DocumentStore, state: ChatState, chunk: Chunk) -> list[Message]:
    messages = await readable_by_ids(store, state, chunk.message_ids)
    if not is_worth_asking(messages):
        raise NotRegenerable(f"nothing of chunk {chunk.id} may be read any more")
    return messages


async def _read(app: App, state: ChatState, messages: Sequence[Message]) -> tuple[ModelReply, ChunkReading]:
    """Have the model read a chunk as it reads new talk, but for facts: these are learnt once."""
    shown = number_talk([messages], [], {})
    request = reading_request(app.policy, choices_for(app.policy, state), shown, frozenset(), facts=False)
    reply = await ask_or_raise(app, state.chat_id, request)
    (part,) = read_reply(reply.text, [len(messages)]).parts
    return reply, read_part(part)


def _useful(text: str, what: str) -> str:
    if not text:
        raise ModelRefused(f"the model gave no {what} of use: what is stored stays as it is")
    return text


def _episodic(reading: ChunkReading) -> str:
    return reading.episodic if reading.nothing_to_record else _useful(reading.episodic, "episodic facts")
