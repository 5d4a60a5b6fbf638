"""Forgetting for good: a chat, every word of a member, or single messages (law 7).

In an order that survives dying anywhere, because running it again finishes: first what keeps the words from coming back
(tombstones, and the chat's `forgotten_at`, by which work under way is thrown away), then the messages are put out of
reach, then everything that was made from them goes or is made again, and the messages themselves go last: until then
they tell what else is to be found. Not even a task that is running meanwhile brings anything back.

What a group said before it became a supergroup may still lie under its old id: it is moved first, as by the task that
does so, and forgotten where it went.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.chats.choosing import choosers_in, forget_chooser
from shared.application.chats.state import PRIVATE_CHUNK, Chats
from shared.application.consolidation.erasing import forget_in_context
from shared.application.conversation.tombstones import chat_tombstone, lay, member_tombstone, message_tombstone
from shared.application.delivery.pace import note_erasure
from shared.application.documents import (
    ORIGINS,
    chat_path,
    fact_path,
    facts_path,
    learning_path,
    member_path,
    messages_path,
    profile_path,
)
from shared.application.facts.codec import subject_writes
from shared.application.forgetting.erasing import delete_all, delete_subtree
from shared.application.forgetting.meant import Meant, chat_ids, member_meant, messages_meant
from shared.application.forgetting.traces.hearsay import Retold, facts_from, note_forgotten
from shared.application.forgetting.traces.notes import NoteSeen, empty_notes, find_affected
from shared.application.forgetting.traces.outside import (
    delete_dead_letters,
    erase_archives,
    forget_in_archive,
    take_back_answers,
)
from shared.application.forgetting.traces.presence import begin_forgetting, end_forgetting, only_commands
from shared.application.forgetting.traces.scope import Preview, Scope
from shared.application.forgetting.traces.slots import forget_in_slot
from shared.application.forgetting.traces.survey import TraceSurvey, has_reaction, leave_others_words, survey
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.forgetting.unsaying import unsay_later
from shared.application.ports.store import DELETE_FIELD, Delete, Document, DocumentStore, Filter, Set, Transaction
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Task, TaskQueue
from shared.application.reading.moving import move_chat
from shared.application.recall.erasing import forget_in_index
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import ObjectLocked

log = logging.getLogger(__name__)

SECOND_LOOK = timedelta(minutes=3)
"""After it the retention job looks for what came in meanwhile: instances know of a forgetting a minute later, and an
answer under way is sent within its lease of 90 seconds."""

_AT_ONCE = 300

_COUNTED = ("messages", "answers_of_the_bot", "facts", "notes", "answers", "dead_letters", "too_old_in_telegram")


async def forget_member(app: App, chat_id: int, user_id: int, *, until: datetime | None = None) -> Mapping[str, int]:
    """Forget every word of a member, and every fact about them; what was done, in numbers.

    Args:
        until: What they say later stays; by default now.

    Raises:
        ObjectLocked: The archive keeps objects that hold their words; everything else is done.
        TransientError: Something is down; run it again.
    """
    erased = await erase_member(app, chat_id, user_id, until=until)
    try:
        await erase_archived(app, erased)
    except ObjectLocked:
        await end_forgetting(app.store, erased.chat_ids[-1], user_id)
        raise
    await end_forgetting(app.store, erased.chat_ids[-1], user_id)
    return erased.counts


async def erase_member(
    app: App, chat_id: int, user_id: int, *, until: datetime | None = None, shown: int | None = None
) -> Preview:
    """As `forget_member`, but for the archive (`erase_archived`) and its end (`presence.end_forgetting`); by what is
    returned it can be proven.

    Of whom nothing but a few commands is stored, it costs at most 20 reads (`presence`), and nothing is left to prove.

    Args:
        shown: The bot's message that tells how it goes: it stays in Telegram.
    """
    *before, current = await chat_ids(app, chat_id)
    if until is None:
        said = await app.store.query(messages_path(current), where=[Filter("user_id", "==", user_id)])
        until = max([app.clock.now(), *(document.data["sent_at"] for document in said)])
    scope = Scope(current, user_id, frozenset(), until)
    chat = await _bar_everywhere(app.store, app.chats, scope, before)
    commands = None if before else await only_commands(app.store, scope)
    if commands is not None:
        return await _forget_commands(app.store, app.clock, scope, commands, choosers=choosers_in(chat))
    await begin_forgetting(app.store, app.clock, current, user_id)
    await _gather(app, before, current)
    # Read when nobody can store anything more of it.
    return await _forget(app, await member_meant(app, current, user_id, until=until), before, shown=shown)


async def erase_archived(app: App, erased: Preview) -> None:
    """Make the archive of a chat anew from which a member was erased.

    Raises:
        ObjectLocked, TransientError: As `forget_member`.
    """
    if erased.looked_at is None:
        await forget_in_archive(app, erased.chat_ids[-1])


async def _forget_commands(
    store: DocumentStore, clock: Clock, scope: Scope, found: Sequence[Document], *, choosers: Collection[int]
) -> Preview:
    """Forget somebody who only gave commands, and what the bot replied. What comes in late is found by the night."""
    gone = [document for document in found if document.data["is_bot"] or document.data["sent_at"] <= scope.until]
    own = frozenset(document.data["message_id"] for document in gone if not document.data["is_bot"])
    await delete_all(store, [document.path for document in gone])
    if scope.user_id is not None and scope.user_id in choosers:
        await forget_chooser(store, scope.chat_id, scope.user_id)
    await note_erasure(store, clock, scope.chat_id, scope.user_id)
    await store.scrub()
    counts = {**dict.fromkeys(_COUNTED, 0), "messages": len(own), "answers_of_the_bot": len(gone) - len(own)}
    erased = scope._replace(message_ids=own)
    return Preview([scope.chat_id], erased, ForgottenWords(), counts, looked_at=len(found) + 1)


async def forget_messages(app: App, chat_id: int, message_ids: Collection[int]) -> Mapping[str, int]:
    """Forget single messages and everything that was learnt from them; what was done, in numbers.

    Raises:
        ObjectLocked, TransientError: As `forget_member`.
    """
    *before, current = await chat_ids(app, chat_id)
    scope = (await messages_meant(app, chat_id, message_ids)).scope
    await _bar_everywhere(app.store, app.chats, scope, before)
    await _gather(app, before, current)
    erased = await _forget(app, await messages_meant(app, current, scope.message_ids), before)
    await forget_in_archive(app, current)
    return erased.counts


async def forget_chat(app: App, chat_id: int) -> dict[str, int]:
    """Forget a chat with everything in it, also under the id that it had before it became a supergroup; what was done.

    The bot stays where it is: what is said later begins a new memory, in which who opted out still is.

    Raises:
        ObjectLocked, TransientError: As `forget_member`.
    """
    now, ids, counts = app.clock.now(), await chat_ids(app, chat_id), Counter[str]()
    for each in ids:
        await lay(app.store, [chat_tombstone(each)], until=now)
        # Private and inactive: no task makes anything of what is still there.
        stopped = {"forgotten_at": now, "private_mode": True, "active": False}
        await app.store.update(chat_path(each), stopped)
        app.chats.forget(each)
    for each in ids:  # the old id first: from there it may still move
        counts["answers"] += await take_back_answers(app.store, each)
        counts["dead_letters"] += await delete_dead_letters(app.store, None, each, ForgottenWords())
        counts["documents"] += await _delete_below(app.store, each)
    # The one that was meant last, or a second run would not find the other.
    for each in sorted(ids, key=lambda one: one == chat_id):
        counts["documents"] += await _delete_below(app.store, each) + 1
        await app.store.transaction(partial(_leave_opt_outs, each))
        app.chats.forget(each)
        app.indexes.forget(each)
    await app.store.scrub()
    await _look_at_chats_again(app.queue, app.clock, ids)
    await erase_archives(app.store, app.archive, ids)
    return dict(counts)


async def _leave_opt_outs(chat_id: int, tx: Transaction) -> None:
    """End a chat's document, but for who opted out, and the hashes of who was forgotten before: both hold in the memory
    that may begin."""
    document = await tx.get(chat_path(chat_id))
    state = read_chat(chat_id, document)
    opted_out = state.opted_out
    names = document.data.get("opted_out_names") if document is not None else None
    left = {"schema": SCHEMA, "chat_id": chat_id, "opted_out": sorted(opted_out), "forgotten": True}
    left |= {"opted_out_names": names} if names else {}
    left |= {"hearsay": state.hearsay.fields()} if state.hearsay else {}
    tx.write(Set(chat_path(chat_id), left) if opted_out or state.hearsay else Delete(chat_path(chat_id)))


async def _delete_below(store: DocumentStore, chat_id: int) -> int:
    """Delete the subtree until nothing is found in it."""
    deleted = 0
    while count := await delete_subtree(store, chat_path(chat_id)):
        deleted += count
    return deleted


async def _bar_everywhere(store: DocumentStore, chats: Chats, scope: Scope, before: Iterable[int]) -> Document | None:
    """The chat's document under the id that it has now."""
    for old_id in before:
        old = scope.before_moving(old_id)
        await _bar(store, chats, old, old.message_ids)
    return await _bar(store, chats, scope, scope.message_ids)


