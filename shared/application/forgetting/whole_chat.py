"""Forgets a whole chat for good, under every id that it has or had (law 7), or only all facts about it."""

from __future__ import annotations

from collections import Counter
from functools import partial

from shared.application.app import App
from shared.application.archive.keeping import erase_archive
from shared.application.chats.chat_codec import forgotten_fields, no_portrait, read_chat, reset_field, stopped_fields
from shared.application.chats.consent_codec import read_seen_names
from shared.application.consolidation.changing import forget_in_context
from shared.application.conversation.tombstones import chat_tombstone, lay
from shared.application.delivery.lease import note_erasure
from shared.application.documents import chat_path, facts_path, quality_records_path
from shared.application.facts.codec import about, contradicted_by
from shared.application.facts.subject_codec import subject_writes
from shared.application.forgetting.bulk import delete_all, delete_subtree
from shared.application.forgetting.meant import chat_ids
from shared.application.forgetting.steps import have_looked_at_again
from shared.application.forgetting.traces.outside import delete_dead_letters, forget_all_asking, take_back_answers
from shared.application.forgetting.traces.scope import ForgottenWords
from shared.application.ports.store import Delete, DocumentStore, Set, Transaction

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
        await app.store.update(chat_path(each), stopped_fields(now))
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
    """Delete a chat's document but for who opted out, and the hashes of who was forgotten before.

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
    finishes.
    """
    since = app.clock.now()
    await app.chats.change(chat_id, reset_field(since))
    about_chat = [about("chat")]
    deleted = 0
    while found := await app.store.query(facts_path(chat_id), where=about_chat, limit=_PAGE):
        for document in found:
            await delete_subtree(app.store, document.path)
            await app.store.batch([Delete(document.path), *subject_writes(chat_id, "chat")])
            await delete_subtree(app.store, document.path)  # of a step taken meanwhile
        deleted += sum(contradicted_by(document) is None for document in found)
    while found := await app.store.query(quality_records_path(chat_id), where=about_chat, limit=_PAGE):
        await delete_all(app.store, (document.path for document in found))
    await forget_in_context(app, chat_id, before=since)
    await app.chats.change(chat_id, no_portrait())
    return deleted
