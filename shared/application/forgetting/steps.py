"""The target of a forgetting (whose words, which messages, under which chat ids), and its steps in their order."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.bulk import delete_all, update_all
from shared.application.chats.chat_codec import chat_fields, read_chat
from shared.application.chats.choices import forget_chooser
from shared.application.chats.portrait_codec import portrait_names
from shared.application.chats.state import Chats
from shared.application.consolidation.changing import forget_in_context
from shared.application.conversation.message_codec import (
    ChunkState,
    StoredMessage,
    chunk_field,
    edited_field,
    read_message,
    unquoted_fields,
)
from shared.application.conversation.message_queries import by_author
from shared.application.conversation.reply_codec import without_reaction_fields
from shared.application.conversation.tombstones import lay, member_tombstone, message_tombstone
from shared.application.documents import (
    chat_path,
    fact_path,
    facts_path,
    learning_path,
    member_path,
    message_path,
    messages_path,
    profile_path,
)
from shared.application.facts.codec import about
from shared.application.facts.subject_codec import outdated_portrait_fields, subject_writes
from shared.application.forgetting.traces.retelling import names_of
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.slots import forget_in_slot
from shared.application.forgetting.traces.survey import (
    NoteSeen,
    TraceSurvey,
    empty_notes,
    find_affected,
    has_reaction,
    is_echo,
)
from shared.application.people.member_codec import read_member
from shared.application.ports.store import DELETE_FIELD, Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.application.reading.notes.codec import mark_work_due
from shared.application.schedule import Schedule
from shared.domain.conversation.messages import migrated_message_id, name_mark


class Meant(NamedTuple):
    """The target of a forgetting, and what is stored of it.

    Attributes:
        said: The messages that are stored of it, by path.
        names: What the member is called.
    """

    scope: Scope
    said: Mapping[str, StoredMessage]
    names: ForgottenWords

    def words(self) -> ForgottenWords:
        """Return what was said in the messages; words that others say as well are still among it."""
        own = (stored.message for stored in self.said.values() if not is_echo(stored.message))
        return ForgottenWords(text for message in own for text in (message.text, message.media_text or ""))


async def member_meant(
    store: DocumentStore, clock: Clock, chat_id: int, user_id: int, *, until: datetime | None = None
) -> Meant:
    """Find a member's words until an instant, by default now.

    What a chat said under its old id is found as far as it has moved.
    """
    *_, chat_id = await chat_ids(store, chat_id)
    stored = _read(await store.query(messages_path(chat_id), where=[by_author(user_id)]))
    until = until or latest_instant(clock, stored.values())
    said = {path: each for path, each in stored.items() if each.message.sent_at <= until}
    member = await store.get(member_path(chat_id, user_id))
    known = None if member is None else read_member(member)
    names = frozenset().union(*names_of((each.message for each in said.values()), known))
    said_ids = frozenset(each.message.message_id for each in said.values())
    scope = Scope(chat_id, user_id, said_ids, until, frozenset({user_id}), frozenset(map(name_mark, names)))
    return Meant(scope, said, ForgottenWords(names, shortest=2))


async def messages_meant(store: DocumentStore, clock: Clock, chat_id: int, message_ids: Collection[int]) -> Meant:
    """Find single messages, stored or not.

    Args:
        chat_id: When it is the id that the chat had before it became a supergroup, the messages' ids are those of then.
    """
    *_, current = await chat_ids(store, chat_id)
    if current != chat_id:
        message_ids, chat_id = [migrated_message_id(each) for each in message_ids], current
    paths = [message_path(chat_id, message_id) for message_id in sorted(set(message_ids))]
    said = _read(document for document in await store.get_many(paths) if document is not None)
    scope = Scope(chat_id, None, frozenset(message_ids), latest_instant(clock, said.values()))
    return Meant(scope, said, ForgottenWords())


def latest_instant(clock: Clock, said: Iterable[StoredMessage]) -> datetime:
    """Return now, or when the latest of the messages was sent: Telegram's clock may be ahead of ours."""
    return max([clock.now(), *(each.message.sent_at for each in said)])


