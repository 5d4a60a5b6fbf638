"""The codec of the admins' choices in a chat's document, in the map `settings`; of who opted out, what they are called
there, and who was forgotten.

A choice of the wrong type is no choice: the deployment's default holds then.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import ArrayUnion, Document
from shared.domain.chats.hours import timezone_named
from shared.domain.conversation.messages import name_mark
from shared.domain.forgetting.forgotten import Hearsay

log = logging.getLogger(__name__)

CONTEXT_FORMATS = ("compact", "meta")
"""The formats in which talk may be shown to the model."""

LANGUAGES = ("uk", "en")
"""The languages that the bot speaks."""

WHEN_LEAVING = ("keep", "erase")
"""The choices for the words of a member who leaves."""

_ALLOWED: dict[str, type | tuple[str, ...]] = {
    "language": LANGUAGES,
    "context_format": CONTEXT_FORMATS,
    "when_leaving": WHEN_LEAVING,
    **dict.fromkeys(("extraction_method", "memory_profile", "quiet_hours", "persona", "timezone"), str),
    **dict.fromkeys(("unprompted", "questions"), bool),
    **dict.fromkeys(("retention_days", "tokens_per_day"), int),
}
"""The choices: among a few, any text, a switch, or a whole number of at least 0; "prompts" and "tools" beside them."""


CHOICES = frozenset((*_ALLOWED, "prompts", "tools", "extraction_instructions"))
"""Fields of `ChatState` that `choices_of` reads."""

CONSENT = ("opted_out", "opted_out_names", "hearsay")
"""Fields of `ChatState` that `consent_of` reads."""


def settings_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the map of choices of a chat's document; {} where there is none."""
    return _map(data.get("settings"))


def merge_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that hold the choices of two chats' documents; where both chose, the new one's holds.

    So do its custom instructions for each task, one by one.
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
    prompts, tools, instructions = settings.get("prompts"), settings.get("tools"), data.get("extraction_instructions")
    if isinstance(instructions, str):
        chosen["extraction_instructions"] = instructions
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


class ChoiceLocation(NamedTuple):
    """The place of a choice in a chat's document.

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
        settings = settings_of(chat)
        if not self.prompt:
            return settings.get(self.field)
        earlier = chat.get("extraction_instructions") if self.field == "facts" else None
        return _map(settings.get("prompts")).get(self.field, earlier) or None

    def changes(self, chat: Mapping[str, Any], value: Any) -> dict[str, Any]:
        """Return the fields of the document that change when `value` (None: nothing) is chosen."""
        if self.apart:
            return {self.field: value}
        settings = settings_of(chat)
        if not self.prompt:
            return {"settings": _replace_field(settings, self.field, value)}
        prompts = _replace_field(_map(settings.get("prompts")), self.field, value)
        # Instructions for facts from before there were others would come back when those that replaced them go.
        earlier = {"extraction_instructions": ""} if self.field == "facts" else {}
        return {"settings": _replace_field(settings, "prompts", prompts or None), **earlier}


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


def _replace_field(fields: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The fields with one changed, or (None) without it."""
    others = {key: each for key, each in fields.items() if key != name}
    return others if value is None else {**others, name: value}


def read_seen_names(document: Document | None) -> tuple[str, ...]:
    """Return what those who opted out are called, as stored (`seen_name`); also of some who opted in again."""
    return () if document is None else tuple(map(str, document.data.get("opted_out_names") or ()))


def seen_name(user_id: int, name: str) -> str:
    """Return a name of somebody who opted out, as their chat's document keeps it."""
    return f"{user_id}:{name_mark(name)}"


def consent_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return who opted out, the marks of their names (not of who opted in again), and who was forgotten."""
    opted_out = frozenset(data.get("opted_out", ()))
    seen = (str(each).partition(":") for each in data.get("opted_out_names", ()))
    names = frozenset(name for user_id, _, name in seen if int(user_id) in opted_out)
    return {"opted_out": opted_out, "opted_out_names": names, "hearsay": Hearsay(data.get("hearsay", ()))}


def opt_out_fields(user_id: int, *names: str) -> dict[str, Any]:
    """Return that a member's words are left out, and what they are called."""
    return {"opted_out": ArrayUnion((user_id,)), **(seen_names_fields(user_id, *names) if names else {})}


def seen_names_fields(user_id: int, *names: str) -> dict[str, Any]:
    """Return, as marks, what a member who opted out is called, beside what is known."""
    return {"opted_out_names": ArrayUnion(tuple(seen_name(user_id, name) for name in names))}


def opt_in_fields(user_id: int, opted_out: Collection[int], seen_names: Iterable[str]) -> dict[str, Any]:
    """Return who is left out without one member, and what they are called."""
    names = [name for name in seen_names if not name.startswith(f"{user_id}:")]
    return {"opted_out": sorted({*opted_out} - {user_id}), "opted_out_names": names}


def hearsay_fields(hearsay: Hearsay) -> dict[str, Any]:
    """Return who was forgotten, by hashes."""
    return {"hearsay": hearsay.fields()}
