"""How the choices of a chat's admins stand in its document: in the map `settings`.

What is not of its type is no choice: the deployment's default holds then.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from shared.domain.chats.timezones import timezone_named

log = logging.getLogger(__name__)

CONTEXT_FORMATS = ("compact", "meta")
"""How talk may be shown to the model."""

LANGUAGES = ("uk", "en")
"""In which the bot speaks."""

WHEN_LEAVING = ("keep", "erase")
"""What may become of the words of a member who leaves."""


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


def text_in(settings: Mapping[str, Any], name: str) -> str | None:
    """Return a choice that is a text, or None where there is none."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, str) else None


def choice_in(settings: Mapping[str, Any], name: str, choices: Collection[str]) -> str | None:
    """Return a choice among a few, or None where there is none of them."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, str) and chosen in choices else None


def switch_in(settings: Mapping[str, Any], name: str) -> bool | None:
    """Return True or False, or None where there is neither."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, bool) else None


def number_in(settings: Mapping[str, Any], name: str) -> int | None:
    """Return a whole number of at least 0, or None where there is none."""
    chosen = settings.get(name)
    return chosen if isinstance(chosen, int) and not isinstance(chosen, bool) and chosen >= 0 else None


def texts_in(settings: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the texts of a map; {} where there is none."""
    chosen = settings.get(name)
    found = chosen.items() if isinstance(chosen, Mapping) else ()
    return {key: text for key, text in found if isinstance(text, str)}


def names_in(settings: Mapping[str, Any], name: str) -> frozenset[str] | None:
    """Return the names of a list, or None where there is no list."""
    chosen = settings.get(name)
    return frozenset(each for each in chosen if isinstance(each, str)) if isinstance(chosen, list) else None


def timezone_in(settings: Mapping[str, Any]) -> str | None:
    """Return the IANA name of the chosen zone; None where there is none, or it is no zone's (which is logged)."""
    name = text_in(settings, "timezone")
    if name is not None:
        try:
            timezone_named(name)
        except ValueError as error:
            log.warning("the chat has no valid choice of timezone: %s", error)
            return None
    return name
