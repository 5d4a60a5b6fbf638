"""`/gryadforgetme`: erasing everything of who asks, after a look at what there is. A worker does it and tells them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, notice
from shared.application.conversation.message_queries import by_author
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import button, localized_text
from shared.application.documents import facts_path, messages_path
from shared.application.facts.codec import about, supported_by
from shared.application.forgetting.request import ForgettingRequest, erasing
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.text.language import Language
from shared.locales import say


async def ask(app: App, call: CommandCall) -> Answer:
    """Return what there is of who asks, what would happen, and whether it is meant."""
    return Answer.of(await _question(app.store, app.policy, call.state, call.user_id, call.language))


async def ask_again(app: App, press: ButtonPress) -> Pressed:
    """The same for who presses a button that offers it."""
    return Pressed(shows=await _question(app.store, app.policy, press.state, press.user_id, press.language))


async def confirm(app: App, press: ButtonPress) -> Pressed:
    """Have it done. Whoever presses twice, or whose press is delivered twice, asks for it once."""
    request = ForgettingRequest(press.state.chat_id, press.user_id, app.clock.now(), press.message_id, press.language)
    once_more = f"-{press.update.update_id}" if press.args == ("again",) else ""
    if not await app.queue.enqueue(request.task(f"{press.message_id}{once_more}")):
        return notice(press.language, "forget_under_way")
    return Pressed(shows=erasing(press.language))


async def _question(
    store: DocumentStore, policy: Policy, state: ChatState, user_id: int, language: Language
) -> OutgoingText:
    yes = button(policy, state.chat_id, say(language, "forget_yes"), "fgt", owner=user_id)
    no = button(policy, state.chat_id, say(language, "forget_no"), "keep", owner=user_id)
    messages, facts, backed = await _counts(store, state.chat_id, user_id)
    key = "forget_question_chat" if state.chat_id == user_id else "forget_question"
    counts = {"messages": str(messages), "facts": str(facts), "backed": str(backed)}
    return localized_text(language, key, ((yes, no),), **counts)


async def _counts(store: DocumentStore, chat_id: int, user_id: int) -> Sequence[int]:
    """Messages, facts about them, and facts that they stand behind."""
    return await asyncio.gather(
        store.count(messages_path(chat_id), where=[by_author(user_id)]),
        store.count(facts_path(chat_id), where=[about(f"user:{user_id}")]),
        store.count(facts_path(chat_id), where=[supported_by(user_id)]),
    )
