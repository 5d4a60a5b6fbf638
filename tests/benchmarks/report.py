"""One measured figure, and how figures are shown."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What one number is; `most` or `least` is its target, None when it has none."""

    benchmark: str
    name: str
    value: float
    unit: str = ""
    most: float | None = None
    least: float | None = None

    @property
    def met(self) -> bool | None:
        if self.most is None and self.least is None:
            return None
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all lie at or below (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def as_json(figures: Sequence[Figure], notes: Sequence[str]) -> str:
    return json.dumps(
        {"figures": [asdict(each) | {"met": each.met} for each in figures], "notes": list(notes)}, indent=1
    )


def as_table(figures: Sequence[Figure], notes: Sequence[str]) -> str:
    """A Markdown table."""
    rows = ["| benchmark | figure | value | target |", "| --- | --- | ---: | --- |"]
    rows += [f"| {each.benchmark} | {each.name} | {_value(each)} | {_target(each)} |" for each in figures]
    return "\n".join([*rows, *notes])


def _value(figure: Figure) -> str:
    digits = 0 if figure.value == round(figure.value) or figure.value >= 100 else 1 if figure.value >= 10 else 2
    return f"{figure.value:,.{digits}f} {figure.unit}".rstrip()


def _target(figure: Figure) -> str:
    bounds = [f"≤ {figure.most:g}"] if figure.most is not None else []
    bounds += [f"≥ {figure.least:,.0f}"] if figure.least is not None else []
    if not bounds:
        return ""
    return f"{', '.join(bounds)} {figure.unit}".rstrip() + ("" if figure.met else " **missed**")
