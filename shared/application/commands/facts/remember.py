"""`/gryadremember …`: one thing that a member states, with the command as its evidence. Needs no model. And
`/gryadfreeze`: an admin's word that a fact does not age.

A worker learns it: to know whether the same is known takes the words of all facts, and lemmas, which take an
instance that has just started a second to load.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, notice, usage
from shared.application.commands.facts.card import compose_card, compose_card_message, note_shown_fact, read_fact
from shared.application.commands.facts.fix import LABEL, explain_refusal
from shared.application.commands.facts.listing import MOST_NAME, find_facts
from shared.application.commands.later import CommandOrigin, leave_to_worker, place_of
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.reply_codec import reply_context_of
from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import memory_of
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import column, localized_text, show_people
from shared.application.documents import facts_path, message_path
from shared.application.facts.codec import depending_on, fact_from_fields
from shared.application.facts.memory import retract_message
from shared.application.facts.moderation import pin_fact
from shared.application.payload_codec import read_payload
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message
from shared.domain.errors import Contention
from shared.domain.facts.change import Cause
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.profile import people_in
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.reading.filters.reasons import Reason
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line

MOST_CARDS = 3
"""Facts of one command that are shown."""


async def remember(app: App, call: CommandCall) -> Answer:
    """Have what the words say learnt; the card of the fact comes as a reply."""
    if not call.args:
        return usage(call)
    if not may_speak(call.state, call.user_id):  # the message is not stored: no worker could read it
        return explain_refusal(call.language, Reason.OPTED_OUT)
    return await leave_to_worker(app.gateway, app.schedule, call, "remember", place_of(call))


# --- the worker ---------------------------------------------------------------------------------


async def remember_asked(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """The task `remember`: learn what a stored command says and show it, once; refuse with the reason what must not be
    kept. A command that was forgotten or edited into something else meanwhile is left alone.

    Args:
        payload: As of `later.place_of`.

    Raises:
        BadPayload: It is not of this shape.
        TransientError: Run it again.
    """
    from shared.application.facts.statements import words_after_command

    place = read_payload(CommandOrigin, payload)
    state = await app.chats.current(place.chat_id, fresh=True)
    as_of = await memory_of(app.store, state.chat_id)  # before the words: an answer must not tell what is gone by then
    message = await _command(app.store, state, place)
    words = None if message is None else words_after_command(app.policy, message, "gryadremember")
    if message is None or words is None:
        return {"told": 0}
    told, key = await _reply_about_learnt(app, state, message, words, place.language), f"remember-{place.mark}"
    reply_to, thread_id = message.message_id, place.thread_id
    await say_once(app, state.chat_id, key, told, as_of=as_of, reply_to=reply_to, thread_id=thread_id)
    return {"told": 1}


async def _command(store: DocumentStore, state: ChatState, place: CommandOrigin) -> Message | None:
    """The command as it reads now, or None when it was forgotten.

    Raises:
        Contention: It is still to be moved to the supergroup that the group became.
    """
    now_at = message_path(state.chat_id, place.message_in(state.chat_id))
    before = message_path(place.chat_id, place.message_id)
    # The old place first: it moves in one transaction, so whoever does not find it there finds it in the new one.
    if before != now_at and await store.get(before) is not None:
        raise Contention(f"chat {place.chat_id} is being moved")
    document = await store.get(now_at)
    return None if document is None else read_message(document).message


async def _reply_about_learnt(app: App, state: ChatState, message: Message, words: str, language: Language) -> Answer:
    """Return what was learnt, or why nothing was."""
    from shared.application.facts.remembering import remember_words

    reason = await remember_words(app, state, message, words)
    await _check_unchanged(app, message)
    if reason is not None:
        return explain_refusal(language, reason, votes=str(app.policy.consensus))
    # Read, so that it is told alike when the task runs again.
    documents = await app.store.query(facts_path(message.chat_id), where=[depending_on(message.message_id)])
    depending = [fact_from_fields(document.data, consensus=app.policy.consensus) for document in documents]
    learnt = [fact for fact in depending if any(quote.message_id == message.message_id for quote in fact.evidence)]
    if not learnt:
        return Answer.of(localized_text(language, "remember_rejected" if depending else "remember_not_taken"))
    here = Scene(app.policy, state, language, message.user_id)
    shown = learnt[:MOST_CARDS]
    return Answer(tuple([await compose_card_message(app.store, here, f.id, _line(here, message, f)) for f in shown]))


async def _check_unchanged(app: App, message: Message) -> None:
    """See to it that nothing of the old words stays when the command was edited while they were learnt: the new ones
    may hold them ("perhaps …"), and the task that learns from edits may have run before.

    Raises:
        Contention: It was; the next run reads it as it is then.
    """
    document = await app.store.get(message_path(message.chat_id, message.message_id))
    if document is not None and read_message(document).message.text != message.text:
        await retract_message(app, message.chat_id, message.message_id, cause=Cause.EDITED)
        raise Contention(f"message {message.message_id} of chat {message.chat_id} was edited while it was learnt from")


def _line(here: Scene, message: Message, fact: Fact) -> str:
    if fact.status is Status.PENDING:
        return here.say("remember_waits")
    if any(quote.message_id != message.message_id for quote in fact.evidence):
        return here.say("remember_known")
    return here.say("remember_done", name=one_line(message.name, 40))


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
    await note_shown_fact(app.store, app.clock, press, fact_id, card)
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
    return show_people(answer(call, "freeze_which", column(rows)), people_in(found))
