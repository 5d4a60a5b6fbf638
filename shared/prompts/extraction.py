"""What the facts prompt asks back: the response schema, rendered from the model's own fields, and the types allowed."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel, Field

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.memory_profile import TYPES_ALLOWED, MemoryType, Profile

_CATEGORIES = sorted({*CHAT_CATEGORIES, *MEMBER_CATEGORIES})

_MEANING = {
    MemoryType.FACT: "what somebody or the group is, has, likes, can do, or holds to",
    MemoryType.PROJECT: "goals, plans and ongoing work",
    MemoryType.EXPERIENCE: "what somebody did or lived through",
    MemoryType.STORY: "an anecdote from the past that somebody tells",
    MemoryType.RELATIONSHIP: "family, friends, partners, pets",
}
_ONLY_MINIMAL = (
    "- fact: and of facts only a member's name or pronouns (key name, nickname or pronouns), "
    "the language somebody prefers (key language_preference), and rules of the group"
)


class ProposedFact(BaseModel):
    """One fact as the model proposes it; nothing of it is believed before it is checked."""

    subject: str = Field(description='"chat" or "user:<user id>"')
    category: str = Field(json_schema_extra={"enum": list(_CATEGORIES)})
    memory_type: str
    key: str
    value: str
    description: str
    confidence: float
    message_id: int
    user_id: int
    quote: str = Field(description="copied letter by letter from that user's message")


class ProposedFacts(BaseModel):
    """The whole reply."""

    facts: list[ProposedFact]


@cache
def facts_schema(profile: Profile = Profile.UNBOUNDED) -> dict[str, Any]:
    """JSON schema of the reply, for `ModelRequest.response_schema`; offers only the memory types of the profile."""
    schema = ProposedFacts.model_json_schema()
    schema["$defs"]["ProposedFact"]["properties"]["memory_type"]["enum"] = _allowed_types(profile)
    return schema


def describe_profile(profile: Profile) -> str:
    """The memory types that a profile allows, one line each."""
    if profile is Profile.MINIMAL:
        return _ONLY_MINIMAL
    return "\n".join(f"- {kind}: {_MEANING[MemoryType(kind)]}" for kind in _allowed_types(profile))


def _allowed_types(profile: Profile) -> list[str]:
    return [str(kind) for kind in MemoryType if kind in TYPES_ALLOWED[profile]]
