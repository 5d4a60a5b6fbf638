"""Telegram's JSON to domain updates, without Telegram's SDK: this runs in every cold start.

Strict about the fields that it reads, blind to the others (the Bot API grows several times a year). Whatever comes,
the outcome is an update or `UnparseableUpdate`: an exception that escaped would make Telegram redeliver for ever.
Errors name the path of the field, never its content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from infra.telegram.json import Node
from infra.telegram.membership import parse_member, parse_membership
from infra.telegram.messages import parse_edited, parse_received, thread_of
from infra.telegram.people import chat_of, name_of
from shared.domain.errors import SettingsError, UnparseableUpdate
from shared.domain.intake.updates import (
    ButtonPressed,
    GenerationStopped,
    Ignored,
    ReactionChanged,
    Update,
)

_TOKEN = re.compile(r"([0-9]{1,16}):[A-Za-z0-9_-]+")


def bot_id(token: str) -> int:
    """The bot's own user id: the number before the colon of its token.

    Raises:
        SettingsError: The token is malformed.
    """
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise SettingsError("TELEGRAM_BOT_TOKEN is not a bot token; copy it from @BotFather (123456:ABC-DEF…)")
    return int(match[1])


def decode_update(body: bytes) -> object:
    """The JSON value of a webhook's body.

    Raises:
        UnparseableUpdate: It is not JSON, not UTF-8, or nested beyond reason.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnparseableUpdate(f"the body is not JSON ({type(error).__name__})") from error


def parse_update(raw: object) -> Update:
    """Return what the decoded JSON of one update means.

    Raises:
        UnparseableUpdate: A field that we read is missing or of the wrong type or range; the message names its path.
    """
    if type(raw) is not dict:
        raise UnparseableUpdate("update is not an object")
    update = Node(raw, "update")
    update_id = update.integer("update_id")
    for kind, parse in _PARSERS.items():
        body = update.find(kind)
        if body is not None:
            return parse(update_id, body)
    return Ignored(update_id, "another kind of update")


def _parse_pressed(update_id: int, node: Node) -> Update:
    data, user, message = node.find_text("data"), node.child("from"), node.find("message")
    if data is None:
        return Ignored(update_id, "a button without data")
    return ButtonPressed(
        update_id=update_id,
        callback_id=node.text("id"),
        chat=None if message is None else chat_of(message.child("chat")),
        message_id=None if message is None else message.integer("message_id"),
        thread_id=None if message is None else thread_of(message),
        user_id=user.integer("id"),
        name=name_of(user),
        language_code=user.find_text("language_code"),
        data=data,
        offered=None if message is None else _offered_data(message),
    )


def _offered_data(message: Node) -> frozenset[str] | None:
    """The data of a message's buttons; None of one that is not shown any more (an InaccessibleMessage's date is 0)."""
    if not message.find_integer("date"):
        return None
    markup = message.find("reply_markup")
    buttons = () if markup is None else markup.table("inline_keyboard")
    return frozenset(data for button in buttons if (data := button.find_text("callback_data")) is not None)


def _parse_reaction(update_id: int, node: Node) -> Update:
    """One member's reactions. The anonymous counts of `message_reaction_count` do not say whose they are, so they
    cannot be one vote a member, and are not asked for."""
    actor = node.find("user") or node.find("actor_chat")
    if actor is None:
        return Ignored(update_id, "a reaction of nobody")
    reactions = (each.find_text("emoji") for each in node.children("new_reaction") if each.text("type") == "emoji")
    return ReactionChanged(
        update_id=update_id,
        chat=chat_of(node.child("chat")),
        message_id=node.integer("message_id"),
        user_id=actor.integer("id"),
        emojis=tuple(emoji for emoji in reactions if emoji),
        at=node.date("date"),
    )


def _parse_stopped(update_id: int, node: Node) -> Update:
    return GenerationStopped(update_id, chat_of(node.child("chat")), node.integer("draft_id"))


_PARSERS: dict[str, Callable[[int, Node], Update]] = {
    "message": parse_received,
    "edited_message": parse_edited,
    "callback_query": _parse_pressed,
    "my_chat_member": parse_membership,
    "chat_member": parse_member,
    "message_reaction": _parse_reaction,
    "stopped_message_generation": _parse_stopped,
}
