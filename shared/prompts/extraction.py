"""What the facts prompt asks back: the response schema, rendered from the model's own fields."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from shared.domain.facts import CHAT_CATEGORIES, MEMBER_CATEGORIES

_CATEGORIES = sorted({*CHAT_CATEGORIES, *MEMBER_CATEGORIES})


class ProposedFact(BaseModel):
    """One fact as the model proposes it; nothing of it is believed before it is checked."""

    subject: str = Field(description='"chat" or "user:<user id>"')
    category: str = Field(json_schema_extra={"enum": list(_CATEGORIES)})
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


def facts_schema() -> dict[str, Any]:
    """JSON schema of the reply, for `ModelRequest.response_schema`."""
    return ProposedFacts.model_json_schema()
