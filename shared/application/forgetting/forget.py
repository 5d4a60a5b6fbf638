"""Forgets for good every word of a member, or single messages (law 7).

The order survives a crash anywhere, because running it again finishes. First comes what keeps the words from returning
(tombstones, and the chat's `forgotten_at`, by which work under way is thrown away); then the messages are put out of
reach, and everything that was made from them is deleted or made again. The messages themselves go last: until then they
tell what else is to be found. A task that runs at the same time brings nothing back.

What a group said before it became a supergroup may still lie under its old id: it is moved first, as the task for that
does, and forgotten under the new id.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from shared.application.app import App
from shared.application.archive.keeping import erase_archive, rewrite_archive
from shared.application.bulk import delete_all, delete_subtree
from shared.application.chats.chat_codec import chat_fields, forgotten_fields, no_portrait, read_chat
from shared.application.chats.choices import choosers_in, forget_chooser
from shared.application.chats.migration import LATE_PART
from shared.application.chats.settings_codec import read_seen_names
from shared.application.consolidation.changing import forget_in_context
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import by_author
from shared.application.conversation.tombstones import chat_tombstone, lay
from shared.application.delivery.lease import note_erasure
from shared.application.documents import chat_path, facts_path, messages_path, quality_records_path
from shared.application.facts.codec import about, contradicted_id
from shared.application.facts.subject_codec import subject_writes
from shared.application.forgetting.steps import (
    Meant,
    bar,
    bar_everywhere,
    chat_ids,
    delete_originals,
    forget_derived,
    have_looked_at_again,
    have_read_anew,
    latest_instant,
    member_meant,
    messages_meant,
    put_out_of_reach,
)
from shared.application.forgetting.traces.outside import (
    delete_dead_letters,
    forget_all_asking,
    forget_asking,
    take_back_answers,
    unsay_later,
)
from shared.application.forgetting.traces.presence import begin_forgetting, end_forgetting, only_commands
from shared.application.forgetting.traces.retelling import Retold, facts_from, note_forgotten
from shared.application.forgetting.traces.scope import ForgottenWords, Preview, Scope
from shared.application.forgetting.traces.survey import leave_others_words, survey
from shared.application.ports.store import Delete, DocumentStore, Set, Transaction
from shared.application.ports.system import Clock
from shared.application.reading.moving import move_chat
from shared.application.recall.placing import forget_in_index
from shared.domain.conversation.messages import Message
from shared.domain.errors import ObjectLocked

log = logging.getLogger(__name__)

_COUNTED = ("messages", "answers_of_the_bot", "facts", "notes", "answers", "dead_letters", "too_old_in_telegram")


async def forget_member(app: App, chat_id: int, user_id: int, *, until: datetime | None = None) -> Mapping[str, int]:
    """Forget every word of a member and every fact about them, and return how much went, by kind.

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
    """Do what `forget_member` does but for the archive (`erase_archived`) and the end (`presence.end_forgetting`).

    What is returned proves whether something is left. Of a member of whom nothing but a few commands is stored, it
    costs at most 20 reads (`presence`) and one for each thing that they asked within three days, and there is nothing
    to prove.

    Args:
        shown: The bot's message that tells how it goes: it stays in Telegram.
    """
    *before, current = await chat_ids(app.store, chat_id)
    if until is None:
        said = await app.store.query(messages_path(current), where=[by_author(user_id)])
        until = latest_instant(app.clock, map(read_message, said))
    scope = Scope(current, user_id, frozenset(), until)
    chat = await bar_everywhere(app.store, app.chats, scope, before)
    commands = None if before else await only_commands(app.store, scope)
    if commands is not None:
        return await _forget_commands(app.store, app.clock, scope, commands, choosers=choosers_in(chat))
    await begin_forgetting(app.store, app.clock, current, user_id)
    await _move_here(app, before, current)
    # Read when nobody can store anything more of it.
    return await _forget(app, await member_meant(app.store, app.clock, current, user_id, until=until), before, shown)


