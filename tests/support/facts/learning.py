"""Candidates that a chat learns, and what is disputed."""

from infra.telegram.updates import parse_update
from shared.application.documents import quality_records_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import learn_candidates
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate, Status
from tests.support import updates
from tests.support.group import CHAT

OWN, ADMIN = Authority.OWN_STATEMENT, Authority.ADMIN
HANNA = "user:104"


async def said(group, text, user_id=101, chat_id=CHAT, **about):
    """Somebody says `text`, and it is proposed as a fact."""
    message = (await group.say(text, user_id, "Хтось", chat=updates.chat(chat_id)))["message"]
    quote = Evidence(parse_update({"update_id": 1, "message": message}).message.sent_at, message["message_id"],
                     user_id, text)  # fmt: skip
    slot = {"subject": "chat", "category": "tradition", "key": "weekly_recap", "description": text, "confidence": 0.8}
    return Candidate(**(slot | {"value": text.casefold(), "single": True} | about), evidence=(quote,))


async def learn(group, *candidates, chat_id=CHAT):
    return await learn_candidates(group.runtime.app, chat_id, candidates)


async def quality(group, chat_id=CHAT):
    return [document.data for document in await group.store.query(quality_records_path(chat_id))]


async def roots(group, chat_id=CHAT):
    return [fact_from_fields(f) for f in await group.facts(chat_id) if f["conflicts_with"] is None]


async def dispute(group, chat_id=CHAT):
    """An admin's Friday, a member's Saturday; the id of the pending one."""
    await learn(group, await said(group, "Friday", 102, chat_id, authority=ADMIN), chat_id=chat_id)
    (change,) = await learn(group, await said(group, "Saturday", 103, chat_id), chat_id=chat_id)
    assert change.after.status is Status.PENDING
    return change.after.id
