"""What a message says, in either format: a mark of what it carries besides words, then its text as data."""

from __future__ import annotations

from typing import NamedTuple

from shared.domain.answering.context.escaping import escape_line
from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message


class Body(NamedTuple):
    """What was said.

    Attributes:
        text: As typed.
        mark: As `media.mark` writes it, or "".
    """

    text: str
    mark: str = ""


def body_of(message: Message) -> Body:
    """A message's words, and what else it carries; the kind where it has neither."""
    return Body(message.text, mark(message) or ("" if message.text else f"[{message.kind}]"))


def format_body(body: Body, *, keep: str = "") -> str:
    """The body as data; `keep` as in `escape_line`."""
    return " ".join(filter(None, (body.mark, escape_line(body.text, keep=keep))))