async def _gather(app: App, before: Iterable[int], current: int) -> None:
    """Move what is left under old ids."""
    for old_id in before:
        while await move_chat(app, old_id, current):
            pass


async def _forget(app: App, meant: Meant, before: Sequence[int], *, shown: int | None = None) -> Preview:
    scope, said, words = meant.scope, meant.said, meant.words()
    await _bar(app.store, app.chats, scope, scope.message_ids)
    retold = Retold(scope, await note_forgotten(app, scope, said))
    await _put_out_of_reach(app.store, [document.path for document in said])
    await leave_others_words(app.store, scope, words)
    found = await survey(app.store, app.policy, scope, words, whose=scope.user_id, retold=retold)
    found.slots |= await facts_from(app.store, scope.chat_id, retold.messages)
    await _bar(app.store, app.chats, scope, found.echoes)
    await _put_out_of_reach(app.store, found.echoes.values())
    gone = frozenset({*scope.message_ids, *found.echoes})
    notes = await _forget_what_was_made(app, scope, words, found, gone)
    await _unquote(app.store, found)
    told, noted = gone | found.quoting.keys(), [(note.kind, note.id) for note in notes]
    await forget_in_index(
        app.store, app.indexes, scope.chat_id, message_ids=told, user_id=scope.user_id, until=scope.until, notes=noted
    )
    scopes = [scope, *(scope.before_moving(old_id) for old_id in before)]
    letters = sum([await delete_dead_letters(app.store, each, each.chat_id, words) for each in scopes])
    too_old = await unsay_later(
        app.queue, app.clock, scope.chat_id, {each: at for each, at in found.said.items() if each != shown}
    )
    await _delete_words(app.store, scope, said, found)
    # Nothing is left to make an answer from: what was made of it before is neither said nor begun to be.
    await note_erasure(app.store, app.clock, scope.chat_id, scope.user_id)
    answers = sum([await take_back_answers(app.store, each.chat_id) for each in scopes])
    await _look_again(app, scope)
    await app.store.scrub()
    log.info("forgot messages=%d facts=%d notes=%d", len(said), len(found.slots), len(notes))
    counts = {
        "messages": len(said),
        "answers_of_the_bot": len(found.echoes),
        "facts": len(found.slots),
        "notes": len(notes),
        "answers": answers,
        "dead_letters": letters,
        "too_old_in_telegram": too_old,
    }
    return Preview([*before, scope.chat_id], scope, words, counts)


