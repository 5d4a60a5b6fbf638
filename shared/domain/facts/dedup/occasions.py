"""Whether two events or traditions are one occasion, and whether what is told of it agrees."""

from __future__ import annotations

from shared.domain.facts.dedup.pairs import Pair
from shared.domain.facts.dedup.reading import Reading
from shared.domain.facts.dedup.verdicts import WORDY_SHARE, Verdict, merge_verdict

_OCCASION_SHARE = 0.5
"""Share of the shorter one's terms by which two occasions are taken for one; exactly at it only if a change is told."""


def judge_occasions(pair: Pair, *, single: bool) -> Verdict:
    """Events and traditions: the same occasion or another, then whether time and place agree."""
    if pair.old.category != pair.new.category:
        return Verdict.DISTINCT
    old, new = _about(pair.old), _about(pair.new)
    common = pair.overlap(old, new)
    named_alike = pair.same_key or (single and pair.old.text[:2] == pair.new.text[:2])
    changed = pair.old.changes or pair.new.changes
    if not common and not named_alike:
        return Verdict.DISTINCT
    share = common / min(len(old), len(new)) if old and new else 1.0
    if not named_alike and (share < _OCCASION_SHARE or (share == _OCCASION_SHARE and not changed)):
        return Verdict.DISTINCT
    if pair.other_names:
        moved = named_alike and all(name[0].isupper() for name in pair.old.proper | pair.new.proper)
        return Verdict.CONFLICTS if changed or moved else Verdict.DISTINCT  # only the table's places have a capital
    if (pair.shared and pair.opposed) or _calls_off(pair.old) != _calls_off(pair.new):
        return Verdict.CONFLICTS
    if pair.other_moment or pair.other_numbers:
        return Verdict.CONFLICTS
    return merge_verdict(pair) if pair.retold else _same_occasion(pair, share)


def _about(reading: Reading) -> frozenset[str]:
    off = _calls_off(reading)
    told = {term for term, sign in reading.description.signs.items() if sign >= 0 or off}
    return reading.topic | reading.value.signs.keys() | told


def _calls_off(reading: Reading) -> bool:
    return (reading.value.sign or reading.description.sign) < 0


def _same_occasion(pair: Pair, share: float) -> Verdict:
    old, new = pair.old.value.signs.keys(), pair.new.value.signs.keys()
    if share <= _OCCASION_SHARE and not pair.same_key:
        return Verdict.DISTINCT
    if old and new and not old & pair.in_new.keys() and not new & pair.in_old.keys():
        return Verdict.CONFLICTS if pair.same_key else Verdict.DISTINCT
    if pair.missing_in_new and pair.missing_in_old and share < WORDY_SHARE:
        return Verdict.DISTINCT
    return merge_verdict(pair)
