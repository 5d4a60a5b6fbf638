"""Learn what somebody tells the bot to keep: their own words, as a fact, through the gate that they pass.

By command or through the model, it is the same gate: law 1 (verbatim), 3 (a member's own words, meant as they stand),
4 (nothing about another member) and 5 (rules are decreed by admins). Nobody guesses here: without a pattern that knows
the sentence, value and description are the words themselves.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import note_change
from shared.application.facts.gate import member_names, obstacle
from shared.application.facts.memory import learn_candidates
from shared.application.facts.statements import (
    MAX_DESCRIPTION,
    Obstacle,
    in_own_words,
    is_rule,
    obstacle_to_stating,
    readings,
)
from shared.application.people.admins import rulers
from shared.application.policy import Policy
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters import Reason
from shared.domain.reading.own_words import without_request
from shared.domain.text.language import tokens
from shared.domain.text.plain import one_line

_ASKED = re.compile(r"/gryadremember(?:@(?P<bot>\w+))?\s+(?P<words>.+)", re.IGNORECASE | re.DOTALL)


async def may_rule(app: App, state: ChatState, message: Message) -> bool:
    """Return whether the author of a message decrees rules here (law 5).

    Raises:
        ChatUnavailable: Telegram is out of reach, and nothing is known that would do.
    """
    return (await rulers(app, state)).may_rule(message)


async def remember_words(app: App, state: ChatState, message: Message, words: str) -> Obstacle | Reason | None:
    """Learn what a member asks to remember by command; why not, or None when it is learnt (again: nothing changes).

    Args:
        message: The stored command.
        words: What stands after its name, as it stands in the message; a "that" before it is left out.

    Raises:
        TransientError: Store or Telegram did not answer; doing it again is harmless.
    """
    words = without_request(words)
    if refused := _no_teacher(app.policy, state, message, words):
        return refused
    rules = await may_rule(app, state, message)
    found = _choose_candidates(
        readings(app.policy, message, words, admins=frozenset({message.user_id} if rules else ())), words
    )
    if not found and not rules and is_rule(app.policy, message, words):
        return Obstacle.NO_RULER
    if not found and (missing := obstacle_to_stating(words)) is not None:
        return missing
    proposed = [
        each for each in found or [in_own_words(message, words)] if message.user_id > 0 or each.subject == "chat"
    ]
    if not proposed:
        return Obstacle.ANONYMOUS
    spoken, names = replace(message, kind="text"), await member_names(app.store, state)
    judged = (
        obstacle(app.store, app.policy, state, spoken, each, names=names, is_read=bool(found)) for each in proposed
    )
    reasons = await asyncio.gather(*judged)
    kept = [each for each, reason in zip(proposed, reasons, strict=True) if reason is None]
    if not kept:
        return reasons[0]
    await learn_candidates(app, state.chat_id, kept, commands=True)
    await note_change(app.store, app.clock, state.chat_id)
    return None


def _choose_candidates(found: Sequence[Candidate], words: str) -> list[Candidate]:
    """The one thing that was read in the words as they tell it; of several each as it was read."""
    if len(found) != 1:
        return list(found)
    return [replace(found[0], description=one_line(words, MAX_DESCRIPTION))]


def _no_teacher(policy: Policy, state: ChatState, message: Message, words: str) -> Obstacle | Reason | None:
    """Return why nothing that the author says may be kept."""
    if state.is_private(by_default=policy.private_mode):
        return Obstacle.PRIVATE
    if message.user_id in state.opted_out:
        return Reason.OPTED_OUT
    if message.user_id < 0 and message.is_admin is not True:
        return Obstacle.CHANNEL
    if state.hearsay.retold_in(message):
        return Obstacle.HEARSAY
    return None if tokens(words) else Obstacle.SPEECHLESS


def asked_to_remember(policy: Policy, message: Message) -> str | None:
    """The words that a stored message asks to remember by command, or None when it is no such command of ours."""
    asked = _ASKED.match(message.text) if message.kind == "command" else None
    if asked is None or (asked["bot"] or policy.bot_username).casefold() != policy.bot_username.casefold():
        return None
    return asked["words"].strip()
