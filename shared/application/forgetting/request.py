"""A member's request to be forgotten: the task that holds it, and the message that shows how it goes. Of who leaves
a chat it is made where the chat wants that.

The message holds numbers and none of their words.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.app import Intake
from shared.application.chats.choices import choices_for
from shared.application.delivery.wording import button, column, localized_text, text
from shared.application.forgetting.numbers_codec import ForgettingNumbers
from shared.application.payload_codec import payload_of
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.tasks import Task
from shared.domain.intake.updates import MemberLeft, UpdateOutcome, UpdateResult
from shared.domain.people.admin_history import AdminNote
from shared.domain.text.language import Language
from shared.locales import say

_TARGET = "/maintenance/forget"

_A_MOMENT = timedelta(seconds=3)
"""Delay of the task: what the member sees meanwhile is shown first."""


class ForgettingRequest(NamedTuple):
    """A request to forget: what is to go, and where to report it.

    Attributes:
        user_id: The member. In their private chat with the bot it is the chat's own id: then all of the chat is
            forgotten.
        until: What was said later stays.
        message_id: The bot's message that shows how it goes, or None: nobody is told.
    """

    chat_id: int
    user_id: int
    until: datetime
    message_id: int | None = None
    language: Language = "en"

    def task(self, mark: str) -> Task:
        """Return the task that does it; there is one of each mark."""
        fields = payload_of(self) | {"target": _TARGET}
        return Task(f"forget-{self.chat_id}-{self.user_id}-{mark}", _TARGET, fields, self.until + _A_MOMENT)


def render_failed(policy: Policy, request: ForgettingRequest) -> OutgoingText:
    """Return its text after a failure: the queue tries again, and so may they."""
    label = say(request.language, "forget_again")
    again = button(policy, request.chat_id, label, "fgt", "again", owner=request.user_id)
    return localized_text(request.language, "forget_failed", ((again,),))


def render_done(
    policy: Policy, request: ForgettingRequest, numbers: ForgettingNumbers, *, opted_out: bool
) -> OutgoingText:
    """Return its text at the end: what went, how many documents were searched, and what stays."""
    language, counts = request.language, numbers.counts
    if request.user_id == request.chat_id:
        gone = say(language, "forget_done_chat", count=str(sum(counts.values())))
    else:
        kinds = ("messages", "facts", "notes", "answers_of_the_bot")
        gone = say(language, "forget_done", **{kind: str(counts.get(kind, 0)) for kind in kinds})
    lines = [gone, "", say(language, "forget_searched", count=str(numbers.searched))]
    if old := counts.get("too_old_in_telegram"):
        lines += ["", say(language, "forget_too_old", count=str(old))]
    if numbers.locked:
        lines += ["", say(language, "forget_locked", count=str(numbers.locked))]
    lines += ["", say(language, "forget_opted_out" if opted_out else "forget_later")]
    return text("\n".join(lines), () if opted_out else column([opt_out_button(policy, request)]))


def opt_out_button(policy: Policy, request: ForgettingRequest) -> Button:
    """Return the button by which a member opts out."""
    return button(policy, request.chat_id, say(request.language, "optout_button"), "opt", owner=request.user_id)


async def member_left(app: Intake, update: MemberLeft) -> UpdateOutcome:
    """Have the words of a member who left erased, where the chat wants that; return the outcome.

    What they say when they come back is new. Telegram may send the update twice, late, or both: it is done once.
    """
    state = await app.chats.current(update.chat.chat_id)
    if update.was_admin or update.user_id in state.admins:
        from shared.application.people.admins import note_admin

        await note_admin(app.chats, state.chat_id, AdminNote(update.at, update.user_id, is_admin=False, told=True))
    if not choices_for(app.policy, state).erases_leavers:
        return UpdateOutcome(UpdateResult.LEFT, "kept")
    request = ForgettingRequest(state.chat_id, update.user_id, update.at)
    await app.queue.enqueue(request.task(f"left-{update.at:%Y%m%d%H%M%S}"))
    return UpdateOutcome(UpdateResult.LEFT, "to be erased")
