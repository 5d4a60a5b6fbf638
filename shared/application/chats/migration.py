"""A basic group became a supergroup: everything of it moves under the new id.

The two chats number their messages independently, so old messages keep their order under negative ids (see
`migrated_message_id`). Each document moves in one transaction that finds it still there: a task that dies is run again,
and what is forgotten while it moves does not come back with what the mover had read.
"""

from datetime import datetime, timedelta
from typing import Any

from shared.application.app import Intake
from shared.application.chats.chat_codec import ChatState, begun_fields, chat_fields, read_chat
from shared.application.chats.settings_codec import hearsay_fields, merge_settings, read_seen_names
from shared.application.documents import chat_path
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.schedule import Schedule
from shared.domain.people.admin_history import join_notes

_LATE, LATE_PART = timedelta(minutes=4), 10_000
"""The delay after which later writes under the old id are moved: an answer is made and sent within 100 seconds, by an
instance that learns of the move a minute later. Its parts are counted from there."""


async def begin_migration(app: Intake, old_id: int, new_id: int) -> bool:
    """Point the old id at the new one and have what lies under it moved; False when that makes no sense.

    Who opted out, what a reset forgot, private mode and the chat's other choices hold under the new id at once.
    """
    ids = old_id, new_id

    async def point(tx: Transaction) -> bool:
        """Do it at once: what is chosen meanwhile is merged, or finds the chat under its new id."""
        documents = await tx.get_many([*map(chat_path, ids)])
        old, new = map(read_chat, ids, documents)
        if new.migrated_to is not None or old.migrated_to not in (None, new_id):
            return False
        if new.migrated_from != old_id:  # what is chosen since then stays
            kept = _merge_choices(*documents) | _merge_protection(app.policy, old, new)
            kept |= chat_fields(migrated_from=old_id, migrated_at=app.clock.now(), active=True)
            tx.write(Upsert(chat_path(new_id), {**begun_fields(new_id), **kept}))
        gone_on = chat_fields(migrated_to=new_id, active=False)
        tx.write(Upsert(chat_path(old_id), {**begun_fields(old_id), **gone_on}))
        return True

    if old_id == new_id or not await app.store.transaction(point):
        return False
    for each in ids:
        app.chats.forget(each)
    await ask_to_move(app.schedule, old_id, new_id, part=0)
    await ask_to_move(app.schedule, old_id, new_id, part=LATE_PART, at=app.clock.now() + _LATE)
    return True


def _merge_protection(policy: Policy, old: ChatState, new: ChatState) -> dict[str, Any]:
    """Return what either chat keeps from being learnt, both do as one; so with who was an admin when."""
    resets = [at for at in (old.learn_from, new.learn_from) if at is not None]
    forgotten = [at for at in (old.forgotten_at, new.forgotten_at) if at is not None]
    chosen = old.private_mode is not None or new.private_mode is not None
    private = any(state.is_private(by_default=policy.private_mode) for state in (old, new))
    hearsay = new.hearsay.join(old.hearsay)
    # The old one's list of admins holds where the new one was never asked.
    asked = old.admins_checked_at is not None and new.admins_checked_at is None and not new.admins
    return {
        "opted_out": sorted(old.opted_out | new.opted_out),
        **(hearsay_fields(hearsay) if hearsay else {}),
        **(chat_fields(admins=old.admins, admins_checked_at=old.admins_checked_at) if asked else {}),
        **chat_fields(
            admin_history=join_notes(old.admin_history, new.admin_history),
            learn_from=max(resets, default=None),
            forgotten_at=max(forgotten, default=None),
            private_mode=private if chosen else None,
        ),
    }


def _merge_choices(old: Document | None, new: Document | None) -> dict[str, Any]:
    """Return the settings of both, the new chat's first, and what those who opted out in either are called."""
    before, after = (document.data if document is not None else {} for document in (old, new))
    seen = {*read_seen_names(old), *read_seen_names(new)}
    return {**({"opted_out_names": sorted(seen)} if seen else {}), **merge_settings(before, after)}


async def ask_to_move(schedule: Schedule, old_id: int, new_id: int, *, part: int, at: datetime | None = None) -> None:
    payload = {"chat_id": old_id, "new_chat_id": new_id, "part": part}
    await schedule.job("migrate", mark=f"{old_id}-{new_id}-{part}", payload=payload, run_at=at)


async def is_moving_in(store: DocumentStore, chat_id: int) -> bool:
    """Return whether the chat that became this one still has documents that are to move."""
    before = read_chat(chat_id, await store.get(chat_path(chat_id))).migrated_from
    if before is not None:
        async for document in store.subtree(chat_path(before)):
            if not is_of_index(document):
                return True
    return False


def is_of_index(document: Document) -> bool:
    """Return whether a document of a chat is of its index, which does not move but is made anew."""
    return document.path.split("/")[2] == "index"
