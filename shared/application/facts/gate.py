"""The gate of a chat's memory: every candidate passes it, read in talk or said to be remembered."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.consent_gate import silent_members
from shared.application.policy import Policy
from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.fact import Candidate
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.filters.reasons import Reason


def gate_for(
    policy: Policy,
    state: ChatState,
    nearby: Sequence[Message],
    *,
    corrects: bool = False,
    known: Iterable[ProfileFact] = (),
) -> Callable[[Candidate], Reason | None]:
    """Return what tells why a candidate from these messages must not be stored in a chat; `corrects` and `known` as
    for `reject_reason`."""
    return partial(
        reject_reason,
        messages_by_id={message.message_id: message for message in nearby},
        bot_names=(*policy.bot_names, policy.bot_username),
        participants=known_members(nearby, without=silent_members(state)),
        profile=choices_for(policy, state).profile,
        opted_out=silent_members(state),
        corrects=corrects,
        known={fact.id: f"{fact.value} {fact.description}" for fact in known},
    )
