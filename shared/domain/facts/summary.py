"""Facts in short: one line a category, headed in the asker's language, whole items only.

A description is written as a JSON string: whatever members typed can end neither its item nor its line, so no item, no
heading and no attribution can be forged (law 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, tzinfo
from typing import NamedTuple

from shared.domain.facts.fact import Fact
from shared.domain.facts.profile import ProfileFact
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.plain import one_line, quote_inline

MAX_NAME = 40


class FactSummary(NamedTuple):
    """One line a category that has a fact, and the ids of the facts that stand in the lines, best first."""

    lines: list[str]
    ids: list[str]


def summarize(
    facts: Iterable[Fact] | Iterable[ProfileFact],
    headings: Mapping[str, str],
    names: Mapping[int, str],
    *,
    limit: int,
    budget_tokens: int,
    zone: tzinfo = UTC,
) -> FactSummary:
    """The best facts that fit, grouped: `- Rules: "No politics" (95%, since 2026-03-07, said by "Olha"); …`.

    What a fact replaced follows it: `before: "On Tuesdays" from 2026-03-01`.

    Args:
        facts: Best first. One that does not fit is left out whole, and later ones may still fit.
        headings: What the reader calls each category, in the order of the lines; others follow under their own names.
        names: What people are called, by user id; who is not there is not named.
        limit: Facts at most.
        budget_tokens: Tokens of all lines at most, as `estimate_tokens` counts, with one more for each line's end.
        zone: In which days begin.
    Returns:
        The same facts always give the same lines.
    """
    groups: dict[str, list[str]] = {}
    kept: list[str] = []
    for fact in facts:
        if len(kept) == limit:
            break
        wider = {**groups, fact.category: [*groups.get(fact.category, ()), _item(fact, names, zone)]}
        if sum(estimate_tokens(line) + 1 for line in _lines(wider, headings)) <= budget_tokens:
            groups = wider
            kept.append(fact.id)
    return FactSummary(_lines(groups, headings), kept)


def _lines(groups: Mapping[str, list[str]], headings: Mapping[str, str]) -> list[str]:
    order = [category for category in headings if category in groups]
    order += [category for category in groups if category not in headings]
    return [f"- {headings.get(category, category)}: {'; '.join(groups[category])}" for category in order]


def _item(fact: Fact | ProfileFact, names: Mapping[int, str], zone: tzinfo) -> str:
    who = one_line(names.get(fact.evidence[0].user_id, ""), MAX_NAME) if fact.evidence else ""
    since = f", since {fact.valid_from.astimezone(zone).date()}" if fact.valid_from else ""
    since += f" until {fact.holds_until.astimezone(zone).date()}" if fact.holds_until else ""
    said = f", said by {quote_inline(who)}" if who else ""
    values = fact.before if isinstance(fact, ProfileFact) else ()
    before = ", ".join(f"{_quote(value.description)} from {value.since.astimezone(zone).date()}" for value in values)
    return f"{_quote(fact.description)} ({fact.confidence:.0%}{since}{said}{f'; before: {before}' if before else ''})"


def _quote(description: str) -> str:
    return quote_inline(one_line(description, len(description)))
