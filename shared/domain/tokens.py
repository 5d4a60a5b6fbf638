"""How many tokens a text will cost, without asking the model."""

from __future__ import annotations

from math import ceil


def estimate_tokens(text: str) -> int:
    """Estimate of the tokens of a text.

    One token per 3.5 ASCII characters and per 2.2 others: Gemini's tokenizer needs about four characters of English and
    two and a half of Ukrainian for a token, so this leans to the high side.
    """
    ascii_chars = sum(1 for char in text if char < "\x80")
    return ceil(ascii_chars / 3.5 + (len(text) - ascii_chars) / 2.2)


def within_budget(lines: list[str], budget_tokens: int) -> list[str]:
    """The longest run of leading lines whose tokens fit; a line is never cut (a longer one is skipped)."""
    kept, left = [], budget_tokens
    for line in lines:
        cost = estimate_tokens(line) + 1
        if cost <= left:
            kept.append(line)
            left -= cost
    return kept
