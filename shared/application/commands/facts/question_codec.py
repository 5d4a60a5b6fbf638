"""How it is kept what the group was asked about a fact: `documents.question_path`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA


class AskedAbout(NamedTuple):
    """What the group was asked about one fact.

    Attributes:
        fact: The fact's id, as it was then.
        marks: Of the values that it was asked about (`group_question.mark_of`), the last ones, oldest first.
    """

    fact: str
    marks: tuple[str, ...] = ()


def read_asked_about(document: Document) -> AskedAbout:
    """Read what was asked about a fact."""
    return AskedAbout(document.data.get("fact", document.id), tuple(document.data.get("about", ())))


def asked_about_fields(fact_id: str, marks: Sequence[str], *, at: datetime) -> dict[str, Any]:
    """Return the document of a fact that was asked about last at an instant."""
    return {"schema": SCHEMA, "fact": fact_id, "about": list(marks), "at": at}
