"""The chats' own documents: what the webhook must know of a chat before it stores a message.

Cached in the instance for a minute, so an ordinary message costs no read most of the time and never more than one.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from shared.application.documents import chat_path
from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Document, DocumentStore
from shared.application.ports.system import Clock
from shared.domain.chats.timezones import timezone_named
from shared.domain.conversation.messages import SCHEMA, name_mark
from shared.domain.forgetting.forgotten import Hearsay
from shared.domain.intake.updates import ChatInfo
from shared.domain.people.admin_history import AdminNote

log = logging.getLogger(__name__)

_TTL = timedelta(seconds=60)
_MOST = 2_000

CONTEXT_FORMATS = ("compact", "meta")
"""How talk may be shown to the model."""

LANGUAGES = ("uk", "en")
"""In which the bot speaks."""

WHEN_LEAVING = ("keep", "erase")
"""What may become of the words of a member who leaves."""

PRIVATE_CHUNK = "private"
"""In a message's `chunk`: said while the chat was private, so never extracted, also not when it is private no more."""

SET_ASIDE = "set-aside"
"""In a message's `chunk`: to extract it failed time and again (`setting_aside`). It waits for an operator."""

NO_CHUNKS = frozenset((PRIVATE_CHUNK, SET_ASIDE))
"""What may stand in a message's `chunk` and is the id of none."""


class LastQuestion(NamedTuple):
    """What the bot asked the group last of its own accord (see `asking_group`).

    Attributes:
        fact, about: The fact, and the mark of the values (`group_question.mark_of`).
        said: Whether it is known to have been sent.
    """

    at: datetime
    fact: str
    about: str
    said: bool


class ChatState(NamedTuple):
    """What is known of a chat.

    Attributes:
        known: Whether its document exists.
        language: "uk" or "en": the admins' choice, else what is spoken; None until enough was said.
        active, inactive_since: Whether the bot is in the chat; when it was removed or blocked.
        opted_out: Members whose words are neither stored nor sent to the model.
        opted_out_names: Marks of the names that they are seen under (`name_mark`): of a forward from who hides their
            account nothing else is told.
        hearsay: Members who were forgotten, by hashes: what others retell of them is not used.
        migrated_to: The supergroup that it became, or None.
        learn_from: Nothing said before this instant makes a fact (a reset), or None.
        chunks: How many chunks were extracted.
        admins, admins_checked_at: Telegram's word on who administrates, and when it was given.
        admin_history: Who was an admin when, as far as it is not known from `admins`.
        private_mode: Whether the chat stores no facts; None leaves it to the deployment's default.
        extraction_method, memory_profile: From the document's map `settings`; None leaves it to the default.
        extraction_instructions: The admins' own words on what is worth remembering here, as stored.
        username: Of a public chat, without "@", or None.
        is_forum: Whether it has topics.
        timezone: IANA name of a zone that exists, or None.
        persona: The admins' own words on the bot's character here, as stored.
        prompts: The admins' own words for single tasks of the memory, by task, as stored.
        tools: Names of the tools that may be used here, or None for all.
        context_format: How talk is shown to the model: "compact" or "meta", or None.
        unprompted, questions: Whether the bot may join in unasked, and ask the group whether what it noticed is so;
            None leaves it to the default.
        quiet_hours: As text, as stored ("22-8", "off"), or None.
        retention_days, tokens_per_day: The admins' choice, or None.
        when_leaving: What becomes of the words of a member who leaves: "keep" or "erase", or None.
        question: What the bot asked the group last, or None.
        spoke_at, spoke_for: When the bot spoke last, as far as that matters (`unprompted`), or None; and the update for
            which it did so unasked.
        culture: What the group is like in a few sentences (`night.culture`), or "" when there are none, or they were
            made before a reset or an erasure, or from the words of somebody who opted out since.
        culture_of: Whose words that was made from.
        forgotten_at: When something of it was last forgotten for good, or None: what was said later cannot have been.
        first_seen_at: When its document was made, or None when that is not known; an earlier memory of the chat may
            have been forgotten.
    """

    chat_id: int
    known: bool = False
    type: str = "group"
    title: str = ""
    language: str | None = None
    active: bool = True
    inactive_since: datetime | None = None
    opted_out: frozenset[int] = frozenset()
    opted_out_names: frozenset[str] = frozenset()
    hearsay: Hearsay = Hearsay()
    migrated_to: int | None = None
    learn_from: datetime | None = None
    chunks: int = 0
    admins: frozenset[int] = frozenset()
    admins_checked_at: datetime | None = None
    admin_history: tuple[AdminNote, ...] = ()
    private_mode: bool | None = None
    extraction_method: str | None = None
    memory_profile: str | None = None
    extraction_instructions: str = ""
    username: str | None = None
    is_forum: bool = False
    timezone: str | None = None
    persona: str = ""
    prompts: Mapping[str, str] = MappingProxyType({})
    tools: frozenset[str] | None = None
    context_format: str | None = None
    unprompted: bool | None = None
    questions: bool | None = None
    quiet_hours: str | None = None
    retention_days: int | None = None
    tokens_per_day: int | None = None
    when_leaving: str | None = None
    forgotten_at: datetime | None = None
    first_seen_at: datetime | None = None
    question: LastQuestion | None = None
    spoke_at: datetime | None = None
    spoke_for: int | None = None
    culture: str = ""
    culture_of: frozenset[int] = frozenset()

    def is_private(self, *, by_default: bool) -> bool:
        """Return whether nothing that is said now may become a fact."""
        return by_default if self.private_mode is None else self.private_mode

    def retention(self, at_most: timedelta) -> timedelta:
        """Age at which the chat's messages and summaries go: its own choice, never more than the deployment's."""
        days = self.retention_days
        return at_most if not days or days > at_most.days else timedelta(days=days)


