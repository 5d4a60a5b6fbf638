"""Handles gestures without words: a press of a button under what the bot says, and a reaction that may be a vote."""

import logging

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.buttons import ACTIONS, Action
from shared.application.commands.call import ButtonPress, Pressed, Scene, is_member, refusal
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.reply_codec import (
    Reacted,
    ReplyContext,
    reaction_fields,
    read_reactions,
    reply_context_of,
)
from shared.application.delivery.answer import SILENCE, Answer
from shared.application.delivery.limits import limit_notice
from shared.application.delivery.parcels import Destination, show_instead
from shared.application.delivery.sending import Asker, answer_once
from shared.application.documents import message_path
from shared.application.ports.chat import ChatGateway, OutgoingText
from shared.application.ports.store import ArrayUnion, DocumentStore, Transaction, Upsert
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.markup import escape, plain
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected, PermanentError, SendUncertain
from shared.domain.facts.fact import Fact
from shared.domain.facts.group_question import read_vote
from shared.domain.intake.buttons import Sealed, refuse_at_sight, unseal
from shared.domain.intake.updates import ButtonPressed, ReactionChanged, UpdateOutcome, UpdateResult
from shared.domain.text.language import interface_language
from shared.locales import say_plainly

log = logging.getLogger(__name__)


async def press_button(app: App, update: ButtonPressed) -> UpdateOutcome:
    """Do what a button says, once.

    Raises:
        TransientError: Try again; what was done is idempotent.
    """
    if update.chat is None or update.message_id is None:
        return UpdateOutcome(UpdateResult.IGNORED, "unknown button")
    state = await app.chats.current(update.chat.chat_id)
    language = interface_language(state.language, update.language_code)
    message_id = update.message_id
    if update.chat.chat_id != state.chat_id:  # another message has this id there now
        message_id = migrated_message_id(message_id)
    refused: list[str] = []

    async def compose() -> Answer:
        sealed = unseal(app.policy.button_key, update.chat.chat_id, update.data) if update.chat is not None else None
        action = ACTIONS.get(sealed.action) if sealed is not None else None
        why = await _refusal(app, state, update, sealed, action)
        if why is not None or sealed is None or action is None:
            refused.append(why or "old_button")
            return await _tell(app.gateway, update, say_plainly(language, refused[-1]))
        press = ButtonPress(state, update, sealed.args, sealed.owner, message_id, language)
        return await _carry_out(app, update, action, press)

    async def decline(limit: Limit) -> Answer:
        told = plain(limit_notice(app.policy, state, language, limit))
        await _tell(app.gateway, update, told)
        return SILENCE

    to = Destination(state.chat_id, message_id, update.thread_id)
    asker = Asker(update.user_id, decline, state.migrated_from, is_press=True)
    outcome = await answer_once(app, update.update_id, to, compose, asker=asker)
    return UpdateOutcome(UpdateResult.REFUSED, refused[-1]) if refused else UpdateOutcome(outcome)


async def _refusal(
    app: App, state: ChatState, update: ButtonPressed, sealed: Sealed | None, action: Action | None
) -> str | None:
    """Return why the press is not obeyed, as the name of a text of the locales; None when it is."""
    if sealed is None or action is None or update.chat is None:
        return "old_button"
    at_sight = refuse_at_sight(app.policy.button_key, update.chat.chat_id, update)
    return at_sight or await refusal(app, state, update.user_id, action.who, fresh=action.destructive)


async def _carry_out(app: App, update: ButtonPressed, action: Action, press: ButtonPress) -> Answer:
    try:
        pressed = await action.load()(app, press)
    except PermanentError:  # it is not tried again, and nobody would know
        await _tell(app.gateway, update, say_plainly(press.language, "press_failed"))
        raise
    is_seen = await _show(app.store, app.gateway, update, pressed)
    if pressed.answer.pieces or (is_seen and pressed.is_done):
        return pressed.answer
    return await _tell(app.gateway, update, pressed.notice)


async def _tell(gateway: ChatGateway, update: ButtonPressed, text: str) -> Answer:
    """Tell who pressed, alone where Telegram lets us; else return what is to be said in the chat."""
    if not text or update.chat is None:
        return SILENCE
    if update.chat.type != "private":
        try:
            await gateway.whisper(
                update.chat.chat_id, update.user_id, text, callback_id=update.callback_id, thread_id=update.thread_id
            )
        except SendUncertain:  # told twice is worse here than perhaps not told
            return SILENCE
        except (ChatForbidden, ChatMigrated, MessageRejected) as error:
            log.info("who pressed could not be told alone: %s", error)
        else:
            return SILENCE
    return Answer.of(OutgoingText(escape(text), text))


async def _show(store: DocumentStore, gateway: ChatGateway, update: ButtonPressed, pressed: Pressed) -> bool:
    """Bring the message with the button up to date; return whether it reads otherwise than before."""
    if pressed.shows is None or update.chat is None or update.message_id is None:
        return False
    if pressed.shows.people:
        shown = {"people": ArrayUnion(tuple(sorted(pressed.shows.people)))}
        await store.update(message_path(update.chat.chat_id, update.message_id), shown)
    return await show_instead(gateway, update.chat.chat_id, update.message_id, pressed.shows)