async def _bar(store: DocumentStore, chats: Chats, scope: Scope, message_ids: Iterable[int]) -> Document | None:
    """Keep the words from being stored again, and throw away what is being made of them right now; the chat's document
    as it was."""
    own = [] if scope.user_id is None else [member_tombstone(scope.chat_id, scope.user_id)]
    # A member's messages are kept out by one mark, and need none of their own.
    single = message_ids if scope.user_id is None else set(message_ids) - scope.message_ids
    await lay(store, [*own, *(message_tombstone(scope.chat_id, each) for each in single)], until=scope.until)
    chat = await store.get(chat_path(scope.chat_id))
    state = read_chat(scope.chat_id, chat)
    if state.known and (state.forgotten_at is None or state.forgotten_at < scope.until):
        await store.update(chat_path(scope.chat_id), {"forgotten_at": scope.until})
    chats.forget(scope.chat_id)
    return chat


async def _put_out_of_reach(store: DocumentStore, paths: Iterable[str]) -> None:
    """Have messages left unread by every task, as those of a private chat are; they are deleted last."""
    left = list(paths)
    for start in range(0, len(left), _AT_ONCE):
        page = left[start : start + _AT_ONCE]
        await asyncio.gather(*(store.update(path, {"chunk": PRIVATE_CHUNK, "rederive": False}) for path in page))


