"""Decides on what a chat lays down beside what stands: two things, unless they contradict or repeat each other."""

from __future__ import annotations

from shared.domain.facts.dedup.pairs import Pair

_LAID_DOWN = frozenset({"rule", "norm"})
_CUSTOMS = _LAID_DOWN | {"tradition"}


def lay_down_two_things(pair: Pair) -> bool:
    """Return whether two rules or customs share a word but each is about something else ("photos of cats", "of food").

    What is asked of the one is not denied of the other then. Opposites are about one thing, so is what is told as a
    change, and in two languages a word that no list translates proves nothing.
    """
    if not {pair.old.category, pair.new.category} <= _CUSTOMS:
        return False
    if pair.antonyms or pair.old.changes or pair.new.changes or pair.of_two_languages:
        return False
    return pair.each_goes_on


def stand_side_by_side(pair: Pair) -> bool:
    """Return whether two rules or norms stand side by side: each lists what the other does not, or one has hours."""
    old, new = pair.old, pair.new
    if not {old.category, new.category} <= _LAID_DOWN:
        return False
    bound = [bool(reading.value.clock | reading.value.days) for reading in (old, new)]
    if old.category == new.category == "rule" and bound[0] != bound[1]:
        return True
    if not (old.lists and new.lists):
        return False
    return bool(old.value.signs.keys() - pair.in_new.keys()) and bool(new.value.signs.keys() - pair.in_old.keys())
