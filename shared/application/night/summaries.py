"""The jobs `summaries` and `episodes`: what extraction lost or made without the model is made good.

A task that was lost, a chunk from the time when the model was away, metas and vectors that are missing, an index that
is behind: extraction sees to all of that whenever it runs. In a chat where nobody talks it does not run, so the night
has it run. The episodes' job asks the chunks themselves, not the count of what is left to do.
"""

import logging
from datetime import timedelta

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.job import JobResult
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import BY_ID, UNREAD
from shared.application.documents import chat_path, chunks_path, messages_path, upkeep_path
from shared.application.ports.store import DocumentStore, Transaction
from shared.application.reading.extraction import Extract, extract_chat
from shared.application.reading.notes.codec import mark_work_due
from shared.application.reading.notes.episodes import close_episodes, redo_episodes
from shared.application.reading.notes.redoing import Redone
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_queries import MODEL_PENDING, STALE
from shared.application.recall.upkeep import index_chat
from shared.domain.errors import ChatUnconfigured

log = logging.getLogger(__name__)

_DAY = timedelta(days=1)


async def summarize_chat(app: App, state: ChatState, *, extract: Extract = extract_chat) -> JobResult:
    """Extract and summarise what is left of a chat, as far as the model's budget of the day goes.

    Returns:
        `chunks` and `changes` of facts that were made; `more` as long as chunks without the model become fewer;
        `next_at`: a day later when something waits for the model, or for somebody who knows the chat's admins: learnt
        without them, a rule would be nobody's.
    """
    await _take_stock(app.store, state)
    before = await _without_model(app, state)
    try:
        done = await extract(app, state.chat_id)
    except ChatUnconfigured as error:
        log.warning("the chat waits, as nobody knows its admins: %s", error)
        return JobResult({"waiting": 1}, app.clock.now() + _DAY)
    left = await _without_model(app, state) if before else 0
    counts = {"chunks": done.chunks, "changes": len(done.changes), "redone": max(before - left, 0)}
    more = done.more or 0 < left < before
    return JobResult(counts, app.clock.now() + _DAY if (done.waits or left > 0) and not more else None, more=more)


async def _take_stock(store: DocumentStore, state: ChatState) -> None:
    """Have everything looked at where chunks have lost the count of what is left to do for them."""
    if not state.chunks:
        return

    async def count_again(tx: Transaction) -> None:
        chat, counted = await tx.get_many([chat_path(state.chat_id), upkeep_path(state.chat_id)])
        if chat is not None and counted is None:
            tx.write(mark_work_due(state.chat_id, "made", "stale", "waits"))

    await store.transaction(count_again)


async def _without_model(app: App, state: ChatState) -> int:
    if app.model is None or state.is_private(by_default=app.policy.private_mode):
        return 0
    return await app.store.count(chunks_path(state.chat_id), where=[MODEL_PENDING])


_AT_ONCE = 5


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
    oldest = await app.store.query(messages_path(state.chat_id), where=[UNREAD], order_by=[BY_ID], limit=1)
    quiet_until = min([app.clock.now(), *(read_message(document).message.sent_at for document in oldest)])
    closing = await close_episodes(app, state, pieces, quiet_until=quiet_until)
    later = stale.later or waiting.later
    more = closing.more or (not later and _AT_ONCE in (stale.made, waiting.made))
    await index_chat(app, state)
    pieces.close()
    moments = [at for at in (closing.due_at, now + _DAY if later else None) if at is not None]
    return JobResult({"redone": stale.made + waiting.made}, min(moments, default=None), more=more)
