"""Makes what follows from chunks later: meta summaries, episodes, texts made again, vectors.

One document a chat (`upkeep_path`) counts what was left to do and what was seen to, so a task with nothing to do
reads that one document. It is written at the task's end: a crash before this only repeats idempotent work.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.documents import upkeep_path
from shared.application.ports.model import Embedder, LanguageModel
from shared.application.ports.store import DocumentStore, Filter
from shared.application.reading.notes.codec import UpkeepLedger, WorkKind, read_upkeep, seen_fields
from shared.application.reading.notes.embeddings import embed_missing
from shared.application.reading.notes.episodes import Closing, close_episodes, redo_episodes
from shared.application.reading.notes.metas import group_nodes, redo_metas
from shared.application.reading.notes.redoing import Redone
from shared.application.reading.rereading import redo_chunks
from shared.application.reading.setting_aside import Pieces
from shared.application.recall.note_queries import MODEL_PENDING, STALE

_REDO_AT_ONCE = 5
_MOST_LEVELS = 6  # of metas over a chunk that changed: a million messages


class Kept(NamedTuple):
    """The result of upkeep: what it leaves.

    Attributes:
        waits: Something waits for the model or the embedder.
        more: There is more to do right now than one task does.
        due_at: When a conversation that goes on would be over.
        noted: What `note_kept` is to write.
    """

    waits: bool = False
    more: bool = False
    due_at: datetime | None = None
    noted: Mapping[str, Any] | None = None


async def is_left_to_do(app: App, chat_id: int) -> bool:
    """Return whether something was left to do that nobody has seen to, or only a task that crashed before it
    noted that.

    That a conversation is over has a task of its own, and is not looked at.
    """
    document = await app.store.get(upkeep_path(chat_id))
    if document is None:
        return False
    return bool(_unseen_work(read_upkeep(document), _backend_fingerprint(app.model, app.embedder)))


async def keep_up(app: App, state: ChatState, pieces: Pieces, *, quiet_until: datetime) -> Kept:
    """Do what is left to do for a chat; a private chat's is left until it is private no more.

    It counts as left until `note_kept`: after a crash before that all of it is done once more.

    Args:
        quiet_until: As for `close_episodes`.

    Raises:
        TransientError: Run the task again.
    """
    document = await app.store.get(upkeep_path(state.chat_id))
    if document is None or choices_for(app.policy, state).private:
        return Kept()
    ledger, fingerprint = read_upkeep(document), _backend_fingerprint(app.model, app.embedder)
    work = _unseen_work(ledger, fingerprint)
    if ledger.due_at is not None and ledger.due_at <= quiet_until:
        work.add("made")
    if not work:
        return Kept(due_at=ledger.due_at)
    failed = len(pieces.failed)
    unfinished, waits, closing = set[WorkKind](), False, Closing(due_at=ledger.due_at)
    if "stale" in work:
        more, waits = await _redo_stale(app, state, pieces)
        unfinished |= {"stale"} if more else set()
    if "made" in work:
        more = await pieces.step(lambda: group_nodes(app, state, pieces), otherwise=False)
        closing = await pieces.step(lambda: close_episodes(app, state, pieces, quiet_until=quiet_until), closing)
        unfinished |= {"made"} if more or closing.more else set()
    more = bool(unfinished)
    if "waits" in work:
        still = await _see_to_waiting(app, state, pieces, other_embedder=fingerprint != ledger.backends)
        unfinished |= {"waits"} if still else set()
        waits |= still
    done = work - unfinished if len(pieces.failed) == failed else set[WorkKind]()
    return Kept(waits, more, closing.due_at, seen_fields(ledger, done, due_at=closing.due_at, backends=fingerprint))


async def note_kept(store: DocumentStore, chat_id: int, kept: Kept) -> None:
    """Note what was seen to, after everything that follows from it."""
    if kept.noted is not None:  # not upsert: what a migration has moved away meanwhile must not come back
        await store.update(upkeep_path(chat_id), kept.noted)


def _unseen_work(ledger: UpkeepLedger, fingerprint: str) -> set[WorkKind]:
    return ledger.open_kinds | (set() if fingerprint == ledger.backends else {"waits"})


def _backend_fingerprint(model: LanguageModel | None, embedder: Embedder | None) -> str:
    """Return which model and embedder there are: with another one, what waited is looked at again."""
    return f"{'model' if model is not None else 'none'} {embedder.name if embedder is not None else 'none'}"


async def _redo_stale(app: App, state: ChatState, pieces: Pieces) -> tuple[bool, bool]:
    """Make again what is stale, then what is stale because of that; whether more is, and whether the model is due."""
    waits = False
    for _ in range(_MOST_LEVELS):
        chunks = await redo_chunks(app, state, pieces, which=STALE)
        metas, episodes = await _redo(app, state, pieces, STALE)
        waits |= chunks.later or metas.later or episodes.later
        if not (chunks.made or metas.made or episodes.made):
            return False, waits
    return True, waits


async def _redo(app: App, state: ChatState, pieces: Pieces, which: Filter) -> tuple[Redone, Redone]:
    metas = await pieces.step(lambda: redo_metas(app, state, pieces, which=which, limit=_REDO_AT_ONCE), Redone())
    episodes = await pieces.step(lambda: redo_episodes(app, state, pieces, which=which, limit=_REDO_AT_ONCE), Redone())
    return metas, episodes


async def _see_to_waiting(app: App, state: ChatState, pieces: Pieces, *, other_embedder: bool) -> bool:
    waits = False
    if app.model is not None:
        metas, episodes = await _redo(app, state, pieces, MODEL_PENDING)
        waits = metas.later or episodes.later or _REDO_AT_ONCE in (metas.made, episodes.made)
    if app.embedder is not None:
        waits |= await pieces.step(lambda: embed_missing(app, state, all_models=other_embedder), otherwise=False)
    return waits
