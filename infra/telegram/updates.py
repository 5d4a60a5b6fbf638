"""Telegram's JSON to domain updates, without Telegram's SDK: this runs in every cold start.

Strict about the fields that it reads, blind to the others (the Bot API grows several times a year). Whatever comes,
the outcome is an update or `UnparseableUpdate`: an exception that escaped would make Telegram redeliver for ever.
Errors name the path of the field, never its content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from infra.telegram.json import Node
from shared.domain.conversation.messages import Message, name_mark
from shared.domain.errors import SettingsError, UnparseableUpdate
from shared.domain.intake.updates import (
    AdminChanged,
    ButtonPressed,
    ChatInfo,
    ChatMigratedTo,
    Ignored,
    MemberLeft,
    MembershipChanged,
    MembershipStatus,
    MessageEdited,
    MessageReceived,
    ReactionChanged,
    TypedCommand,
    Update,
)

_TOKEN = re.compile(r"([0-9]{1,16}):[A-Za-z0-9_-]+")
_MENTION = r"@([A-Za-z0-9_]+)"
_COMMAND = r"/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?"

# Before its twin: an animation also fills `document`, a live photo `photo`, a venue `location`.
_CONTENT = (
    *("animation", "live_photo", "photo", "video", "video_note", "voice", "audio", "document", "sticker"),
    *("story", "paid_media", "rich_message", "checklist", "contact", "dice", "game", "poll", "venue", "location"),
    *("invoice", "giveaway", "giveaway_winners"),
)
_FILES = frozenset(("animation", "live_photo", "video", "video_note", "voice", "audio", "document", "sticker"))
_ADMINISTRATORS = frozenset(("creator", "administrator"))


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


# --- People and chats --------------------------------------------------------------------------


def _name(node: Node) -> str:
    """First and last name, or the title; the username or the id when nothing of it can be seen."""
    parts = (node.find_text(key) for key in ("title", "first_name", "last_name"))
    name = " ".join(part.strip() for part in parts if part and part.strip())
    if any(character.isprintable() and not character.isspace() for character in name):
        return name
    return node.find_text("username") or str(node.integer("id"))


def _chat(node: Node) -> ChatInfo:
    parts = (node.find_text(key) for key in ("title", "first_name", "last_name"))
    return ChatInfo(
        chat_id=node.integer("id"),
        type=node.text("type"),
        title=" ".join(part.strip() for part in parts if part and part.strip()),
        username=node.find_text("username"),
        is_forum=node.flag("is_forum"),
    )


def _speaker(message: Node) -> Node | None:
    """Return who speaks: the chat spoken for, else the user (who is a placeholder bot when a chat is spoken for)."""
    return message.find("sender_chat") or message.find("from")


# --- Messages ----------------------------------------------------------------------------------


def _parse_received(update_id: int, node: Node) -> Update:
    return _parse_said(update_id, node, MessageReceived)


def _parse_edited(update_id: int, node: Node) -> Update:
    return _parse_said(update_id, node, MessageEdited)


def _parse_said(update_id: int, node: Node, update_type: type[MessageReceived | MessageEdited]) -> Update:
    chat = _chat(node.child("chat"))
    migration = _migration(update_id, node, chat.chat_id)
    if migration is not None:
        return migration
    leaver = node.find("left_chat_member")
    if leaver is not None and chat.type != "channel":
        return _member_left(update_id, chat, leaver, node.date("date"))
    kind, speaker = _kind(node), _speaker(node)
    if kind is None:
        return Ignored(update_id, "a service message")
    if speaker is None or chat.type == "channel":
        return Ignored(update_id, "a message of nobody")
    replied = _replied_node(node)
    author = None if replied is None else _speaker(replied)
    message = _message(node, chat, speaker, kind, replied)
    mentions, mentioned_ids, command = _addressing(node, message.text)
    return update_type(
        update_id=update_id,
        message=message,
        chat=chat,
        language_code=None if node.has("sender_chat") else speaker.find_text("language_code"),
        mentions=mentions,
        mentioned_ids=mentioned_ids,
        reply_to_user_id=None if author is None else author.integer("id"),
        command=command,
    )


def _migration(update_id: int, node: Node, chat_id: int) -> ChatMigratedTo | None:
    new, old = node.find_integer("migrate_to_chat_id"), node.find_integer("migrate_from_chat_id")
    if new is not None:
        return ChatMigratedTo(update_id, chat_id, new)
    return None if old is None else ChatMigratedTo(update_id, old, chat_id)


def _kind(node: Node) -> str | None:
    """Return what the message consists of, or None for a service message."""
    if node.has("text"):
        return "text"
    return next((kind for kind in _CONTENT if node.has(kind)), None)


def _message(node: Node, chat: ChatInfo, speaker: Node, kind: str, replied: Node | None) -> Message:
    as_chat = node.has("sender_chat")
    speaker_id = speaker.integer("id")
    quote = node.find("quote")
    origin_ids, origin_names, origin_at = _origins(node, replied)
    return Message(
        chat_id=chat.chat_id,
        message_id=node.integer("message_id"),
        sent_at=node.date("date"),
        user_id=speaker_id,
        name=_name(speaker),
        username=speaker.find_text("username"),
        text=node.find_text("text") or node.find_text("caption") or "",
        kind=kind,
        is_bot=not as_chat and speaker.flag("is_bot"),
        # Only administrators can speak as the group itself. An automatic forward comes from its channel, never from it.
        is_admin=True if as_chat and speaker_id == chat.chat_id else None,
        reply_to=None if replied is None else replied.integer("message_id"),
        quote=None if quote is None else quote.text("text"),
        thread_id=_thread(node),
        forwarded=node.flag("is_automatic_forward") or node.has("forward_origin") or node.has("via_bot"),
        edited_at=node.find_date("edit_date"),
        media=_media(node, kind),
        origin_ids=origin_ids,
        origin_names=origin_names,
        origin_at=origin_at,
    )


def _origins(node: Node, replied: Node | None) -> tuple[tuple[int, ...], tuple[str, ...], datetime | None]:
    """Return whose words a message carries or answers: ids, marks of the names of those who hide their account, and
    when the oldest of it was said."""
    external = node.find("external_reply")
    origins = [_origin(node, "forward_origin"), _origin(external, "origin"), _origin(replied, "forward_origin")]
    people = [None if origin is None else _person(origin) for origin in origins]
    people += [None if replied is None else _speaker(replied)]
    people += [_storyteller(node, "reply_to_story"), _storyteller(node, "story")]
    ids = {each.integer("id"): None for each in people if isinstance(each, Node)}
    names = {name_mark(each): None for each in people if isinstance(each, str) and each}
    dates = [date for each in (*origins, replied) if each is not None and (date := each.find_date("date"))]
    return tuple(ids), tuple(names), min(dates, default=None)


def _origin(node: Node | None, key: str) -> Node | None:
    return None if node is None else node.find(key)


def _person(origin: Node) -> Node | str | None:
    """The person or chat of a MessageOrigin; of who hides their account the name."""
    return (
        origin.find("sender_user")
        or origin.find("sender_chat")
        or origin.find("chat")
        or origin.find_text("sender_user_name")
    )


def _storyteller(node: Node, key: str) -> Node | None:
    story = node.find(key)
    return None if story is None else story.find("chat")


def _replied_node(node: Node) -> Node | None:
    """The message replied to. In a forum, what replies to nothing "replies" to the message that opened the topic."""
    replied = node.find("reply_to_message")
    return None if replied is None or replied.has("forum_topic_created") else replied


def _thread(node: Node) -> int | None:
    # Outside forums, message_thread_id only marks a chain of replies, and sending to it is refused.
    return node.find_integer("message_thread_id") if node.flag("is_topic_message") else None


def _media(node: Node, kind: str) -> dict[str, Any] | None:
    """Return what `Message.media` holds, or None for a message without a file."""
    file = _largest(node) if kind == "photo" else node.child(kind) if kind in _FILES else None
    if file is None:
        return None
    thumbnail = file.find("thumbnail")
    return _present(
        **_reference(file),
        mime_type=_sticker_type(file) if kind == "sticker" else file.find_text("mime_type"),
        duration=file.find_integer("duration"),
        file_name=file.find_text("file_name"),
        emoji=file.find_text("emoji"),
        thumbnail=None if thumbnail is None else _present(**_reference(thumbnail)),
        media_group_id=node.find_text("media_group_id"),
    )


def _largest(node: Node) -> Node | None:
    sizes = node.children("photo")
    return max(sizes, key=lambda size: size.integer("width") * size.integer("height"), default=None)


def _reference(file: Node) -> dict[str, Any]:
    return {
        "file_id": file.text("file_id"),
        "file_unique_id": file.text("file_unique_id"),
        "file_size": file.find_integer("file_size"),
    }


def _sticker_type(sticker: Node) -> str:
    """The format that the Bot API documents for each kind of sticker; it does not send it."""
    if sticker.flag("is_animated"):
        return "application/x-tgsticker"
    return "video/webm" if sticker.flag("is_video") else "image/webp"


def _present(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


# --- Entities ----------------------------------------------------------------------------------


def _addressing(node: Node, text: str) -> tuple[tuple[str, ...], tuple[int, ...], TypedCommand | None]:
    mentions: dict[str, None] = {}
    ids: dict[int, None] = {}
    command: TypedCommand | None = None
    for kind, offset, words, rest, entity in _entities(node, text):
        if kind == "mention" and (match := re.fullmatch(_MENTION, words)):
            mentions[match[1].lower()] = None
        elif kind == "text_mention" and (user := entity.find("user")):
            ids[user.integer("id")] = None
        elif kind == "bot_command" and offset == 0 and (match := re.fullmatch(_COMMAND, words)):
            command = TypedCommand(match[1].lower(), match[2].lower() if match[2] else None, rest.strip())
    return tuple(mentions), tuple(ids), command


def _entities(node: Node, text: str) -> Iterator[tuple[str, int, str, str, Node]]:
    """Type, offset, covered words and the text after them; entities that do not lie within the text are left out.

    Offsets count UTF-16 units, so an emoji is two.
    """
    units = text.encode("utf-16-le")
    for entity in node.children("entities" if node.has("text") else "caption_entities"):
        kind, offset, length = entity.text("type"), entity.integer("offset"), entity.integer("length")
        end = 2 * (offset + length)
        if offset >= 0 and length > 0 and end <= len(units):
            words, rest = units[2 * offset : end], units[end:]
            yield kind, offset, words.decode("utf-16-le", "replace"), rest.decode("utf-16-le", "replace"), entity


# --- Buttons, reactions and membership --------------------------------------------------------------------


def _parse_pressed(update_id: int, node: Node) -> Update:
    data, user, message = node.find_text("data"), node.child("from"), node.find("message")
    if data is None:
        return Ignored(update_id, "a button without data")
    return ButtonPressed(
        update_id=update_id,
        callback_id=node.text("id"),
        chat=None if message is None else _chat(message.child("chat")),
        message_id=None if message is None else message.integer("message_id"),
        thread_id=None if message is None else _thread(message),
        user_id=user.integer("id"),
        name=_name(user),
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


def _membership(update_id: int, node: Node) -> Update:
    old, new = node.child("old_chat_member"), node.child("new_chat_member")
    user = node.child("from")
    return MembershipChanged(
        update_id,
        _chat(node.child("chat")),
        _membership_status(old, new),
        user.integer("id"),
        user.find_text("language_code"),
    )


def _changed_member(update_id: int, node: Node) -> Update:
    """Somebody else's status; the bot's own comes as `my_chat_member`."""
    old, new, chat = node.child("old_chat_member"), node.child("new_chat_member"), _chat(node.child("chat"))
    was_admin, is_admin = (member.text("status") in _ADMINISTRATORS for member in (old, new))
    if chat.type == "channel" or (was_admin == is_admin and (_is_member(new) or not _is_member(old))):
        return Ignored(update_id, "a member who stays")
    user, at = new.child("user"), node.date("date")
    if _is_member(new):
        return _admin_changed(update_id, chat, user, at, is_admin=is_admin)
    return _member_left(update_id, chat, user, at, was_admin=was_admin)


def _admin_changed(update_id: int, chat: ChatInfo, user: Node, at: datetime, *, is_admin: bool) -> Update:
    if user.flag("is_bot"):
        return Ignored(update_id, "another bot's rights")
    return AdminChanged(update_id, chat, user.integer("id"), at, is_admin)


def _member_left(update_id: int, chat: ChatInfo, user: Node, at: datetime, *, was_admin: bool = False) -> Update:
    if user.flag("is_bot"):
        return Ignored(update_id, "a bot left")
    return MemberLeft(update_id, chat, user.integer("id"), at, was_admin)


def _parse_reaction(update_id: int, node: Node) -> Update:
    """One member's reactions. The anonymous counts of `message_reaction_count` do not say whose they are, so they
    cannot be one vote a member, and are not asked for."""
    actor = node.find("user") or node.find("actor_chat")
    if actor is None:
        return Ignored(update_id, "a reaction of nobody")
    reactions = (each.find_text("emoji") for each in node.children("new_reaction") if each.text("type") == "emoji")
    return ReactionChanged(
        update_id=update_id,
        chat=_chat(node.child("chat")),
        message_id=node.integer("message_id"),
        user_id=actor.integer("id"),
        emojis=tuple(emoji for emoji in reactions if emoji),
        at=node.date("date"),
    )


def _membership_status(old: Node, new: Node) -> MembershipStatus:
    if _is_member(old) != _is_member(new):
        return "joined" if _is_member(new) else "left"
    was_admin, is_admin = (member.text("status") in _ADMINISTRATORS for member in (old, new))
    if was_admin == is_admin:
        return "changed"
    return "promoted" if is_admin else "demoted"


def _is_member(member: Node) -> bool:
    status = member.text("status")
    return member.flag("is_member") if status == "restricted" else status in _ADMINISTRATORS or status == "member"


_PARSERS: dict[str, Callable[[int, Node], Update]] = {
    "message": _parse_received,
    "edited_message": _parse_edited,
    "callback_query": _parse_pressed,
    "my_chat_member": _membership,
    "chat_member": _changed_member,
    "message_reaction": _parse_reaction,
}
