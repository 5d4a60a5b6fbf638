"""Chat gateways of a local run: one for chats that live on this machine, one that shows what goes to Telegram."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from infra.local.events import Edited, Line, Listener, Notice
from shared.application.documents import messages_path
from shared.application.ports.chat import Button, ChatGateway, OutgoingText, SentMessage, WebhookInfo
from shared.application.ports.store import DocumentStore, Order
from shared.application.ports.system import Clock
from shared.domain.errors import FileGone

FAR_ID = 2_000_000_000
"""From here on the bot's messages are numbered in chats whose other ids somebody else assigns (`POST /webhook`)."""


class TerminalGateway:
    """`ChatGateway` of local chats: numbers messages, knows the administrators, hands everything to a listener.

    Args:
        store: Where earlier runs left their messages: ids stay unique from run to run.
    """

    def __init__(self, listener: Listener, *, clock: Clock, bot_name: str, store: DocumentStore) -> None:
        self._listener = listener
        self._clock = clock
        self._bot_name = bot_name
        self._store = store
        self._given: dict[int, int] = {}
        self._admins: defaultdict[int, set[int]] = defaultdict(set)
        self._keyboards: dict[int, tuple[int, Sequence[Button]]] = {}

    def open_chat(self, chat_id: int, *, last_id: int, admins: frozenset[int]) -> None:
        """Number the chat's further messages from `last_id` + 1."""
        self._given[chat_id] = last_id
        self._admins[chat_id] |= admins

    def add_admin(self, chat_id: int, user_id: int) -> bool:
        """Make somebody an administrator; False when they are one."""
        known = user_id in self._admins[chat_id]
        self._admins[chat_id].add(user_id)
        return not known

    def keyboard(self, chat_id: int) -> tuple[int, Sequence[Button]] | None:
        """The message whose buttons can be pressed, and these."""
        return self._keyboards.get(chat_id)

    async def next_id(self, chat_id: int) -> int:
        """A message id above every other of the chat."""
        if chat_id not in self._given:
            self._given[chat_id] = max(FAR_ID, await self._last_stored(chat_id))
        self._given[chat_id] += 1
        return self._given[chat_id]

    async def _last_stored(self, chat_id: int) -> int:
        newest = [Order("message_id", descending=True)]
        found = await self._store.query(messages_path(chat_id), order_by=newest, limit=1)
        return found[0].data["message_id"] if found else 0

    async def send(
        self, chat_id: int, text: OutgoingText, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        del thread_id  # a terminal has no topics
        message_id = await self.next_id(chat_id)
        buttons = [button for row in text.buttons for button in row]
        if buttons:
            self._keyboards[chat_id] = (message_id, buttons)
        self._listener(_bot_line(chat_id, message_id, self._bot_name, text, reply_to))
        return SentMessage(message_id, self._clock.now())

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        if self._keyboards.get(chat_id, (0,))[0] == message_id:
            del self._keyboards[chat_id]
        self._listener(Edited(chat_id, message_id, text.plain))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        del callback_id  # nothing spins
        if text:
            self._listener(Notice(text))

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        """Nothing: a terminal shows the answer soon enough."""

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return frozenset() if chat_id > 0 else frozenset(self._admins[chat_id])

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
        self, chat_id: int, text: OutgoingText, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        sent = await self._inner.send(chat_id, text, reply_to=reply_to, thread_id=thread_id)
        self._listener(_bot_line(chat_id, sent.message_id, self._bot_name, text, reply_to))
        return sent

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> None:
        await self._inner.edit(chat_id, message_id, text)
        self._listener(Edited(chat_id, message_id, text.plain))

    async def answer_callback(self, callback_id: str, text: str) -> None:
        await self._inner.answer_callback(callback_id, text)

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        await self._inner.show_typing(chat_id, thread_id=thread_id)

    async def administrators(self, chat_id: int) -> frozenset[int]:
        return await self._inner.administrators(chat_id)

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        return await self._inner.download(file_id, limit_bytes=limit_bytes)

    async def webhook(self) -> WebhookInfo | None:
        """None: a local run polls."""
        return None

    async def aclose(self) -> None:
        await self._inner.aclose()


def _bot_line(chat_id: int, message_id: int, name: str, text: OutgoingText, reply_to: int | None) -> Line:
    labels = tuple(button.label for row in text.buttons for button in row)
    return Line(chat_id, message_id, name, text.plain, reply_to, is_bot=True, buttons=labels)
