"""Keeps or erases the words of members who leave, as the chat chose."""

from __future__ import annotations

from shared.application.app import Intake
from shared.application.chats.choices import choices_for
from shared.domain.intake.outcomes import UpdateOutcome, UpdateResult
from shared.domain.intake.updates import MemberLeft
from shared.domain.people.admin_history import AdminNote


async def member_left(app: Intake, update: MemberLeft) -> UpdateOutcome:
    """Have the words of a member who left erased, where the chat wants that; return the outcome.

    What they say when they come back is new. Telegram may send the update twice, late, or both: it is done once.
    """
    state = await app.chats.current(update.chat.chat_id)
    if update.was_admin or update.user_id in state.admins:
        from shared.application.people.admins import note_admin

        await note_admin(
            app.store, app.chats, state.chat_id, AdminNote(update.at, update.user_id, is_admin=False, told=True)
        )
    if not choices_for(app.policy, state).erases_leavers:
        return UpdateOutcome(UpdateResult.LEFT, "kept")
    from shared.application.forgetting.request import ForgettingRequest

    request = ForgettingRequest(state.chat_id, update.user_id, update.at)
    await app.queue.enqueue(request.task(f"left-{update.at:%Y%m%d%H%M%S}"))
    return UpdateOutcome(UpdateResult.LEFT, "to be erased")
