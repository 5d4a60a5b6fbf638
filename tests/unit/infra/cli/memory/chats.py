"""Two chats in a store of SQLite, as commands will open it."""

from contextlib import asynccontextmanager
from datetime import timedelta

from infra.sqlite import SqliteStore
from infra.system import SystemClock
from shared.application.documents import chat_path, message_path
from shared.domain.conversation.messages import Message
from tests.support.stores.messages import new_message_fields

CHAT, OTHER, OLYA, TARAS = -100, -101, 101, 102
TALK = [
    (OLYA, "Оля", "Хто забронює квитки до Львова?"),
    (TARAS, "Тарас", "Я забронюю квитки до Львова завтра"),
    (OLYA, "Оля", "Давайте писати тут лише українською"),
]


async def seed(store, chat_id):
    fields = {"schema": 1, "chat_id": chat_id, "type": "supergroup", "active": True, "language": "uk", "title": "Тест"}
    await store.set(chat_path(chat_id), fields)
    now = SystemClock().now()
    for number, (user_id, name, text) in enumerate(TALK, start=1):
        at = now - timedelta(minutes=30 - number)
        message = Message(chat_id, number, at, user_id, name, text=text)
        await store.set(
            message_path(chat_id, number), new_message_fields(message, now=at, retention=timedelta(days=90))
        )


@asynccontextmanager
async def opened(path):
    store = SqliteStore(path)
    try:
        yield store
    finally:
        await store.aclose()
