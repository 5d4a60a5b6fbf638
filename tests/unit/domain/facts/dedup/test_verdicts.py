"""What two statements that say the same do for each other."""

from __future__ import annotations

from shared.domain.facts.dedup import Verdict, verdict
from tests.unit.domain.facts.dedup.statements import said


def test_more_detail_reinforces_from_either_side():
    short, long = said("tea", "Likes tea"), said("green tea with mint", "Likes green tea with mint")
    assert verdict(short, long) is Verdict.REINFORCES
    assert verdict(long, short) is Verdict.REINFORCES


def test_strength_reinforces():
    assert verdict(said("кава", "Любить каву"), said("кава", "Обожнює каву")) is Verdict.REINFORCES
