"""A chat without a network: a real store, a standing clock, and messages that were said in it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from infra.offline.model import OfflineModel
from infra.system import SystemIds
from shared.application.answering.tools.binding import ToolContext
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.state import Chats
from shared.application.conversation.history import Topic
from shared.application.documents import chat_path, facts_path, message_path
from shared.application.policy import TOOLS, Policy
from shared.application.recall.cache import IndexCache
from shared.domain.conversation.messages import SCHEMA, Message
from shared.domain.errors import ChatUnavailable
from tests.support.queues import SteppedClock
from tests.support.stores.messages import new_message_fields

CHAT, OLYA, TARAS = -100, 101, 102


class NoTelegram:
    """Telegram when it does not answer."""

    async def administrators(self, chat_id):
        raise ChatUnavailable("Telegram is away")


class Chat:
    """One chat: its app, and what was said."""

    def __init__(self, store):
        clock = SteppedClock(datetime(2026, 11, 6, 18, 0, tzinfo=UTC))
        policy = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг", "gryag"), tools=TOOLS)
        self.app = App(
            store=store,
            queue=None,
            gateway=NoTelegram(),
            model=None,
            offline=OfflineModel(),
            embedder=None,
            clock=clock,
            ids=SystemIds(),
            policy=policy,
            chats=Chats(store, clock),
            schedule=None,
            indexes=IndexCache(),
        )
        self.state = ChatState(CHAT, admins=frozenset({TARAS}), admins_checked_at=clock.now())
        self._next = 1

    async def said(self, text, user_id=OLYA, name="Оля", **fields):
        """Somebody says something, and it is stored."""
        at = self.app.clock.now()
        if self._next == 1:
            known = {"admins": sorted(self.state.admins), "admins_checked_at": self.state.admins_checked_at}
            await self.app.store.create(chat_path(CHAT), {"schema": SCHEMA, "chat_id": CHAT, **known})
        message = Message(CHAT, self._next, at, user_id, name, text=text, **fields)
        stored = new_message_fields(message, now=at, retention=timedelta(days=90))
        await self.app.store.set(message_path(CHAT, self._next), stored)
        self._next += 1
        self.app.clock.advance(timedelta(seconds=20))
        return message

    def context(self, message, **state):
        return ToolContext(self.state._replace(**state), message, Topic(None), "uk")

    async def run(self, offer, message, arguments, **state):
        """The outcome of one call."""
        return await offer.run(self.app, self.context(message, **state), arguments)

    async def facts(self):
        return [document.data | {"id": document.id} for document in await self.app.store.query(facts_path(CHAT))]

    def having(self, **parts):
        """The same chat with other ports."""
        self.app = replace(self.app, **parts)
        return self
