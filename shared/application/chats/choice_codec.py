"""How one choice of a chat's admins is changed in its document, and how changes are remembered there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple


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

    def changes(self, chat: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """Return the fields of the document that change when `value` (None: nothing) is chosen."""
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


def read_settings_log(data: Mapping[str, Any]) -> list[Chosen]:
    """Return the changes that a chat's document remembers, the oldest first."""
    return [Chosen(each["user_id"], each["row"], each["at"]) for each in data.get("settings_log") or ()]


def settings_log_fields(changes: Iterable[Chosen]) -> dict[str, Any]:
    """Return the field that `read_settings_log` reads."""
    return {"settings_log": [change._asdict() for change in changes]}


def _map(stored: Any) -> Mapping[str, Any]:
    return stored if isinstance(stored, Mapping) else {}


def _with(fields: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The fields with one changed, or (None) without it."""
    others = {key: each for key, each in fields.items() if key != name}
    return others if value is None else {**others, name: value}
