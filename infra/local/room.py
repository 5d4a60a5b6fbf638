"""The local chat: what its members say and press becomes updates, and these take the way of Telegram's."""

from __future__ import annotations

from infra.local.assembly import Local, receive
from infra.local.events import Line, Listener, Notice
from infra.local.raw_updates import Entry, LocalChat, Person, button_update, message_update
from infra.local.terminal import TerminalGateway
from infra.telegram_updates import parse_update
from shared.application.documents import messages_path
from shared.application.receive import calls_for_an_answer


class Room:
    """One chat of a local run.

    Args:
        ahead: Whether everything that was said is extracted before the bot is asked something, as if the chat had
            been idle: for replays, where nobody waits.
    """

    def __init__(
        self, local: Local, gateway: TerminalGateway, listener: Listener, chat: LocalChat, *, ahead: bool
    ) -> None:
        self.chat = chat
        self._local = local
        self._gateway = gateway
        self._listener = listener
        self._ahead = ahead
        self._authors: dict[tuple[int, int], Person] = {}  # by chat and message
        self._last_update = 0

    async def recall(self) -> dict[str, int]:
        """Go on where an earlier run ended: administrators, who wrote what; the members' ids by name."""
        state = await self._local.app.chats.state(self.chat.chat_id)
        found = await self._local.observer.query(messages_path(self.chat.chat_id))
        for document in found:
            data = document.data
            person = Person(data["user_id"], data["name"], data["username"], data["is_bot"])
            self._authors[self.chat.chat_id, data["message_id"]] = person
            self._local.clock.reach(data["received_at"] + self._local.app.policy.window)
        self._gateway.open_chat(self.chat.chat_id, self.chat.type, admins=state.admins)
        return {person.name: person.user_id for person in self._authors.values() if not person.is_bot}

    def private_chat(self, person: Person) -> LocalChat:
        """The bot's private chat with somebody."""
        self._gateway.meet(person.user_id, person.name)
        return LocalChat(person.user_id, "private", person.name)

    async def make_admin(self, person: Person) -> None:
        """Give somebody the rights of an administrator, and have the bot look at once, not within the hour."""
        if self._gateway.add_admin(self.chat.chat_id, person.user_id):
            state = await self._local.app.chats.state(self.chat.chat_id)
            if state.known:
                await self._local.app.chats.change(self.chat.chat_id, {"admins_checked_at": None})

    async def post(self, entry: Entry, chat: LocalChat | None = None) -> None:
        """Deliver a message to this chat, or to the private one of who writes it.

        One without an id gets the chat's next.

        Raises:
            TransientError: Something is down.
        """
        private, chat = self.private_chat(entry.person), chat or self.chat
        message_id = await self._numbered(entry, chat)
        replied = None if entry.reply_to is None else self._author(chat.chat_id, entry.reply_to)
        self._authors[chat.chat_id, message_id] = entry.person
        raw = message_update(self._update_id(), chat, message_id, entry, replied)
        self._listener(
            Line(
                chat.chat_id,
                message_id,
                entry.person.name,
                entry.text,
                entry.reply_to,
                is_bot=entry.person.is_bot,
                is_admin=entry.is_admin,
                private_to=entry.person.name if chat == private else "",
            )
        )
        if self._ahead and calls_for_an_answer(parse_update(raw), self._local.app.policy):
            await self._local.worker.settle(chat.chat_id)
        await receive(self._local.app, raw)

    async def _numbered(self, entry: Entry, chat: LocalChat) -> int:
        if entry.message_id is None:
            return await self._gateway.next_id(chat.chat_id)
        self._gateway.keep_id(chat.chat_id, entry.message_id)
        return entry.message_id

    async def press(self, person: Person, number: int, message_id: int | None = None) -> bool:
        """Press the button of this number (from 1), False when there is none.

        Args:
            message_id: Of the message above it; None: the one with buttons that was shown last, to all or to them.

        Raises:
            TransientError: Something is down.
        """
        private = self.private_chat(person)
        found = self._gateway.keyboard((self.chat.chat_id, private.chat_id), message_id)
        if found is None or not 1 <= number <= len(found[2]):
            return False
        chat_id, shown, buttons = found
        chat, button = private if chat_id == private.chat_id else self.chat, buttons[number - 1]
        now, offered = self._local.clock.now(), [each.data for each in buttons]
        raw = button_update(self._update_id(), chat, person, shown, button.data, now, offered=offered)
        self._listener(Notice(f"{person.name} pressed [{button.label}]"))
        await receive(self._local.app, raw)
        return True

    def _author(self, chat_id: int, message_id: int) -> Person:
        """Who wrote a message; what no member wrote is the bot's."""
        policy = self._local.app.policy
        bot = Person(policy.bot_id, policy.bot_names[0], policy.bot_username, is_bot=True)
        return self._authors.get((chat_id, message_id), bot)

    def _update_id(self) -> int:
        """Microseconds since 1970, so that no later run uses one again: an update is answered once."""
        self._last_update = max(self._last_update + 1, int(self._local.clock.now().timestamp() * 1e6))
        return self._last_update
