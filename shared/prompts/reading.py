"""The reply that the reading prompt asks for: its schema, and the types of memory that a chat allows."""

from collections.abc import Sequence
from typing import Any

from shared.domain.facts.memory_profile import TYPES_ALLOWED, MemoryType, Profile
from shared.domain.text.data_files import read_data

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer"}
_PART: dict[str, Any] = {"part": _NUMBER, "summary": _TEXT, "details": {"type": "array", "items": _TEXT}}
_FACT: dict[str, Any] = {
    **dict.fromkeys(("about", "message"), _NUMBER),
    **dict.fromkeys(("quote", "key", "value", "text", "verdict", "until"), _TEXT),
    "confidence": {"type": "number"},
}
_NEEDED = ("about", "message", "quote", "text", "confidence")
"""The fields without which a fact is none; a list of all fields would cost as much as ten lines of talk."""


def reading_schema(profile: Profile = Profile.UNBOUNDED, *, facts: bool = True) -> dict[str, Any]:
    """JSON schema of the reply, for `ModelRequest.response_schema`.

    Args:
        profile: Where it leaves something out, each fact names its type of memory, one of those allowed.
        facts: Whether facts, and among them what the group is doing, are asked for.
    """
    typed = {} if profile is Profile.UNBOUNDED else {"type": {**_TEXT, "enum": _allowed_types(profile)}}
    lists = {"parts": _object(_PART)}
    lists |= {"facts": _object(_FACT | typed, needed=_NEEDED)} if facts else {}
    return _object({name: {"type": "array", "items": item} for name, item in lists.items()}, needed=tuple(lists))


def describe_types(profile: Profile) -> str:
    """The types of memory that a profile allows, for the prompt, one line each; "" when it allows all of them."""
    if profile is Profile.UNBOUNDED:
        return ""
    told = read_data(__package__, "types")
    listed = [f"- {kind}: {told['all'][kind]}" for kind in _allowed_types(profile)]
    lines = [f"- fact: {told['minimal']['fact']}"] if profile is Profile.MINIMAL else listed
    return "\n".join(["This group allows facts of these types only:", *lines, ""])


def _object(properties: dict[str, Any], *, needed: Sequence[str] = ()) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(needed)} if needed else {})}


def _allowed_types(profile: Profile) -> list[str]:
    return [str(kind) for kind in MemoryType if kind in TYPES_ALLOWED[profile]]
