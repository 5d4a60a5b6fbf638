"""The functions of all jobs: of a chat's night, of what members ask for, and of what is done once for all chats.

A table holds what loads a function: one job must not import the modules of all the others.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.job import JobResult

NightFunction = Callable[[App, ChatState], Awaitable[JobResult]]
"""Does a job of the night for one chat; idempotent, resumable and bounded to minutes."""

TaskFunction = Callable[[App, Mapping[str, Any]], Awaitable[dict[str, int]]]
"""Does what the payload of a task asks for, and returns counts of what was done; it can run again at any point."""

GlobalFunction = Callable[[App], Awaitable[JobResult]]
"""Does a job that is not done chat by chat."""


def load_night(name: str) -> NightFunction:
    """Import what is done for each chat at night and return it."""
    match name:
        case "decay":
            from shared.application.night.tidying import decay_chat as run
        case "dedup":
            from shared.application.night.tidying import dedup_chat as run
        case "summaries":
            from shared.application.intake.extracting import summarize_and_ask as run
        case "episodes":
            from shared.application.night.summaries import episodes_chat as run
        case "culture":
            from shared.application.night.portraits import portray_chat as run
        case "consolidate":
            from shared.application.consolidation.nightly import consolidate_chat as run
        case "retention":
            from shared.application.night.retention import retain_chat as run
        case "archive":
            from shared.application.archive.nightly import archive_chat as run
    return run


def load_task(name: str) -> TaskFunction:
    """Import what members ask for that takes longer than an answer may and return it."""
    match name:
        case "forget":
            from shared.application.forgetting.requested import forget_as_requested as run
        case "consent":
            from shared.application.forgetting.consent import apply_consent as run
        case "unsay":
            from shared.application.forgetting.traces.outside import unsay as run
        case "portrait":
            from shared.application.commands.chat.portrait_drawing import draw_portrait as run
        case "export":
            from shared.application.commands.privacy.export import send_export as run
        case "remember":
            from shared.application.commands.facts.remember import remember_asked as run
    return run


def load_global(name: str) -> GlobalFunction:
    """Import a job that is done once for all chats and return it."""
    match name:
        case "health":
            from shared.application.night.health import check_health as run
        case "sweep":
            from shared.application.night.retention import sweep_expired as run
    return run


NIGHT: dict[str, Callable[[], NightFunction]] = {
    name: partial(load_night, name)
    for name in ("decay", "dedup", "summaries", "episodes", "culture", "consolidate", "retention", "archive")
}
"""The jobs that are done for each chat at night, by the names of `night.fan_out.NIGHTLY`, which says when."""

TASKS: dict[str, Callable[[], TaskFunction]] = {
    name: partial(load_task, name) for name in ("forget", "consent", "unsay", "portrait", "export", "remember")
}
"""The tasks that members ask for because an answer may not take so long, by the name that it is asked for by."""

GLOBAL: dict[str, Callable[[], GlobalFunction]] = {name: partial(load_global, name) for name in ("health", "sweep")}
"""Jobs that are done once for all chats."""
