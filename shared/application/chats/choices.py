"""A chat's choices on memory and answers: the deployment's defaults, and what its own document says instead.

A change is one field, made in a transaction beside the others, so that two admins at once lose nothing; what is a
change is noted with who made it, what is none is not, so repetition changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from shared.application.chats.chat_codec import ChatState, begun_fields
from shared.application.chats.settings_codec import ChoiceLocation, Chosen, read_settings_log, settings_log_fields
from shared.application.documents import chat_path
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.domain.chats.hours import QuietHours, parse_quiet_hours, timezone_named
from shared.domain.facts.memory_profile import Profile
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.plain import inert, one_line

if TYPE_CHECKING:
    from datetime import timedelta
    from zoneinfo import ZoneInfo

    from shared.application.chats.state import Chats
    from shared.application.ports.system import Clock

log = logging.getLogger(__name__)

MAX_INSTRUCTIONS = 600
"""Characters of a chat's own words, for a task or on the bot's character, that reach a prompt: a few
sentences."""

TASKS = ("facts", "summary", "episodes", "meta", "episode", "consolidate", "culture")
"""The tasks for which a chat may have custom instructions: the prompts of the memory."""

LOGGED = 20
"""Changes that are remembered."""

_Choice = TypeVar("_Choice")


class Method(StrEnum):
    """The sources of facts that a chat allows. Summaries and episodic facts of chunks do not depend on it."""

    HYBRID = "hybrid"
    PATTERN = "pattern"
    STATISTICAL = "statistical"
    MODEL = "model"

    def includes(self, method: Method) -> bool:
        """Return whether facts come from `method`; all of them do in hybrid."""
        return self in (Method.HYBRID, method)


class Choices(NamedTuple):
    """The choices that hold for one chat now.

    Attributes:
        custom_instructions: For each of `TASKS` the admins' own words, one line of at most `MAX_INSTRUCTIONS`
            characters, or "". To be shown to the model as quoted data.
        persona: The bot's character: the chat's own, one line as the instructions are and escaped (`inert`), else the
            deployment's.
        tools: Names of the tools that the model may use: the deployment's, less what the chat leaves out.
        timezone: In which the chat's days begin and its clock is read.
        unprompted, questions: Whether the bot may join in unasked, and ask the group whether what it noticed is so;
            never in a private chat, nor where private mode is on.
        quiet_hours: In which it does neither.
        retention: Age at which messages and summaries go: the chat's own, never more than the deployment's, whose
            operator answers for what is stored.
        tokens_per_day: Model budget per UTC day: the chat's own, never more than the deployment's.
        erases_leavers: Whether the words of a member who leaves are erased.
    """

    private: bool
    method: Method
    profile: Profile
    custom_instructions: Mapping[str, str]
    persona: str
    tools: frozenset[str]
    timezone: ZoneInfo
    unprompted: bool
    questions: bool
    quiet_hours: QuietHours
    retention: timedelta
    tokens_per_day: int
    erases_leavers: bool


def choices_for(policy: Policy, state: ChatState) -> Choices:
    """Return what a chat chose, and the deployment's defaults for the rest.

    An override that is no choice is ignored, and so are words that try to instruct more than they are for. Those for
    facts that were stored before there were others (`extraction_instructions`) hold until they are replaced.
    """
    stored = {"facts": state.extraction_instructions, **state.prompts}
    offered = frozenset(policy.tools)
    private = state.is_private(by_default=policy.private_mode)
    may_speak = state.chat_id < 0 and not private
    return Choices(
        private=private,
        method=_resolve_choice("method", state.extraction_method, Method, Method(policy.extraction_method)),
        profile=_resolve_choice("profile", state.memory_profile, Profile, Profile(policy.memory_profile)),
        custom_instructions={task: _own_words(f"instructions for {task}", stored.get(task, "")) for task in TASKS},
        # The persona stands among the rules, where instructions are quoted: it must not look like a marker of ours.
        persona=one_line(inert(_own_words("persona", state.persona)), MAX_INSTRUCTIONS) or policy.persona,
        tools=offered if state.tools is None else offered & state.tools,
        timezone=timezone_named(state.timezone or policy.timezone),
        unprompted=may_speak and (policy.unprompted if state.unprompted is None else state.unprompted),
        questions=may_speak and (policy.questions if state.questions is None else state.questions),
        quiet_hours=_resolve_choice("quiet hours", state.quiet_hours, parse_quiet_hours, policy.quiet_hours),
        retention=state.retention(policy.retention),
        tokens_per_day=min(each for each in (policy.tokens_per_day, state.tokens_per_day) if each is not None),
        erases_leavers=(state.when_leaving or policy.when_leaving) == "erase",
    )


def _resolve_choice(what: str, override: str | None, read: Callable[[str], _Choice], default: _Choice) -> _Choice:
    try:
        return default if override is None else read(override)
    except ValueError:
        log.warning("the chat has no valid choice of %s", what)
        return default


def _own_words(what: str, words: str) -> str:
    if has_injection(words):
        log.warning("the chat's %s are left out: injection", what)
        return ""
    return one_line(words, MAX_INSTRUCTIONS)


async def choose(
    chats: Chats, clock: Clock, chat_id: int, row: str, place: ChoiceLocation, value: Any, *, user_id: int
) -> bool:
    """Store a choice, or (None) take it back; False when it was so already.

    It holds at once in this instance, and within a minute in others.

    Raises:
        GoesOnElsewhere: The chat does; the same update finds it there.
    """
    now = clock.now()

    def apply(_: ChatState, document: Document | None) -> dict[str, Any]:
        chat = {} if document is None else document.data
        stored = place.read(chat)
        if type(stored) is type(value) and stored == value:  # of another type it may be equal, and is no choice
            return {}
        log = [*read_settings_log(chat), Chosen(user_id, row, now)][-LOGGED:]
        return {**begun_fields(chat_id), **place.changes(chat, value), **settings_log_fields(log)}

    return await chats.amend_stored(chat_id, apply)


def changes_of(chat: Mapping[str, Any]) -> list[Chosen]:
    """Return who changed what, the newest first."""
    return read_settings_log(chat)[::-1]


async def forget_chooser(store: DocumentStore, chat_id: int, user_id: int) -> bool:
    """Take a member out of what is remembered of changes; False when they were not there. Idempotent."""

    async def apply(tx: Transaction) -> bool:
        document = await tx.get(chat_path(chat_id))
        log = read_settings_log(document.data) if document is not None else []
        kept = [each for each in log if each.user_id != user_id]
        if len(kept) < len(log):
            tx.write(Upsert(chat_path(chat_id), settings_log_fields(kept)))
        return len(kept) < len(log)

    return await store.transaction(apply)


def choosers_in(chat: Document | None) -> frozenset[int]:
    """Return who is remembered of changes of a chat's settings."""
    return frozenset() if chat is None else frozenset(each.user_id for each in read_settings_log(chat.data))
