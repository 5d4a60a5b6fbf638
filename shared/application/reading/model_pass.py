"""What the model makes of one chunk: summary, episodic facts and fact candidates, asked for in parallel.

The facts come from the messages, never from the summary. A model that is away, over budget or writes nonsense never
stops a chunk: the pass is pending and is made later.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Choices, Method
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest
from shared.application.spending.asking import (
    OFFLINE,
    Embedded,
    ask_at_once,
    can_ask,
    embed_text,
    is_worth_asking,
    memory_request,
)
from shared.domain.conversation.messages import Message, known_members
from shared.domain.conversation.transcript import transcript
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.model_candidates import ModelCandidates, judge_model_facts
from shared.domain.reading.model_output import parse_model_facts
from shared.domain.reading.summaries.wording import clean_facts, clean_summary, says_nothing
from shared.prompts import prompt

log = logging.getLogger(__name__)

SUMMARY_TOKENS, EPISODIC_TOKENS, FACTS_TOKENS = 600, 800, 2_048
"""Most tokens of each answer: what is kept of it, and some to spare."""


@dataclass(frozen=True, slots=True)
class ModelPass:
    """The outcome.

    Attributes:
        nothing_to_record: The model looked for episodic facts and says that there are none.
        made_by: "<model>/<version of the facts prompt>", or "offline".
        refused: Why items of the answer were no candidates.
        pending: The model should look at this chunk again later.
    """

    summary: str = ""
    episodic: str = ""
    nothing_to_record: bool = False
    candidates: tuple[Candidate, ...] = ()
    refused: tuple[Reason, ...] = ()
    made_by: str = OFFLINE
    pending: bool = True
    embedded: Embedded = field(default_factory=Embedded)


class ModelTalk(NamedTuple):
    """What the model is shown of a chat; nothing that was said in private, nobody who opted out.

    Attributes:
        context: Earlier messages, for understanding only.
        messages: The chunk.
        admins: Who may lay down rules.
    """

    chat_id: int
    context: Sequence[Message]
    messages: Sequence[Message]
    admins: frozenset[int]


async def run_model_pass(
    app: App, state: ChatState, talk: ModelTalk, choices: Choices, *, payer: int | None = None
) -> ModelPass:
    """Ask the model about a chunk, if there is a model, a budget and something said.

    Facts are asked for only when the chat's method includes the model.

    Args:
        payer: The member whose edit it is about, and to whom it is booked, or None.
    """
    if not is_worth_asking(talk.messages):
        return ModelPass(pending=False)
    if not await can_ask(app, state, payer=payer):
        return ModelPass()
    requests = [text_request("summary", talk, choices), text_request("episodes", talk, choices)]
    if choices.method.includes(Method.MODEL):
        requests.append(_facts_request(app.policy, talk, choices))
    summary, episodes, *others = answers = await ask_at_once(app, talk.chat_id, requests, payer=payer)
    judged = _judge_output(others[0].text if others else "", talk, choices)
    pending = any(answer.later for answer in answers)  # then its texts are made again
    told = read_summary(summary.text), read_episodic(episodes.text)
    embeds = app.embedder is not None and not pending
    return ModelPass(
        *told,
        nothing_to_record=bool(episodes.model) and says_nothing(episodes.text),
        candidates=judged.candidates,
        refused=judged.refused,
        made_by=next((answer.made_by("facts") for answer in answers if answer.model), OFFLINE),
        pending=pending,
        embedded=await embed_text(app.embedder, "\n".join(filter(None, told))) if embeds else Embedded(),
    )


def text_request(task: Literal["summary", "episodes"], talk: ModelTalk, choices: Choices) -> ModelRequest:
    """Asks for a chunk's semantic summary, or for its episodic facts: each is made from the messages."""
    said, most = transcript(list(talk.messages), media=True), {"summary": SUMMARY_TOKENS, "episodes": EPISODIC_TOKENS}
    return memory_request(task, choices, most_tokens=most[task], transcript=said)


def read_summary(text: str) -> str:
    """Return what is kept of the model's summary."""
    return clean_summary(text, instructions=prompt("summary").text)


def read_episodic(text: str) -> str:
    """Return what is kept of the model's episodic facts; "" for "nothing to record"."""
    return clean_facts(text, instructions=prompt("episodes").text)


def _facts_request(policy: Policy, talk: ModelTalk, choices: Choices) -> ModelRequest:
    from shared.prompts.extraction import describe_profile, facts_schema

    return memory_request(
        "facts",
        choices,
        most_tokens=FACTS_TOKENS,
        schema=facts_schema(choices.profile),
        bot_name=policy.bot_names[0],
        message_ids=", ".join(str(m.message_id) for m in talk.messages),
        admins=", ".join(f"user:{admin}" for admin in sorted(talk.admins)) or "none",
        memory_types=describe_profile(choices.profile),
        transcript=transcript([*talk.context, *talk.messages]),
    )


def _judge_output(raw: str, talk: ModelTalk, choices: Choices) -> ModelCandidates:
    if not raw:
        return ModelCandidates((), ())
    parsed = parse_model_facts(raw)
    if parsed.problems:
        log.warning("model output: %d problems", len(parsed.problems))
    seen = [*talk.context, *talk.messages]
    judged = judge_model_facts(parsed.items, seen, known_members(seen), admins=talk.admins, profile=choices.profile)
    return replace(judged, refused=(*judged.refused, *(Reason.MALFORMED for _ in parsed.problems)))
