"""Forgets facts at a member's request, about themselves; nobody's memories but the asker's are ever looked at."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from shared.application.answering.tools.binding import ToolContext, ToolOutcome, bind, text_of
from shared.application.app import App
from shared.application.facts.memory import ranked_facts
from shared.application.facts.moderation import drop_fact
from shared.domain.conversation.messages import Message
from shared.domain.errors import ToolRefused
from shared.domain.facts.change import Cause
from shared.domain.facts.fact import Fact
from shared.domain.facts.profile import ProfileFact, profile_fact
from shared.domain.reading.requests import asks_to_forget

_MAX_QUERY, _MAX_DROPPED, _MAX_SHOWN = 200, 20, 10


async def _run(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    from shared.domain.text.terms import words_of

    wanted = frozenset(words_of(text_of(arguments, "query", most=_MAX_QUERY)))
    if not wanted:
        raise ToolRefused("query must name what to forget")
    if not asks_to_forget(context.message.text):
        raise ToolRefused("the asker did not ask to forget anything")
    chat_id, asker = context.state.chat_id, context.message.user_id
    known = await ranked_facts(app.store, app.policy, chat_id, f"user:{asker}", now=app.clock.now())
    # What was said after the request stays, however late the request is carried out.
    until, meant = context.message.sent_at, [fact for fact in known if wanted <= _terms(fact)]
    matching = [fact for fact in meant if all(quote.sent_at <= until for quote in fact.evidence)][:_MAX_DROPPED]
    if not matching:
        shown = known[:_MAX_SHOWN]
        return ToolOutcome(
            {"dropped": [], "known": [f.description for f in shown]}, facts=_profile_facts_of(shown, context.message)
        )
    changes = await asyncio.gather(
        *(drop_fact(app, chat_id, fact.id, user_id=asker, cause=Cause.ASKED_TO_FORGET) for fact in matching)
    )
    dropped = [fact for fact, change in zip(matching, changes, strict=True) if change is not None]
    return ToolOutcome({"dropped": [f.description for f in dropped]}, facts=_profile_facts_of(dropped, context.message))


def _profile_facts_of(facts: Iterable[Fact], asking: Message) -> tuple[ProfileFact, ...]:
    return tuple(profile_fact(fact, {asking.user_id: asking.name}) for fact in facts)


def _terms(fact: Fact) -> frozenset[str]:
    """Everything by which somebody may name a fact: its slot, what it says, and what was said."""
    from shared.domain.text.terms import words_of

    said = (fact.key.replace("_", " "), fact.value, fact.description, *(e.quote for e in fact.evidence))
    return frozenset(words_of("\n".join(said)))


BINDING = bind("forget", _run)
