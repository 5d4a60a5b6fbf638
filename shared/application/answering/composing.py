"""Composing an answer: what is known, what was said, the model, and the offline model when there is no other."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from string import Template
from typing import cast

from shared.application.answering.answer_codec import Given, given_fields
from shared.application.answering.conversing import Conversed, converse, count_reserved_tokens
from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.answering.progress import Progress, show_progress
from shared.application.answering.provenance import model_provenance, offline_provenance
from shared.application.answering.tools.binding import ToolContext
from shared.application.answering.tools.registry import bindings_for
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.conversation.history import Topic
from shared.application.conversation.media import brings_files, media_parts
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text, long_markdown
from shared.application.policy import Policy
from shared.application.ports.model import ModelRequest, ModelTurn
from shared.application.ports.store import DocumentStore
from shared.application.recall.cache import IndexCache
from shared.application.recall.loading import load_names
from shared.application.spending.asking import OFFLINE
from shared.application.spending.budgets import Budget, is_news, over_budget
from shared.application.telemetry import tell, tell_model_error
from shared.domain.answering.context.assembly import assemble
from shared.domain.answering.context.budget import FILE_TOKENS
from shared.domain.answering.context.cleaning import cite, clean_answer, with_citations
from shared.domain.answering.context.material import Context, Format
from shared.domain.conversation.messages import Message, message_link
from shared.domain.delivery.markup import markdown_to_html, plain
from shared.domain.errors import ModelRefused, ModelUnavailable, OverBudget, TransientError
from shared.domain.intake.addressing import without_address
from shared.domain.intake.updates import MessageReceived
from shared.domain.people.naming import without_names
from shared.domain.text.language import Language, asker_language
from shared.domain.text.plain import one_line
from shared.locales import say
from shared.prompts import prompt

log = logging.getLogger(__name__)


async def compose_answer(
    app: App, update: MessageReceived, state: ChatState, message: Message, *, earlier: tuple[Message, ...] = ()
) -> Answer:
    """Ask the model with everything it should know; the pieces to send, never none.

    Args:
        earlier: What is answered as well, oldest first: the author asked it right before.
    """
    name, names = app.policy.bot_username, app.policy.bot_names
    said = [without_address(each.text, bot_username=name, bot_names=names) for each in (*earlier, message)]
    asked = "\n".join(said)
    language = await _language(app.store, app.indexes, state, update, asked)
    if state.hearsay.retold_in(message):  # not even the model is asked
        return Answer.of(localized_text(language, "hearsay_asked"))
    in_topic = update.chat.is_forum or message.thread_id is not None
    question = UserQuestion(message, asked, language, Topic(message.thread_id) if in_topic else None, earlier)
    begun = asyncio.get_running_loop().time()
    async with show_progress(app.gateway, message, update.update_id) as progress:
        over = None if app.model is None else await over_budget(app, state, message.user_id)
        may_ask = app.model is not None and over is None
        text, given, unmade = await _answer(app, state, question, progress, may_ask=may_ask)
    over = over or unmade
    if over is not None and await is_news(app, state, over, message.user_id, update.update_id):
        text += "\n\n" + plain(say(language, f"budget_over_{over}"))
    elif over is None and given.model == OFFLINE and await is_news(app, state, "offline", 0, update.update_id):
        text += "\n\n" + plain(say(language, "answer_offline"))
    spent = round(1000 * (asyncio.get_running_loop().time() - begun))
    tell("answer", "memory" if given.model == OFFLINE else "model", {"latency_ms": spent})
    return replace(long_markdown(language, text), given=given_fields(given))


async def _language(
    store: DocumentStore, indexes: IndexCache, state: ChatState, update: MessageReceived, asked: str
) -> Language:
    """The language of the words that are no names, else the chat's; names are read only where they may decide it."""
    language_of = partial(asker_language, chat_language=state.language, client_language=update.language_code)
    language = language_of(asked)
    if language == language_of(""):
        return language
    try:
        return language_of(without_names(asked, await load_names(store, indexes, state)))
    except TransientError:
        return language


