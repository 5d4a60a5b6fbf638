"""Chat gateways of a local run: one for chats that live on this machine, one that shows what goes to Telegram."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from infra.local.events import Edited, Line, Listener, Notice
from infra.local.numbering import Numbering
from shared.application.documents import messages_path
from shared.application.ports.chat import (
    Button,
    ChatGateway,
    MenuEntry,
    MenuScope,
    Outgoing,
    OutgoingFile,
    OutgoingText,
    SentMessage,
    WebhookInfo,
)
from shared.application.ports.store import DocumentStore, Order
from shared.application.ports.system import Clock
from shared.domain.errors import FileGone, MessageRejected
from shared.domain.language import Language

FAR_ID = 2_000_000_000
"""From here on the bot's messages are numbered in chats whose other ids somebody else assigns (`POST /webhook`)."""

_UNSAFE = re.compile(r"[^\w.-]+")


class TerminalGateway:
    """`ChatGateway` of local chats: numbers messages, knows the administrators, hands everything to a listener.

    Args:
        store: Where earlier runs left their messages: ids stay unique from run to run.
        files: The folder into which files of the bot go; made when the first one comes.
    """

    def __init__(self, listener: Listener, *, clock: Clock, bot_name: str, store: DocumentStore, files: Path) -> None:
        self._listener = listener
        self._clock = clock
        self._bot_name = bot_name
        self._store = store
        self._files = files
        self._numbering = Numbering()
        self._here: set[int] = set()  # chats whose members speak at this terminal
        self._recalled: set[int] = set()  # chats whose stored messages are numbered over
        self._admins: defaultdict[int, set[int]] = defaultdict(set)
        self._keyboards: dict[tuple[int, int], Sequence[Button]] = {}  # by chat and message, the last shown last
        self._names: dict[int, str] = {}

    def open_chat(
        self, chat_id: int, kind: str, *, admins: frozenset[int], reserved: Collection[int] = frozenset()
    ) -> None:
        """A chat is at this terminal: its members' messages and the bot's are numbered together.

        Args:
            kind: As the Bot API names it, "supergroup" or "group".
            reserved: Ids that messages still to come have already.
        """
        self._here.add(chat_id)
        if kind == "group":
            self._numbering.share(chat_id)
        self._numbering.reserve(chat_id, reserved)
        self._admins[chat_id] |= admins

    def add_admin(self, chat_id: int, user_id: int) -> bool:
        """Make somebody an administrator; False when they are one."""
        known = user_id in self._admins[chat_id]
        self._admins[chat_id].add(user_id)
        return not known

    def meet(self, user_id: int, name: str) -> None:
        """A person is at this terminal: the bot's private chat with them is, too. (A chat may speak here as well.)"""
        if user_id > 0:
            self._names[user_id] = name
            self._here.add(user_id)
            self._numbering.share(user_id)

    def keyboard(self, chat_ids: Collection[int], message_id: int | None) -> tuple[int, int, Sequence[Button]] | None:
        """Chat and message of buttons that can be pressed, and these: of one message, or of the one shown last."""
        for (chat_id, shown), buttons in reversed(self._keyboards.items()):
            if chat_id in chat_ids and message_id in (None, shown):
                return chat_id, shown, buttons
        return None

    async def next_id(self, chat_id: int) -> int:
        """The id of the chat's next message, whoever sends it."""
        if chat_id not in self._recalled:
            floor = 0 if chat_id in self._here else FAR_ID
            self._numbering.keep(chat_id, max(floor, await self._last_stored(chat_id)))
            self._recalled.add(chat_id)
        return self._numbering.take(chat_id)

    def keep_id(self, chat_id: int, message_id: int) -> None:
        """Somebody's message has this id: further ones are numbered behind it."""
        self._numbering.keep(chat_id, message_id)

    async def _last_stored(self, chat_id: int) -> int:
        newest = [Order("message_id", descending=True)]
        found = await self._store.query(messages_path(chat_id), order_by=newest, limit=1)
        return found[0].data["message_id"] if found else 0

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        del thread_id  # a terminal has no topics
        message_id = await self.next_id(chat_id)
        text = _text_of(content)
        self._keep_buttons(chat_id, message_id, text)
        file = ""
        if isinstance(content, OutgoingFile):
            file = str(await asyncio.to_thread(self._save, f"{message_id}-{content.name}", content.content))
        line = _bot_line(chat_id, message_id, self._bot_name, text, reply_to, file)
        self._listener(replace(line, private_to=self._names.get(chat_id, "")))
        return SentMessage(message_id, self._clock.now())

    def _keep_buttons(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        self._keyboards.pop((chat_id, message_id), None)
        buttons = [button for row in text.buttons for button in row]
        if buttons:
            self._keyboards[chat_id, message_id] = buttons

    def _save(self, name: str, content: bytes) -> Path:
        """Beside the store: a name that a folder takes, whatever it is called."""
        path = self._files / _UNSAFE.sub("_", name)[-100:]
        try:
            self._files.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise MessageRejected(f"{path} cannot be written: {error.strerror}") from error
        return path

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        self._keep_buttons(chat_id, message_id, text)
        self._listener(Edited(chat_id, message_id, text.plain, _labels(text)))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        del callback_id  # nothing spins
        if text:
            self._listener(Notice(text))

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Nothing: a terminal shows the answer soon enough."""

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return frozenset() if chat_id > 0 else frozenset(self._admins[chat_id])

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Whoever speaks at a terminal is there."""
        del chat_id, user_id
        return True

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

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        await self._inner.edit(chat_id, message_id, text)
        self._listener(Edited(chat_id, message_id, text.plain, _labels(text)))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        await self._inner.answer_callback(callback_id, text)

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


def _text_of(content: Outgoing) -> OutgoingText:
    return content.caption if isinstance(content, OutgoingFile) else content


def _bot_line(
    chat_id: int, message_id: int, name: str, text: OutgoingText, reply_to: int | None, file: str = ""
) -> Line:
    return Line(chat_id, message_id, name, text.plain, reply_to, is_bot=True, buttons=_labels(text), file=file)


def _labels(text: OutgoingText) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(button.label for button in row) for row in text.buttons)
