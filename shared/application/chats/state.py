"""The chats' own documents: what the webhook must know of a chat before it stores a message.

Cached in the instance for a minute, so an ordinary message costs no read most of the time and never more than one.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from shared.application.chats.chat_codec import (
    ChatState,
    begun_fields,
    info_fields,
    left_fields,
    new_chat_fields,
    read_chat,
)
from shared.application.documents import chat_path
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.application.ports.system import Clock
from shared.domain.errors import GoesOnElsewhere
from shared.domain.intake.updates import ChatInfo

_TTL = timedelta(seconds=60)
_MOST = 2_000


class Chats:
    """Reads through a small cache; writes go to the store and the cache."""

    def __init__(self, store: DocumentStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._cache: OrderedDict[int, tuple[datetime, ChatState]] = OrderedDict()

    async def state(self, chat_id: int, *, fresh: bool = False) -> ChatState:
        """Return what is known of a chat, at most a minute old; `fresh` skips the cache."""
        cached = self._cache.get(chat_id)
        if cached and not fresh and self._clock.now() - cached[0] < _TTL:
            self._cache.move_to_end(chat_id)
            return cached[1]
        state = read_chat(chat_id, await self._store.get(chat_path(chat_id)))
        self._remember(state)
        return state

    async def current(self, chat_id: int, *, fresh: bool = False) -> ChatState:
        """Return the `state` of the chat as it goes on: a group that became a supergroup has another id since."""
        state = await self.state(chat_id, fresh=fresh)
        return state if state.migrated_to is None else await self.state(state.migrated_to, fresh=fresh)

    async def meet(self, info: ChatInfo, *, at: datetime) -> ChatState:
        """Return the state; make or correct the document of a chat that is new, changed, or was gone before `at`."""
        state = await self.state(info.chat_id)
        if self.is_news(state, info, at=at):
            await self.introduce(state, info, at=at)
        return await self.state(info.chat_id)

    def is_news(self, state: ChatState, info: ChatInfo, *, at: datetime) -> bool:
        """Return whether the chat's document is to be made or corrected."""
        if state.migrated_to is not None:
            return False
        is_other = any(getattr(state, name) != value for name, value in info_fields(info).items())
        return is_other or not state.known or _is_back(state, at)

    async def introduce(self, state: ChatState, info: ChatInfo, *, at: datetime) -> None:
        """Make or correct the chat's document."""
        active = state.active or _is_back(state, at)
        birth = {} if state.known else {"first_seen_at": self._clock.now()}
        await self.change(info.chat_id, {**info_fields(info), "active": active, **birth})
        self._remember(state._replace(known=True, active=active, **info_fields(info)))

    async def retire(self, chat_id: int, reason: str) -> None:
        """Mark a chat that the bot is not in any more."""
        await self.change(chat_id, left_fields(reason, at=self._clock.now()))

    async def change(self, chat_id: int, changes: dict[str, Any]) -> None:
        """Write fields of a chat's document, making it if absent. What a group that moves must not lose is amended."""
        await self._store.upsert(chat_path(chat_id), {**begun_fields(chat_id), **changes})
        self.forget(chat_id)

    async def amend(self, chat_id: int, change: Callable[[ChatState], Mapping[str, Any]]) -> bool:
        """Write in one transaction what `change` makes of the state that it finds; False, and nothing, when that is {}.

        Drops the chat from the cache.

        Raises:
            GoesOnElsewhere: It does.
            Contention: Others changed it every time that it was read.
        """
        return await self.amend_stored(chat_id, lambda state, _: change(state))

    async def amend_stored(
        self, chat_id: int, change: Callable[[ChatState, Document | None], Mapping[str, Any]]
    ) -> bool:
        """Do the same with a `change` that also looks at the document as it is stored."""
        path = chat_path(chat_id)

        async def apply(tx: Transaction) -> bool:
            document = await tx.get(path)
            state = read_chat(chat_id, document)
            if state.migrated_to is not None:
                raise GoesOnElsewhere(f"chat {chat_id} goes on as {state.migrated_to}")
            changes = change(state, document)
            if changes:
                tx.write(Upsert(path, {**new_chat_fields(chat_id), **changes}))
            return bool(changes)

        try:
            return await self._store.transaction(apply)
        finally:
            self.forget(chat_id)

    def forget(self, chat_id: int) -> None:
        """Drop a chat from the cache."""
        self._cache.pop(chat_id, None)

    def _remember(self, state: ChatState) -> None:
        self._cache[state.chat_id] = (self._clock.now(), state)
        self._cache.move_to_end(state.chat_id)
        while len(self._cache) > _MOST:
            self._cache.popitem(last=False)


def _is_back(state: ChatState, at: datetime) -> bool:
    return not state.active and (state.inactive_since is None or at > state.inactive_since)
