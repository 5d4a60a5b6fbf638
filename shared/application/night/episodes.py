"""The job `episodes`: conversations that are over are written down, and those made without the model are made again.

Unlike extraction it asks the chunks themselves, not the count of what is left to do.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import BY_ID, UNREAD
from shared.application.documents import messages_path
from shared.application.job import JobResult
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.reading.notes.episodes import close_episodes
from shared.application.reading.notes.episodes_again import redo_episodes
from shared.application.reading.notes.redoing import Redone
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_queries import MODEL_PENDING, STALE
from shared.application.recall.upkeep import index_chat

_AT_ONCE = 5
_DAY = timedelta(days=1)


async def episodes_chat(app: App, state: ChatState) -> JobResult:
    """Write down what is over and make again what is due, as far as the model's budget of the day goes.

    A private chat is left alone.

    Returns:
        `redone`: episodes made again; `next_at`: when the conversation that goes on would be over, and a day later
        when something waits for the model.
    """
    if state.is_private(by_default=app.policy.private_mode):
        return JobResult()
    now, pieces = app.clock.now(), Pieces(app)
    stale = await redo_episodes(app, state, pieces, which=STALE, limit=_AT_ONCE)
    waiting = Redone()
    if app.model is not None:
        waiting = await redo_episodes(app, state, pieces, which=MODEL_PENDING, limit=_AT_ONCE)
    closing = await close_episodes(app, state, pieces, quiet_until=await _quiet_until(app.store, app.clock, state))
    later = stale.later or waiting.later
    more = closing.more or (not later and _AT_ONCE in (stale.made, waiting.made))
    await index_chat(app, state)
    pieces.close()
    moments = [at for at in (closing.due_at, now + _DAY if later else None) if at is not None]
    return JobResult({"redone": stale.made + waiting.made}, min(moments, default=None), more=more)


async def _quiet_until(store: DocumentStore, clock: Clock, state: ChatState) -> datetime:
    """Up to when all that was said is in chunks."""
    where, lowest = [UNREAD], [BY_ID]
    oldest = await store.query(messages_path(state.chat_id), where=where, order_by=lowest, limit=1)
    moments: list[datetime] = [read_message(document).message.sent_at for document in oldest]
    return min([clock.now(), *moments])
