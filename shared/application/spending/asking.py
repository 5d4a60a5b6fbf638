"""Asks the model for background work: one request shape, usage booked, and an absent model never stops the work."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Template
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Choices
from shared.application.conversation.consent_gate import consent_changed
from shared.application.ports.model import Embedder, ModelReply, ModelRequest, ModelTurn, Purpose
from shared.application.ports.store import Vector
from shared.application.spending.budgets import Booking, book, over_budget, settle
from shared.application.spending.estimating import call_tokens
from shared.application.telemetry import tell_model_error
from shared.domain.conversation.messages import Message
from shared.domain.errors import ModelRefused, ModelUnavailable, TransientError
from shared.domain.forgetting.forgotten import Hearsay
from shared.domain.text.plain import is_blank, quote_inline
from shared.prompts import prompt

OFFLINE = "offline"
"""Says in `made_by`: made without a model."""

_SYSTEM = "You keep the memory of a Telegram group. Follow the task exactly."


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The result of asking: empty when the model refused, and `later` when it was away or over its budget."""

    text: str = ""
    model: str = ""
    later: bool = False

    def made_by(self, task: str) -> str:
        """Return a document's `made_by`: "<model>/<prompt version>", or "offline"."""
        return f"{self.model}/{prompt(task).version}" if self.model else OFFLINE


def memory_request(
    task: Purpose,
    choices: Choices,
    *,
    most_tokens: int,
    schema: Mapping[str, Any] | None = None,
    instructions_for: Sequence[str] = (),
    text: str = "",
    **places: str,
) -> ModelRequest:
    """The request of a memory task: its prompt with the chat's instructions as quoted data and all else in place.

    Args:
        instructions_for: For which tasks the chat's custom instructions hold here; by default for this one.
        text: Of the prompt what is needed here; by default all of it.

    Raises:
        KeyError: A place of the prompt is not given.
    """
    custom_instructions = _describe_instructions(choices, instructions_for or (task,))
    text = Template(text or prompt(task).text).substitute(custom_instructions=custom_instructions, **places)
    return ModelRequest(
        purpose=task,
        system=_SYSTEM,
        turns=(ModelTurn("user", (text,)),),
        tier="extraction",
        temperature=0.1,
        max_output_tokens=most_tokens,
        response_schema=schema,
    )


def _describe_instructions(choices: Choices, tasks: Sequence[str]) -> str:
    """Return what the chat's admins wish, with what to make of it; "" where they wish nothing."""
    given = [(task, words) for task in tasks if (words := choices.custom_instructions[task])]
    if not given:
        return ""
    lines = [f"{f'{task}: ' if len(tasks) > 1 else ''}{quote_inline(words)}" for task, words in given]
    return Template(prompt("custom_instructions").text).substitute(custom_instructions="\n".join(lines)) + "\n\n"


async def can_ask(app: App, state: ChatState, *, payer: int | None = None) -> bool:
    """Return whether there is a model, something left of today's budget, and nobody opted out since `state` was read.

    Args:
        payer: A member whose own budget of today must have something left, too; where members have none at all it is
            the chat's, or what they edited would wait for ever.
    """
    whose = payer if app.policy.tokens_per_member else None
    if app.model is None or await over_budget(app, state, whose) is not None:
        return False
    return not await consent_changed(app.chats, state)


async def ask(
    app: App, state: ChatState, request: ModelRequest, *, about: object, payer: int | None = None
) -> ModelAnswer:
    """Ask without failing; what it took is booked before anything is made of the answer.

    Args:
        about: The id of what is asked about; who asks about it after a process died of it, gives the same.
        payer: The member to whom it is booked beside the chat, or None.
    """
    try:
        reply = await call_booked(app, state, request, user_id=payer, about=about)
    except (ModelUnavailable, ModelRefused) as error:
        tell_model_error(error, purpose=request.purpose)
        return ModelAnswer(later=isinstance(error, ModelUnavailable))
    hearsay = (await app.chats.state(state.chat_id)).hearsay
    return ModelAnswer(without_hearsay(request, reply.text, hearsay), reply.model)


def without_hearsay(request: ModelRequest, text: str, hearsay: Hearsay) -> str:
    """Return what a model wrote without what retells a forgotten member: it may put together what nobody said in one
    message.

    Of plain text lines go, of JSON the items of lists and the single texts.
    """
    if not hearsay:
        return text
    if request.response_schema is None:
        return "\n".join(line for line in text.split("\n") if not hearsay.retold_by(line))
    try:
        return json.dumps(_prune_retellings(json.loads(text), hearsay), ensure_ascii=False)
    except ValueError:  # not whole: who reads it mends what can be mended, and each fact is judged when it is written
        return "" if hearsay.retold_by(text) else text


