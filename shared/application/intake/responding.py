"""Responds to an update that calls for an answer. Imported when the first one comes.

Questions of a member that follow one another within seconds are answered together.
"""

import contextlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from shared.application.answering.composing import compose_answer
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.dispatch import compose_command, compose_reply
from shared.application.conversation.consent_gate import keepable
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import NEWEST_FIRST, after, before
from shared.application.delivery.answer import Answer, EarlierQuestion
from shared.application.delivery.closing import OpenUpdate, close_as, has_stopped, open_updates, stop_older
from shared.application.delivery.lease import claim_question, give_back
from shared.application.delivery.limits import limit_notice
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import Asker, answer_once
from shared.application.delivery.wording import localized_text, text
from shared.application.documents import messages_path
from shared.application.intake.questions import says_stop
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore
from shared.domain.conversation.messages import Message
from shared.domain.delivery.limits import Limit
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import StoreUnavailable
from shared.domain.intake.addressing import STOP
from shared.domain.intake.updates import GenerationStopped, MembershipChanged, MessageReceived, UpdateOutcome
from shared.domain.reading.requests import asks_to_forget, asks_to_remember
from shared.domain.text.language import interface_language

WITHIN = timedelta(seconds=20)
"""The most between two questions that are answered together: who waits longer meant two."""

MOST = 9
"""Older questions that one answer serves; those before them are answered by themselves."""

_LOOKED_AT = 60  # messages, the newest: more lie between two questions only where others talk


@contextlib.asynccontextmanager
async def claim_earlier(
    app: App, state: ChatState, update_id: int, message: Message
) -> AsyncIterator[tuple[EarlierQuestion, ...]]:
    """Hold the questions that a message's answer will serve as well, oldest first, while the block makes it; they are
    given back when it fails. The update is the message's."""
    claimed, token = list[EarlierQuestion](), app.ids.token()
    try:
        for asked, said in await _find_earlier(app.store, app.policy, state, update_id, message):
            if await claim_question(app.store, app.clock, asked, token, by=update_id):
                claimed.insert(0, EarlierQuestion(asked, token, said))
        yield tuple(claimed)
    except BaseException:
        await give_back(app.store, app.clock, claimed)
        raise


async def _find_earlier(
    store: DocumentStore, policy: Policy, state: ChatState, update_id: int, message: Message
) -> list[tuple[int, Message]]:
    """Return the questions right before a message, newest first: none that replies, brings a file, or asks for more
    than an answer, and none with somebody else's question, or reply to it or to a later one, after it."""
    asked = await open_updates(store, state.chat_id, message.user_id, before=state.migrated_from)
    mine = {each.update_id: each for each in asked}
    this = mine.get(update_id)
    if this is None or this.entry.asked_at is None or state.hearsay.retold_in(message):
        return []
    ids = {id_: asked for asked, id_ in _in_a_row(mine.values(), message, this.entry.asked_at)}
    if not ids:
        return []
    between = [after(min(ids) - 1), before(message.message_id)]
    found: list[tuple[int, Message]] = []
    documents = await store.query(
        messages_path(state.chat_id), where=between, order_by=[NEWEST_FIRST], limit=_LOOKED_AT
    )
    for said in (read_message(document).message for document in documents):
        if said.thread_id != message.thread_id:
            continue
        if said.user_id != message.user_id:
            if said.reply_to in ids or said.text.rstrip().endswith("?"):
                break
        elif said.message_id in ids and _is_plain(policy, state, said):
            found.append((ids[said.message_id], said))
    return found


def _in_a_row(mine: Iterable[OpenUpdate], message: Message, at: datetime) -> list[tuple[int, int]]:
    """Return update and message of the questions before a message of which each follows soon upon the one before."""
    row: list[tuple[int, int]] = []
    older = [(each.entry.message_id or 0, each) for each in mine if each.entry.asks == "question"]
    for message_id, each in sorted(older, key=lambda pair: -pair[0]):
        if message_id == 0 or message_id >= message.message_id or each.entry.thread_id != message.thread_id:
            continue
        asked_at, update_id = each.entry.asked_at, each.update_id
        if asked_at is None or at - asked_at > WITHIN or not isinstance(update_id, int) or len(row) == MOST:
            break
        if each.entry.is_unmade:
            row.append((update_id, message_id))
        at = asked_at
    return row


def _is_plain(policy: Policy, state: ChatState, said: Message) -> bool:
    acts = asks_to_remember(said.text) or asks_to_forget(said.text) or says_stop(policy, said.text)
    more = said.media is not None or said.reply_to is not None or state.hearsay.retold_in(said)
    return bool(said.text) and not acts and not more and keepable(state, said) is not None


async def respond_to_message(
    app: App, update: MessageReceived, state: ChatState, message: Message, *, is_last: bool = False
) -> UpdateOutcome:
    """Answer a command or an addressed message, once.

    Args:
        is_last: Nobody tries again: a question is told that the memory cannot be read when it cannot.
    """
    to = Destination(message.chat_id, message.message_id, message.thread_id, message.name)
    if update.command is not None and update.command.name == STOP:
        await stop_older(app.store, state, message, update.update_id)  # an edit may have made it one
    language = interface_language(state.language, update.language_code)

    async def decline(limit: Limit) -> Answer:
        return Answer.of(text(limit_notice(app.policy, state, language, limit)))

    async def compose() -> Answer:
        if update.command is not None:
            return await compose_command(app, update, state, message)
        try:
            return await _compose_talk(app, update, state, message)
        except StoreUnavailable:
            if not is_last:
                raise
            return Answer.of(localized_text(language, "memory_away"))

    asker = Asker(message.user_id, decline, state.migrated_from)
    return UpdateOutcome(await answer_once(app, update.update_id, to, compose, asker=asker))


async def _compose_talk(app: App, update: MessageReceived, state: ChatState, message: Message) -> Answer:
    replied = await compose_reply(app, update, state, message)
    if replied is not None:
        return replied
    async with claim_earlier(app, state, update.update_id, message) as earlier:
        answer = await compose_answer(app, update, state, message, earlier=tuple(each.message for each in earlier))
    return replace(answer, serves=earlier)


async def confirm_press(app: App, update: GenerationStopped, state: ChatState) -> UpdateOutcome:
    """Say that the answer under whose draft somebody pressed "stop" was ended, if it was."""
    if not await has_stopped(app.store, state, update.update_id):
        await close_as(app.store, update.update_id, AnswerOutcome.SILENT)
        return UpdateOutcome(AnswerOutcome.SILENT)

    async def confirm() -> Answer:
        return Answer.of(localized_text(interface_language(state.language, update.language_code), "stopped"))

    return UpdateOutcome(await answer_once(app, update.update_id, Destination(state.chat_id), confirm))


async def greet(app: App, update: MembershipChanged, state: ChatState) -> UpdateOutcome:
    """Say hello to a group that the bot joined, once."""

    async def compose() -> Answer:
        language = interface_language(state.language, update.language_code)
        return Answer.of(localized_text(language, "greeting", name=app.policy.bot_names[0]))

    return UpdateOutcome(await answer_once(app, update.update_id, Destination(update.chat.chat_id), compose))
