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
    read = read_loosely(raw[:MAX_RAW])
    problems = [f"answer longer than {MAX_RAW} characters"] if len(raw) > MAX_RAW else []
    if not read.flawless:
        problems.append("the answer is not whole JSON" if read.values else "no JSON in the answer")
    found = parse_items(read.values)
    return ParsedFacts(found.items, (*problems, *found.problems))