def chat_state(chat_id: int, document: Document | None) -> ChatState:
    """Read a chat's document; fields that are absent have their defaults.

    Of a chat that was forgotten (`forgotten`) nothing but who opted out is known.
    """
    if document is None:
        return ChatState(chat_id)
    if document.data.get("forgotten"):
        return ChatState(chat_id, **_left_out(document.data))
    data, settings = document.data, document.data.get("settings")
    settings = settings if isinstance(settings, Mapping) else {}
    return ChatState(
        chat_id,
        known=True,
        type=data.get("type", "group"),
        title=data.get("title", ""),
        language=_one_of(settings, "language", LANGUAGES) or data.get("language"),
        active=data.get("active", True),
        inactive_since=data.get("inactive_since"),
        **_left_out(data),
        migrated_to=data.get("migrated_to"),
        learn_from=data.get("learn_from"),
        chunks=data.get("chunks", 0),
        admins=frozenset(data.get("admins", ())),
        admins_checked_at=data.get("admins_checked_at"),
        admin_history=tuple(AdminNote(**note) for note in data.get("admin_history", ())),
        private_mode=data.get("private_mode"),
        extraction_method=_text(settings, "extraction_method"),
        memory_profile=_text(settings, "memory_profile"),
        extraction_instructions=_text(data, "extraction_instructions") or "",
        username=data.get("username"),
        is_forum=bool(data.get("is_forum")),
        timezone=_timezone(settings),
        persona=_text(settings, "persona") or "",
        prompts=_texts(settings, "prompts"),
        tools=_names(settings, "tools"),
        context_format=_one_of(settings, "context_format", CONTEXT_FORMATS),
        unprompted=_switch(settings, "unprompted"),
        questions=_switch(settings, "questions"),
        quiet_hours=_text(settings, "quiet_hours"),
        retention_days=_number(settings, "retention_days"),
        tokens_per_day=_number(settings, "tokens_per_day"),
        when_leaving=_one_of(settings, "when_leaving", WHEN_LEAVING),
        forgotten_at=data.get("forgotten_at"),
        first_seen_at=data.get("first_seen_at"),
        question=_last_question(data),
        spoke_at=data.get("spoke_at"),
        spoke_for=data.get("spoke_for"),
        culture=_culture(data),
        culture_of=_culture_of(data),
    )


def seen_name(user_id: int, name: str) -> str:
    """A name of somebody who opted out, as their chat's document keeps it."""
    return f"{user_id}:{name_mark(name)}"


def _left_out(data: Mapping[str, Any]) -> dict[str, Any]:
    """Who opted out, and the marks of their names (those of who opted in again do not count); who was forgotten."""
    opted_out = frozenset(data.get("opted_out", ()))
    seen = (str(each).partition(":") for each in data.get("opted_out_names", ()))
    names = frozenset(name for user_id, _, name in seen if int(user_id) in opted_out)
    return {"opted_out": opted_out, "opted_out_names": names, "hearsay": Hearsay(data.get("hearsay", ()))}


def _last_question(data: Mapping[str, Any]) -> LastQuestion | None:
    stored = data.get("question")
    return LastQuestion(**stored) if isinstance(stored, Mapping) else None


def _culture(data: Mapping[str, Any]) -> str:
    """The chat's portrait when it may be shown."""
    stored = data.get("culture_summary")
    if not isinstance(stored, Mapping):
        return ""
    old = any(at is not None and at >= stored["made_at"] for at in (data.get("learn_from"), data.get("forgotten_at")))
    return "" if old or set(stored["speakers"]) & set(data.get("opted_out", ())) else str(stored["text"])


def _culture_of(data: Mapping[str, Any]) -> frozenset[int]:
    stored = data.get("culture_summary")
    return frozenset(stored["speakers"]) if isinstance(stored, Mapping) else frozenset()


