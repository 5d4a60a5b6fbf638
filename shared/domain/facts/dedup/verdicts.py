"""What an incoming statement is to a known one."""

from __future__ import annotations

from enum import StrEnum

from shared.domain.facts.dedup.pairs import Pair

WORDY_SHARE = 0.8
"""Share of the terms of a longer statement that has to be common for it to be the same."""


class Verdict(StrEnum):
    """What an incoming statement is to an existing one."""

    DUPLICATE = "duplicate"  # says the same
    REINFORCES = "reinforces"  # says the same, one of the two with more detail or strength
    CONFLICTS = "conflicts"  # both cannot hold now
    DISTINCT = "distinct"  # both stay


def merge_verdict(pair: Pair) -> Verdict:
    """Return how two that say the same do: whether one of them adds something to the other."""
    return Verdict.REINFORCES if pair.adds else Verdict.DUPLICATE