async def _forget_what_was_made(
    app: App, scope: Scope, words: ForgottenWords, found: TraceSurvey, gone: frozenset[int]
) -> list[NoteSeen]:
    """The notes that were emptied."""
    for fact_id in sorted(found.slots):
        await forget_in_slot(app, scope._replace(message_ids=gone), words, fact_id)
    await delete_all(app.store, [*found.quality, *sorted(found.given)])
    for subject in sorted(found.profiles):
        await app.store.batch(subject_writes(scope.chat_id, subject))
    notes = find_affected(found.notes, gone | found.quoting.keys())
    await empty_notes(app.store, scope.chat_id, notes)
    await _forget_questions(app.store, scope.chat_id)
    await forget_in_context(app, scope.chat_id, user_id=scope.user_id, until=scope.until, message_ids=gone)
    await _forget_portraits(app.store, scope, found)
    return notes


async def _forget_questions(store: DocumentStore, chat_id: int) -> None:
    """Drop the marks of what the group was asked about facts that are gone."""
    asked = await store.query(f"{chat_path(chat_id)}/questions")
    facts = await store.get_many([fact_path(chat_id, question.id) for question in asked])
    await delete_all(store, [q.path for q, fact in zip(asked, facts, strict=True) if fact is None])


async def _unquote(store: DocumentStore, found: TraceSurvey) -> None:
    """Take the words, and whose they were, out of the messages that quote them; the notes about these, emptied before,
    put them back into the index as they are then."""
    for path in found.quoting.values():
        await store.update(path, {"quote": None, **dict.fromkeys(ORIGINS, DELETE_FIELD)})


async def _forget_portraits(store: DocumentStore, scope: Scope, found: TraceSurvey) -> None:
    """Drop the portraits of the chat and of other members: nobody can tell whose words are in them. They are made
    again by the job `culture`."""
    paths = {f"user:{path.rsplit('/', 1)[-1]}": path for path in found.summarized} | {"chat": chat_path(scope.chat_id)}
    documents = await store.get_many(list(paths.values()))
    for subject, document in zip(paths, documents, strict=True):
        made = [name for name in (document.data if document else ()) if name.startswith(("culture_", "profile_"))]
        if document is not None and made:
            marks = {"summarized": False, "summary_of": None}
            await store.update(learning_path(scope.chat_id, subject), marks)
            await store.update(document.path, dict.fromkeys(made, DELETE_FIELD))


async def _delete_words(store: DocumentStore, scope: Scope, said: Sequence[Document], found: TraceSurvey) -> None:
    """The messages themselves, last of all: until they are gone, a second run finds everything again."""
    await delete_all(store, [*found.media, *found.spent, *found.echoes.values()])
    if scope.subject is not None and scope.user_id is not None:
        left = await store.query(facts_path(scope.chat_id), where=[Filter("subject", "==", scope.subject)], limit=1)
        counted = [profile_path(scope.chat_id, scope.subject), learning_path(scope.chat_id, scope.subject)]
        await delete_all(store, [] if left else counted)
    await delete_all(store, [document.path for document in said])
    for path in found.reacted:
        await store.transaction(partial(_without_reaction, path, scope))
    if scope.user_id is not None:
        await forget_chooser(store, scope.chat_id, scope.user_id)
        await store.delete(member_path(scope.chat_id, scope.user_id))


async def _without_reaction(path: str, scope: Scope, tx: Transaction) -> None:
    message = await tx.get(path)
    if message is not None and has_reaction(message.data, scope):
        others = {name: each for name, each in message.data["reacted"].items() if name != str(scope.user_id)}
        tx.write(Set(path, {**message.data, "reacted": others, "reacted_by": sorted(map(int, others))}))


async def _look_again(app: App, scope: Scope) -> None:
    """Have what is left made anew, and look for what came in before every instance knew."""
    await app.schedule.extraction_later(scope.chat_id, mark=_mark(app.clock), run_at=None)
    await _look_at_chats_again(app.queue, app.clock, [scope.chat_id])


def _mark(clock: Clock) -> str:
    return f"forgotten-{clock.now():%Y%m%d%H%M%S}"


async def _look_at_chats_again(queue: TaskQueue, clock: Clock, chat_ids: Iterable[int]) -> None:
    later = clock.now() + SECOND_LOOK
    for each in chat_ids:
        name = f"retention-{each}-{_mark(clock)}"
        await queue.enqueue(Task(name, "/maintenance/retention", {"chat_id": each}, later))