def _text(settings: Mapping[str, Any], name: str) -> str | None:
    """A choice that is a text, or None where there is none."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, str) else None


def _one_of(settings: Mapping[str, Any], name: str, choices: Collection[str]) -> str | None:
    """A choice among a few, or None where there is none of them."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, str) and chosen in choices else None


def _switch(settings: Mapping[str, Any], name: str) -> bool | None:
    """True or False, or None where there is neither."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, bool) else None


def _number(settings: Mapping[str, Any], name: str) -> int | None:
    """A whole number of at least 0, or None where there is none."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, int) and not isinstance(chosen, bool) and chosen >= 0 else None


def _texts(settings: Mapping[str, Any], name: str) -> dict[str, str]:
    """The texts of a map."""
    chosen = settings.get(name)
    found = chosen.items() if isinstance(chosen, Mapping) else ()
    return {key: text for key, text in found if isinstance(text, str)}


def _names(settings: Mapping[str, Any], name: str) -> frozenset[str] | None:
    """The names of a list, or None where there is no list."""
    chosen = settings.get(name)
    return frozenset(each for each in chosen if isinstance(each, str)) if isinstance(chosen, list) else None


def _timezone(settings: Mapping[str, Any]) -> str | None:
    name = _text(settings, "timezone")
    if name is not None:
        try:
            timezone_named(name)
        except ValueError as error:
            log.warning("the chat has no valid choice of timezone: %s", error)
            return None
    return name


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
        state = chat_state(chat_id, await self._store.get(chat_path(chat_id)))
        self._remember(state)
        return state

    async def current(self, chat_id: int, *, fresh: bool = False) -> ChatState:
        """As `state`, of the chat as it goes on: a group that became a supergroup has another id since."""
        state = await self.state(chat_id, fresh=fresh)
        return state if state.migrated_to is None else await self.state(state.migrated_to, fresh=fresh)

    async def meet(self, info: ChatInfo, *, at: datetime) -> ChatState:
        """As `state`, and make or correct the chat's document when it is new, changed, or was inactive before `at`."""
        state = await self.state(info.chat_id)
        if self.is_news(state, info, at=at):
            await self.introduce(state, info, at=at)
        return await self.state(info.chat_id)

    def is_news(self, state: ChatState, info: ChatInfo, *, at: datetime) -> bool:
        """Return whether the chat's document is to be made or corrected."""
        if state.migrated_to is not None:
            return False
        return (
            not state.known
            or _is_back(state, at)
            or any(getattr(state, n) != v for n, v in _fields_of_chat_info(info).items())
        )

    async def introduce(self, state: ChatState, info: ChatInfo, *, at: datetime) -> None:
        """Make or correct the chat's document."""
        active = state.active or _is_back(state, at)
        birth = {} if state.known else {"first_seen_at": self._clock.now()}
        await self.change(info.chat_id, {**_fields_of_chat_info(info), "active": active, **birth})
        self._remember(state._replace(known=True, active=active, **_fields_of_chat_info(info)))

    async def retire(self, chat_id: int, reason: str) -> None:
        """Mark a chat that the bot is not in any more."""
        now = self._clock.now()
        await self.change(chat_id, {"active": False, "inactive_reason": reason[:200], "inactive_since": now})

    async def change(self, chat_id: int, changes: dict[str, Any]) -> None:
        """Write fields of a chat's document, making it if absent."""
        begun = {"schema": SCHEMA, "chat_id": chat_id, "forgotten": DELETE_FIELD}
        await self._store.upsert(chat_path(chat_id), {**begun, **changes})
        self.forget(chat_id)

    async def note_name(self, chat_id: int, user_id: int, *names: str) -> None:
        """Write down, as marks, what a member who opted out is called."""
        await self.change(chat_id, {"opted_out_names": ArrayUnion(tuple(seen_name(user_id, name) for name in names))})

    def forget(self, chat_id: int) -> None:
        """Drop a chat from the cache."""
        self._cache.pop(chat_id, None)

    def _remember(self, state: ChatState) -> None:
        self._cache[state.chat_id] = (self._clock.now(), state)
        self._cache.move_to_end(state.chat_id)
        while len(self._cache) > _MOST:
            self._cache.popitem(last=False)


def _fields_of_chat_info(info: ChatInfo) -> dict[str, Any]:
    """Return what every update says of its chat, under the names of its document and of `ChatState`."""
    return {"type": info.type, "title": info.title, "username": info.username, "is_forum": info.is_forum}


def _is_back(state: ChatState, at: datetime) -> bool:
    return not state.active and (state.inactive_since is None or at > state.inactive_since)


def history_fields(notes: Iterable[AdminNote]) -> dict[str, Any]:
    """The field of a chat's document that keeps who was an admin when."""
    return {"admin_history": [note._asdict() for note in notes]}
