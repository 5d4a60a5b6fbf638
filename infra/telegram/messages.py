"""Telegram's messages to the domain's: authors, replies, forwards, files, mentions and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from infra.telegram.json import Node
from infra.telegram.membership import member_left
from infra.telegram.people import chat_of, name_of, speaker_of
from shared.domain.conversation.messages import MediaFile, Message, name_mark
from shared.domain.intake.updates import (
    ChatInfo,
    ChatMigratedTo,
    Ignored,
    MessageEdited,
    MessageReceived,
    TypedCommand,
    Update,
)

_MENTION = r"@([A-Za-z0-9_]+)"
_COMMAND = r"/([A-Za-z0-9_]+)(?:@([A-Za-z0-9_]+))?"


# Before its twin: an animation also fills `document`, a live photo `photo`, a venue `location`.
_CONTENT = (
    *("animation", "live_photo", "photo", "video", "video_note", "voice", "audio", "document", "sticker"),
    *("story", "paid_media", "rich_message", "checklist", "contact", "dice", "game", "poll", "venue", "location"),
    *("invoice", "giveaway", "giveaway_winners"),
)
_FILES = frozenset(("animation", "live_photo", "video", "video_note", "voice", "audio", "document", "sticker"))


def parse_received(update_id: int, node: Node) -> Update:
    """Return what a new message means."""
    return _parse_said(update_id, node, MessageReceived)


def parse_edited(update_id: int, node: Node) -> Update:
    """Return what an edited message means."""
    return _parse_said(update_id, node, MessageEdited)


def _parse_said(update_id: int, node: Node, update_type: type[MessageReceived | MessageEdited]) -> Update:
    chat = chat_of(node.child("chat"))
    migration = _migration(update_id, node, chat.chat_id)
    if migration is not None:
        return migration
    leaver = node.find("left_chat_member")
    if leaver is not None and chat.type != "channel":
        return member_left(update_id, chat, leaver, node.date("date"))
    kind, speaker = _kind(node), speaker_of(node)
    if kind is None:
        return Ignored(update_id, "a service message")
    if speaker is None or chat.type == "channel":
        return Ignored(update_id, "a message of nobody")
    replied = _replied_node(node)
    author = None if replied is None else speaker_of(replied)
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
        name=name_of(speaker),
        username=speaker.find_text("username"),
        text=node.find_text("text") or node.find_text("caption") or "",
        kind=kind,
        is_bot=not as_chat and speaker.flag("is_bot"),
        # Only administrators can speak as the group itself. An automatic forward comes from its channel, never from it.
        is_admin=True if as_chat and speaker_id == chat.chat_id else None,
        reply_to=None if replied is None else replied.integer("message_id"),
        quote=None if quote is None else quote.text("text"),
        thread_id=thread_of(node),
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
    people += [None if replied is None else speaker_of(replied)]
    people += [_storyteller(node, "reply_to_story"), _storyteller(node, "story")]
    ids = {each.integer("id"): None for each in people if isinstance(each, Node)}
    names = {name_mark(each): None for each in people if isinstance(each, str) and each}
    dates = [date for each in (*origins, replied) if each is not None and (date := each.find_date("date"))]
    return tuple(ids), tuple(names), min(dates, default=None)


def _origin(node: Node | None, key: str) -> Node | None:
    return None if node is None else node.find(key)


def _person(origin: Node) -> Node | str | None:
    """The person or chat of a MessageOrigin; for a hidden account the name."""
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


def thread_of(node: Node) -> int | None:
    """Return the topic that a message stands in, None outside of forums."""
    # Outside forums, message_thread_id only marks a chain of replies, and sending to it is refused.
    return node.find_integer("message_thread_id") if node.flag("is_topic_message") else None


def _media(node: Node, kind: str) -> MediaFile | None:
    """Return the file that a message carries, or None."""
    file = _largest(node) if kind == "photo" else node.child(kind) if kind in _FILES else None
    if file is None:
        return None
    thumbnail = file.find("thumbnail")
    return _reference(file)._replace(
        mime_type=_sticker_type(file) if kind == "sticker" else file.find_text("mime_type"),
        duration=file.find_integer("duration"),
        file_name=file.find_text("file_name"),
        emoji=file.find_text("emoji"),
        thumbnail=None if thumbnail is None else _reference(thumbnail),
        media_group_id=node.find_text("media_group_id"),
    )


def _largest(node: Node) -> Node | None:
    sizes = node.children("photo")
    return max(sizes, key=lambda size: size.integer("width") * size.integer("height"), default=None)


def _reference(file: Node) -> MediaFile:
    return MediaFile(file.text("file_id"), file.text("file_unique_id"), file.find_integer("file_size"))


def _sticker_type(sticker: Node) -> str:
    """The format that the Bot API documents for each kind of sticker; it does not send it."""
    if sticker.flag("is_animated"):
        return "application/x-tgsticker"
    return "video/webm" if sticker.flag("is_video") else "image/webp"


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
