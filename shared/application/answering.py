"""Composing an answer: what is known, what was said, the model, and the offline model when there is no other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from string import Template

from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.documents import chunks_path
from shared.application.history import messages_before
from shared.application.memory import ranked_facts
from shared.application.ports import (
    Grounding,
    ModelReply,
    ModelRequest,
    Order,
    OutgoingText,
    Turn,
)
from shared.application.spending import book_usage, is_over_budget
from shared.domain.addressing import without_address
from shared.domain.audience import asker_language
from shared.domain.conversation import clean_answer, parts
from shared.domain.errors import ModelRefused, ModelUnavailable, SpomynError
from shared.domain.facts import Fact
from shared.domain.language import Language
from shared.domain.markup import markdown_to_html
from shared.domain.messages import Message
from shared.domain.text import TELEGRAM_LIMIT, inert, one_line, split_text
from shared.domain.tokens import within_budget
from shared.domain.updates import MessageReceived
from shared.prompts import prompt

log = logging.getLogger(__name__)

RECENT = 30
"""Messages of history in the context: the recent layer (DESIGN)."""

CHAT_FACTS, CHAT_TOKENS = 8, 480
MEMBER_FACTS, MEMBER_TOKENS = 10, 720
"""Background layer of 1,200 tokens: 40 % the chat, 60 % the asker (chat public memory plan, section 5)."""

SUMMARIES, SUMMARY_TOKENS = 5, 600

PIECE = TELEGRAM_LIMIT - 96
"""UTF-16 units of Markdown in one message: rendering may add a few line breaks."""

_TYPING_LASTS = 4.5
"""Seconds: Telegram shows a chat action for five (Bot API, sendChatAction)."""


async def compose_answer(
    app: App, update: MessageReceived, state: ChatState, message: Message
) -> Sequence[OutgoingText]:
    """Ask the model with everything it should know; the pieces to send, never empty."""
    language = asker_language(message.text, chat_language=state.language, client_language=update.language_code)
    async with _typing(app, message):
        request = await _request(app, message, language)
        reply = await _reply(app, message.chat_id, request)
    text = clean_answer(reply.text, bot_names=app.policy.bot_names)
    if not text:
        text = clean_answer((await app.offline.generate(request)).text, bot_names=app.policy.bot_names)
    return [OutgoingText(markdown_to_html(piece), piece) for piece in split_text(text, PIECE)]


async def _request(app: App, message: Message, language: Language) -> ModelRequest:
    now = app.clock.now()
    history, facts, own, summaries = await asyncio.gather(
        _history(app, message),
        ranked_facts(app, message.chat_id, "chat", now=now),
        ranked_facts(app, message.chat_id, f"user:{message.user_id}", now=now),
        _summaries(app, message.chat_id),
    )
    by_id = {m.message_id: m for m in history}
    question = without_address(message.text, bot_username=app.policy.bot_username, bot_names=app.policy.bot_names)
    return ModelRequest(
        purpose="answer",
        system=_system(app, language, now, facts, own, summaries),
        turns=tuple(
            Turn("model" if m.is_bot and m.user_id == app.policy.bot_id else "user", parts(m, by_id)) for m in history
        ),
        grounding=_grounding(question, language, message, history, [*facts, *own]),
    )


async def _history(app: App, message: Message) -> list[Message]:
    """The recent messages of the same topic up to this one, oldest first, this one last."""
    earlier = await messages_before(app, message.chat_id, message.message_id, limit=RECENT, thread_id=message.thread_id)
    return [*(m for m in earlier if m.kind != "command"), message]


async def _summaries(app: App, chat_id: int) -> list[str]:
    found = await app.store.query(chunks_path(chat_id), order_by=[Order("last", descending=True)], limit=SUMMARIES)
    return [document.data["summary"] for document in reversed(found) if document.data["summary"]]


def _system(
    app: App, language: Language, now: datetime, facts: Sequence[Fact], own: Sequence[Fact], summaries: list[str]
) -> str:
    chat_lines = within_budget([_fact_line(fact) for fact in facts[:CHAT_FACTS]], CHAT_TOKENS)
    own_lines = within_budget([_fact_line(fact) for fact in own[:MEMBER_FACTS]], MEMBER_TOKENS)
    told = within_budget([f"- {inert(one_line(summary, 600))}" for summary in summaries], SUMMARY_TOKENS)
    return Template(prompt("answer").text).substitute(
        name=app.policy.bot_names[0],
        username=app.policy.bot_username,
        persona=app.policy.persona,
        chat_facts="\n".join(chat_lines) or "- (nothing yet)",
        asker_facts="\n".join(own_lines) or "- (nothing yet)",
        summaries="\n".join(told) or "- (nothing yet)",
        language={"uk": "Ukrainian", "en": "English"}[language],
        today=f"{now:%A, %Y-%m-%d %H:%M} UTC",
    )


def _fact_line(fact: Fact) -> str:
    return f"- {fact.category}: {inert(one_line(fact.description, 200))} ({fact.confidence:.0%})"


def _grounding(
    question: str, language: Language, message: Message, history: Sequence[Message], facts: Sequence[Fact]
) -> Grounding:
    names = {m.user_id: m.name for m in history}
    told = tuple((fact.description, fact.evidence[0].quote, names.get(fact.evidence[0].user_id, "")) for fact in facts)
    talk = tuple((m.name, m.text) for m in history if m.text and not m.is_bot and m is not message)
    return Grounding(question, language, told, talk)


async def _reply(app: App, chat_id: int, request: ModelRequest) -> ModelReply:
    """The model's reply; without one (down, refused, over budget) the offline model's."""
    if app.model is None or await is_over_budget(app, chat_id):
        return await app.offline.generate(request)
    try:
        reply = await app.model.generate(request)
    except (ModelUnavailable, ModelRefused) as error:
        log.warning("the model did not answer in chat %s: %s", chat_id, error)
        return await app.offline.generate(request)
    await book_usage(app, chat_id, request.purpose, reply)
    return reply


@contextlib.asynccontextmanager
async def _typing(app: App, message: Message) -> AsyncIterator[None]:
    """Show "typing…" while the block runs; that it cannot be shown never stops an answer."""
    done = asyncio.Event()

    async def show() -> None:
        with contextlib.suppress(SpomynError):
            while not done.is_set():
                await app.gateway.show_typing(message.chat_id, thread_id=message.thread_id)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(done.wait(), _TYPING_LASTS)

    task = asyncio.create_task(show())
    try:
        yield
    finally:
        done.set()
        # A call under way ends first, or "typing…" would show after the answer; one that hangs is given up.
        await asyncio.wait({task}, timeout=2)
        task.cancel()