async def _answer(
    app: App, state: ChatState, question: UserQuestion, progress: Progress, *, may_ask: bool
) -> tuple[str, Given, Budget | None]:
    """Markdown that shows something: the model's, else what the memory says by itself; what it was made from; and which
    budget had no room for asking the model."""
    shape: Format = cast("Format", state.context_format or app.policy.context_format)
    reading = app if may_ask else replace(app, embedder=None)  # which is a model, too
    gathered = await gather(reading, state, question, _rules(app.policy, state, shape))
    tool_context = ToolContext(state, question.message, question.topic, question.language)
    bindings = bindings_for(app.policy, app.weather, tool_context) if may_ask else ()
    reserve = count_reserved_tokens(bindings) + (FILE_TOKENS if brings_files(question.message) else 0)
    context = assemble(gathered.material, format=shape, reserve_tokens=reserve)
    layers = " ".join(f"{layer}={tokens}" for layer, tokens in context.tokens.items())
    log.debug("context total=%d %s", context.total, layers)
    grow = _show_growing(app.policy, state, context, progress) if question.message.chat_id > 0 else None
    request = ModelRequest("answer", context.system, (), grounding=gathered.grounding, on_text=grow)
    conversed, over, answer = None, None, ""
    if may_ask:
        try:
            turns = await _turns_with_files(app, state, question.message, context, gathered.material.talk)
            conversed = await converse(app, replace(request, turns=turns), tool_context, bindings=bindings)
        except OverBudget as error:
            over = error.whose
        except (ModelUnavailable, ModelRefused) as error:
            tell_model_error(error, purpose="answer")
    if conversed is not None:
        recalled = _with_recalled(state, context, conversed, gathered.material.zone)
        answer = _clean(app.policy, recalled, conversed.reply.text)
    answer = "" if state.hearsay.retold_by(answer) else answer
    if conversed is not None and one_line(plain(markdown_to_html(answer))):
        return answer, model_provenance(question, gathered.material, context, conversed, at=app.clock.now()), None
    quoted = (await app.offline.generate(request)).text
    return quoted, offline_provenance(question, gathered, quoted, at=app.clock.now()), over


def _rules(policy: Policy, state: ChatState, shape: Format) -> str:
    return Template(prompt("answer").text).substitute(
        name=policy.bot_names[0],
        username=policy.bot_username,
        persona=choices_for(policy, state).persona or " ".join(prompt("persona").text.split()),
        reading=prompt(f"reading_{shape}").text,
    )


async def _turns_with_files(
    app: App, state: ChatState, message: Message, context: Context, talk: Sequence[Message]
) -> tuple[ModelTurn, ...]:
    files = await media_parts(app, state, message, talk)
    *earlier, last = (ModelTurn(turn.role, turn.parts) for turn in context.turns)
    return (*earlier, replace(last, parts=(*last.parts[:-1], *files, last.parts[-1])))  # the end marker stays the last


def _with_recalled(state: ChatState, context: Context, conversed: Conversed, zone: tzinfo) -> Context:
    """The context with what tools found: it may be cited, too."""
    found = {m.message_id: m for use in conversed.log for m in use.messages}
    links: dict[int, str | None] = {number: link for use in conversed.log for number, link in use.links.items()}
    links |= {number: message_link(m.chat_id, number, username=state.username) for number, m in found.items()}
    told = [(note.first, note.first_at, "") for use in conversed.log for note in use.notes]
    said = [fact.evidence[0] for use in conversed.log for fact in use.facts if fact.evidence]
    told += [(each.message_id, each.sent_at, context.handles.get(each.user_id, each.name)) for each in said]
    told += [(number, m.sent_at, context.handles.get(m.user_id, m.name)) for number, m in found.items()]
    sources = {number: cite(at, links.get(number), who, zone) for number, at, who in told}
    return replace(context, citations=sources | dict(context.citations))


def _clean(policy: Policy, context: Context, text: str) -> str:
    """Return what the model wrote as it may be sent; may be ""."""
    names = (*policy.bot_names, policy.bot_username)
    answer = clean_answer(text, bot_names=names, handles=tuple(context.handles.values()))
    return with_citations(answer, context.citations)


def _show_growing(policy: Policy, state: ChatState, context: Context, progress: Progress) -> Callable[[str], None]:
    """Return what shows as much of the model's text as may be said."""

    def grow(text: str) -> None:
        answer = _clean(policy, context, text)
        if not state.hearsay.retold_by(answer):
            progress.text = answer

    return grow
