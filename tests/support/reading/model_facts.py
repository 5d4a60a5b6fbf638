"""Facts alone, as a model's answer gives them; the product reads them with the rest of its reply (`model_reply`)."""

from __future__ import annotations

from shared.domain.reading.model_output import MAX_RAW, ParsedFacts, parse_items
from shared.domain.text.loose_json import read_loosely


def parse_model_facts(raw: str) -> ParsedFacts:
    """Read a model's answer; never raises.

    Complete items before a truncation are kept. A confidence that is no number from 0 to 1 (words, null, booleans,
    NaN, infinities, 95) costs its item, as do a missing content, category or quote, a content of more than
    `MAX_CONTENT` characters, and control characters in any of its texts.
    """
    return parse_items(read_loosely(raw[:MAX_RAW]))
