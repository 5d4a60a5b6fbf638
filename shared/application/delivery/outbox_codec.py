"""The pieces of an answer as the ledger stores them, until they are sent."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.application.conversation.reply_codec import read_reply_context, reply_context_fields
from shared.application.delivery.answer import AnswerPiece
from shared.application.ports.chat import Button, Outgoing, OutgoingFile, OutgoingText
from shared.application.ports.store import Document

LARGEST = 600_000
"""Bytes of an outbox: with its frame well under a document's 1 MiB (Firestore's limit). A larger one is
not stored; its answer is composed again when it is interrupted."""


def outbox_to_fields(pieces: Sequence[AnswerPiece]) -> list[dict[str, Any]] | None:
    """The pieces as stored, or None when they are too large for a document."""
    if sum(map(_bytes, pieces)) > LARGEST:
        return None
    return [_piece_to_fields(piece) for piece in pieces]


def outbox_from_fields(stored: Sequence[Mapping[str, Any]]) -> tuple[AnswerPiece, ...]:
    """Return the pieces that are stored."""
    return tuple(_piece_from_fields(piece) for piece in stored)


def _bytes(piece: AnswerPiece) -> int:
    content, extra = piece.content, piece.otherwise
    texts = [content.caption if isinstance(content, OutgoingFile) else content, *([extra] if extra is not None else [])]
    file = len(content.content) if isinstance(content, OutgoingFile) else 0
    return file + sum(len((text.html + text.plain).encode("utf-8", "replace")) for text in texts)


def _piece_to_fields(piece: AnswerPiece) -> dict[str, Any]:
    otherwise = None if piece.otherwise is None else _text_to_fields(piece.otherwise)
    more = {"asks": reply_context_fields(piece.asks), "private_to": piece.private_to, "otherwise": otherwise}
    return {"content": _content_to_fields(piece.content), **more}


def _piece_from_fields(data: Mapping[str, Any]) -> AnswerPiece:
    otherwise = None if data["otherwise"] is None else _text_from_fields(data["otherwise"])
    asks = read_reply_context(data["asks"])
    return AnswerPiece(_content_from_fields(data["content"]), asks, data["private_to"], otherwise)


def _content_to_fields(content: Outgoing) -> dict[str, Any]:
    if isinstance(content, OutgoingText):
        return _text_to_fields(content)
    file = {"name": content.name, "mime_type": content.mime_type, "content": content.content}
    return _text_to_fields(content.caption) | {"file": file}


def _content_from_fields(data: Mapping[str, Any]) -> Outgoing:
    text, file = _text_from_fields(data), data.get("file")
    return text if file is None else OutgoingFile(file["name"], file["mime_type"], file["content"], text)


def _text_to_fields(text: OutgoingText) -> dict[str, Any]:
    rows = [{"row": [{"label": b.label, "data": b.data} for b in row]} for row in text.buttons]
    return {"html": text.html, "plain": text.plain, "buttons": rows, "people": sorted(text.people)}


def _text_from_fields(data: Mapping[str, Any]) -> OutgoingText:
    rows = tuple(tuple(Button(b["label"], b["data"]) for b in row["row"]) for row in data["buttons"])
    return OutgoingText(data["html"], data["plain"], rows, frozenset(data.get("people", ())))


class UnsentAnswer(NamedTuple):
    """An answer of which something is still to be sent.

    Attributes:
        reply_to: The message that it answers, or None.
        stored_pieces: Its pieces as stored; None when it is too large to be stored, and composed again.
        is_given: Whether what the model was given for it is kept.
    """

    reply_to: int | None
    stored_pieces: Sequence[Mapping[str, Any]] | None
    is_given: bool


def read_unsent(document: Document) -> UnsentAnswer | None:
    """Read what is still to be sent for an update, whatever its pieces look like; None when nothing is."""
    data = document.data
    pieces = data.get("outbox")
    if pieces is None and not data.get("is_composed_again"):
        return None
    return UnsentAnswer(data.get("reply_to"), pieces, bool(data.get("is_given")))
