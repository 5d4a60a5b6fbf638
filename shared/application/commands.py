"""The `/gryad…` commands: what they say, in the chat's language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.ports.chat import Button, OutgoingText
from shared.application.profiles import subject_facts
from shared.domain.audience import chat_tongue
from shared.domain.errors import ChatForbidden
from shared.domain.facts import CHAT_CATEGORIES
from shared.domain.language import Language
from shared.domain.markup import escape, plain
from shared.domain.messages import Message
from shared.domain.profile import ProfileFact
from shared.domain.text import TELEGRAM_LIMIT, one_line, utf16_length
from shared.domain.updates import MembershipChanged, MessageReceived
from shared.locales import say

SHOWN_FACTS = 20
"""Facts in one /gryadchatfacts (chat public memory plan, admin commands)."""

RESET_CONFIRM, RESET_CANCEL = "reset:yes", "reset:no"


async def compose_command(
    app: App, update: MessageReceived, state: ChatState, message: Message
) -> Sequence[OutgoingText]:
    """What one of our commands answers; an unknown one points to the help."""
    language = chat_tongue(state.language, update.language_code)
    match update.command.name if update.command else "":
        case "gryadchatfacts":
            return await _chat_facts(app, message.chat_id, language)
        case "gryadchatreset":
            return await _ask_reset(app, message, language)
        case "gryadhelp" | "start" | "help":
            return [_text(say(language, "help", name=app.policy.bot_names[0], username=app.policy.bot_username))]
        case unknown:
            return [_text(say(language, "unknown_command", command=one_line(unknown, 40)))]


async def compose_greeting(app: App, update: MembershipChanged, state: ChatState) -> Sequence[OutgoingText]:
    """What the bot says when it joins a group."""
    language = chat_tongue(state.language, update.language_code)
    return [_text(say(language, "greeting", name=app.policy.bot_names[0]))]


async def is_chat_admin(app: App, chat_id: int, user_id: int, *, proven: bool = False) -> bool:
    """Telegram's own word on whether somebody administrates this very chat.

    Args:
        proven: The update itself proves it (an anonymous admin speaks as the chat).
    """
    if proven or user_id == chat_id:
        return True
    try:
        return user_id in await app.gateway.administrators(chat_id)
    except ChatForbidden:
        return False


async def _chat_facts(app: App, chat_id: int, language: Language) -> Sequence[OutgoingText]:
    known = await subject_facts(app, chat_id, ["chat"], now=app.clock.now())
    facts = known["chat"][:SHOWN_FACTS]
    if not facts:
        return [_text(say(language, "no_chat_facts"))]
    order = {category: place for place, category in enumerate(CHAT_CATEGORIES)}
    facts.sort(key=lambda fact: order.get(fact.category, len(order)))
    lines = [say(language, "chat_facts_title")]
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines += ["", f"<b>{say(language, f'category_{category}')}</b>", *(_fact_line(fact) for fact in group)]
    return _pages(lines)


def _fact_line(fact: ProfileFact) -> str:
    bar = "▰" * round(fact.confidence * 5)
    return f"• {escape(one_line(fact.description, 200))} ({bar:▱<5} {fact.confidence:.0%}, {fact.times}×)"


def _pages(lines: Sequence[str]) -> list[OutgoingText]:
    """Lines put together into messages under Telegram's limit; each line is whole markup of its own."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if utf16_length(plain("\n".join([*pages[-1], line]))) > TELEGRAM_LIMIT:
            pages.append([])
        pages[-1].append(line)
    return [_text("\n".join(page).strip()) for page in pages]


async def _ask_reset(app: App, message: Message, language: Language) -> Sequence[OutgoingText]:
    if message.chat_id > 0 or await is_chat_admin(
        app, message.chat_id, message.user_id, proven=message.is_admin is True
    ):
        yes = Button(say(language, "reset_yes"), RESET_CONFIRM)
        no = Button(say(language, "reset_no"), RESET_CANCEL)
        text = say(language, "reset_question")
        return [OutgoingText(text, plain(text), ((yes, no),))]
    return [_text(say(language, "admins_only"))]


def _text(markup: str) -> OutgoingText:
    return OutgoingText(markup, plain(markup))