def _prune_retellings(value: Any, hearsay: Hearsay) -> Any:
    match value:
        case str():
            return "" if hearsay.retold_by(value) else value
        case list():
            return [_prune_retellings(each, hearsay) for each in value if not hearsay.retold_by(_join_texts(each))]
        case dict():
            return {name: _prune_retellings(each, hearsay) for name, each in value.items()}
    return value


def _join_texts(item: Any) -> str:
    """The texts that an item of a list tells something with."""
    texts = item.values() if isinstance(item, dict) else [item]
    return "\n".join(text for text in texts if isinstance(text, str))


async def call_booked(
    app: App,
    state: ChatState,
    request: ModelRequest,
    *,
    user_id: int | None = None,
    about: object = None,
    on_booked: Callable[[], None] = lambda: None,
) -> ModelReply:
    """Ask the model if the budgets have room for it, and book it to the chat, and to the member who asked or edited;
    also what was given up, by a model that is too slow or a caller that waits no longer (`answer_patience`, a task that
    ends).

    Args:
        about: As for `ask`; None: an answer, whose deaths its update's record counts.
        on_booked: Called right before the model is asked.

    Raises:
        ModelUnavailable: There is no model, it is away, or processes have died of asking it about that (`MOST_DEATHS`).
        OverBudget: What the call may take does not fit into today's budgets.
        ModelRefused: It refused.
    """
    if app.model is None:
        raise ModelUnavailable("no language model is configured; set GEMINI_API_KEY")
    made: list[ModelReply] = []
    booking = Booking(state.chat_id, user_id, app.clock.now(), call_tokens(request))
    # A hash: what is asked about may be a member, of whom a mark that outlives a death must say nothing.
    key = "" if about is None else hashlib.sha256(f"{request.purpose}-{about}".encode()).hexdigest()[:32]
    booked = asyncio.ensure_future(book(app.store, booking, key))
    try:
        booking, sums = await asyncio.shield(booked)
        booking.require_room(app.policy, state, sums)
        on_booked()
        reply = await app.model.generate(replace(request, on_given_up=made.append))
    except BaseException:
        booking, _ = await booked  # what is not booked, as far as we know, is not settled
        with contextlib.suppress(TransientError):  # what is raised says more
            await settle(app.store, booking, *((request.purpose, each) for each in made))
        raise
    await settle(app.store, booking, *((request.purpose, each) for each in (*made, reply)))
    return reply


@dataclass(frozen=True, slots=True)
class Embedded:
    """The fields of a document that hold its vector.

    Attributes:
        embedding_model: Which embedder was asked, also when there was no text to embed; None: a vector is still due.
        messages: Of a chunk, the vectors of its messages (`domain.recall.index.vectors.pack_vectors`).
    """

    embedding: Vector | None = None
    embedding_model: str | None = None
    messages: tuple[bytes, ...] = ()

    def fields(self) -> dict[str, Any]:
        """Return the fields of every note as stored."""
        return {"embedding": self.embedding, "embedding_model": self.embedding_model}


def not_embedded(embedder: Embedder | None) -> Embedded:
    """Return the embedding of a text that says nothing: no vector is due for it."""
    return Embedded(None, None if embedder is None else embedder.name)


async def embed_texts(embedder: Embedder | None, texts: Sequence[str], *, now: bool = False) -> list[Embedded]:
    """Embed several texts together; due later when the embedder is away.

    A text that shows nothing is not sent: Gemini refuses the others with it.

    Raises:
        ModelUnavailable: They are wanted `now`, and there is no embedder, or it is away.
    """
    wanted = [text for text in texts if not is_blank(text)]
    error = ModelUnavailable("no embedder is configured; set GEMINI_API_KEY")
    if embedder is not None:
        try:
            vectors = iter(await embedder.embed(wanted) if wanted else [])
            return [Embedded(None if is_blank(text) else next(vectors), embedder.name) for text in texts]
        except ModelUnavailable as away:
            error = away
    if now:
        raise error
    tell_model_error(error, purpose="embedding")
    return [Embedded() for _ in texts]


def is_worth_asking(messages: Sequence[Message]) -> bool:
    """Return whether a member said or showed something."""
    return any(message.may_teach or (message.media_text and not message.is_bot) for message in messages)
