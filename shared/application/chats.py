"""The chats' own documents: what the webhook must know of a chat before it stores a message.

Cached in the instance for a minute, so an ordinary message costs no read most of the time and never more than one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.domain.messages import SCHEMA
from shared.domain.updates import ChatInfo

_TTL = timedelta(seconds=60)
_MOST = 2_000

PRIVATE_CHUNK = "private"
"""In a message's `chunk`: said while the chat was private, so never extracted, also not when it is private no more."""


class ChatState(NamedTuple):
    """What is known of a chat.

    Attributes:
        known: Whether its document exists.
        language: "uk" or "en", or None until enough was said.
        active, inactive_since: Whether the bot is in the chat; when it was removed or blocked.
        opted_out: Members whose words are neither stored nor sent to the model.
        migrated_to: The supergroup that it became, or None.
        learn_from: Nothing said before this instant makes a fact (a reset), or None.
        chunks: How many chunks were extracted.
        admins, admins_checked_at: Telegram's word on who administrates, and when it was given.
        private_mode: Whether the chat stores no facts; None leaves it to the deployment's default.
        extraction_method, memory_profile: From the document's map `settings`; None leaves it to the default.
        extraction_instructions: The admins' own words on what is worth remembering here, as stored.
    """

    chat_id: int
    known: bool = False
    type: str = "group"
    title: str = ""
    language: str | None = None
    active: bool = True
    inactive_since: datetime | None = None
    opted_out: frozenset[int] = frozenset()
    migrated_to: int | None = None
    learn_from: datetime | None = None
    chunks: int = 0
    admins: frozenset[int] = frozenset()
    admins_checked_at: datetime | None = None
    private_mode: bool | None = None
    extraction_method: str | None = None
    memory_profile: str | None = None
    extraction_instructions: str = ""

    def is_private(self, *, by_default: bool) -> bool:
        """Whether nothing that is said now may become a fact."""
        return by_default if self.private_mode is None else self.private_mode


def chat_state(chat_id: int, document: Document | None) -> ChatState:
    """Read a chat's document; fields that are absent have their defaults."""
    if document is None:
        return ChatState(chat_id)
    data = document.data
    return ChatState(
        chat_id,
        known=True,
        type=data.get("type", "group"),
        title=data.get("title", ""),
        language=data.get("language"),
        active=data.get("active", True),
        inactive_since=data.get("inactive_since"),
        opted_out=frozenset(data.get("opted_out", ())),
        migrated_to=data.get("migrated_to"),
        learn_from=data.get("learn_from"),
        chunks=data.get("chunks", 0),
        admins=frozenset(data.get("admins", ())),
        admins_checked_at=data.get("admins_checked_at"),
        private_mode=data.get("private_mode"),
        extraction_method=_setting(data, "extraction_method"),
        memory_profile=_setting(data, "memory_profile"),
        extraction_instructions=data.get("extraction_instructions") or "",
    )


def _setting(data: Mapping[str, Any], name: str) -> str | None:
    """An override in the map `settings`, or None."""
    chosen: str | None = (data.get("settings") or {}).get(name)
    return chosen


class Chats:
    """Reads through a small cache; writes go to the store and the cache."""

    def __init__(self, store: DocumentStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._cache: OrderedDict[int, tuple[datetime, ChatState]] = OrderedDict()

    async def state(self, chat_id: int, *, fresh: bool = False) -> ChatState:
        """What is known of a chat, at most a minute old; `fresh` skips the cache."""
        cached = self._cache.get(chat_id)
        if cached and not fresh and self._clock.now() - cached[0] < _TTL:
            self._cache.move_to_end(chat_id)
            return cached[1]
        state = chat_state(chat_id, await self._store.get(chat_path(chat_id)))
        self._remember(state)
        return state

    async def meet(self, info: ChatInfo, *, at: datetime) -> ChatState:
        """As `state`, and make or correct the chat's document when it is new, renamed, or was inactive before `at`."""
        state = await self.state(info.chat_id)
        if self.is_news(state, info, at=at):
            await self.introduce(state, info, at=at)
        return await self.state(info.chat_id)

    def is_news(self, state: ChatState, info: ChatInfo, *, at: datetime) -> bool:
        """Whether the chat's document is to be made or corrected."""
        if state.migrated_to is not None:
            return False
        return not state.known or _is_back(state, at) or (state.type, state.title) != (info.type, info.title)

    async def introduce(self, state: ChatState, info: ChatInfo, *, at: datetime) -> None:
        """Make or correct the chat's document."""
        active = state.active or _is_back(state, at)
        facts = {"type": info.type, "title": info.title, "active": active}
        await self.change(info.chat_id, facts | ({} if state.known else self._birth(info)))
        self._remember(state._replace(known=True, type=info.type, title=info.title, active=active))

    async def retire(self, chat_id: int, reason: str) -> None:
        """Mark a chat that the bot is not in any more."""
        now = self._clock.now()
        await self.change(chat_id, {"active": False, "inactive_reason": reason[:200], "inactive_since": now})

    async def change(self, chat_id: int, changes: dict[str, Any]) -> None:
        """Write fields of a chat's document, making it if absent."""
        await self._store.upsert(chat_path(chat_id), {"schema": SCHEMA, "chat_id": chat_id, **changes})
        self.forget(chat_id)

    def forget(self, chat_id: int) -> None:
        """Drop a chat from the cache."""
        self._cache.pop(chat_id, None)

    def _birth(self, info: ChatInfo) -> dict[str, Any]:
        return {"first_seen_at": self._clock.now(), "username": info.username, "is_forum": info.is_forum}

    def _remember(self, state: ChatState) -> None:
        self._cache[state.chat_id] = (self._clock.now(), state)
        self._cache.move_to_end(state.chat_id)
        while len(self._cache) > _MOST:
            self._cache.popitem(last=False)


def _is_back(state: ChatState, at: datetime) -> bool:
    return not state.active and (state.inactive_since is None or at > state.inactive_since)
