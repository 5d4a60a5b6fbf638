"""Who asks, and what is said to who asks too much; a chat's pace when something was forgotten in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from shared.application.chats.chat_codec import ChatState
from shared.application.delivery.pace_codec import pace_from, pace_path, pace_write
from shared.application.policy import Policy
from shared.application.ports.store import DocumentStore, Transaction
from shared.application.ports.system import Clock
from shared.domain.chats.timezones import timezone_named
from shared.domain.delivery.pace import Limit, without_member
from shared.domain.text.language import Language
from shared.locales import say


class Ask(NamedTuple):
    """A question that counts.

    Attributes:
        per_user, per_chat: Limits of a sliding hour.
        tells: Whether the first one over a limit is answered by a notice in the chat.
    """

    chat_id: int
    user_id: int
    per_user: int
    per_chat: int
    tells: bool = True


async def note_erasure(store: DocumentStore, clock: Clock, chat_id: int, user_id: int | None = None) -> None:
    """Let no answer be said that is being made right now: it may have been made from what is gone by now. The member
    whose words they were, if it was one, is taken out of what was asked lately."""
    now = clock.now()

    async def note(tx: Transaction) -> None:
        pace = replace(pace_from(await tx.get(pace_path(chat_id))), erased_at=now)
        tx.write(pace_write(chat_id, pace if user_id is None else without_member(pace, str(user_id)), now=now))

    await store.transaction(note)


def limit_notice(policy: Policy, state: ChatState, language: Language, limit: Limit) -> str:
    """Return what is said to who asks too much, as Telegram HTML: until when the bot rests, by the chat's clock."""
    zone = timezone_named(state.timezone or policy.timezone)
    until = (limit.until + timedelta(seconds=59)).astimezone(zone)  # not a minute too early
    return say(language, f"too_many_asks_{limit.whose}", until=f"{until:%H:%M}")
