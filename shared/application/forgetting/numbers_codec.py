"""The numbers of a forgetting, kept for some days without any id, so that a task that runs again shows the same."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from shared.application.delivery.ledger_codec import KEPT, done_with_update, update_path
from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA


class ForgettingNumbers(NamedTuple):
    """The numbers that a forgetting came to.

    Attributes:
        counts: What went, by kind.
        searched: How many documents and objects were searched for what is left.
        locked: How many objects the archive does not let go.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    searched: int = 0
    locked: int = 0


_NUMBERS = DerivedCodec(ForgettingNumbers)


def read_numbers(document: Document) -> ForgettingNumbers:
    """Read the numbers of an earlier run; those that an old document lacks are 0."""
    return _NUMBERS.read(document.data.get("numbers") or {})


def numbers_fields(numbers: ForgettingNumbers, *, now: datetime) -> dict[str, Any]:
    """Return the document that keeps the numbers: an entry of the ledger that is dealt with."""
    kept = {"numbers": _NUMBERS.fields(numbers), "expire_at": now + KEPT}
    return {"schema": SCHEMA, **done_with_update("told"), **kept}


def numbers_path(chat_id: int, user_id: int, when: str) -> str:
    """Return where the numbers of a member's forgetting are kept.

    Args:
        when: The instant or the day of the request, in ISO 8601.
    """
    name = hashlib.sha256(f"{chat_id}|{user_id}|{when}".encode()).hexdigest()[:32]
    return update_path(f"forgot-{name}")