async def react(app: App, update: ReactionChanged) -> UpdateOutcome:
    """Count changed reactions; what became of them, for the log.

    Raises:
        TransientError: Try again; nothing is counted twice.
    """
    state = await app.chats.state(update.chat.chat_id)
    if state.migrated_to is not None or update.user_id < 0 or not may_speak(state, update.user_id):
        return UpdateOutcome(UpdateResult.IGNORED, "a reaction that is no vote")
    message = await app.store.get(message_path(state.chat_id, update.message_id))
    asks = reply_context_of(message)
    if asks is None or not asks.takes_votes:
        return UpdateOutcome(UpdateResult.IGNORED, "a reaction that is no vote")
    return await _count(app, state, update, asks)


async def _count(app: App, state: ChatState, update: ReactionChanged, asks: ReplyContext) -> UpdateOutcome:
    if not await is_member(app, state, update.user_id):
        return UpdateOutcome(UpdateResult.REFUSED, "members_only")
    if await _is_forgotten(app.store, state, update):
        return UpdateOutcome(UpdateResult.IGNORED, "forgotten")
    noted = await _note_reaction(app.store, state, update, asks.fact)
    if noted is None:
        return UpdateOutcome(UpdateResult.IGNORED, "an older reaction")
    voted, carried_out = False, None
    while noted is not None and noted != carried_out:
        voted = await _vote(app, state, update.user_id, asks, noted)
        message = await app.store.get(message_path(state.chat_id, update.message_id))
        noted, carried_out = read_reactions(message).get(update.user_id), noted
    if not voted:
        return UpdateOutcome(UpdateResult.REFUSED, "no vote")
    await _show_votes(app, state, update.message_id, asks, update.user_id)
    return UpdateOutcome(UpdateResult.REACTION)


async def _is_forgotten(store: DocumentStore, state: ChatState, update: ReactionChanged) -> bool:
    """Return whether they reacted before they were forgotten, and it comes late, or again."""
    if state.forgotten_at is None or update.at > state.forgotten_at:
        return False
    from shared.application.conversation.tombstones import member_tombstone, read_tombstone

    mark = await store.get(member_tombstone(state.chat_id, update.user_id))
    return mark is not None and read_tombstone(mark).bars(update.at)


async def _note_reaction(
    store: DocumentStore, state: ChatState, update: ReactionChanged, fact_id: str
) -> Reacted | None:
    """The reaction as it is kept now, also when it was kept before; None when a newer one is."""
    path, user, says = message_path(state.chat_id, update.message_id), update.user_id, read_vote(update.emojis)

    async def note(tx: Transaction) -> Reacted | None:
        message = await tx.get(path)
        if message is None:
            return None
        kept = read_reactions(message)
        before = kept.get(user)
        order = (update.at, update.update_id)
        if before is not None and (before.at, before.update_id) >= order:
            return before if (before.at, before.update_id) == order else None
        if says is not None or before is None:
            kept[user] = Reacted(*order, says, None if says is None else update.at, fact_id)
        else:
            kept[user] = before._replace(at=update.at, update_id=update.update_id, supports=None)
        tx.write(Upsert(path, reaction_fields(kept)))
        return kept[user]

    return await store.transaction(note)


async def _vote(app: App, state: ChatState, user_id: int, asks: ReplyContext, noted: Reacted) -> bool:
    """Vote as the reaction says, or take its vote back; False when there is nothing that they have a voice in."""
    from shared.application.commands.facts.questions import is_open
    from shared.application.facts.moderation import current_fact, no_voice, vote, withdraw_vote

    fact = await current_fact(app.store, app.policy, state.chat_id, noted.fact)
    if fact is None or not _is_about(fact, asks, noted):
        return False
    if not is_open(fact, asks) or no_voice(app.policy, state, fact, user_id):
        return False
    if noted.supports is not None:
        await vote(app, state.chat_id, fact.id, user_id, supports=noted.supports, at=noted.at)
    elif noted.voted_at is not None:
        await withdraw_vote(app, state.chat_id, fact.id, user_id, at=noted.voted_at)
    return True


def _is_about(fact: Fact, asks: ReplyContext, noted: Reacted) -> bool:
    """Return whether who reacted had the words before them that the fact has now: a card may have shown others then."""
    from shared.domain.facts.group_question import wording_of

    given_at = noted.voted_at if noted.supports is None else noted.at
    too_old = asks.since is not None and given_at is not None and given_at < asks.since
    return noted.supports is None or not (too_old or asks.words not in ("", wording_of(fact)))


async def _show_votes(app: App, state: ChatState, message_id: int, asks: ReplyContext, viewer: int) -> None:
    """Bring the message up to date."""
    from shared.application.commands.facts.card import compose_card
    from shared.application.commands.facts.questions import render_question
    from shared.application.facts.moderation import current_fact

    here = Scene(app.policy, state, interface_language(state.language, None), viewer)
    if asks.action == "question":
        fact = await current_fact(app.store, app.policy, state.chat_id, asks.fact)
        shows = render_question(here, fact, asks.about, is_conflict=asks.is_conflict)
    else:
        shows = await compose_card(app.store, here, asks.fact)
    await show_instead(app.gateway, state.chat_id, message_id, shows)
