"""Chat gateways of a local run: one for chats that live on this machine, one that shows what goes to Telegram."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from infra.local.chat.messenger import Messenger
from infra.local.chat.raw_updates import units
from infra.local.events import ButtonNotice, Deleted, Line, LineEdited, Listener
from shared.application.ports.chat import (
    ChatGateway,
    MenuEntry,
    MenuScope,
    Outgoing,
    OutgoingFile,
    OutgoingText,
    SentMessage,
    WebhookInfo,
)
from shared.application.ports.system import Clock
from shared.domain.errors import ChatForbidden, FileGone, MessageRejected
from shared.domain.text.language import Language

_UNSAFE = re.compile(r"[^\w.-]+")


class TerminalGateway:
    """`ChatGateway` of local chats: what the bot sends stands there, and everything is told to a listener.

    Args:
        files: The folder into which files of the bot go; made when the first one comes.
    """

    def __init__(self, listener: Listener, messenger: Messenger, *, clock: Clock, files: Path) -> None:
        self._listener = listener
        self._messenger = messenger
        self._clock = clock
        self._files = files

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        self._check(chat_id, content, thread_id)
        message_id = await self._messenger.next_id(chat_id)
        chat, text, sent_at = self._messenger.chat(chat_id), _text_of(content), self._clock.now()
        file = ""
        if isinstance(content, OutgoingFile):
            file = str(await asyncio.to_thread(self._save, f"{message_id}-{content.name}", content.content))
        message = {"message_id": message_id, "date": int(sent_at.timestamp()), "chat": chat.to_json()}
        message |= {"from": self._messenger.bot.to_json(), ("caption" if file else "text"): text.plain}
        if thread_id is not None:
            message |= {"message_thread_id": thread_id, "is_topic_message": True}
        self._post(message, text)
        line = _bot_line(chat_id, message_id, self._messenger.bot.name, text, reply_to, file)
        self._listener(replace(line, private_to=chat.title if chat.type == "private" else ""))
        return SentMessage(message_id, sent_at)

    def _check(self, chat_id: int, content: Outgoing, thread_id: int | None) -> None:
        """Refuse what Telegram refuses."""
        if not self._messenger.may_be_written_to(chat_id):
            raise ChatForbidden("bot can't initiate conversation with a user")
        if thread_id is not None and not self._messenger.has_topic(chat_id, thread_id):
            raise MessageRejected("message thread not found")
        _check_text(content)

    def _post(self, message: dict[str, Any], text: OutgoingText) -> None:
        """Put a message of the bot into its chat, or its new version, with these buttons."""
        rows = [[{"text": button.label, "callback_data": button.data} for button in row] for row in text.buttons]
        self._messenger.keep(message | {"reply_markup": {"inline_keyboard": rows}})
        buttons = tuple(button for row in text.buttons for button in row)
        self._messenger.show_buttons(message["chat"]["id"], message["message_id"], buttons)

    def _save(self, name: str, content: bytes) -> Path:
        """Beside the store: a name that a folder takes, whatever it is called."""
        path = self._files / _UNSAFE.sub("_", name)[-100:]
        try:
            self._files.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise MessageRejected(f"{path} cannot be written: {error.strerror}") from error
        return path

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        _check_text(text)
        old = self._messenger.message(chat_id, message_id)
        if old is None and not self._messenger.strict:  # of an earlier run
            bot, chat = self._messenger.bot, self._messenger.chat(chat_id)
            old = {"message_id": message_id, "chat": chat.to_json(), "from": bot.to_json()}
            old |= {"date": int(self._clock.now().timestamp()), "text": ""}
        if old is None or old["from"]["id"] != self._messenger.bot.user_id:
            raise MessageRejected("message to edit not found")
        new = dict(old) | {("text" if "text" in old else "caption"): text.plain}
        self._post(new, text)
        if self._messenger.message(chat_id, message_id) == old:
            return False
        self._listener(LineEdited(chat_id, message_id, text.plain, _labels(text)))
        return True

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        """Let messages stand there no more. What a terminal has shown stays on it: that they are gone is told."""
        for message_id in message_ids:
            if self._messenger.delete(chat_id, message_id, self._clock.now()):
                self._listener(Deleted(chat_id, message_id))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        del callback_id  # nothing spins
        if text:
            self._listener(ButtonNotice(text))

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        del chat_id, user_id, callback_id, thread_id  # who sits at the terminal is everybody
        self._listener(ButtonNotice(text))

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        """Nothing: a terminal shows the answer soon enough."""

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Nothing: a terminal shows the answer soon enough."""

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return frozenset() if chat_id > 0 else self._messenger.administrators(chat_id)

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        return self._messenger.is_member(chat_id, user_id)

    async def set_menu(self, scope: MenuScope, language: Language | None, entries: Sequence[MenuEntry]) -> None:
        """Nothing: a terminal has no menu, /gryadhelp lists the commands."""

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        del file_id, limit_bytes
        raise FileGone("a terminal has no files")

    async def webhook(self) -> WebhookInfo | None:
        """None: what is typed comes by itself."""
        return None

    async def aclose(self) -> None:
        """There are no connections."""


