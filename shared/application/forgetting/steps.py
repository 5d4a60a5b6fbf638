"""The steps of a forgetting, in the order in which they are taken."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import forgotten_field, read_chat
from shared.application.chats.choices import forget_chooser
from shared.application.chats.state import Chats
from shared.application.consolidation.changing import forget_in_context
from shared.application.conversation.message_codec import ChunkState, chunk_field, edited_field, unquoted_fields
from shared.application.conversation.reply_codec import without_reaction_fields
from shared.application.conversation.tombstones import lay, member_tombstone, message_tombstone
from shared.application.documents import chat_path, fact_path, facts_path, learning_path, member_path, profile_path
from shared.application.facts.codec import about
from shared.application.facts.subject_codec import outdated_portrait_fields, subject_writes
from shared.application.forgetting.bulk import delete_all, update_all
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.slots import forget_in_slot
from shared.application.forgetting.traces.survey import NoteSeen, TraceSurvey, empty_notes, find_affected, has_reaction
from shared.application.ports.store import DELETE_FIELD, Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.application.schedule import Schedule

SECOND_LOOK = timedelta(minutes=3)
"""After it the retention job looks for what came in meanwhile: instances know of a forgetting a minute later, and an
answer under way is sent within its lease of 90 seconds."""


async def bar(store: DocumentStore, chats: Chats, scope: Scope, message_ids: Iterable[int]) -> Document | None:
    """Keep words from being stored or read once more, and return the chat's document as it was.

    That something is forgotten is noted in the chat: work under way on the words is thrown away.

    Args:
        message_ids: Messages that go. A member's are kept out by the member's tombstone and need none of their own.
    """
    own = [] if scope.user_id is None else [member_tombstone(scope.chat_id, scope.user_id)]
    single = message_ids if scope.user_id is None else set(message_ids) - scope.message_ids
    await lay(store, [*own, *(message_tombstone(scope.chat_id, each) for each in single)], until=scope.until)
    chat = await store.get(chat_path(scope.chat_id))
    state = read_chat(scope.chat_id, chat)
    if state.known and (state.forgotten_at is None or state.forgotten_at < scope.until):
        await store.update(chat_path(scope.chat_id), forgotten_field(scope.until))
    chats.forget(scope.chat_id)
    return chat


async def bar_everywhere(store: DocumentStore, chats: Chats, scope: Scope, before: Iterable[int]) -> Document | None:
    """Do the same under the ids that the chat had `before`, too; return its document under the present one."""
    for old in map(scope.before_moving, before):
        await bar(store, chats, old, old.message_ids)
    return await bar(store, chats, scope, scope.message_ids)


async def put_out_of_reach(store: DocumentStore, paths: Iterable[str]) -> None:
    """Make every task leave messages unread, as those of a private chat; the messages themselves are deleted last."""
    await update_all(store, paths, {**chunk_field(ChunkState.PRIVATE), **edited_field(False)})


async def forget_derived(
    app: App, scope: Scope, words: ForgottenWords, found: TraceSurvey, gone: frozenset[int]
) -> list[NoteSeen]:
    """Take the words out of all that was made of them, others' quotes among it; return the notes that were emptied.

    Args:
        gone: Messages that go: those of the scope, and echoes of them.
    """
    for fact_id in sorted(found.slots):
        await forget_in_slot(app, scope._replace(message_ids=gone), words, fact_id)
    await delete_all(app.store, [*found.quality, *sorted(found.given)])
    for subject in sorted(found.profiles):
        await app.store.batch(subject_writes(scope.chat_id, subject))
    notes = find_affected(found.notes, gone | found.quoting.keys())
    await empty_notes(app.store, scope.chat_id, notes)
    # The marks of what the group was asked about facts that are gone.
    asked = await app.store.query(f"{chat_path(scope.chat_id)}/questions")
    facts = await app.store.get_many([fact_path(scope.chat_id, question.id) for question in asked])
    await delete_all(app.store, [q.path for q, fact in zip(asked, facts, strict=True) if fact is None])
    await forget_in_context(app, scope.chat_id, user_id=scope.user_id, until=scope.until, message_ids=gone)
    await _forget_portraits(app.store, scope, found)
    # The notes about these messages, emptied before, put them back into the index as they are then.
    await update_all(app.store, found.quoting.values(), unquoted_fields())
    return notes


async def _forget_portraits(store: DocumentStore, scope: Scope, found: TraceSurvey) -> None:
    """Delete the portraits of the chat and of other members: nobody can tell whose words are in them.

    The job `culture` makes them again.
    """
    paths = {f"user:{path.rsplit('/', 1)[-1]}": path for path in found.summarized} | {"chat": chat_path(scope.chat_id)}
    documents = await store.get_many(list(paths.values()))
    for subject, document in zip(paths, documents, strict=True):
        made = [name for name in (document.data if document else ()) if name.startswith(("culture_", "profile_"))]
        if document is not None and made:
            await store.update(learning_path(scope.chat_id, subject), outdated_portrait_fields())
            await store.update(document.path, dict.fromkeys(made, DELETE_FIELD))


async def delete_originals(store: DocumentStore, scope: Scope, said: Iterable[str], found: TraceSurvey) -> None:
    """Delete the messages with their echoes, the descriptions of their files, and what was counted of the member.

    Until they are gone they tell what else is to be found, so an interrupted forgetting finds everything again.

    Args:
        said: Paths of the messages.
    """
    await delete_all(store, [*found.media, *found.spent, *found.echoes.values()])
    if scope.subject is not None:
        left = await store.query(facts_path(scope.chat_id), where=[about(scope.subject)], limit=1)
        counted = [profile_path(scope.chat_id, scope.subject), learning_path(scope.chat_id, scope.subject)]
        await delete_all(store, [] if left else counted)
    await delete_all(store, said)
    for path in found.reacted:
        await store.transaction(partial(_remove_reaction, path, scope))
    if scope.user_id is not None:
        await forget_chooser(store, scope.chat_id, scope.user_id)
        await store.delete(member_path(scope.chat_id, scope.user_id))


async def _remove_reaction(path: str, scope: Scope, tx: Transaction) -> None:
    message = await tx.get(path)
    if message is not None and scope.user_id is not None and has_reaction(message, scope):
        tx.write(Upsert(path, without_reaction_fields(message, scope.user_id)))


async def have_read_anew(schedule: Schedule, clock: Clock, chat_id: int) -> None:
    """Have what is left of a chat extracted and summarised anew."""
    await schedule.extraction_later(chat_id, mark=_mark(clock), run_at=None)


async def have_looked_at_again(queue: TaskQueue, clock: Clock, chat_ids: Iterable[int]) -> None:
    """Have the retention job look, after `SECOND_LOOK`, for what came in before every instance knew."""
    later = clock.now() + SECOND_LOOK
    for chat_id in chat_ids:
        name = f"retention-{chat_id}-{_mark(clock)}"
        await queue.enqueue(Task(name, "/maintenance/retention", {"chat_id": chat_id}, later))


def _mark(clock: Clock) -> str:
    return f"forgotten-{clock.now():%Y%m%d%H%M%S}"
