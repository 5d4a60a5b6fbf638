"""Learn what somebody tells the bot to keep: their own words, as a fact, through the gate that they pass.

By command or through the model, it is the same gate: law 1 (verbatim), 3 (a member's own words, meant as they stand),
4 (nothing about another member) and 5 (rules are decreed by admins). Nobody guesses here: without a pattern that knows
the sentence, value and description are the words themselves.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import note_change
from shared.application.conversation.consent_gate import may_speak, readable_before
from shared.application.documents import chat_path
from shared.application.facts.gate import gate_for
from shared.application.facts.memory import learn_candidates
from shared.application.facts.statements import (
    MAX_DESCRIPTION,
    Obstacle,
    in_own_words,
    is_rule,
    obstacle_to_stating,
    readings,
)
from shared.application.people.admins import admin_record
from shared.application.people.member_codec import LAST_SEEN_FIRST, read_member
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.filters.subjects import find_named_member
from shared.domain.reading.guards.sentences import is_retold
from shared.domain.reading.own_words import is_judgement, without_request
from shared.domain.reading.requests import in_own_voice
from shared.domain.text.language import tokens
from shared.domain.text.plain import one_line


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
    rules = (await admin_record(app, state)).may_rule(message)
    found = readings(app.policy, message, words, admins=frozenset({message.user_id} if rules else ()))
    if len(found) == 1:  # the one thing that was read is told as they tell it; of several each as it was read
        found = [replace(found[0], description=one_line(words, MAX_DESCRIPTION))]
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
    judge = partial(obstacle, app.store, app.policy, state, spoken, names=names, is_read=bool(found))
    reasons = await asyncio.gather(*map(judge, proposed))
    kept = [each for each, reason in zip(proposed, reasons, strict=True) if reason is None]
    if not kept:
        return reasons[0]
    await learn_candidates(app, state.chat_id, kept, commands=True)
    await note_change(app.store, app.clock, state.chat_id)
    return None


def _no_teacher(policy: Policy, state: ChatState, message: Message, words: str) -> Obstacle | Reason | None:
    """Return why nothing that the author says may be kept."""
    if state.is_private(by_default=policy.private_mode):
        return Obstacle.PRIVATE
    if not may_speak(state, message.user_id):
        return Reason.OPTED_OUT
    if message.user_id < 0 and message.is_admin is not True:
        return Obstacle.CHANNEL
    if state.hearsay.retold_in(message):
        return Obstacle.HEARSAY
    return None if tokens(words) else Obstacle.SPEECHLESS


_NEARBY = 10
"""Messages before the asking one in which the gate looks for what the bot said and for who is there."""

_MOST_MEMBERS = 500
"""Members by whose names a sentence is known to be about somebody: those seen last."""

_SHORTEST_NAME = 3
"""Letters of a name by which a sentence is known to be about somebody: "Я" may be one, and begins most of them."""


async def member_names(store: DocumentStore, state: ChatState) -> dict[int, list[str]]:
    """Return what members are called, by user id; who was never heard is not there."""
    members = f"{chat_path(state.chat_id)}/members"
    found = await store.query(members, order_by=[LAST_SEEN_FIRST], limit=_MOST_MEMBERS)
    return {member.user_id: member.names for member in map(read_member, found)}


async def obstacle(
    store: DocumentStore,
    policy: Policy,
    state: ChatState,
    message: Message,
    candidate: Candidate,
    *,
    names: Mapping[int, Sequence[str]],
    is_read: bool = False,
    corrects: bool = False,
) -> Obstacle | Reason | None:
    """Return why what somebody said must not be kept, or None.

    Args:
        message: Its text holds the candidate's only quote; that of a command given as talk.
        names: What members are called, by user id; who spoke just before is known without.
        is_read: The words were read by a pattern or belong to a fact that is there: then they are not judged as
            strictly as what a model makes of them.
        corrects: The words correct what the bot told, so that they may share its words; an echo is the caller's matter.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    quote = candidate.evidence[0].quote
    if not in_own_voice(quote, message.text):
        return Obstacle.ANOTHERS_VOICE
    if not is_read and is_judgement(quote):
        return Obstacle.JUDGEMENT
    # The request itself ("write down that …") would be refused as dictating memory; here it is what brought us.
    kept = replace(message, text=quote)
    earlier = await readable_before(store, state, message.message_id, limit=_NEARBY)
    nearby = [*_without_echoes(earlier, kept), kept]
    refuse = gate_for(policy, state, nearby, corrects=corrects)
    reason = refuse(candidate if is_read else replace(candidate, authority=Authority.MODEL))
    everybody: dict[int, Sequence[str]] = {**names, **known_members(nearby)}
    if reason is None and find_named_member(quote, _names(everybody, without=message.user_id)) is not None:
        return Obstacle.ANOTHER_MEMBER
    return reason


def _without_echoes(earlier: Sequence[Message], message: Message) -> list[Message]:
    """Return what was said before, without what the bot only repeated after the author of a message."""
    own, kept = list[str](), list[Message]()
    for each in earlier:
        if each.user_id == message.user_id:
            own.append(each.text)
        if not (each.is_bot and is_retold(message.text, own) and is_retold(message.text, [each.text])):
            kept.append(each)
    return kept


def _names(members: Mapping[int, Sequence[str]], *, without: int) -> dict[int, list[str]]:
    """Return what other members are called."""
    named = {who: [name for name in names if len(name) >= _SHORTEST_NAME] for who, names in members.items()}
    return {who: names for who, names in named.items() if names and who != without}
