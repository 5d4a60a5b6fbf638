"""What the episode prompt asks back: the response schema, and the same fields described for the prompt."""

from __future__ import annotations

from typing import Any

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "summary": (_TEXT, "two to five sentences: what it was about, who said, decided or promised what, how it ended"),
    "themes": (_TEXTS, "one to five broad themes, a word or two each"),
    "tone": (_TEXT, "the tone in one to three words"),
    "emotional_arc": (_TEXT, 'how the mood changed, in one short sentence; "" if it did not'),
    "participants": (
        {"type": "array", "items": {"type": "integer"}},
        "user ids of those who took part, as the transcript gives them",
    ),
    "key_topics": (
        _TEXTS,
        "up to eight concrete things that somebody may look for: people, places, dates, objects, plans",
    ),
}


def episode_schema() -> dict[str, Any]:
    """JSON schema of the reply, for `ModelRequest.response_schema`."""
    properties = {name: {**schema, "description": about} for name, (schema, about) in _FIELDS.items()}
    return {"type": "object", "properties": properties, "required": list(_FIELDS)}


def describe_episode_fields() -> str:
    """The fields, one line each, for the prompt."""
    return "\n".join(f"- {name}: {about}" for name, (_, about) in _FIELDS.items())
