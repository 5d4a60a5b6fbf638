"""Speaking where nobody asked the bot: seldom, only where admins allowed it, and only what the memory knows.

Whether anything is said is decided without a model. The decision is the update's own, under its lease; silence is an
outcome like any other. Nothing heavy is imported before a question has passed what can be told from it and the chat.
When the bot was asked last is told by the records of questions; the chat's document knows only when it spoke unasked.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shared.application.chats.chat_codec import ChatState, chat_fields
from shared.application.chats.choices import choices_for
from shared.domain.answering.unprompted import COOLDOWN, may_be_known

if TYPE_CHECKING:
    from datetime import datetime

    from shared.application.app import App
    from shared.application.chats.state import Chats
    from shared.application.delivery.answer import Answer
    from shared.application.policy import Policy
    from shared.application.ports.system import Clock
    from shared.domain.conversation.messages import Message
    from shared.domain.delivery.outcomes import AnswerOutcome
    from shared.domain.intake.updates import MessageReceived

LOOKED_AT = 5
"""Messages found for a question that may answer it; facts about the chat are all looked at."""


async def join_in(app: App, update: MessageReceived, state: ChatState, message: Message) -> AnswerOutcome | None:
    """Answer a question to nobody in particular, once, if the memory knows the answer and the bot may speak now.

    Args:
        update: A question by its form (`domain.unprompted.asks_everybody`).
    Returns:
        What became of it; None when it was not looked into.

    Raises:
        TransientError: As `answer_once`.
    """
    if not (_may_speak(app.clock, app.policy, state, update.update_id) and may_be_known(message.text)):
        return None
    from shared.application.delivery.parcels import Destination
    from shared.application.delivery.sending import answer_once

    to = Destination(message.chat_id, message.message_id, message.thread_id, message.name)
    return await answer_once(app, update.update_id, to, lambda: _compose(app, update, state, message))


def _may_speak(clock: Clock, policy: Policy, state: ChatState, update_id: int) -> bool:
    choices, now = choices_for(policy, state), clock.now()
    quiet = choices.quiet_hours.holds(now.astimezone(choices.timezone))
    return choices.unprompted and not quiet and _is_free(state, update_id, now)


def _is_free(state: ChatState, update_id: int, now: datetime) -> bool:
    """Return whether the bot has not spoken unasked for long enough, or spoke for this very update: that attempt may
    have died."""
    return state.spoke_at is None or now - state.spoke_at >= COOLDOWN or state.spoke_for == update_id


async def _compose(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer:
    from shared.application.answering.composing import compose_answer
    from shared.application.delivery.answer import SILENCE
    from shared.application.delivery.limits import was_asked

    now = app.clock.now()
    if state.hearsay.retold_in(message) or await was_asked(app.store, state.chat_id, after=now - COOLDOWN, now=now):
        return SILENCE
    if not (await _is_known(app, update, state, message) and await _claim(app.chats, app.clock, update, state)):
        return SILENCE
    return _mark_unprompted(await compose_answer(app, update, state, message), update, state)


async def _is_known(app: App, update: MessageReceived, state: ChatState, message: Message) -> bool:
    """Return whether a fact about the chat, or a message that was found, answers the question; no model is asked."""
    from shared.application.conversation.history import Topic
    from shared.application.facts.profiles import subject_facts
    from shared.application.recall.loading import load_corpus
    from shared.application.recall.search import recall
    from shared.domain.answering.unprompted import answers
    from shared.domain.recall.question import read_question

    now = app.clock.now()
    facts, corpus = await asyncio.gather(
        subject_facts(app.store, app.policy, state, ["chat"], now=now),
        load_corpus(app, state, around=message.message_id),
    )
    here = now.astimezone(choices_for(app.policy, state).timezone)
    question = read_question(
        message.text, asked_at=here, names=corpus.names, aliases=corpus.aliases, asker=message.user_id
    )
    told = [f"{fact.description} {fact.value}" for fact in facts["chat"]]
    if answers(question, told):
        return True
    in_topic = update.chat.is_forum or message.thread_id is not None
    found = await recall(
        replace(app, embedder=None),
        state,
        message.text,
        asker=message.user_id,
        topic=Topic(message.thread_id) if in_topic else None,
        limit=LOOKED_AT,
        before=message.message_id,
        corpus=corpus,
    )
    said = [hit.message.text for hit in found.messages if not hit.message.text.rstrip().endswith("?")]
    return answers(question, said)


async def _claim(chats: Chats, clock: Clock, update: MessageReceived, state: ChatState) -> bool:
    """Take the turn to speak unasked; False when the bot has done so meanwhile."""
    now = clock.now()

    def claim(current: ChatState) -> dict[str, Any]:
        may_speak = current.known and _is_free(current, update.update_id, now)
        return chat_fields(spoke_at=now, spoke_for=update.update_id) if may_speak else {}

    return await chats.amend(state.chat_id, claim)


def _mark_unprompted(answer: Answer, update: MessageReceived, state: ChatState) -> Answer:
    """The answer with a sign that nobody asked for it."""
    from shared.application.ports.chat import OutgoingText
    from shared.domain.delivery.markup import plain
    from shared.domain.text.language import asker_language
    from shared.locales import say

    if not answer.pieces:
        return answer
    first, *rest = answer.pieces
    language = asker_language(update.message.text, chat_language=state.language, client_language=update.language_code)
    sign = say(language, "unasked")
    content = first.content
    if isinstance(content, OutgoingText):
        content = replace(content, html=f"{sign}\n{content.html}", plain=f"{plain(sign)}\n{content.plain}")
    return replace(answer, pieces=(replace(first, content=content), *rest))