async def erase_archived(app: App, erased: Preview) -> None:
    """Make the archive of a chat from which a member was erased anew; it raises what `forget_member` does."""
    if erased.looked_at is None:
        await rewrite_archive(app, erased.chat_ids[-1])


async def forget_messages(app: App, chat_id: int, message_ids: Collection[int]) -> Mapping[str, int]:
    """Forget single messages and everything that was learnt from them, and return how much went, by kind.

    It raises what `forget_member` does.
    """
    *before, current = await chat_ids(app.store, chat_id)
    scope = (await messages_meant(app.store, app.clock, chat_id, message_ids)).scope
    await bar_everywhere(app.store, app.chats, scope, before)
    await _move_here(app, before, current)
    erased = await _forget(app, await messages_meant(app.store, app.clock, current, scope.message_ids), before)
    await rewrite_archive(app, current)
    return erased.counts


async def _forget_commands(
    store: DocumentStore, clock: Clock, scope: Scope, found: Mapping[str, Message], *, choosers: Collection[int]
) -> Preview:
    """Forget somebody who only gave commands, and what the bot replied. The night finds what comes in late."""
    gone = {path: each for path, each in found.items() if each.is_bot or each.sent_at <= scope.until}
    own = frozenset(each.message_id for each in gone.values() if not each.is_bot)
    await delete_all(store, gone)
    if scope.user_id is not None and scope.user_id in choosers:
        await forget_chooser(store, scope.chat_id, scope.user_id)
    await note_erasure(store, clock, scope.chat_id)
    await forget_asking(store, scope)
    await store.scrub()
    counts = {**dict.fromkeys(_COUNTED, 0), "messages": len(own), "answers_of_the_bot": len(gone) - len(own)}
    erased = scope._replace(message_ids=own)
    return Preview([scope.chat_id], erased, ForgottenWords(), counts, looked_at=len(found) + 1)


async def _move_here(app: App, before: Iterable[int], current: int) -> None:
    """Move what is left under old ids of the chat, and delete the old index."""
    for old_id in before:
        while await move_chat(app, old_id, current, part=LATE_PART):
            pass
        app.indexes.forget(old_id)


async def _forget(app: App, meant: Meant, before: Sequence[int], shown: int | None = None) -> Preview:
    scope, said, words = meant.scope, meant.said, meant.words()
    await bar(app.store, app.chats, scope, scope.message_ids)
    retold = Retold(scope, await note_forgotten(app, scope, [each.message for each in said.values()]))
    await put_out_of_reach(app.store, said)
    await leave_others_words(app.store, scope, words)
    found = await survey(app.store, app.policy, scope, words, whose=scope.user_id, retold=retold)
    found.slots |= await facts_from(app.store, scope.chat_id, retold.messages)
    await bar(app.store, app.chats, scope, found.echoes)
    await put_out_of_reach(app.store, found.echoes.values())
    gone = frozenset({*scope.message_ids, *found.echoes})
    notes = await forget_derived(app, scope, words, found, gone)
    told, noted = gone | found.quoting.keys(), [(note.kind, note.id) for note in notes]
    await forget_in_index(
        app.store, app.indexes, scope.chat_id, message_ids=told, user_id=scope.user_id, until=scope.until, notes=noted
    )
    scopes = [scope, *(scope.before_moving(old_id) for old_id in before)]
    letters = sum([await delete_dead_letters(app.store, each, each.chat_id, words) for each in scopes])
    to_unsay = {each: at for each, at in found.said.items() if each != shown}
    too_old = await unsay_later(app.queue, app.clock, scope.chat_id, to_unsay)
    await delete_originals(app.store, scope, said, found)
    # Nothing is left to make an answer from: answers that were made before are neither sent nor begun.
    for each in scopes:
        await note_erasure(app.store, app.clock, each.chat_id)
    answers = sum([await take_back_answers(app.store, each.chat_id) for each in scopes])
    for each in scopes:
        await forget_asking(app.store, each)
    await have_read_anew(app.schedule, app.clock, scope.chat_id)
    await have_looked_at_again(app.queue, app.clock, [scope.chat_id])
    await app.store.scrub()
    log.info("forgot messages=%d facts=%d notes=%d", len(said), len(found.slots), len(notes))
    counted = (len(said), len(found.echoes), len(found.slots), len(notes), answers, letters, too_old)
    return Preview([*before, scope.chat_id], scope, words, dict(zip(_COUNTED, counted, strict=True)))


