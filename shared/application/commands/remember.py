"""`/gryadremember …`: one thing that a member states, with the command as its evidence. Needs no model."""

from __future__ import annotations

from shared.application.answer import Answer
from shared.application.app import App
from shared.application.commands.call import Call
from shared.application.commands.fix import card_piece, refused_words
from shared.application.commands.replies import answer, usage
from shared.application.documents import facts_path
from shared.application.fact_documents import fact_from_fields
from shared.application.ports.store import Filter
from shared.domain.facts import Fact, Status
from shared.domain.text import one_line
from shared.locales import say

MOST_CARDS = 3
"""Facts of one command that are shown (own choice)."""


async def remember(app: App, call: Call) -> Answer:
    """Learn what the words say, and show it; what must not be kept is refused with the reason."""
    from shared.application.remembering import remember_words  # imported here: patterns take long to load

    if not call.args:
        return usage(call)
    reason = await remember_words(app, call.state, call.message, call.args)
    if reason is not None:
        return refused_words(call, reason, votes=str(app.policy.consensus))
    leaning = await _leaning(app, call)
    message_id = call.message.message_id
    learnt = [fact for fact in leaning if any(quote.message_id == message_id for quote in fact.evidence)]
    if not learnt:
        return answer(call, "remember_rejected" if leaning else "remember_not_taken")
    pieces = [
        await card_piece(app, call.state, fact.id, call.language, call.user_id, _line(call, fact))
        for fact in learnt[:MOST_CARDS]
    ]
    return Answer(tuple(pieces))


async def _leaning(app: App, call: Call) -> list[Fact]:
    """What leans on the command now: read, so that it is told alike when the command is delivered again."""
    leaning = [Filter("evidence_message_ids", "array_contains", call.message.message_id)]
    found = await app.store.query(facts_path(call.state.chat_id), where=leaning)
    return [fact_from_fields(document.data, consensus=app.policy.consensus) for document in found]


def _line(call: Call, fact: Fact) -> str:
    if fact.status is Status.PENDING:
        return say(call.language, "remember_waits")
    if any(quote.message_id != call.message.message_id for quote in fact.evidence):
        return say(call.language, "remember_known")
    return say(call.language, "remember_done", name=one_line(call.message.name, 40))
