"""Answers that a group is given, and when they arrive."""

from datetime import timedelta

from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.ledger_codec import KEPT, update_path
from shared.application.ports.chat import OutgoingText
from tests.support.group import CHAT
from tests.support.queues import NOON
from tests.support.telegram.bot_api_limits import SendingLimits

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
MESSAGES_PER_MINUTE = 20


class Watch:
    """When the messages of a group arrived, by its clock."""

    def __init__(self, group):
        self.group, self.arrived = group, []

    def look(self):
        new = self.group.api.sent[len(self.arrived) :]
        self.arrived += [(self.group.clock.now(), sent) for sent in new]

    @property
    def busiest_minute(self):
        times = [at for at, sent in self.arrived if sent.chat_id == CHAT]
        return max(sum(first <= at < first + MINUTE for at in times) for first in times)

    async def until_quiet(self, slots=60):
        for _ in range(slots):
            self.group.clock.advance(10 * SECOND)
            await self.group.tasks.dispatch_due(self.group.clock.now())
            self.look()
            if not any(b'"deliver"' in each.task.http_request.body for each in self.group.tasks.tasks.values()):
                return
        raise AssertionError("something waits for ever")


def limit_messages(group):
    """Let Telegram take no more than 20 messages a minute into the group, by its clock; what it refuses is counted."""
    if group.api.limits is None:
        group.api.limits = SendingLimits(lambda: group.clock.now().timestamp(), per_second=1_000, per_chat_second=1_000)
    return group.api.limits


def fill_the_minute(group, chat_id=CHAT):
    """As if the group had just heard all that it may hear in a minute."""
    limit_messages(group).fill(chat_id)


def saying(*contents):
    """What makes an answer of texts and pieces."""

    async def compose():
        return Answer(
            tuple(AnswerPiece(OutgoingText(each, each)) if isinstance(each, str) else each for each in contents)
        )

    return compose


async def asked(store, update_id, *, chat_id=CHAT, user_id=101, at=NOON, message_id=None):
    """A question that was taken in, and nobody is at yet."""
    who = {"chat_id": chat_id, "user_id": user_id, "thread_id": None, "message_id": message_id or update_id}
    times = {"received_at": at, "counted_at": at, "expire_at": at + KEPT}
    assert await store.create(update_path(update_id), {"schema": 1, "state": "asked", **who, **times, "ask": {"a": 1}})
