"""Facts that a group knows, and the cards on which it shows them."""

import itertools
from datetime import timedelta

from shared.application.documents import facts_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.writes import change_writes
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.facts.lifecycle import learn
from tests.support.group import CHAT

ADMIN, MEMBER, OLHA = (102, "Тарас"), (103, "Марко"), (101, "Оля")
DAY = timedelta(days=1)
message_ids = itertools.count(10_000)


def proposed(group, value, *authors, subject="chat", category="rule", **more):
    """A fact that these members said, each in a message of their own."""
    at = group.clock.now() - DAY
    quotes = [Evidence(at + timedelta(seconds=n), n, user_id, f"{value} - так!")
              for user_id, n in zip(authors or (103,), message_ids, strict=False)]  # fmt: skip
    slot = f"key_{quotes[0].message_id}"
    about = {"description": f"Факт: {value}", "key": slot, "authority": Authority.ADMIN, "single": True}
    return Candidate(subject=subject, category=category, value=value, confidence=0.8, evidence=tuple(quotes),
                     **(about | more))  # fmt: skip


async def believe(group, *candidates, before=None):
    """Facts as if they had been learnt; their ids."""
    made = [learn(before, each) for each in candidates]
    for change in made:
        await group.store.batch(change_writes(CHAT, change, now=group.clock.now()))
    return [change.after.id for change in made]


async def fact(group, fact_id):
    document = await group.store.get(f"{facts_path(CHAT)}/{fact_id}")
    return fact_from_fields(document.data)


def shown(group):
    """The newest message as it stands now."""
    return group.shown(group.api.sent[-1].message_id)


async def about(group, user_id, *values):
    said = [proposed(group, value, user_id, subject=f"user:{user_id}", category="preference") for value in values]
    return await believe(group, *said)
