"""`/gryadfreeze`: what an admin pins does not age. It may still be contradicted, corrected and dropped."""

from __future__ import annotations

import asyncio

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer, notice, usage
from shared.application.commands.facts.card import compose_card, compose_card_message, mean_fact, read_fact
from shared.application.commands.facts.fix import LABEL
from shared.application.commands.facts.listing import MOST_NAME, find_facts
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import column, showing
from shared.application.documents import message_path
from shared.application.facts.moderation import pin_fact
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.profile import people_in
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.plain import one_line


async def freeze(app: App, call: CommandCall) -> Answer:
    """Pin the fact whose card is replied to, or no longer; with words, offer the facts that they may mean."""
    if call.args:
        return await _offer(app, call)
    if call.message.reply_to is None:
        return usage(call)
    context = reply_context_of(await app.store.get(message_path(call.state.chat_id, call.message.reply_to)))
    return await _toggle(app, call, context.fact) if context is not None and context.fact else usage(call)


async def press_pin(app: App, press: ButtonPress) -> Pressed:
    """Pin a fact, or no longer, and show its card."""
    fact_id, here = long_id(press.args[0]), press.scene(app.policy)
    await pin_fact(app, press.state.chat_id, fact_id, holds=press.args[1] == "1", at=app.clock.now())
    card, fact = await asyncio.gather(compose_card(app.store, here, fact_id), read_fact(app.store, here, fact_id))
    await mean_fact(app.store, app.clock, press, fact_id, card)
    return Pressed(notice(press.language, _outcome(fact)).notice, card)


async def _toggle(app: App, call: CommandCall, fact_id: str) -> Answer:
    here = call.scene(app.policy)
    fact = await read_fact(app.store, here, fact_id)
    if fact is not None:
        # At the time of the message: delivered again, it finds its own decision and does not take it back.
        holds = fact.pinned_at is None
        change = await pin_fact(app, call.state.chat_id, fact.id, holds=holds, at=call.message.sent_at)
        fact = fact if change is None else change.after
    key = _outcome(fact)
    if fact is None or fact.status is not Status.ACTIVE:
        return answer(call, key)
    return Answer((await compose_card_message(app.store, here, fact.id, here.say(key)),))


def _outcome(fact: Fact | None) -> str:
    if fact is None or fact.status is not Status.ACTIVE:
        return "freeze_impossible"
    return "freeze_pinned" if fact.pinned_at is not None else "freeze_unpinned"


async def _offer(app: App, call: CommandCall) -> Answer:
    found, here = await find_facts(app, call.state, call.args), call.scene(app.policy)
    if not found:
        return answer(call, "freeze_not_found", words=one_line(call.args, MOST_NAME))
    labels = [f"{'📌 ' if fact.pinned_at is not None else ''}{one_line(fact.description, LABEL)}" for fact in found]
    rows = [
        here.button(label, "pin", short_id(fact.id), "0" if fact.pinned_at is not None else "1")
        for fact, label in zip(found, labels, strict=True)
    ]
    return showing(answer(call, "freeze_which", column(rows)), people_in(found))
