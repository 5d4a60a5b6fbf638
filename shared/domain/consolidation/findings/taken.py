"""Who owes what, when one asks and another promises: the one who takes it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.likeness import says_the_same
from shared.domain.text.language import fold

ALL_OF_US = ("Усі", "Everyone")
"""Who is asked when everybody is."""


def untaken(found: Sequence[Suggestion]) -> list[Suggestion]:
    """The items without requests that somebody else has taken on since; what they took on tells who asked.

    Args:
        found: Pending suggestions in the order of the talk.
    """
    kept: list[Suggestion] = []
    for suggestion in found:
        earlier = next((n for n, other in enumerate(kept) if _takes(suggestion, other)), None)
        if earlier is None:
            kept.append(suggestion)
        else:
            kept[earlier] = _join_promise(kept[earlier], suggestion)
    return kept


def owner_of(text: str) -> tuple[str, str]:
    """Return who owes it, "" when that is not said, and what."""
    owner, colon, task = text.partition(": ")
    return (owner, task) if colon else ("", text)


def _takes(promise: Suggestion, request: Suggestion) -> bool:
    """Return whether a later item is an earlier one taken on: the same task, and another owner who is not all of us."""
    (whose, task), (asked, wanted) = owner_of(promise.text), owner_of(request.text)
    if not whose or whose in ALL_OF_US or asked in ALL_OF_US or (asked == whose and len(promise.quotes) == 1):
        return False
    by_two = promise.quotes[0][0] != request.quotes[0][0] or len(promise.quotes) > 1
    return by_two and says_the_same(Section.PENDING, fold(task), fold(wanted))


def _join_promise(request: Suggestion, promise: Suggestion) -> Suggestion:
    quotes = tuple(dict.fromkeys([request.quotes[0], *promise.quotes]))
    return replace(promise, quotes=quotes, due=promise.due or request.due)
