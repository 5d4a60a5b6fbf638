"""Deletes the messages themselves, and what is kept of their author; the last step.

Until they are gone they tell what else is to be found, so an interrupted forgetting finds everything again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from shared.application.chats.choosing import forget_chooser
from shared.application.conversation.reaction_codec import without_reaction_fields
from shared.application.documents import facts_path, learning_path, member_path, profile_path
from shared.application.facts.codec import about
from shared.application.forgetting.bulk import delete_all
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.survey import TraceSurvey, has_reaction
from shared.application.ports.store import DocumentStore, Transaction, Upsert


async def delete_originals(store: DocumentStore, scope: Scope, said: Iterable[str], found: TraceSurvey) -> None:
    """Delete the messages with their echoes, the descriptions of their files, and what was counted of the member.

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
