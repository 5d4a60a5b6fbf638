"""The codec of a chat's own document: what it shows of itself, its choices, consent, admins, resets and moves.

`ChatState` is a NamedTuple, as the webhook's start imports it. Each function `…_fields` makes the fields of one partial
update. The admins' choices are read by `settings_codec`, what is noted of nights by `marks`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from shared.application.chats.portrait_codec import read_portrait
from shared.application.chats.settings_codec import CHOICES, CONSENT, choices_of, consent_of, hearsay_fields
from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.conversation.messages import SCHEMA
from shared.domain.forgetting.forgotten import Hearsay
from shared.domain.intake.updates import ChatInfo
from shared.domain.people.admin_history import AdminNote

MOVES_FOR = timedelta(days=1)
"""Time for which something may still lie under a group's old id after it became a supergroup."""

LAST_ACTIVE_AT = "last_active_at"
"""The field that `chats` are sorted by: when its memory last changed."""

MARKS_FIELD, PORTRAIT_FIELD = "nightly", "culture_summary"
"""The field that holds the chat's portrait."""


class LastQuestion(NamedTuple):
    """The last question that the bot asked the group of its own accord (see `asking_group`).

    Attributes:
        fact, about: The fact, and the mark of the values (`group_question.mark_of`).
        said: Whether it is known to have been sent.
    """

    at: datetime
    fact: str
    about: str
    said: bool


class ChatState(NamedTuple):
    """The state of a chat, as its document has it.

    Attributes:
        known: Whether its document exists.
        language: "uk" or "en": the admins' choice, else what is spoken; None until enough was said.
        active, inactive_since: Whether the bot is in the chat; when it was removed or blocked.
        opted_out: Members whose words are neither stored nor sent to the model.
        opted_out_names: Marks of the names that they are seen under (`name_mark`): of a forward from who hides their
            account nothing else is told.
        hearsay: Members who were forgotten, by hashes: what others retell of them is not used.
        migrated_to: The supergroup that it became, or None.
        migrated_from, migrated_at: The basic group that it was before, and when it began to move here, or None.
        last_active_at: When its memory last changed, or None: never.
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
        spoke_at, spoke_for: When the bot spoke unasked last, or None, and which update it answered unasked last.
        portrait: What the group is like in a few sentences (`night.portraits`), or "" when there are none, or they were
            made before a reset or an erasure, or from the words of somebody who opted out since.
        portrait_of: Whose words that was made from.
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
    migrated_from: int | None = None
    migrated_at: datetime | None = None
    last_active_at: datetime | None = None
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
    portrait: str = ""
    portrait_of: frozenset[int] = frozenset()

    def is_private(self, *, by_default: bool) -> bool:
        """Return whether nothing that is said now may become a fact."""
        return by_default if self.private_mode is None else self.private_mode

    def moves_from(self, now: datetime) -> int | None:
        """Return the id that the chat had before, while something of it may still lie there; None of most chats."""
        is_moving = self.migrated_at is not None and now < self.migrated_at + MOVES_FOR
        return self.migrated_from if is_moving else None

    def retention(self, at_most: timedelta) -> timedelta:
        """Age at which the chat's messages and summaries go: its own choice, never more than the deployment's."""
        days = self.retention_days
        return at_most if not days or days > at_most.days else timedelta(days=days)


_CHAT = DerivedCodec(
    ChatState, apart=["chat_id", "known", "portrait", "portrait_of", *CONSENT, *(CHOICES - {"language"})]
)

chat_fields = _CHAT.changes
"""Return the fields by which a chat's document changes."""


def read_chat(chat_id: int, document: Document | None) -> ChatState:
    """Read a chat's document; fields that are absent have their defaults, and the admins' choice of a language goes
    before that which is spoken.

    Of a chat that was forgotten (`forgotten`) nothing but who opted out is known.
    """
    if document is None:
        return ChatState(chat_id)
    data = document.data
    if data.get("forgotten"):
        return ChatState(chat_id, **consent_of(data))
    return _CHAT.read(data, chat_id=chat_id, known=True, **choices_of(data), **consent_of(data), **_portrait(data))


def _portrait(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chat's portrait when it may be shown, and whose words it was made from."""
    portrait = read_portrait(data, PORTRAIT_FIELD)
    if portrait is None:
        return {}
    old = any(at is not None and at >= portrait.made_at for at in (data.get("learn_from"), data.get("forgotten_at")))
    silenced = old or not portrait.speakers.isdisjoint(data.get("opted_out", ()))
    return {"portrait": "" if silenced else portrait.text, "portrait_of": portrait.speakers}


def marks_in(document: Document) -> Mapping[str, Any]:
    """Return the marks of a chat's nights, as stored; of what is no map of them, none."""
    stored = document.data.get(MARKS_FIELD)
    return stored if isinstance(stored, Mapping) else {}


# --- what is written ------------------------------------------------------------------------------


def new_chat_fields(chat_id: int) -> dict[str, Any]:
    """Return what every write has that may make the document."""
    return {"schema": SCHEMA, "chat_id": chat_id}


def begun_fields(chat_id: int) -> dict[str, Any]:
    """Return `new_chat_fields` of a chat whose memory begins, also after it was forgotten."""
    return {**new_chat_fields(chat_id), "forgotten": DELETE_FIELD}


def info_fields(info: ChatInfo) -> dict[str, Any]:
    """Return what every update says of its chat, under the names of its document and of `ChatState`."""
    return {"type": info.type, "title": info.title, "username": info.username, "is_forum": info.is_forum}


def left_fields(reason: str, *, at: datetime) -> dict[str, Any]:
    """Return that the bot is not in the chat any more, since when, and why (at most 200 characters of it)."""
    return {"active": False, "inactive_reason": reason[:200], "inactive_since": at}


def no_portrait() -> dict[str, Any]:
    """Return what takes the chat's portrait away."""
    return {PORTRAIT_FIELD: DELETE_FIELD}


def forgotten_fields(state: ChatState, seen_names: Sequence[str]) -> dict[str, Any]:
    """Return the whole document of a chat that was forgotten: who opted out, and the hashes of who was forgotten."""
    names = {"opted_out_names": list(seen_names)} if seen_names else {}
    hearsay = hearsay_fields(state.hearsay) if state.hearsay else {}
    consent = {"opted_out": sorted(state.opted_out), **names, **hearsay}
    return {**new_chat_fields(state.chat_id), "forgotten": True, **consent}
