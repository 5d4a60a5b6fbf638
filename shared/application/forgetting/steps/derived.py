"""Forgets what was made of forgotten words: facts, notes, portraits, questions, answers' sources, others' quotes."""

from __future__ import annotations

from shared.application.app import App
from shared.application.consolidation.erasing import forget_in_context
from shared.application.conversation.message_codec import unquoted_fields
from shared.application.documents import chat_path, fact_path, learning_path
from shared.application.facts.subject_codec import outdated_portrait_fields, subject_writes
from shared.application.forgetting.bulk import delete_all
from shared.application.forgetting.traces.notes import NoteSeen, empty_notes, find_affected
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.slots import forget_in_slot
from shared.application.forgetting.traces.survey import TraceSurvey
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.ports.store import DELETE_FIELD, DocumentStore


async def forget_derived(
    app: App, scope: Scope, words: ForgottenWords, found: TraceSurvey, gone: frozenset[int]
) -> list[NoteSeen]:
    """Take the words out of everything that was made of them, and return the notes that were emptied.

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
    await _forget_questions(app.store, scope.chat_id)
    await forget_in_context(app, scope.chat_id, user_id=scope.user_id, until=scope.until, message_ids=gone)
    await _forget_portraits(app.store, scope, found)
    # The notes about these messages, emptied before, put them back into the index as they are then.
    await _remove_quotes(app.store, found)
    return notes


async def _forget_questions(store: DocumentStore, chat_id: int) -> None:
    """Delete the marks of what the group was asked about facts that are gone."""
    asked = await store.query(f"{chat_path(chat_id)}/questions")
    facts = await store.get_many([fact_path(chat_id, question.id) for question in asked])
    await delete_all(store, [q.path for q, fact in zip(asked, facts, strict=True) if fact is None])


async def _forget_portraits(store: DocumentStore, scope: Scope, found: TraceSurvey) -> None:
    """Delete the portraits of the chat and of other members: nobody can tell whose words are in them.

    The job `culture` makes them again.
    """
    paths = {f"user:{path.rsplit('/', 1)[-1]}": path for path in found.summarized} | {"chat": chat_path(scope.chat_id)}
    documents = await store.get_many(list(paths.values()))
    for subject, document in zip(paths, documents, strict=True):
        made = [name for name in (document.data if document else ()) if name.startswith(("culture_", "profile_"))]
        if document is not None and made:
            marks = outdated_portrait_fields()
            await store.update(learning_path(scope.chat_id, subject), marks)
            await store.update(document.path, dict.fromkeys(made, DELETE_FIELD))


async def _remove_quotes(store: DocumentStore, found: TraceSurvey) -> None:
    """Remove the words, and whose they were, from the messages of others that quote them."""
    for path in found.quoting.values():
        await store.update(path, unquoted_fields())
