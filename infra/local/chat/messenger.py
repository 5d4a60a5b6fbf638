"""Telegram's side of local chats: who is in them, what stands there, and under which ids.

It refuses what Telegram lets nobody do, so that a script tells what can happen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from infra.local.chat.numbering import Numbering
from infra.local.chat.raw_updates import LocalChat, Person
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import NEWEST_FIRST
from shared.application.documents import messages_path
from shared.application.ports.chat import Button
from shared.application.ports.store import DocumentStore

FAR_ID = 2_000_000_000
"""The first number of the bot's messages in chats whose other ids somebody else assigns (`POST /webhook`)."""

CHANGEABLE_FOR = timedelta(hours=48)
"""The time for which Telegram lets people edit what they wrote, and a bot delete it."""

_THERE = frozenset(("member", "administrator"))


class Impossible(Exception):
    """Telegram would not let anybody do this; the message says why, as a sentence without a full stop."""


class Messenger:
    """The chats of a local run.

    Args:
        store: Where earlier runs left their messages: ids stay unique from run to run.
        bot: Who the bot is.
        strict: Nothing was said before this run, and the bot writes in private only to users who wrote to it first.
    """

    def __init__(self, *, store: DocumentStore, bot: Person, strict: bool = False) -> None:
        self.bot = bot
        self.strict = strict
        self._store = store
        self._numbering = Numbering()
        self._recalled: set[int] = set()  # chats whose stored messages are numbered over
        self._chats: dict[int, LocalChat] = {}  # those whose members are at this terminal
        self._talking: set[int] = set()  # who wrote to the bot in private
        self._topics: dict[int, Collection[int]] = {}
        self._statuses: dict[tuple[int, int], str] = {}
        self._messages: dict[tuple[int, int], dict[str, Any]] = {}
        self._buttons: dict[tuple[int, int], tuple[Button, ...]] = {}  # the last shown last
        self._reactions: dict[tuple[int, int, int], str] = {}

    # --- Chats and members ---

    def open_chat(
        self,
        chat: LocalChat,
        *,
        admins: Collection[int],
        reserved: Collection[int] = frozenset(),
        topics: Collection[int] = frozenset(),
    ) -> None:
        """Have a group at this terminal: its members' messages and the bot's are numbered together.

        Args:
            reserved: Ids that messages still to come have already.
            topics: Its forum topics; an id of one is that of the message that opened it.
        """
        self._chats[chat.chat_id] = chat
        if chat.type == "group":
            self._numbering.share(chat.chat_id)
        self._numbering.reserve(chat.chat_id, frozenset(reserved) | frozenset(topics))
        self._topics[chat.chat_id] = topics
        for user_id in admins:
            self._statuses[chat.chat_id, user_id] = "administrator"

    def reserve_private(self, message_ids: Collection[int]) -> None:
        """Keep ids free in the sequence that all private chats share."""
        self._numbering.reserve_shared(message_ids)

    def meet(self, person: Person, *, writes: bool) -> LocalChat:
        """Have somebody at this terminal; return the bot's private chat with them. (A chat may speak here as well.)

        Args:
            writes: They write to the bot there, so that it may write, too.
        """
        private = self._chats.get(person.user_id) or LocalChat(person.user_id, "private", person.name)
        if person.user_id > 0:
            self._chats[person.user_id] = private
            self._numbering.share(person.user_id)
        if writes or not self.strict:
            self._talking.add(person.user_id)
        return private

    def chat(self, chat_id: int) -> LocalChat:
        """Return a chat; of one that is not at this terminal only the id is known."""
        return self._chats.get(chat_id) or LocalChat(chat_id, "private" if chat_id > 0 else "supergroup", "")

    @property
    def spoken_in(self) -> frozenset[int]:
        """The chats in which something stands."""
        return frozenset(chat_id for chat_id, _ in self._messages)

    def may_be_written_to(self, chat_id: int) -> bool:
        """Return whether the bot may write there."""
        return chat_id < 0 or chat_id not in self._chats or chat_id in self._talking

    def has_topic(self, chat_id: int, topic: int) -> bool:
        """Return whether there is such a topic, as far as is known."""
        return chat_id not in self._topics or topic in self._topics[chat_id]

    def status(self, chat_id: int, user_id: int) -> str | None:
        """Return what somebody is in a group, as the Bot API names it; None when nobody saw them there."""
        return self._statuses.get((chat_id, user_id))

    def set_status(self, chat_id: int, user_id: int, status: str) -> None:
        self._statuses[chat_id, user_id] = status

    def administrators(self, chat_id: int) -> frozenset[int]:
        found = (
            user for (chat, user), status in self._statuses.items() if (chat, status) == (chat_id, "administrator")
        )
        return frozenset(found)

    def is_member(self, chat_id: int, user_id: int) -> bool:
        """Return whether somebody is in a group; of whom nothing is known it is believed."""
        return self._statuses.get((chat_id, user_id), "member") in _THERE

    def act(self, chat_id: int, person: Person) -> None:
        """Note what somebody does in a group.

        Raises:
            Impossible: They are not in it.
        """
        if person.user_id <= 0 or chat_id > 0:
            return
        if not self.is_member(chat_id, person.user_id):
            raise Impossible(f'{person.name} is not in the chat any more; {{"member": "joined"}} brings them back')
        self._statuses.setdefault((chat_id, person.user_id), "member")

    # --- Messages ---

    async def next_id(self, chat_id: int) -> int:
        """Return the id of the chat's next message, whoever sends it."""
        if chat_id not in self._recalled:
            floor = 0 if chat_id in self._chats else FAR_ID
            self._numbering.keep(chat_id, max(floor, await self._last_stored(chat_id)))
            self._recalled.add(chat_id)
        return self._numbering.take(chat_id)

    async def _last_stored(self, chat_id: int) -> int:
        found = await self._store.query(messages_path(chat_id), order_by=[NEWEST_FIRST], limit=1)
        return read_message(found[0]).message.message_id if found else 0

    def keep_id(self, chat_id: int, message_id: int) -> None:
        """Number further messages behind this one."""
        self._numbering.keep(chat_id, message_id)

    def keep(self, message: dict[str, Any]) -> None:
        """Let a `Message` stand in its chat, new or changed."""
        self._messages[message["chat"]["id"], message["message_id"]] = message

    def message(self, chat_id: int, message_id: int) -> Mapping[str, Any] | None:
        """Return a `Message` as it stands now."""
        return self._messages.get((chat_id, message_id))

    def delete(self, chat_id: int, message_id: int, at: datetime) -> bool:
        """Delete a message of the bot; False for one that is not there, somebody else's, or older than 48 hours."""
        message = self._messages.get((chat_id, message_id))
        if message is None or message.get("from", {}).get("id") != self.bot.user_id:
            return False
        if at.timestamp() - message["date"] > CHANGEABLE_FOR.total_seconds():
            return False
        del self._messages[chat_id, message_id]
        self._buttons.pop((chat_id, message_id), None)
        return True

    def show_buttons(self, chat_id: int, message_id: int, buttons: tuple[Button, ...]) -> None:
        """Let a message of the bot have these buttons from now on."""
        self._buttons.pop((chat_id, message_id), None)
        if buttons:
            self._buttons[chat_id, message_id] = buttons

    def keyboard(self, chat_ids: Collection[int], message_id: int | None) -> tuple[int, int, tuple[Button, ...]] | None:
        """Return chat and message of buttons that can be pressed, and these: of one message, or those shown last."""
        for (chat_id, shown), buttons in reversed(self._buttons.items()):
            if chat_id in chat_ids and message_id in (None, shown):
                return chat_id, shown, buttons
        return None

    def react(self, chat_id: int, message_id: int, user_id: int, emoji: str) -> str:
        """Let somebody's reaction be another one; return the one before, "" for none."""
        before = self._reactions.pop((chat_id, message_id, user_id), "")
        if emoji:
            self._reactions[chat_id, message_id, user_id] = emoji
        return before
