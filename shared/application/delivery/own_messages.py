"""What the bot said, as a message of its own in the chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from shared.application.conversation.message_codec import new_message, own_message_fields
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import UpdateId
from shared.application.documents import message_path
from shared.application.policy import Policy
from shared.application.ports.chat import SentMessage
from shared.application.ports.store import Set
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import Message


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an answer goes: chat, topic, and the message it replies to."""

    chat_id: int
    reply_to: int | None = None
    thread_id: int | None = None


def own_message(
    clock: Clock,
    policy: Policy,
    to: Destination,
    piece: AnswerPiece,
    sent: SentMessage,
    *,
    answer: UpdateId | None,
    retention: timedelta,
) -> Set:
    """The write that remembers a sent piece as the bot's own message.

    Args:
        to: Where it went.
        answer: Under which update's id it is kept what the model was given for it, or None.
    """
    said = (piece.otherwise if to.chat_id != piece.private_to else None) or piece.content
    message = Message(
        chat_id=to.chat_id,
        message_id=sent.message_id,
        sent_at=sent.sent_at,
        user_id=policy.bot_id,
        name=policy.bot_names[0],
        username=policy.bot_username,
        text=said.plain,
        is_bot=True,
        reply_to=to.reply_to,
        thread_id=to.thread_id,
    )
    stored = new_message(message, now=clock.now(), retention=retention)
    own = stored._replace(reply_context=piece.asks, people=tuple(sorted(said.people)))
    return Set(message_path(to.chat_id, sent.message_id), own_message_fields(own, answer=answer))
