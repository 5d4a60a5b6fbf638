"""What the model costs in money, about: tokens at a published price."""

from __future__ import annotations

from typing import NamedTuple

INPUT_PRICE, OUTPUT_PRICE = 0.25, 1.50
"""Dollars per million tokens of Gemini 3.1 Flash-Lite (Google's list of March 2026), the nearest to the default model
with a published price when this was written."""


class Cost(NamedTuple):
    """Tokens that the model reads and writes."""

    input_tokens: int
    output_tokens: int

    def dollars(self, *, per_million_input: float = INPUT_PRICE, per_million_output: float = OUTPUT_PRICE) -> float:
        """Return what the tokens cost at these prices, in US dollars."""
        return (self.input_tokens * per_million_input + self.output_tokens * per_million_output) / 1_000_000
