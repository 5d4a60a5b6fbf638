"""The answer to an update, before it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from shared.application.conversation.reply_codec import ReplyContext
from shared.application.ports.chat import Outgoing, OutgoingFile, OutgoingText
from shared.domain.conversation.messages import Message
from shared.domain.delivery.outgoing import MOST_MENTIONS, restrain, restrain_plain


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """One message of an answer.

    Attributes:
        asks: What a reply to this message means (`asks` in the message's document; see `commands.dispatch`), or None.
            Ids and names of actions only, no words of people.
        private_to: The user into whose private chat it goes instead of the chat, or None.
        otherwise: Said in the chat when the private one is closed to the bot.
    """

    content: Outgoing
    asks: ReplyContext | None = None
    private_to: int | None = None
    otherwise: OutgoingText | None = None


class EarlierQuestion(NamedTuple):
    """A question that the answer to a newer one of its author serves as well; its lease is held by the token."""

    update_id: int
    token: str
    message: Message


@dataclass(frozen=True, slots=True)
class Answer:
    """The pieces, in order; none when nothing is to be said.

    Attributes:
        given: The memories that the model was given (`provenance`), or None for what no memory made.
        serves: Older questions that it answers, too.
    """

    pieces: tuple[AnswerPiece, ...] = ()
    given: Mapping[str, Any] | None = None
    serves: tuple[EarlierQuestion, ...] = ()

    @classmethod
    def of(cls, *contents: Outgoing, given: Mapping[str, Any] | None = None) -> Answer:
        """Pieces that only say something."""
        return cls(tuple(AnswerPiece(content) for content in contents), given)


SILENCE = Answer()
"""Nothing is to be said."""


def restrain_answer(answer: Answer) -> Answer:
    """The answer with links to web pages alone and at most `MOST_MENTIONS` mentions in all its pieces together."""
    pieces: list[AnswerPiece] = []
    left = MOST_MENTIONS
    for piece in answer.pieces:
        content, used = _restrain_content(piece.content, left)
        otherwise = None if piece.otherwise is None else _restrain_text(piece.otherwise, left)[0]
        pieces.append(replace(piece, content=content, otherwise=otherwise))
        left -= used
    return replace(answer, pieces=tuple(pieces))


def _restrain_content(content: Outgoing, mentions: int) -> tuple[Outgoing, int]:
    if not isinstance(content, OutgoingFile):
        return _restrain_text(content, mentions)
    caption, used = _restrain_text(content.caption, mentions)
    return replace(content, caption=caption), used


def _restrain_text(text: OutgoingText, mentions: int) -> tuple[OutgoingText, int]:
    html, plain = restrain(text.html, mentions=mentions), restrain_plain(text.plain, mentions=mentions)
    return replace(text, html=html.text, plain=plain.text), max(html.mentions, plain.mentions)
