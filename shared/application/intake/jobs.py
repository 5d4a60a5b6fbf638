"""The functions of all jobs: of a chat's night, of what members ask for, and of what is done once for all chats.

A table holds what loads a function: one job must not import the modules of all the others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.job import JobResult

NightFunction = Callable[[App, ChatState], Awaitable[JobResult]]
"""Does a job of the night for one chat; idempotent, resumable and bounded to minutes."""

TaskFunction = Callable[[App, Mapping[str, Any]], Awaitable[dict[str, int]]]
"""Does what the payload of a task asks for, and returns counts of what was done; it can run again at any point."""

GlobalFunction = Callable[[App], Awaitable[JobResult]]
"""Does a job that is not done chat by chat."""


def _load_decay() -> NightFunction:
    from shared.application.night.tidying import decay_chat

    return decay_chat


def _load_dedup() -> NightFunction:
    from shared.application.night.tidying import dedup_chat

    return dedup_chat


def _load_summaries() -> NightFunction:
    from shared.application.intake.extracting import summarize_and_ask

    return summarize_and_ask


def _load_episodes() -> NightFunction:
    from shared.application.night.summaries import episodes_chat

    return episodes_chat


def _load_culture() -> NightFunction:
    from shared.application.night.culture import culture_chat

    return culture_chat


def _load_consolidate() -> NightFunction:
    from shared.application.consolidation.nightly import consolidate_chat

    return consolidate_chat


def _load_retention() -> NightFunction:
    from shared.application.night.retention import retain_chat

    return retain_chat


def _load_archive() -> NightFunction:
    from shared.application.archive.nightly import archive_chat

    return archive_chat


NIGHT: dict[str, Callable[[], NightFunction]] = {
    "decay": _load_decay,
    "dedup": _load_dedup,
    "summaries": _load_summaries,
    "episodes": _load_episodes,
    "culture": _load_culture,
    "consolidate": _load_consolidate,
    "retention": _load_retention,
    "archive": _load_archive,
}
"""What is done for each chat at night, by the names of `night.fan_out.NIGHTLY`, which says when."""


def _load_forget() -> TaskFunction:
    from shared.application.forgetting.requested import forget_as_requested

    return forget_as_requested


def _load_consent() -> TaskFunction:
    from shared.application.forgetting.consent import apply_consent

    return apply_consent


def _load_unsay() -> TaskFunction:
    from shared.application.forgetting.traces.outside import unsay

    return unsay


def _load_portrait() -> TaskFunction:
    from shared.application.commands.chat.portrait_drawing import draw_portrait

    return draw_portrait


def _load_export() -> TaskFunction:
    from shared.application.commands.privacy.export import send_export

    return send_export


def _load_remember() -> TaskFunction:
    from shared.application.commands.facts.remember import remember_asked

    return remember_asked


TASKS: dict[str, Callable[[], TaskFunction]] = {
    "forget": _load_forget,
    "consent": _load_consent,
    "unsay": _load_unsay,
    "portrait": _load_portrait,
    "export": _load_export,
    "remember": _load_remember,
}
"""What members ask for that takes longer than an answer may, by the name that it is asked for by."""


def _load_health() -> GlobalFunction:
    from shared.application.night.health import check_health

    return check_health


def _load_sweep() -> GlobalFunction:
    from shared.application.night.retention import sweep_expired

    return sweep_expired


GLOBAL: dict[str, Callable[[], GlobalFunction]] = {"health": _load_health, "sweep": _load_sweep}
"""Jobs that are done once for all chats."""
