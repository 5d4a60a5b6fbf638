"""What a member asks the bot to remember: one fact, in their own words, with the asking message as its evidence.

The model only chooses which words of that message to keep and where they belong. Quote, value and description are the
asker's own; the gate that every candidate passes (laws 1, 3, 4), the chat's choices, and the transaction that learns it
decide the rest. A rule is believed only from an admin (law 5).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.application.admins import chat_admins
from shared.application.app import App
from shared.application.choices import choices_for
from shared.application.hearing import heard_before
from shared.application.ports.model import Tool
from shared.application.tools.arguments import choice_of, text_of
from shared.application.tools.consent import asks_to_remember, in_own_voice
from shared.application.tools.room import Offer, ToolOutcome, ToolRoom
from shared.domain.errors import ToolRefused
from shared.domain.facts import MAX_QUOTE, MEMBER_CATEGORIES, Authority, Candidate, Evidence
from shared.domain.messages import Message, known_members
from shared.domain.text import one_line

_ON_PURPOSE = 0.95
"""Confidence of what somebody asks to remember (own choice, as of a correction): nobody guessed it."""

_NEARBY = 10
"""Messages before the asking one in which the gate looks for what the bot said and for who is there."""

_MAX_VALUE, _MAX_DESCRIPTION = 120, 300
_SHORTEST_NAME = 3
"""Letters of a name by which a sentence is known to be about somebody: "Я" may be one, and begins most of them."""
_OF_CHAT = ("shared_knowledge", "rule")

TOOL = Tool(
    "remember",
    "Remembers one thing that the asker tells and explicitly asks to remember in the message you answer. About "
    "themselves, or knowledge and rules of the whole group. Never about another member, never from other messages.",
    {
        "type": "object",
        "properties": {
            "about": {"type": "string", "enum": ["asker", "chat"], "description": "Whom it is about."},
            "category": {"type": "string", "enum": [*MEMBER_CATEGORIES, *_OF_CHAT]},
            "key": {"type": "string", "description": "What it is, in English snake_case: favourite_drink, pet."},
            "value": {"type": "string", "description": "The shortest words of the quote that say it, unchanged."},
            "quote": {
                "type": "string",
                "description": "What to remember, copied letter for letter from the message you answer, without the "
                "request to remember it.",
            },
        },
        "required": ["about", "category", "key", "value", "quote"],
    },
)


async def _run(app: App, room: ToolRoom, arguments: Mapping[str, Any]) -> ToolOutcome:
    candidate = _candidate(room, arguments)
    if choices_for(app.policy, room.state).private:
        raise ToolRefused("this chat is private: say kindly that nothing is remembered here")
    if not asks_to_remember(room.message.text):
        raise ToolRefused("the asker did not ask to remember anything")
    if candidate.category == "rule" or (candidate.subject == "chat" and _rules(app, room, candidate)):
        candidate = await _decreed(app, room, candidate)
    await _check(app, room, candidate)
    return await _learnt(app, room, candidate)


def _candidate(room: ToolRoom, arguments: Mapping[str, Any]) -> Candidate:
    from shared.domain.model_output import ONE_AT_A_TIME
    from shared.domain.quotes import find_verbatim

    message = room.message
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
        value=one_line(value, _MAX_VALUE).casefold(),
        description=one_line(quote, _MAX_DESCRIPTION),
        confidence=_ON_PURPOSE,
        evidence=(Evidence(message.sent_at, message.message_id, message.user_id, quote, _ON_PURPOSE),),
        single=key in ONE_AT_A_TIME,
    )


async def _decreed(app: App, room: ToolRoom, candidate: Candidate) -> Candidate:
    """A rule on an admin's authority.

    Raises:
        ToolRefused: The asker is none.
    """
    by_admin = room.message.is_admin is True or room.message.user_id in await chat_admins(app, room.state)
    if not by_admin:
        raise ToolRefused("rules come from admins, or from what several members agree on: say so kindly")
    return replace(candidate, category="rule", authority=Authority.ADMIN)


def _rules(app: App, room: ToolRoom, candidate: Candidate) -> bool:
    """Whether the words would be a rule if an admin said them: then they are one, whatever the model calls them."""
    from shared.domain.patterns.extraction import extract_patterns

    decree = replace(room.message, text=candidate.evidence[0].quote, is_admin=True)
    found = extract_patterns(
        [decree],
        admins=frozenset({decree.user_id}),
        bot_names=app.policy.bot_names,
        bot_username=app.policy.bot_username,
    )
    return any(each.category == "rule" for each in found)


async def _check(app: App, room: ToolRoom, candidate: Candidate) -> None:
    """Ask the gate about the words that are kept, as strictly as if a model had found them.

    Raises:
        ToolRefused: They are refused; the reason is named.
    """
    from shared.application.recall.loading import load_corpus
    from shared.domain.filters import named_member, reject_reason

    choices, message, quote = choices_for(app.policy, room.state), room.message, candidate.evidence[0].quote
    if not in_own_voice(quote, message.text):
        raise ToolRefused("it cannot be remembered: the words mean something else, or are another's, where they stand")
    earlier = await heard_before(app, room.state, message.message_id, limit=_NEARBY)
    # The request itself ("write down that …") would be refused as dictating memory; here it is what brought us.
    kept = replace(message, text=quote)
    nearby: list[Message] = [*earlier, kept]
    members = known_members(nearby, without=room.state.opted_out)
    reason = reject_reason(
        replace(candidate, authority=Authority.MODEL),
        {each.message_id: each for each in nearby},
        bot_names=(*app.policy.bot_names, app.policy.bot_username),
        participants=members,
        profile=choices.profile,
        opted_out=room.state.opted_out,
    )
    everybody: dict[int, Sequence[str]] = {**(await load_corpus(app, room.state)).names, **members}
    if reason is None and named_member(candidate.description, _names(everybody, without=message.user_id)) is None:
        return
    raise ToolRefused(f"it cannot be remembered: {reason or 'it is about another member, who would have to say it'}")


def _names(members: Mapping[int, Sequence[str]], *, without: int) -> dict[int, list[str]]:
    """What other members are called."""
    named = {
        user_id: [name for name in names if len(name) >= _SHORTEST_NAME]
        for user_id, names in members.items()
        if user_id != without
    }
    return {user_id: names for user_id, names in named.items() if names}


async def _learnt(app: App, room: ToolRoom, candidate: Candidate) -> ToolOutcome:
    from shared.application.memory import learn_candidates

    changes = await learn_candidates(app, room.state.chat_id, [candidate])
    facts = tuple(change.after.id for change in changes)
    if not changes:
        return ToolOutcome({"remembered": candidate.description, "already_known": True})
    if changes[0].after.conflicts_with is not None:
        return ToolOutcome({"noted": candidate.description, "but": "something else is believed until it is settled"})
    return ToolOutcome({"remembered": candidate.description}, (room.message.message_id,), facts)


OFFER = Offer(TOOL, _run)
