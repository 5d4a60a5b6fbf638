"""One exported message after the other, as the Bot API would have delivered it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from infra.telegram.export.fields import BadRecordError, ExportFields
from shared.domain.conversation.messages import Message, migrated_message_id, name_mark

_MEDIA_TYPES = {
    "sticker": "sticker",
    "video_message": "video_note",
    "voice_message": "voice",
    "animation": "animation",
    "video_file": "video",
    "audio_file": "audio",
}
# Before its twin: a venue also has `location_information`.
_MARKS = {
    "photo": "photo",
    "poll": "poll",
    "place_name": "venue",
    "location_information": "location",
    "contact_information": "contact",
    "game_title": "game",
    "invoice_information": "invoice",
    "todo_list": "checklist",
    "giveaway_information": "giveaway",
    "giveaway_results": "giveaway_winners",
    "file": "document",
}
_MIGRATED = -1_000_000_000  # added to the ids of the basic group that a supergroup was (export_data_types.cpp)
_MOST_NAME = 256
_MOST_THREADS = 100_000
"""Messages whose topic is remembered, for replies to them: a few megabytes."""


class LeftOut(NamedTuple):
    """A message of the export that is none to us.

    Attributes:
        message_id: As the export numbers it; None when that cannot be told.
        failed: It should have been one, but cannot be read; else it is of a kind that is skipped.
    """

    message_id: int | None
    reason: str
    failed: bool = False


class MessageReader:
    """Turns exported messages into messages, in their order: topics and bots are known from what came before.

    Args:
        chat_id: Under which the messages are.
        bot_id: The bot's own user id, 0 when unknown.
        bot_names: Case-folded names of the bot: an author of that name is taken for it.
        bots: Other bots; the export does not say who is one.
    """

    def __init__(
        self, chat_id: int, *, bot_id: int = 0, bot_names: Iterable[str] = (), bots: Iterable[int] = ()
    ) -> None:
        self._chat_id = chat_id
        self._bot_id, self._bot_names = bot_id, frozenset(bot_names)
        self._bots = set(bots)
        self._threads: OrderedDict[int, int] = OrderedDict()

    def read(self, record: object) -> Message | LeftOut:
        """One element of `messages`; never fails."""
        if not isinstance(record, dict):
            return LeftOut(None, "not a JSON object", failed=True)
        fields = ExportFields(record)
        try:
            return self._read(fields, fields.integer("id"))
        except BadRecordError as error:
            return LeftOut(fields.label(), str(error), failed=True)

    def _read(self, fields: ExportFields, number: int | None) -> Message | LeftOut:
        if number is None or number == 0 or number <= _MIGRATED:
            raise BadRecordError('"id" is missing or not the number of a message')
        kind = fields.text("type")
        if kind == "service":
            if fields.text("action") == "topic_created":
                self._remember(number, number)
            return LeftOut(number, "a service message")
        if kind == "unsupported":
            return LeftOut(number, "not exported by this version of Telegram Desktop")
        if kind != "message":
            raise BadRecordError(f"of an unknown type {str(kind)[:40]!r}")
        return self._read_message(fields, number)

    def _read_message(self, fields: ExportFields, number: int) -> Message | LeftOut:
        speaker, text = fields.peer("from_id"), fields.read_text()
        kind = _kind(fields, text)
        if kind is None:
            return LeftOut(number, "without text or media")
        if self._is_other_bot(fields, speaker):
            return LeftOut(number, "of another bot")
        name = _name(fields, speaker)
        reply_to, thread = self._place(fields, number)
        return Message(
            chat_id=self._chat_id,
            message_id=_message_id(number),
            sent_at=fields.instant("date", required=True),
            user_id=speaker,
            name=name,
            text=text,
            kind="command" if fields.begins_with_command() else kind,
            is_bot=speaker == self._bot_id or name.casefold() in self._bot_names,
            is_admin=True if speaker == self._chat_id else None,
            reply_to=reply_to,
            thread_id=thread,
            forwarded=fields.has("forwarded_from") or fields.has("forwarded_from_id") or fields.has("via_bot"),
            edited_at=fields.instant("edited"),
            **_origins(fields),
        )

    def _is_other_bot(self, fields: ExportFields, speaker: int) -> bool:
        """Return whether another bot wrote it: only bots put buttons under messages."""
        if fields.has("inline_bot_buttons") and not fields.has("via_bot"):
            self._bots.add(speaker)
        return speaker in self._bots and speaker != self._bot_id

    def _place(self, fields: ExportFields, number: int) -> tuple[int | None, int | None]:
        """The message replied to, and the topic. What replies to nothing "replies" to the opening of its topic."""
        replied = fields.integer("reply_to_message_id")
        if replied is None or replied == 0 or fields.has("reply_to_peer_id"):  # a reply to another chat
            return None, None
        thread = self._threads.get(replied)
        if thread is not None:
            self._remember(number, thread)
        return (None if replied == thread else _message_id(replied)), thread

    def _remember(self, number: int, thread: int) -> None:
        self._threads[number] = thread
        if len(self._threads) > _MOST_THREADS:
            self._threads.popitem(last=False)


def _message_id(number: int) -> int:
    """The id that the message has with us: what was said in the basic group before sorts before everything else."""
    return number if number > 0 else migrated_message_id(number - _MIGRATED)


def _kind(fields: ExportFields, text: str) -> str | None:
    """Return what the message consists of, as the Bot API would say; None for nothing that we know."""
    media = fields.text("media_type")
    if media in _MEDIA_TYPES:
        return _MEDIA_TYPES[media]
    marked = next((kind for key, kind in _MARKS.items() if fields.has(key)), None)
    return marked or ("text" if text else None)


def _name(fields: ExportFields, speaker: int) -> str:
    """The name, or the id where there is none to see (a deleted account)."""
    name = " ".join((fields.text("from") or "").split())[:_MOST_NAME]
    return name if any(c.isprintable() and not c.isspace() for c in name) else str(speaker)


def _origins(fields: ExportFields) -> dict[str, Any]:
    """Return whose words a forward holds: the id, or for a hidden account a mark of the name."""
    if fields.text("forwarded_from_id"):
        return {"origin_ids": (fields.peer("forwarded_from_id"),)}
    name = fields.text("forwarded_from")
    return {"origin_names": (name_mark(name),)} if name else {}
