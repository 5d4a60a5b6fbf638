"""A chunk's document: the dual memory of ten messages, and what is still to be made of it.

Semantic memory is `summary`, episodic memory `episodic`; both were made from the messages, neither from the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.policy import Policy
from shared.application.ports.store import Document
from shared.application.ports.system import Clock
from shared.application.reading.model_pass import ModelPass
from shared.domain.conversation.messages import SCHEMA, Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.summaries import clean_facts, extractive_summary

if TYPE_CHECKING:
    from shared.application.ports.model import Embedder, LanguageModel


_TELLING = ("summary", "episodic", "themes", "tone", "emotional_arc", "key_topics")

NO_META: Final = "none"
"""In `meta`: nothing was said in this chunk that a meta summary could hold, so it is not counted in any."""


def chunk_fields(
    clock: Clock,
    policy: Policy,
    state: ChatState,
    pending: Sequence[Document],
    messages: Sequence[Message],
    kept: Sequence[Candidate],
    model: ModelPass,
) -> dict[str, Any]:
    """A chunk as first stored.

    `meta` is the id of the meta summary that holds it (None: none yet); `untold` are the positions in `message_ids`
    that no episode holds yet, `told` says that none is left; `sent` and `threads` (0: none) go with `message_ids`;
    `speakers` are the members whose words it was made from; `indexed` is False until the index holds it; `stale` says
    that what it was made from has changed since, and `outdated_fields` counts how often (see `outdated_fields`).
    """
    first, last, now = pending[0].data, pending[-1].data, clock.now()
    texts = chunk_texts(messages, kept, model)
    return {
        "schema": SCHEMA,
        "first": first["message_id"],
        "last": last["message_id"],
        "first_at": first["sent_at"],
        "last_at": last["sent_at"],
        "message_ids": [document.data["message_id"] for document in pending],
        "sent": [document.data["sent_at"] for document in pending],
        "threads": [document.data["thread_id"] or 0 for document in pending],
        "untold": list(range(len(pending))),
        "told": False,
        **texts,
        "meta": meta_mark(texts),
        "made_by": model.made_by,
        "model_pending": model.pending,
        "stale": False,
        **model.embedded.fields(),
        "indexed": False,
        "made_at": now,
        "expire_at": now + state.retention(policy.retention),
    }


def chunk_texts(messages: Sequence[Message], kept: Sequence[Candidate], model: ModelPass) -> dict[str, Any]:
    """The model's texts, and excerpts and what patterns found where it gave none."""
    found = clean_facts("\n".join(f"- {candidate.description}" for candidate in kept))
    return {
        "summary": model.summary or extractive_summary(messages),
        "episodic": model.episodic or ("" if model.nothing_to_record else found),
        "speakers": sorted({m.user_id for m in messages if not m.is_bot}),
    }


def meta_mark(texts: Mapping[str, Any]) -> str | None:
    """`meta` of a chunk that no meta summary holds."""
    return None if told_by(texts) else NO_META


def told_by(data: Mapping[str, Any]) -> str:
    """Return what a chunk's, meta's or episode's document tells: the text that is searched and embedded."""
    given = (data.get(name, "") for name in _TELLING)
    return "\n".join(filter(None, (text if isinstance(text, str) else ", ".join(text) for text in given)))


def emptied_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The changes by which a chunk's, meta's or episode's document tells nothing, and holds nobody's words."""
    return {name: type(data[name])() for name in (*_TELLING, "participants", "speakers") if name in data}


def embeddable(state: ChatState, data: Mapping[str, Any]) -> str:
    """Return what a document tells, for the embedder; "" when it holds words of somebody who has opted out since."""
    return told_by(data) if state.opted_out.isdisjoint(data["speakers"]) else ""


def payer_of(document: Document) -> int | None:
    """The member whose edit has a document made again, or None."""
    by: int | None = document.data.get("edited_by")
    return by


def is_as_read(now: Document, read: Document) -> bool:
    """Return whether nothing that a document was made from has changed since it was read."""
    return bool(now.data.get("outdated", 0) == read.data.get("outdated", 0))


class Redone(NamedTuple):
    """How many documents were made again, and whether the model is still to be asked about some."""

    made: int = 0
    later: bool = False


def waits(model: LanguageModel | None, embedder: Embedder | None, data: Mapping[str, Any]) -> bool:
    """Return whether a document's text waits for the model, or its vector for the embedder, that there is but was away.

    What waits for one that is not configured is looked at when one is (`minds` in `upkeep`).
    """
    for_model = model is not None and data["model_pending"]
    return bool(for_model) or (embedder is not None and data["embedding_model"] is None)