class ShownGateway:
    """`ChatGateway` that passes everything on to another one and shows what was sent."""

    def __init__(self, inner: ChatGateway, listener: Listener, *, bot_name: str) -> None:
        self._inner = inner
        self._listener = listener
        self._bot_name = bot_name

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        sent = await self._inner.send(chat_id, content, reply_to=reply_to, thread_id=thread_id)
        file = content.name if isinstance(content, OutgoingFile) else ""
        self._listener(_bot_line(chat_id, sent.message_id, self._bot_name, _text_of(content), reply_to, file))
        return sent

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        changed = await self._inner.edit(chat_id, message_id, text)
        self._listener(LineEdited(chat_id, message_id, text.plain, _labels(text)))
        return changed

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        await self._inner.delete(chat_id, message_ids)

    async def answer_callback(self, callback_id: str, text: str) -> None:
        await self._inner.answer_callback(callback_id, text)

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        await self._inner.whisper(chat_id, user_id, text, callback_id=callback_id, thread_id=thread_id)

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        await self._inner.show_draft(chat_id, draft_id, text, thread_id=thread_id)

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        await self._inner.show_typing(chat_id, thread_id=thread_id)

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return await self._inner.administrators(chat_id)

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        return await self._inner.is_member(chat_id, user_id)

    async def set_menu(self, scope: MenuScope, language: Language | None, entries: Sequence[MenuEntry]) -> None:
        await self._inner.set_menu(scope, language, entries)

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        return await self._inner.download(file_id, limit_bytes=limit_bytes)

    async def webhook(self) -> WebhookInfo | None:
        """None: a local run polls."""
        return None

    async def aclose(self) -> None:
        await self._inner.aclose()


def _check_text(content: Outgoing) -> None:
    """Refuse a text that Telegram refuses."""
    is_file = isinstance(content, OutgoingFile)
    if not is_file and not content.plain.strip():
        raise MessageRejected("message text is empty")
    if units(content.plain) > (1024 if is_file else 4096):
        raise MessageRejected("message is too long")
    if any(not 1 <= len(button.data.encode()) <= 64 for row in _text_of(content).buttons for button in row):
        raise MessageRejected("BUTTON_DATA_INVALID")


def _text_of(content: Outgoing) -> OutgoingText:
    return content.caption if isinstance(content, OutgoingFile) else content


def _bot_line(
    chat_id: int, message_id: int, name: str, text: OutgoingText, reply_to: int | None, file: str = ""
) -> Line:
    buttons = _labels(text)
    return Line(chat_id, message_id, name, text.plain, reply_to, is_bot=True, is_own=True, buttons=buttons, file=file)


def _labels(text: OutgoingText) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(button.label for button in row) for row in text.buttons)
