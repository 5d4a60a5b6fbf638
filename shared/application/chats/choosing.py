"""Changing what a chat chose. Each change is one field, made in a transaction beside the others, so that two admins at
once lose nothing; what is a change is noted with who made it, what is none is not, so repetition changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.app import App
from shared.application.documents import chat_path
from shared.application.ports.store import DELETE_FIELD, Document, DocumentStore, Transaction, Upsert
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import Contention

LOGGED = 20
"""Changes that are remembered."""


class ChoiceLocation(NamedTuple):
    """Where a choice stands in a chat's document.

    Attributes:
        field: Of the map `settings`, unless `prompt` or `apart` says otherwise.
        prompt: Whether the field is one of the map `prompts` in it.
        apart: Whether the field is the document's own.
    """

    field: str
    prompt: bool = False
    apart: bool = False

    def read(self, chat: Mapping[str, Any]) -> Any:
        """Return what is stored, or None: nothing was chosen."""
        if self.apart:
            return chat.get(self.field)
        settings = _map(chat.get("settings"))
        if not self.prompt:
            return settings.get(self.field)
        earlier = chat.get("extraction_instructions") if self.field == "facts" else None
        return _map(settings.get("prompts")).get(self.field, earlier) or None

    def written(self, chat: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """The fields of the document that change when `value` (None: nothing) is chosen."""
        if self.apart:
            return {self.field: value}
        settings = _map(chat.get("settings"))
        if not self.prompt:
            return {"settings": _with(settings, self.field, value)}
        prompts = _with(_map(settings.get("prompts")), self.field, value)
        # Wishes for facts from before there were others would come back when those that replaced them go.
        earlier = {"extraction_instructions": ""} if self.field == "facts" else {}
        return {"settings": _with(settings, "prompts", prompts or None), **earlier}


class Chosen(NamedTuple):
    """One change: who made it (negative for an anonymous admin), the row of the menu, and when."""

    user_id: int
    row: str
    at: datetime


async def choose(app: App, chat_id: int, row: str, place: ChoiceLocation, value: Any, *, user_id: int) -> bool:
    """Store a choice, or (None) take it back; False when it was so already.

    It holds at once in this instance, and within a minute in others.

    Raises:
        Contention: The chat goes on under another id; the same update finds it there.
    """
    now = app.clock.now()

    async def apply(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        chat = document.data if document is not None else {}
        if chat.get("migrated_to") is not None:
            raise Contention(f"chat {chat_id} goes on as {chat['migrated_to']}")
        if _is_same(place.read(chat), value):
            return False
        log = [*_settings_log_of(chat), {"user_id": user_id, "row": row, "at": now}][-LOGGED:]
        changes = {**place.written(chat, value), "settings_log": log}
        begun = {"schema": SCHEMA, "chat_id": chat_id, "forgotten": DELETE_FIELD}
        tx.write(Upsert(chat_path(chat_id), {**begun, **changes}))
        return True

    try:
        return await app.store.transaction(apply)
    finally:
        app.chats.forget(chat_id)


def changes_of(chat: Mapping[str, Any]) -> list[Chosen]:
    """Return who changed what, the newest first."""
    return [Chosen(each["user_id"], each["row"], each["at"]) for each in reversed(_settings_log_of(chat))]


async def forget_chooser(store: DocumentStore, chat_id: int, user_id: int) -> bool:
    """Take a member out of what is remembered of changes; False when they were not there. Repeats harmlessly."""

    async def apply(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        log = _settings_log_of(document.data) if document is not None else []
        kept = [each for each in log if each["user_id"] != user_id]
        if len(kept) < len(log):
            tx.write(Upsert(chat_path(chat_id), {"settings_log": kept}))
        return len(kept) < len(log)

    return await store.transaction(apply)


def choosers_in(chat: Document | None) -> frozenset[int]:
    """Return who is remembered of changes of a chat's settings."""
    return frozenset() if chat is None else frozenset(each["user_id"] for each in _settings_log_of(chat.data))


def _settings_log_of(chat: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(chat.get("settings_log") or ())


def _map(stored: Any) -> Mapping[str, Any]:
    return stored if isinstance(stored, Mapping) else {}


def _is_same(stored: Any, value: Any) -> bool:
    """Return whether a choice is stored already, and nothing of another type: that may be equal, and is no choice."""
    return type(stored) is type(value) and bool(stored == value)


def _with(fields: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The fields with one changed, or (None) without it."""
    others = {key: each for key, each in fields.items() if key != name}
    return others if value is None else {**others, name: value}
