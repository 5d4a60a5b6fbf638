"""How the choices of a chat's admins stand in its document: in the map `settings`.

What is not of its type is no choice: the deployment's default holds then.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from shared.domain.chats.hours import timezone_named

log = logging.getLogger(__name__)

CONTEXT_FORMATS = ("compact", "meta")
"""How talk may be shown to the model."""

LANGUAGES = ("uk", "en")
"""In which the bot speaks."""

WHEN_LEAVING = ("keep", "erase")
"""What may become of the words of a member who leaves."""

_ALLOWED: dict[str, type | tuple[str, ...]] = {
    "language": LANGUAGES,
    "context_format": CONTEXT_FORMATS,
    "when_leaving": WHEN_LEAVING,
    **dict.fromkeys(("extraction_method", "memory_profile", "quiet_hours", "persona", "timezone"), str),
    **dict.fromkeys(("unprompted", "questions"), bool),
    **dict.fromkeys(("retention_days", "tokens_per_day"), int),
}
"""The choices: among a few, any text, a switch, or a whole number of at least 0; "prompts" and "tools" beside them."""


def settings_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the map of choices of a chat's document; {} where there is none."""
    stored = data.get("settings")
    return stored if isinstance(stored, Mapping) else {}


def merge_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that hold the choices of two chats' documents; where both chose, the new one's holds.

    So do its wishes for each task, one by one.
    """
    before, after = settings_of(old), settings_of(new)
    prompts = {**(before.get("prompts") or {}), **(after.get("prompts") or {})}
    return {
        "settings": {**before, **after, **({"prompts": prompts} if prompts else {})},
        "extraction_instructions": new.get("extraction_instructions") or old.get("extraction_instructions") or "",
    }


def choices_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices in a chat's document as fields of `ChatState`; those are left out that are none."""
    settings = settings_of(data)
    chosen = {name: settings[name] for name, allowed in _ALLOWED.items() if _is_among(allowed, settings.get(name))}
    prompts, tools = settings.get("prompts"), settings.get("tools")
    if isinstance(prompts, Mapping):
        chosen["prompts"] = {task: words for task, words in prompts.items() if isinstance(words, str)}
    if isinstance(tools, list):
        chosen["tools"] = frozenset(each for each in tools if isinstance(each, str))
    if "timezone" in chosen:
        try:
            timezone_named(chosen["timezone"])
        except ValueError as error:
            log.warning("the chat has no valid choice of timezone: %s", error)
            del chosen["timezone"]
    return chosen


def _is_among(allowed: type | tuple[str, ...], chosen: Any) -> bool:
    if isinstance(allowed, tuple):
        return chosen in allowed
    return type(chosen) is allowed and not (isinstance(chosen, int) and chosen < 0)
