"""What the prompts of consolidation ask back: the response schemas, and the same fields described for the prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from shared.domain.consolidation.items import Section


class Reply(NamedTuple):
    """What a prompt asks back.

    Attributes:
        fields: The schema of each, and what it holds.
        of_list: Name of the list of such entries that the whole reply is.
    """

    fields: Mapping[str, tuple[dict[str, Any], str]]
    of_list: str

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, for `ModelRequest.response_schema`."""
        properties = {name: {**schema, "description": about} for name, (schema, about) in self.fields.items()}
        entry = {"type": "object", "properties": properties, "required": list(self.fields)}
        entries = {self.of_list: {"type": "array", "items": entry}}
        return {"type": "object", "properties": entries, "required": [self.of_list]}

    def describe(self) -> str:
        """Return the fields, one line each, for the prompt."""
        return "\n".join(f"- {name}: {about}" for name, (_, about) in self.fields.items())


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

ITEMS = Reply({
    "section": ({**_TEXT, "enum": [str(section) for section in _MEANING]}, "one of the sections above"),
    "text": (_TEXT, "one line of at most 20 words"),
    "quotes": (
        {"type": "array", "items": _QUOTE},
        "one to three messages that say it: message_id, and quote: words copied letter by letter from that message",
    ),
    "due": (_TEXT, 'the day by which it is to be done, as YYYY-MM-DD; "" when none was told'),
    "same_as": (_NUMBER, "the number of the item on the board that this one goes on with; 0 when it is new"),
}, of_list="items")  # fmt: skip

RESOLVED = Reply({
    "item": (_NUMBER, "the number of the item"),
    "message_id": (_NUMBER, "the message that shows it"),
    "quote": (_TEXT, "the words of that message that show it, copied letter by letter"),
}, of_list="resolved")  # fmt: skip


def describe_sections() -> str:
    """The sections, one line each, for the prompt."""
    return "\n".join(f"- {section}: {meaning}" for section, meaning in _MEANING.items())
