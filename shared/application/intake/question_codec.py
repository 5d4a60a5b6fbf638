"""The codec of what an update asks, in `updates/{update_id}` until it is dealt with: taken in by one function, answered
by another.

The words of a question are not in it: they are read from its message when it is answered, so an edited question is
answered as edited, and a forgotten one not at all. The code that deals with it keeps `state` and what comes after it
(`delivery.ledger_codec`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from shared.application.conversation.message_codec import read_words, words_fields
from shared.application.derived_codec import DerivedCodec
from shared.domain.conversation.messages import SCHEMA, Message
from shared.domain.intake.updates import ButtonPressed, ChatInfo, GenerationStopped, MembershipChanged, ReactionChanged

if TYPE_CHECKING:
    from datetime import timedelta

    from shared.application.ports.store import Document
    from shared.domain.intake.updates import MessageReceived

ASKED = "asked"
"""The state of what nobody has begun to deal with."""


class MessageAsk(NamedTuple):
    """The details of what a message asks, beyond the message itself.

    Attributes:
        chat: As the update described it; its id may be that from before a migration.
        is_unasked: Nobody asked the bot: it may join in.
        is_command: It began with one of our commands.
        language_code, mentioned_ids, reply_to_user_id: As of `MessageUpdate`.
        unkept: The message, where it is not stored because its author opted out; else None.
    """

    chat: ChatInfo
    is_unasked: bool = False
    is_command: bool = False
    language_code: str | None = None
    mentioned_ids: tuple[int, ...] = ()
    reply_to_user_id: int | None = None
    unkept: Message | None = None


Gesture = ButtonPressed | MembershipChanged | ReactionChanged | GenerationStopped

Ask = MessageAsk | Gesture


class Question(NamedTuple):
    """A question that an update asks.

    Attributes:
        chat_id, message_id: Where it was asked, under the id that the chat had when it was taken in; 0 for what is no
            message.
        ask: None when it was dealt with, or its author was forgotten.
    """

    update_id: int
    state: str
    chat_id: int
    message_id: int
    received_at: datetime
    ask: Ask | None


_CHAT = DerivedCodec(ChatInfo, sparse=["title", "username", "is_forum"])
_MESSAGE = DerivedCodec(
    MessageAsk,
    sparse=["is_unasked", "is_command", "mentioned_ids", "reply_to_user_id"],
    apart=["unkept"],
    parts=[_CHAT],
)
_GESTURES: Mapping[str, DerivedCodec[Any]] = {
    "press": DerivedCodec(ButtonPressed, parts=[_CHAT]),
    "membership": DerivedCodec(MembershipChanged, names={"by_user_id": "user_id"}, parts=[_CHAT]),
    "reaction": DerivedCodec(ReactionChanged, parts=[_CHAT]),
    "stop": DerivedCodec(GenerationStopped, parts=[_CHAT]),
}
_KINDS = {codec.kept: kind for kind, codec in _GESTURES.items()}
_BESIDE = frozenset(("update_id", "user_id", "thread_id", "offered"))
"""Fields of an update that stand beside what it asks, or are not kept."""

# --- writing -------------------------------------------------------------------------------------


def message_asked(
    update: MessageReceived, message: Message, *, is_kept: bool, is_unasked: bool = False
) -> dict[str, Any]:
    """Return the fields of a message that calls for an answer.

    Args:
        message: Under the chat's current id.
        is_kept: It is stored, so that its words need not stand here.
    """
    asked = MessageAsk(
        update.chat,
        is_unasked,
        update.command is not None,
        update.language_code,
        tuple(update.mentioned_ids),
        update.reply_to_user_id,
    )
    words = {} if is_kept else {"unkept": words_fields(message)}  # apart, for what is asked may be kept longer
    where = _place_fields(message.chat_id, message.user_id, message.thread_id, message.message_id)
    return where | words | {"ask": {"kind": "message", **_MESSAGE.fields(asked)}}


def gesture_asked(update: Gesture, chat_id: int) -> dict[str, Any]:
    """Return the fields of what somebody does without words, or of the bot's being added to a group. Who stops an
    answer does so in their private chat, which has their id.

    Args:
        chat_id: The current id of the chat in which it is done.
    """
    kind = _KINDS[type(update)]
    fields = _GESTURES[kind].fields(update)
    ask = {"kind": kind, **{name: value for name, value in fields.items() if name not in _BESIDE}}
    return _place_fields(chat_id, fields.get("user_id", chat_id), fields.get("thread_id")) | {"ask": ask}


def new_question(asked: Mapping[str, Any], *, now: datetime, kept: timedelta) -> dict[str, Any]:
    """Return the document of what was asked now."""
    ask = asked["ask"]
    is_counted = ask["kind"] in ("message", "press") and not ask.get("is_unasked")
    counted = {"counted_at": now} if is_counted else {}  # against the limits of asking (`delivery.limits`)
    return {"schema": SCHEMA, "state": ASKED, **asked, **counted, "received_at": now, "expire_at": now + kept}


def ask_again_fields(document: Document | None) -> dict[str, Any] | None:
    """Return the change by which who is making an answer has it made again, or None when nobody is."""
    data = {} if document is None else document.data
    is_begun = data.get("outbox") is not None or data.get("is_composed_again") or data.get("limit") is not None
    return None if data.get("state") != "answering" or is_begun else {"state": ASKED, "token": "", "lease_until": None}


def _place_fields(chat_id: int, user_id: int, thread_id: int | None, message_id: int = 0) -> dict[str, Any]:
    return {"chat_id": chat_id, "user_id": user_id, "thread_id": thread_id, "message_id": message_id}


# --- reading -------------------------------------------------------------------------------------


def read_question(document: Document) -> Question:
    """Return what an update asks; fields that an entry of other times lacks are empty."""
    data = document.data
    update_id = int(document.id)
    return Question(
        update_id=update_id,
        state=data.get("state", ""),
        chat_id=data.get("chat_id") or 0,
        message_id=data.get("message_id") or 0,
        received_at=data["received_at"],
        ask=_read_ask(update_id, data),
    )


def _read_ask(update_id: int, data: Mapping[str, Any]) -> Ask | None:
    ask = data.get("ask")
    if ask is None or data.get("user_id") is None:
        return None
    kind: Literal["message", "press", "membership", "reaction", "stop"] = ask["kind"]
    if kind == "message":
        unkept = data.get("unkept")
        return _MESSAGE.read(ask, unkept=None if unkept is None else read_words(data["chat_id"], unkept))
    beside = {"update_id": update_id, "user_id": data["user_id"], "thread_id": data.get("thread_id")}
    gesture: Gesture = _GESTURES[kind].read({**ask, **beside})
    return gesture