def _read(documents: Iterable[Document]) -> dict[str, StoredMessage]:
    return {document.path: read_message(document) for document in documents}


async def chat_ids(store: DocumentStore, chat_id: int) -> list[int]:
    """Return the ids of a chat by one of them: the one from before it became a supergroup, if any, then the present."""
    document = await store.get(chat_path(chat_id))
    current = read_chat(chat_id, document).migrated_to or chat_id
    document = document if current == chat_id else await store.get(chat_path(current))
    before = read_chat(current, document).migrated_from
    # One that does not point here (yet) is a chat of its own.
    points = before is not None and read_chat(before, await store.get(chat_path(before))).migrated_to == current
    old = before if points else chat_id if current != chat_id else None
    return [current] if old is None else [old, current]


SECOND_LOOK = timedelta(minutes=3)
"""The time after which the retention job looks for what came in meanwhile: instances know of a forgetting a minute
later, and an answer that is being sent is sent within 90 seconds."""


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
        await store.update(chat_path(scope.chat_id), chat_fields(forgotten_at=scope.until))
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
    """Take the words out of all that was made of them, others' quotes among it; return the notes that are others now.

    Args:
        gone: Messages that go: those of the scope, and echoes of them.
    """
    for fact_id in sorted(found.slots):
        await forget_in_slot(app, scope._replace(message_ids=gone), words, fact_id)
    await delete_all(app.store, [*found.quality, *sorted(found.given)])
    for subject in sorted(found.profiles):
        await app.store.batch(subject_writes(scope.chat_id, subject))
    notes = find_affected(found.notes, gone | found.quoting.keys())
    for path, fields in found.named.items():
        await app.store.update(path, fields)
    if found.named:
        await app.store.batch([mark_work_due(scope.chat_id, "waits")])
    await empty_notes(app.store, scope.chat_id, notes)
    # The marks of what the group was asked about facts that are gone.
    asked = await app.store.query(f"{chat_path(scope.chat_id)}/questions")
    facts = await app.store.get_many([fact_path(scope.chat_id, question.id) for question in asked])
    await delete_all(app.store, [q.path for q, fact in zip(asked, facts, strict=True) if fact is None])
    await forget_in_context(app, scope.chat_id, user_id=scope.user_id, until=scope.until, message_ids=gone)
    await _forget_portraits(app.store, scope, found)
    # The notes about these messages, emptied before, put them back into the index as they are then.
    await update_all(app.store, found.quoting.values(), unquoted_fields())
    return [note for note in found.notes if note in notes or note.path in found.named]


async def _forget_portraits(store: DocumentStore, scope: Scope, found: TraceSurvey) -> None:
    """Delete the portraits of the chat and of other members: nobody can tell whose words are in them.

    The job `culture` makes them again.
    """
    paths = {f"user:{path.rsplit('/', 1)[-1]}": path for path in found.summarized} | {"chat": chat_path(scope.chat_id)}
    documents = await store.get_many(list(paths.values()))
    for subject, document in zip(paths, documents, strict=True):
        if document is not None and (made := portrait_names(document)):
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


async def have_read_anew(schedule: Schedule, clock: Clock, chat_id: int, *, why: str = "forgotten") -> None:
    """Have what is left of a chat extracted and summarised anew; `why` is in the name of the task."""
    await schedule.extraction_later(chat_id, mark=f"{why}-{clock.now():%Y%m%d%H%M%S}", run_at=None)


async def have_looked_at_again(queue: TaskQueue, clock: Clock, chat_ids: Iterable[int]) -> None:
    """Have the retention job look, after `SECOND_LOOK`, for what came in before every instance knew."""
    later = clock.now() + SECOND_LOOK
    for chat_id in chat_ids:
        name = f"retention-{chat_id}-forgotten-{clock.now():%Y%m%d%H%M%S}"
        await queue.enqueue(Task(name, "/maintenance/retention", {"chat_id": chat_id}, later))
