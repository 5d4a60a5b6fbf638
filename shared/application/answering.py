"""Composing an answer: what is known, what was said, the model, and the offline model when there is no other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from string import Template

from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.documents import chunks_path, member_path
from shared.application.history import Topic, messages_before
from shared.application.memory import ranked_facts
from shared.application.ports.chat import OutgoingText
from shared.application.ports.model import Grounding, ModelReply, ModelRequest, Turn
from shared.application.ports.store import Order
from shared.application.spending import book_usage, is_over_budget
from shared.domain.addressing import is_about_asker, without_address
from shared.domain.audience import asker_language
from shared.domain.conversation import clean_answer, parts
from shared.domain.errors import ModelRefused, ModelUnavailable, SpomynError
from shared.domain.fact_summary import summary_lines
from shared.domain.facts import CHAT_CATEGORIES, MEMBER_CATEGORIES, Fact
from shared.domain.language import Language
from shared.domain.markup import markdown_to_html, plain
from shared.domain.messages import Message
from shared.domain.offline_answer import Saying
from shared.domain.text import TELEGRAM_LIMIT, inert, one_line, split_text
from shared.domain.tokens import estimate_tokens, within_budget
from shared.domain.updates import MessageReceived
from shared.locales import say
from shared.prompts import prompt

log = logging.getLogger(__name__)

CONTEXT_TOKENS = 8_000
"""Everything that the model is given for one answer (DESIGN, law 9)."""

RECENT = 30
"""Messages of history in the context: the recent layer (DESIGN)."""

MEMBER_FACTS, MEMBER_TOKENS = 10, 720
"""The asker's 60 % of the background layer of 1,200 tokens (chat public memory plan, section 5); the chat's are the
policy's."""

SUMMARIES, SUMMARY_TOKENS = 5, 600

PIECE = TELEGRAM_LIMIT - 96
"""UTF-16 units of Markdown in one message: rendering may add a few line breaks."""

_TYPING_LASTS = 4.5
"""Seconds: Telegram shows a chat action for five (Bot API, sendChatAction)."""


async def compose_answer(
    app: App, update: MessageReceived, state: ChatState, message: Message
) -> Sequence[OutgoingText]:
    """Ask the model with everything it should know; the pieces to send, never empty."""
    question = without_address(message.text, bot_username=app.policy.bot_username, bot_names=app.policy.bot_names)
    language = asker_language(question, chat_language=state.language, client_language=update.language_code)
    async with _typing(app, message):
        request = await _request(app, message, question, language, whole_forum=update.chat.is_forum)
        reply = await _reply(app, message.chat_id, request)
    text = clean_answer(reply.text, bot_names=app.policy.bot_names)
    if not one_line(plain(markdown_to_html(text))):  # nothing that shows
        text = clean_answer((await app.offline.generate(request)).text, bot_names=app.policy.bot_names)
    rendered = [markdown_to_html(piece) for piece in split_text(text, PIECE)]
    return [OutgoingText(markup, plain(markup)) for markup in rendered]


async def _request(app: App, message: Message, question: str, language: Language, *, whole_forum: bool) -> ModelRequest:
    now = app.clock.now()
    history, facts, own, summaries = await asyncio.gather(
        _history(app, message, in_forum=whole_forum),
        ranked_facts(app, message.chat_id, "chat", now=now),
        ranked_facts(app, message.chat_id, f"user:{message.user_id}", now=now),
        _summaries(app, message.chat_id),
    )
    facts, own = facts[: app.policy.chat_facts], own[:MEMBER_FACTS]
    names = await _names(app, message.chat_id, history, [*facts, *own])
    system = _system(app, language, now, names, facts, own, summaries)
    return ModelRequest(
        purpose="answer",
        system=system,
        turns=_turns(app, history, CONTEXT_TOKENS - estimate_tokens(system)),
        grounding=_grounding(
            question, language, message, history, names, [*own, *facts] if is_about_asker(question) else [*facts, *own]
        ),
    )


async def _history(app: App, message: Message, *, in_forum: bool) -> list[Message]:
    """The recent messages of the same topic up to this one, oldest first, this one last."""
    earlier = await messages_before(
        app,
        message.chat_id,
        message.message_id,
        limit=RECENT,
        topic=Topic(message.thread_id) if in_forum or message.thread_id is not None else None,
    )
    return [*(m for m in earlier if m.kind != "command"), message]


def _turns(app: App, history: Sequence[Message], budget_tokens: int) -> tuple[Turn, ...]:
    """The newest messages that fit the budget, oldest first; the one that asks is always among them."""
    by_id = {m.message_id: m for m in history}
    turns: list[Turn] = []
    for m in reversed(history):
        said = parts(m, by_id)
        budget_tokens -= sum(estimate_tokens(part) + 1 for part in said)
        if turns and budget_tokens < 0:
            break
        turns.append(Turn("model" if m.is_bot and m.user_id == app.policy.bot_id else "user", said))
    return tuple(reversed(turns))


async def _names(app: App, chat_id: int, history: Sequence[Message], facts: Sequence[Fact]) -> dict[int, str]:
    """What the people are called who said what is remembered: from recent talk, else from the members."""
    names = {m.user_id: m.name for m in history}
    missing = sorted({fact.evidence[0].user_id for fact in facts if fact.evidence} - set(names))
    for document in await app.store.get_many([member_path(chat_id, user_id) for user_id in missing]):
        if document is not None:
            names[document.data["user_id"]] = document.data["name"]
    return names


async def _summaries(app: App, chat_id: int) -> list[str]:
    found = await app.store.query(chunks_path(chat_id), order_by=[Order("last", descending=True)], limit=SUMMARIES)
    return [document.data["summary"] for document in reversed(found) if document.data["summary"]]


def _system(
    app: App,
    language: Language,
    now: datetime,
    names: Mapping[int, str],
    facts: Sequence[Fact],
    own: Sequence[Fact],
    summaries: Sequence[str],
) -> str:
    policy, headings = app.policy, _headings(language)
    chat_lines = summary_lines(facts, headings, names, limit=policy.chat_facts, budget_tokens=policy.chat_facts_tokens)
    own_lines = summary_lines(own, headings, names, limit=MEMBER_FACTS, budget_tokens=MEMBER_TOKENS)
    lines = [line for summary in summaries for line in summary.splitlines()]
    told = within_budget([f"- {inert(one_line(line, 600))}" for line in lines], SUMMARY_TOKENS)
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


def _headings(language: Language) -> dict[str, str]:
    return {category: say(language, f"category_{category}") for category in (*CHAT_CATEGORIES, *MEMBER_CATEGORIES)}


def _grounding(
    question: str,
    language: Language,
    message: Message,
    history: Sequence[Message],
    names: Mapping[int, str],
    facts: Sequence[Fact],
) -> Grounding:
    told = tuple(
        Saying(names.get(said.user_id, "?"), said.quote, fact.description, said.sent_at)
        for fact in facts
        for said in fact.evidence[:1]
    )
    talk = tuple(Saying(m.name, m.text) for m in history if m.text and not m.is_bot and m is not message)
    return Grounding(question, language, told, talk=talk)


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