_PAGE = 100


async def forget_chat(app: App, chat_id: int) -> dict[str, int]:
    """Forget a chat with everything in it, also under the id that it had before it became a supergroup.

    The bot stays where it is: what is said later begins a new memory, in which whoever opted out still is opted out.

    Returns:
        How much went, by kind: "answers", "dead_letters", "documents".

    Raises:
        ObjectLocked: The archive keeps some objects; everything else is done.
        TransientError: Something is down; run it again.
    """
    now, ids, counts = app.clock.now(), await chat_ids(app.store, chat_id), Counter[str]()
    for each in ids:
        await lay(app.store, [chat_tombstone(each)], until=now)
        # No task makes anything of what is still there.
        stopped = chat_fields(forgotten_at=now, private_mode=True, active=False)
        await app.store.update(chat_path(each), stopped)
        app.chats.forget(each)
    for each in ids:  # the old id first: from there it may still move
        counts["answers"] += await take_back_answers(app.store, each)
        await forget_all_asking(app.store, each)
        counts["dead_letters"] += await delete_dead_letters(app.store, None, each, ForgottenWords())
        counts["documents"] += await _delete_below(app.store, each)
    # The id that was given goes last: a second run finds the other one by its document.
    for each in sorted(ids, key=lambda one: one == chat_id):
        counts["documents"] += await _delete_below(app.store, each) + 1
        await note_erasure(app.store, app.clock, each)
        await app.store.transaction(partial(_leave_opt_outs, each))
        app.chats.forget(each)
        app.indexes.forget(each)
    await app.store.scrub()
    await have_looked_at_again(app.queue, app.clock, ids)
    await erase_archive(app.store, app.archive, *ids)
    return dict(counts)


async def _delete_below(store: DocumentStore, chat_id: int) -> int:
    """Delete the subtree until nothing is found in it, and return how many documents went."""
    deleted = 0
    while count := await delete_subtree(store, chat_path(chat_id)):
        deleted += count
    return deleted


async def _leave_opt_outs(chat_id: int, tx: Transaction) -> None:
    """Delete a chat's document but for the ids of who opted out, and the hashes of who was forgotten before.

    Both hold in the memory that may begin.
    """
    document = await tx.get(chat_path(chat_id))
    state = read_chat(chat_id, document)
    left = forgotten_fields(state, read_seen_names(document))
    tx.write(Set(chat_path(chat_id), left) if state.opted_out or state.hearsay else Delete(chat_path(chat_id)))


async def reset_chat_facts(app: App, chat_id: int) -> int:
    """Delete every fact about the chat itself, with versions and quality records; return how many there were.

    What was said before is not learnt from again, and what was made from it goes: the chat's portrait, and CONTEXT.md
    with its revisions but for lines that people wrote. Idempotent: the instant is written first, so a run after a crash
    finishes. It raises what `consent.opt_out` does.
    """
    since = app.clock.now()
    await app.chats.amend(chat_id, lambda _: chat_fields(learn_from=since))
    *before, current = await chat_ids(app.store, chat_id)
    await _move_here(app, before, current)
    about_chat = [about("chat")]
    deleted = 0
    while found := await app.store.query(facts_path(chat_id), where=about_chat, limit=_PAGE):
        for document in found:
            await delete_subtree(app.store, document.path)
            await app.store.batch([Delete(document.path), *subject_writes(chat_id, "chat")])
            await delete_subtree(app.store, document.path)  # of a step taken meanwhile
        deleted += sum(contradicted_id(document) is None for document in found)
    while found := await app.store.query(quality_records_path(chat_id), where=about_chat, limit=_PAGE):
        await delete_all(app.store, (document.path for document in found))
    await forget_in_context(app, chat_id, before=since)
    await app.chats.amend(chat_id, lambda _: no_portrait())
    return deleted
