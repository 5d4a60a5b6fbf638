"""The extraction worker: ten messages become a summary, episodic facts and structured facts with evidence.

Which messages are done is marked on the messages themselves (`chunk`), in one transaction with the chunk's document
and after everything else: a message that arrives late, out of order or is stored while a task runs is never skipped,
and a task that dies half-way is simply run again. All its effects have ids from content.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import ceil
from typing import Protocol

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Method, choices_for
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import BY_ID, NEWEST_FIRST, UNREAD
from shared.application.documents import messages_path
from shared.application.facts.profiles import refresh_profiles
from shared.application.ports.store import Document
from shared.application.reading.moving import move_chat
from shared.application.reading.notes.upkeep import Kept, is_left_to_do, keep_up, note_kept
from shared.application.reading.rereading import redo_without_model
from shared.application.reading.second_pass import rederive_edited, retell_edited
from shared.application.reading.setting_aside import Pieces
from shared.application.reading.stretches import MOST_STRETCHES, latest, pace_of, read_stretches
from shared.application.recall.upkeep import index_chat
from shared.application.schedule import GRACE
from shared.domain.facts.change import FactChange

log = logging.getLogger(__name__)

_EPISODE_SLOT = 1_800  # seconds


@dataclass(frozen=True, slots=True)
class Extracted:
    """The result of one extraction task.

    Attributes:
        waits: Something waits for the model or the embedder.
        set_aside: Why pieces of it were set aside, one reason each; see `setting_aside`.
        more: There is more to do right now than one task does; another was asked for.
    """

    chunks: int
    changes: tuple[FactChange, ...]
    waits: bool = False
    more: bool = False
    set_aside: tuple[str, ...] = ()


Extract = Callable[[App, int], Awaitable[Extracted]]
"""Extracts what is new in a chat: `extract_chat`, or what does more besides."""


class AskGroup(Protocol):
    """Asks a group about what was learnt, when it may be asked now; `talked_at`: when the last of it was said."""

    async def __call__(self, app: App, state: ChatState, *, talked_at: datetime | None) -> bool: ...


async def extract_chat(
    app: App,
    chat_id: int,
    *,
    only_when_due: bool = False,
    edits_until: datetime | None = None,
    not_before: datetime | None = None,
    ask_group: AskGroup | None = None,
) -> Extracted:
    """Extract what is new in a chat: edited messages again, every full chunk, and a remainder that is idle.

    Args:
        only_when_due: The task was asked for because somebody talks: do nothing while there is too little to extract.
            Whatever else changes a chat's memory asks for a task of its own, which does everything.
        edits_until: The end of a window of edits that is over, whatever this clock says; None: the task is for none.
        not_before: When the task was to run: a silence until then has passed, whatever this clock says, and no other
            task may come for it; None: nothing is known but the clock.
        ask_group: Called at the end, whatever else failed; None learns in silence.

    Raises:
        TransientError: Run the task again; what was done is not done twice. So it is of any other exception, which is
            raised when everything else is done.
    """
    state = await app.chats.state(chat_id, fresh=True)
    pieces = Pieces(app)
    if only_when_due and await pieces.step(lambda: _is_left_for_later(app, state, not_before), otherwise=False):
        if ask_group is not None:
            await ask_group(app, state, talked_at=None)
        return Extracted(0, ())
    if state.migrated_to is not None:  # a message may still have been stored under the old id
        await move_chat(app, chat_id, state.migrated_to)
        chat_id = state.migrated_to
        state = await app.chats.state(chat_id, fresh=True)
    if app.model is None and choices_for(app.policy, state).method is Method.MODEL:
        log.warning(
            "the chat learns facts by the model only, and none is configured (GEMINI_API_KEY): its chunks wait for one"
        )
    changes = await pieces.step(lambda: rederive_edited(app, state, pieces), list[FactChange]())
    await pieces.step(lambda: retell_edited(app, state, pieces, until=edits_until), None)
    waiting = await pieces.step(lambda: redo_without_model(app, state, pieces), otherwise=False)
    read = await read_stretches(app, state, pieces, not_before=not_before)
    state = read.state
    quiet_until = min([latest(app.clock, not_before), *(read_message(d).message.sent_at for d in read.left)])
    kept = await pieces.step(lambda: keep_up(app, state, pieces, quiet_until=quiet_until), Kept())
    waiting |= read.waits | kept.waits
    comes_again = bool(pieces.failed)  # what failed so far is still to be done
    await pieces.step(lambda: refresh_profiles(app, chat_id), None)
    await pieces.step(lambda: index_chat(app, state), 0)
    full = read.stretches == MOST_STRETCHES
    await _come_back(app, state, read.left, kept, full=full, not_before=not_before)
    if waiting:
        await app.schedule.extraction_in_an_hour(chat_id)
    await note_kept(app.store, chat_id, kept)
    if app.model is not None:  # it takes long to answer: what was booked after the chat had moved is brought along
        moved_to = (await app.chats.state(chat_id, fresh=True)).migrated_to
        if moved_to is not None:
            await move_chat(app, chat_id, moved_to)
    if ask_group is not None:
        await pieces.step(partial(ask_group, app, state, talked_at=read.talked_at), otherwise=False)
    if pieces.failed and only_when_due and not comes_again:
        # Else its next attempt finds nothing to do, and all seems well.
        await app.schedule.extraction_later(
            chat_id, mark=f"again-{app.clock.now():%Y%m%d}", run_at=None, not_before=not_before
        )
    pieces.close()
    more = kept.more or (full and bool(read.left))
    return Extracted(read.done, (*changes, *read.changes), waiting, more, tuple(pieces.set_aside))


async def _is_left_for_later(app: App, state: ChatState, not_before: datetime | None) -> bool:
    """Return whether there is nothing to do yet; what is too little is looked at again when it will be due.

    Two reads, three when messages wait. What says that there is something to do is read again before it is done.
    """
    pace = pace_of(app.policy, app.model, state)
    private = choices_for(app.policy, state).private
    if state.migrated_to is not None or (not private and await is_left_to_do(app, state.chat_id)):
        return False
    path, waiting = messages_path(state.chat_id), [UNREAD]
    last = await app.store.query(path, where=waiting, order_by=[NEWEST_FIRST], limit=1)
    if not last:
        return True
    if private or pace.is_full(await app.store.count(path, where=waiting)):
        return False
    first = await app.store.query(path, where=waiting, order_by=[BY_ID], limit=1) if pace.wait else last
    ripe_at = pace.ripe_at(*(read_message(document).received_at for document in (*first[:1], last[0])))
    if not first or ripe_at <= latest(app.clock, not_before):
        return False
    await app.schedule.extraction_when_idle(state.chat_id, since=ripe_at - app.policy.idle)
    return True


async def _come_back(
    app: App, state: ChatState, pending: Sequence[Document], kept: Kept, *, full: bool, not_before: datetime | None
) -> None:
    """Ask for another task when messages are left: at once after a full load, else when the chat will be idle.

    And for one at once when more is to be made, and when the conversation that goes on may be over: rounded up to half
    an hour, so two requests an hour at most, however long the talk.
    """
    chat_id, schedule, pace = state.chat_id, app.schedule, pace_of(app.policy, app.model, state)
    if pending and (full or pace.is_full(len(pending))):
        mark = f"more-{pending[-1].id}-{len(pending)}"
        await schedule.extraction_later(chat_id, mark=mark, run_at=None, not_before=not_before)
    elif pending:
        came = [read_message(document).received_at for document in pending]
        await schedule.extraction_when_idle(chat_id, since=pace.ripe_at(min(came), max(came)) - app.policy.idle)
    if kept.more:
        await schedule.extraction_later(chat_id, mark=f"upkeep-{app.clock.now():%Y%m%d%H%M%S}", run_at=None)
    if kept.due_at is not None:
        slot = ceil((kept.due_at + GRACE).timestamp() / _EPISODE_SLOT)
        run_at = datetime.fromtimestamp(slot * _EPISODE_SLOT, UTC)
        await schedule.extraction_later(chat_id, mark=f"episode-{slot}", run_at=run_at)
