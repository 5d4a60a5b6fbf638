"""What a model costs: the dated prices of `prices.toml`, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from shared.domain.text.data_files import read_data


class ModelPrice(NamedTuple):
    """Dollars per million tokens.

    Attributes:
        cached: Of those read that came from the prefix cache.
        flex: What the flex tier takes of `input` and `output`, in (0, 1].
    """

    input: float
    output: float
    cached: float
    flex: float = 1.0

    def microdollars(self, read: int, written: int, *, cached: int = 0, flex: bool = False) -> int:
        """Return what tokens cost, in millionths of a dollar.

        Args:
            cached: How many of those read came from the prefix cache.
            flex: Whether the flex tier answered.
        """
        full = max(0, read - cached) * self.input + written * self.output
        return round(full * (self.flex if flex else 1.0) + min(cached, read) * self.cached)


def price_of(model: str, day: date) -> ModelPrice | None:
    """Return what a model costs on a day; None: it is not known."""
    held = [row for row in _entry(model).get("prices", ()) if row["from"] <= day]
    return _price(held[-1]) if held else None


def price_to_count(model: str, day: date) -> ModelPrice:
    """Return what a model counts at on a day: the dearest of all prices when its own is not known."""
    return price_of(model, day) or _dearest()


def retirement_of(model: str) -> date | None:
    """Return the day on which Google stops serving a model; None: none is known."""
    return _entry(model).get("retires")


def _entry(model: str) -> Mapping[str, Any]:
    return read_data(__package__, "prices").get(model.removeprefix("models/")) or {}


def _price(row: Mapping[str, Any]) -> ModelPrice:
    return ModelPrice(row["input"], row["output"], row.get("cached", row["input"]), row.get("flex", 1.0))


@cache
def _dearest() -> ModelPrice:
    prices = [_price(row) for entry in read_data(__package__, "prices").values() for row in entry["prices"]]
    most = max(price.input for price in prices)
    return ModelPrice(most, max(price.output for price in prices), cached=most)
