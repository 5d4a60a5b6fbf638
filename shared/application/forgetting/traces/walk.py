"""Finds texts, people, messages and instants in a document of any kind, however deep they lie.

This is the one place where forgetting looks at documents without their codecs, and it must: words may stand in fields
of older versions, in fields that were added later, and in archives. It iterates over whatever there is, and knows no
fields but those few by which people, messages and instants are stored everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document
from shared.application.recall.head_codec import segment_of
from shared.domain.recall.index.segment import Segment, SegmentUnreadable

_SAID_AT = ("sent_at", "at", "last_seen_at")
_TIMES = ("sent_at", "at", "last_at", "made_at", "last_seen_at", "updated_at", "last_reinforced_at")
_PEOPLE = ("people", "speakers", "user_ids", "supporters", "reacted_by", "origin_ids")
_MESSAGES = ("message_ids", "evidence_message_ids")


class Reference(NamedTuple):
    """A part of a document (or all of it) that names somebody or a message: a quote, a voice, a ruling, a message.

    Attributes:
        user_id, message_id: Whom and which message it names, or None.
        said_at: When that was said or decided, or None.
        quote: The words that it quotes, or None.
        fields: All of it, as stored.
    """

    user_id: int | None
    message_id: int | None
    said_at: datetime | None
    quote: str | None
    fields: Mapping[str, Any]


def collection_of(document: Document) -> str:
    """Return the collection of a chat in which a document lies, however deep ("messages"); "" outside of these."""
    top, *rest = document.path.split("/")
    return rest[1] if top == "chats" and len(rest) > 1 else ""


def is_chat(document: Document) -> bool:
    """Return whether it is a chat's own document."""
    return document.path.startswith("chats/") and document.path.count("/") == 1


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a document."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)


def references(value: Any) -> Iterator[Reference]:
    """Yield every quote, voice and ruling in a document, and the document itself when it names somebody."""
    match value:
        case dict():
            if "user_id" in value or "message_id" in value:
                at = next((value[name] for name in _SAID_AT if value.get(name)), None)
                yield Reference(value.get("user_id"), value.get("message_id"), at, value.get("quote"), value)
            for inner in value.values():
                yield from references(inner)
        case list() | tuple():
            for inner in value:
                yield from references(inner)


def quotes(value: Any) -> Iterator[Reference]:
    """Yield those references that quote somebody."""
    return (each for each in references(value) if each.quote is not None)


def people_listed(fields: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the members that a document lists, without saying more of them, and of whom it is about."""
    for name in _PEOPLE:
        yield from (each for each in fields.get(name) or () if isinstance(each, int))
    subject = str(fields.get("subject"))
    if subject.startswith("user:"):
        yield int(subject.removeprefix("user:"))


def messages_listed(fields: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the messages that a document lists, without saying more of them."""
    return (each for name in _MESSAGES for each in fields.get(name) or () if isinstance(each, int))


def begun_at(fields: Mapping[str, Any]) -> datetime | None:
    """Return when what a document tells of was said or first seen; None when it does not tell."""
    at: datetime | None = fields.get("sent_at") or fields.get("first_seen_at")
    return at


def instant_of(fields: Mapping[str, Any]) -> datetime | None:
    """Return when a document, or a part of one, was said, made or changed; None when it does not tell."""
    return next((at for name in _TIMES if isinstance(at := fields.get(name), datetime)), None)


def segment_in(document: Document) -> Segment | None:
    """Return the segment of the index that a document holds; None when it holds none that can be read."""
    try:
        return segment_of(document)[0] if "payload" in document.data else None
    except SegmentUnreadable:
        return None
