"""Remembers what a member asks for: one fact, in their own words, with the asking message as its evidence.

The model only chooses which words of that message to keep and where they belong. Quote, value and description are the
asker's own; the gate that every candidate passes (laws 1, 3, 4), the chat's choices, and the transaction that learns it
decide the rest. A rule is believed only from an admin (law 5).
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.application.answering.tools.binding import ToolContext, ToolOutcome, bind, choice_of, text_of
from shared.application.app import App
from shared.application.chats.choices import choices_for
from shared.domain.errors import ToolRefused
from shared.domain.facts.evidence.claim import MAX_QUOTE, Authority, Evidence
from shared.domain.facts.fact import MEMBER_CATEGORIES, ON_PURPOSE, Candidate
from shared.domain.facts.profile import profile_fact
from shared.domain.reading.requests import asks_to_remember
from shared.domain.text.plain import one_line

_OF_CHAT = ("shared_knowledge", "rule")

_SAID_TO_THE_MODEL = {
    "anothers_voice": "the words mean something else, or are another's, where they stand",
    "another_member": "it is about another member, who would have to say it",
}
"""Obstacles that do not speak for themselves."""


async def _run(app: App, context: ToolContext, arguments: Mapping[str, Any]) -> ToolOutcome:
    from shared.application.facts.statements import is_rule

    candidate = _candidate(context, arguments)
    if choices_for(app.policy, context.state).private:
        raise ToolRefused("this chat is private: say kindly that nothing is remembered here")
    if not asks_to_remember(context.message.text):
        raise ToolRefused("the asker did not ask to remember anything")
    quote = candidate.evidence[0].quote
    if candidate.category == "rule" or (candidate.subject == "chat" and is_rule(app.policy, context.message, quote)):
        candidate = await _decree(app, context, candidate)
    await _check(app, context, candidate)
    return await _report_learnt(app, context, candidate)


def _candidate(context: ToolContext, arguments: Mapping[str, Any]) -> Candidate:
    from shared.application.facts.statements import MAX_DESCRIPTION, value_of
    from shared.domain.reading.fact_keys import ONE_AT_A_TIME
    from shared.domain.text.plain import find_verbatim

    message = context.message
    of_chat = choice_of(arguments, "about", ("asker", "chat")) == "chat"
    quote = find_verbatim(text_of(arguments, "quote", most=MAX_QUOTE), message.text)
    if quote is None:
        raise ToolRefused("the quote must be copied letter for letter from the message that you answer")
    key = text_of(arguments, "key", most=60).casefold()
    category = choice_of(arguments, "category", _OF_CHAT if of_chat else MEMBER_CATEGORIES)
    given = arguments.get("value")
    value = (find_verbatim(given, quote) if isinstance(given, str) else None) or quote
    return Candidate(
        subject="chat" if of_chat else f"user:{message.user_id}",
        category=category,
        key=key if re.fullmatch(r"[a-z][a-z0-9_]{0,39}", key) else category,
        value=value_of(value),
        description=one_line(quote, MAX_DESCRIPTION),
        confidence=ON_PURPOSE,
        evidence=(Evidence(message.sent_at, message.message_id, message.user_id, quote, ON_PURPOSE),),
        single=key in ONE_AT_A_TIME,
    )


async def _decree(app: App, context: ToolContext, candidate: Candidate) -> Candidate:
    """A rule on an admin's authority.

    Raises:
        ToolRefused: The asker is none.
    """
    from shared.application.people.admins import admin_record

    if not (await admin_record(app, context.state)).may_rule(context.message):
        raise ToolRefused("rules come from admins, or from what several members agree on: say so kindly")
    return replace(candidate, category="rule", authority=Authority.ADMIN)


async def _check(app: App, context: ToolContext, candidate: Candidate) -> None:
    """Ask the gate about the words that are kept, as strictly as if a model had found them.

    Raises:
        ToolRefused: They are refused; the reason is named.
    """
    from shared.application.facts.remembering import obstacle
    from shared.application.recall.loading import load_corpus

    said = context.message.message_id
    names = (await load_corpus(app, context.state, around=said)).names  # held already: the answer was looked for in it
    reason = await obstacle(app.store, app.policy, context.state, context.message, candidate, names=names)
    if reason is not None:
        raise ToolRefused(f"it cannot be remembered: {_SAID_TO_THE_MODEL.get(reason, reason)}")


async def _report_learnt(app: App, context: ToolContext, candidate: Candidate) -> ToolOutcome:
    from shared.application.facts.memory import learn_candidates

    changes = await learn_candidates(app, context.state.chat_id, [candidate])
    asker = {context.message.user_id: context.message.name}
    facts = tuple(profile_fact(change.after, asker) for change in changes)
    if not changes:
        return ToolOutcome({"remembered": candidate.description, "already_known": True})
    if changes[0].after.conflicts_with is not None:
        return ToolOutcome({"noted": candidate.description, "but": "something else is believed until it is settled"})
    return ToolOutcome({"remembered": candidate.description}, (context.message,), facts)


BINDING = bind("remember", _run)
