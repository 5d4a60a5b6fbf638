"""Old talk that is put into the memory."""

from datetime import timedelta

from infra.telegram.export import MessageReader
from shared.application.archive.backfill import PAGE, learn_all, open_chat, sift_messages, store_messages
from shared.domain.intake.updates import ChatInfo
from tests.support.group import CHAT, FRIDAY

INFO = ChatInfo(CHAT, "supergroup", "Друзі")
LONG_AGO = FRIDAY - timedelta(days=90)


def read(records, chat_id=CHAT):
    reader = MessageReader(chat_id)
    return [reader.read(record) for record in records]


async def backfill(app, records, *, info=INFO, since=LONG_AGO, learn=True, page=PAGE):
    """As the command does it; the counts of created, known and skipped messages."""
    state = await open_chat(app.clock, app.chats, info, admins=frozenset({101}))
    messages, created, known, skipped = read(records, info.chat_id), 0, 0, {}
    for start in range(0, len(messages), page):
        sifted = await sift_messages(app, info.chat_id, messages[start : start + page], since=since)
        known += sifted.known
        skipped |= sifted.skipped
        if sifted.new:
            created += (await store_messages(app, sifted.state, sifted.new)).created
    if learn:
        await learn_all(app, state.chat_id, lambda _: None)
    return created, known, skipped
