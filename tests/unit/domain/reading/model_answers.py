"""Items as a model answers with them, and the talk that they quote."""

from __future__ import annotations

from typing import Any

from tests.support.talk import said

PEOPLE = {101: ("Оля", "olya"), 102: ("Sam", "sam")}
TALK = [said("I live in Lutsk, working as a barista", id=1), said("I keep bees", by=102, id=2)]


def item(**changes: Any) -> dict[str, Any]:
    fields = {"content": "olya lives in Lutsk", "type": "fact", "category": "personal_info", "confidence": 0.9,
              "quote": "I live in Lutsk", "user_id": 101}  # fmt: skip
    return {**fields, **changes}
