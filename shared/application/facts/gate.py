"""Why what somebody tells the bot to keep must not be kept: the gate that a command and the model pass alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.hearing import readable_before
from shared.application.documents import chat_path
from shared.application.facts.statements import (
    Obstacle,
)
from shared.application.people.member_codec import LAST_SEEN_FIRST, read_member
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters import Reason, named_member, reject_reason
from shared.domain.reading.guards.sentences import is_retold
from shared.domain.reading.own_words import is_judgement
from shared.domain.reading.requests import in_own_voice

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
    members = known_members(nearby, without=state.opted_out)
    reason = reject_reason(
        candidate if is_read else replace(candidate, authority=Authority.MODEL),
        {each.message_id: each for each in nearby},
        bot_names=(*policy.bot_names, policy.bot_username),
        participants=members,
        profile=choices_for(policy, state).profile,
        opted_out=state.opted_out,
        corrects=corrects,
    )
    everybody: dict[int, Sequence[str]] = {**names, **members}
    if reason is None and named_member(quote, _names(everybody, without=message.user_id)) is not None:
        return Obstacle.ANOTHER_MEMBER
    return reason


def _without_echoes(earlier: Sequence[Message], message: Message) -> list[Message]:
    """What was said before, without what the bot only repeated after the author of a message, who says it again."""
    own, kept = list[str](), list[Message]()
    for each in earlier:
        if each.user_id == message.user_id:
            own.append(each.text)
        if not (each.is_bot and is_retold(message.text, own) and is_retold(message.text, [each.text])):
            kept.append(each)
    return kept


def _names(members: Mapping[int, Sequence[str]], *, without: int) -> dict[int, list[str]]:
    """Return what other members are called."""
    named = {
        user_id: [name for name in names if len(name) >= _SHORTEST_NAME]
        for user_id, names in members.items()
        if user_id != without
    }
    return {user_id: names for user_id, names in named.items() if names}
