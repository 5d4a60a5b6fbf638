"""`/gryadfreeze`: what an admin pins does not age. It may still be contradicted, corrected and dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, CommandCall, Pressed
from shared.application.commands.facts.card import read_fact, render_card
from shared.application.commands.facts.listing import card_asks, find_facts, means_fact
from shared.application.commands.facts.subjects import MOST_NAME
from shared.application.commands.replies import answer, usage
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import button, column, localized_text, showing, text
from shared.application.documents import message_path
from shared.application.facts.moderation import pin_fact
from shared.application.policy import Policy
from shared.application.ports.chat import Button
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import plain
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.profile import people_in
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.plain import one_line
from shared.locales import say

_LABEL = 60
"""Characters of a fact on a button: phones show hardly more."""


async def freeze(app: App, call: CommandCall) -> Answer:
    """Pin the fact whose card is replied to, or no longer; with words, offer the facts that they may mean."""
    if call.args:
        return await _offer(app, call)
    fact_id = await _fact_replied_to(app.store, call)
    return usage(call) if fact_id is None else await _toggle(app, call, fact_id)


async def press_pin(app: App, press: ButtonPress) -> Pressed:
    """Pin a fact, or no longer, and show its card."""
    fact_id, holds = long_id(press.args[0]), press.args[1] == "1"
    state, language = press.state, press.language
    await pin_fact(app, state.chat_id, fact_id, holds=holds, at=app.clock.now())
    card, fact = await asyncio.gather(
        render_card(app.store, app.policy, state, fact_id, language, press.user_id),
        read_fact(app.store, app.policy, state, fact_id),
    )
    await means_fact(app.store, app.clock, state.chat_id, press.message_id, fact_id, card)
    return Pressed(plain(say(language, _outcome(fact)))[:200], card)


async def _fact_replied_to(store: DocumentStore, call: CommandCall) -> str | None:
    """Id of the fact whose card the command replies to, or None."""
    if call.message.reply_to is None:
        return None
    document = await store.get(message_path(call.state.chat_id, call.message.reply_to))
    context = reply_context_of(document)
    return (context.fact or None) if context is not None else None


async def _toggle(app: App, call: CommandCall, fact_id: str) -> Answer:
    fact = await read_fact(app.store, app.policy, call.state, fact_id)
    if fact is not None:
        # At the time of the message: delivered again, it finds its own decision and does not take it back.
        holds = fact.pinned_at is None
        change = await pin_fact(app, call.state.chat_id, fact.id, holds=holds, at=call.message.sent_at)
        fact = fact if change is None else change.after
    key = _outcome(fact)
    if fact is None or fact.status is not Status.ACTIVE:
        return answer(call, key)
    card = await render_card(app.store, app.policy, call.state, fact.id, call.language, call.user_id)
    told = text(f"{say(call.language, key)}\n\n{card.html}", card.buttons, people=card.people)
    return Answer((AnswerPiece(told, asks=card_asks(fact.id, card)),))


def _outcome(fact: Fact | None) -> str:
    if fact is None or fact.status is not Status.ACTIVE:
        return "freeze_impossible"
    return "freeze_pinned" if fact.pinned_at is not None else "freeze_unpinned"


async def _offer(app: App, call: CommandCall) -> Answer:
    found = await find_facts(app, call.state, call.args)
    if not found:
        return answer(call, "freeze_not_found", words=one_line(call.args, MOST_NAME))
    which = Answer.of(localized_text(call.language, "freeze_which", column(_choices(app.policy, call.state, found))))
    return showing(which, people_in(found))


def _choices(policy: Policy, state: ChatState, facts: Sequence[Fact]) -> list[Button]:
    return [
        button(
            policy, state.chat_id, _label(fact), "pin", short_id(fact.id), "0" if fact.pinned_at is not None else "1"
        )
        for fact in facts
    ]


def _label(fact: Fact) -> str:
    pinned = "📌 " if fact.pinned_at is not None else ""
    return f"{pinned}{one_line(fact.description, _LABEL)}"
