"""Arguments as a model writes them, read by name and type; everything else in them is ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.domain.errors import ToolRefused
from shared.domain.text.plain import one_line


def text_of(arguments: Mapping[str, Any], name: str, *, most: int) -> str:
    """A text on one line of 1 to `most` characters.

    Raises:
        ToolRefused: It is missing, no text, blank or too long.
    """
    given = arguments.get(name)
    line = one_line(given, len(given)) if isinstance(given, str) else ""
    if not line or len(line) > most:
        raise ToolRefused(f"{name} must be a text of 1 to {most} characters")
    return line


def choice_of(arguments: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    """One of the choices.

    Raises:
        ToolRefused: It is none.
    """
    given = arguments.get(name)
    if given not in choices:
        raise ToolRefused(f"{name} must be one of: {', '.join(choices)}")
    return str(given)


def number_of(arguments: Mapping[str, Any], name: str, *, low: int, high: int, default: int) -> int:
    """A whole number from `low` to `high`; what lies beyond is brought to the nearer of them.

    Raises:
        ToolRefused: It is no whole number.
    """
    given = arguments.get(name, default)
    if isinstance(given, bool) or not isinstance(given, int | float) or given != given // 1:
        raise ToolRefused(f"{name} must be a whole number from {low} to {high}")
    return max(low, min(high, int(given)))
