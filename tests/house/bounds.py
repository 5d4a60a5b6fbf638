"""The bounds of the figures: ceilings that only go down, floors that only go up, and the goal of each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BOUNDS = Path(__file__).with_name("bounds.toml")


@dataclass(frozen=True, slots=True)
class Bound:
    """What a figure must keep.

    Attributes:
        limit: The worst value that passes.
        goal: The value that is wanted in the end; None when only the direction is known.
        is_floor: Whether lower values are the worse ones.
    """

    limit: int
    goal: int | None
    is_floor: bool

    def is_broken_by(self, value: int) -> bool:
        """Return whether a value is worse than the limit."""
        return value < self.limit if self.is_floor else value > self.limit

    def tightened(self, value: int) -> int:
        """Return the strictest limit that a value keeps: never looser than this one, nor stricter than the goal."""
        if self.is_floor:
            return max(self.limit, value if self.goal is None else min(value, self.goal))
        return min(self.limit, value if self.goal is None else max(value, self.goal))


def read_bounds(path: Path = BOUNDS) -> Mapping[str, Bound]:
    """Return the bounds by the figures' names.

    Raises:
        ValueError: A bound has neither or both of `at_most` and `at_least`, or something else.
    """
    return {name: _bound(name, table) for name, table in tomllib.loads(path.read_text("utf-8")).items()}


def _bound(name: str, table: Mapping[str, int]) -> Bound:
    limits = [key for key in ("at_most", "at_least") if key in table]
    if len(limits) != 1 or not set(table) <= {*limits, "goal"}:
        raise ValueError(f"The bound of {name} needs either at_most or at_least, and perhaps a goal")
    return Bound(table[limits[0]], table.get("goal"), is_floor=limits[0] == "at_least")


def tighten(limits: Mapping[str, int], path: Path = BOUNDS) -> None:
    """Write other limits into the file; whatever else it says stays."""
    text = path.read_text("utf-8")
    for name, limit in limits.items():
        text = re.sub(rf"(?m)^(\[{re.escape(name)}\]\nat_\w+ = )\d+", rf"\g<1>{limit}", text)
    path.write_text(text, "utf-8")
