"""A chat that is tended at night."""

from dataclasses import replace
from datetime import timedelta

from shared.application.facts.writes import change_writes
from shared.application.intake.maintenance import find_tended_chat
from shared.domain.errors import ModelUnavailable
from shared.domain.facts.lifecycle import learn
from tests.support.builders import candidate, evidence
from tests.support.group import CHAT
from tests.support.queues import NOON


async def state_of(app, chat_id=CHAT):
    return await app.chats.state(chat_id, fresh=True)


async def believe(app, count, *, days_ago, chat_id=CHAT, start=0, until=None):
    """So many facts that were last confirmed so many days ago, and hold until then."""
    for n in range(start, start + count):
        at = NOON - timedelta(days=days_ago, seconds=n)
        said = candidate(
            f"{n}", replace(evidence(n + 1), sent_at=at, until=until), key=f"slot_{n}", category="tradition"
        )
        await app.store.batch(change_writes(chat_id, learn(None, said), now=at))


async def changed_at(app):
    """When the chat last had something for the job `decay` to do."""
    record = await find_tended_chat(app.store, CHAT, "decay")
    return record.changed_at


class AwayModel:
    """A model that is away."""

    async def generate(self, request):
        raise ModelUnavailable("over its quota")
