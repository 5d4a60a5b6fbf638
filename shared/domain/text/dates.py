"""The days that people mean: what they write becomes a date only here.

Python's calendar ends on 31 December 9999, and whatever reaches over its ends is an `OverflowError`; so a day that
nobody can mean is no day, before anything is reckoned with it.
"""

from __future__ import annotations

from datetime import date

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""People speak of their own and their grandparents' years, and plan for their children's."""


def meant_day(year: int, month: int, day: int) -> date | None:
    """A day of the calendar, or None when it has none such, or not in the years `FIRST_YEAR` to `LAST_YEAR`."""
    try:
        found = date(year, month, day)
    except (ValueError, OverflowError):  # OverflowError: a number beyond what a machine word holds
        return None
    return found if is_meant(found) else None


def meant_iso_day(text: str) -> date | None:
    """The day of a text that begins like 2026-11-20, by the rule of `meant_day`."""
    try:
        found = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return found if is_meant(found) else None


def is_meant(day: date) -> bool:
    """Return whether a day lies in the years that people mean."""
    return FIRST_YEAR <= day.year <= LAST_YEAR
