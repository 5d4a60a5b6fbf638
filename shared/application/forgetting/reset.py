"""Forgets all facts about the chat itself, and what was made from them."""

from __future__ import annotations

from shared.application.app import App
from shared.application.chats.lifecycle_codec import no_portrait, reset_field
from shared.application.documents import facts_path, quality_records_path
from shared.application.facts.codec import about, contradicted_by
from shared.application.facts.subject_codec import subject_writes
from shared.application.forgetting.bulk import delete_all, delete_subtree
from shared.application.ports.store import Delete

_PAGE = 100


async def reset_chat_facts(app: App, chat_id: int) -> int:
    """Delete every fact about the chat itself, with versions and quality records; return how many there were.

    What was said before is not learnt from again, and what was made from it goes: the chat's portrait, and CONTEXT.md
    with its revisions but for lines that people wrote. Idempotent: the instant is written first, so a run after a crash
    finishes.
    """
    from shared.application.consolidation import forget_in_context

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
