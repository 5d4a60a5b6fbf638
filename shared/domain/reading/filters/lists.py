"""Word lists, written as one text."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())
