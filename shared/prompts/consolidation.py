"""What the prompts of consolidation ask back: the response schemas, and the same fields described for the prompts."""

from __future__ import annotations

from typing import Any

from shared.domain.consolidation.items import Section

_MEANING = {
    Section.ONGOING: "what the group works on or prepares together: a trip, a purchase, a repair, a project",
    Section.PENDING: "what somebody promised, was asked to do or is to be reminded of, and when; begin with their name",
    Section.TOPICS: "what was much talked about lately, as a heading of a few words",
    Section.PREFERENCES: "how the group said it wants to be talked to or to do things; only what was said outright",
}
_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer"}
_QUOTE: dict[str, Any] = {
    "type": "object",
    "properties": {"message_id": _NUMBER, "quote": _TEXT},
    "required": ["message_id", "quote"],
}
_ITEM: dict[str, tuple[dict[str, Any], str]] = {
    "section": ({**_TEXT, "enum": [str(section) for section in _MEANING]}, "one of the sections above"),
    "text": (_TEXT, "one line of at most 20 words"),
    "quotes": (
        {"type": "array", "items": _QUOTE},
        "one to three messages that say it: message_id, and quote: words copied letter by letter from that message",
    ),
    "due": (_TEXT, 'the day by which it is to be done, as YYYY-MM-DD; "" when none was told'),
    "same_as": (_NUMBER, "the number of the item on the board that this one goes on with; 0 when it is new"),
}
_RESOLVED: dict[str, tuple[dict[str, Any], str]] = {
    "item": (_NUMBER, "the number of the item"),
    "message_id": (_NUMBER, "the message that shows it"),
    "quote": (_TEXT, "the words of that message that show it, copied letter by letter"),
}


def items_schema() -> dict[str, Any]:
    """JSON schema of the reply to `consolidate`, for `ModelRequest.response_schema`."""
    return _list_of("items", _ITEM)


def resolved_schema() -> dict[str, Any]:
    """JSON schema of the reply to `resolve`."""
    return _list_of("resolved", _RESOLVED)


def describe_sections() -> str:
    """The sections, one line each, for the prompt."""
    return "\n".join(f"- {section}: {_MEANING[section]}" for section in _MEANING)


def describe_item_fields() -> str:
    """The fields of an item, one line each, for the prompt."""
    return _describe_fields(_ITEM)


def describe_resolved_fields() -> str:
    """The fields of a settled item, one line each, for the prompt."""
    return _describe_fields(_RESOLVED)


def _list_of(name: str, fields: dict[str, tuple[dict[str, Any], str]]) -> dict[str, Any]:
    entry = {
        "type": "object",
        "properties": {field: {**schema, "description": about} for field, (schema, about) in fields.items()},
        "required": list(fields),
    }
    return {"type": "object", "properties": {name: {"type": "array", "items": entry}}, "required": [name]}


def _describe_fields(fields: dict[str, tuple[dict[str, Any], str]]) -> str:
    return "\n".join(f"- {field}: {about}" for field, (_, about) in fields.items())
