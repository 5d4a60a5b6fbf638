"""What two readings are to each other. Guards decide first, likeness last.

A wrong merge costs more than a missed one.
"""

from __future__ import annotations

from shared.domain.facts.dedup.laws import lay_down_two_things, stand_side_by_side
from shared.domain.facts.dedup.lexicon import kin, opposite_states, states, words
from shared.domain.facts.dedup.occasions import judge_occasions
from shared.domain.facts.dedup.pairs import Pair, any_pair, differ, other_dates
from shared.domain.facts.dedup.reading import Reading
from shared.domain.facts.dedup.slots import comparable, holds_one
from shared.domain.facts.dedup.verdicts import WORDY_SHARE, Verdict, merge_verdict

NEAR = 0.92
"""Cosine from which words that are not in the tables may still be the same (guards go first)."""

_WORDY = 4
"""Of what has so many terms or more, `WORDY_SHARE` has to be common; shorter ones have to be covered whole."""

_OCCASIONS = frozenset({"event", "tradition"})
_TOLD_FREELY = frozenset({"experience", "goal"})
_CHANGING = frozenset({"personal_info", "preference", "skill"})
_MOMENTS_STAND_SIDE_BY_SIDE = frozenset({"experience", "preference", "shared_knowledge", "topic", "personal_info"})
_KEYS_ONLY_LABEL = frozenset(
    {"preference", "skill", "topic", "rule", "culture", "norm", "shared_knowledge", "event", "tradition"}
)
_NAMED_SLOTS = frozenset(
    {"name", "nickname", "location", "hometown", "workplace", "spouse", "mother", "father", "boss", "coach", "keeper"}
)
_COMMON_HEADS = words(
    "engineer manager designer director editor analyst driving specialist worker assistant student officer consultant "
    "seller teacher doctor інженер спеціаліст працівник помічник консультант "
    "головний провідний senior junior lead head"
)
_SAME_JOB_AND_PLACE = frozenset({"job", "workplace"})


def judge(old: Reading, new: Reading, *, single: bool = False, similarity: float | None = None) -> Verdict:
    """Decide between two readings about one subject.

    Args:
        single: Whether the facts themselves say that their slot holds one value at a time.
        similarity: Cosine of the two embeddings, or None without any.
    """
    if old.text == new.text:
        return Verdict.DUPLICATE
    if not comparable(old.category, new.category):
        return Verdict.DISTINCT
    slot = old.slot if old.slot == new.slot else None
    pair = Pair(old, new, strict=slot in _NAMED_SLOTS)
    verdict = _of_pair(pair, slot, single=single, similarity=similarity)
    if verdict is Verdict.CONFLICTS and pair.of_two_languages and not _shows_without_translation(pair):
        return Verdict.DISTINCT
    return verdict


def _shows_without_translation(pair: Pair) -> bool:
    """Return whether two languages contradict each other in what needs no list of translations.

    That two words are not known to be one proves nothing. Numbers, dates, times and names do, an opposite beside a word
    that both have or in a slot that both name, and somebody who says that it has changed.
    """
    if pair.other_numbers or pair.other_moment or pair.other_names or pair.old.changes or pair.new.changes:
        return True
    if pair.shared and pair.opposed:
        return True
    return not _other_slot(pair.old, pair.new) and any_pair(pair.old.terms, pair.new.terms, opposite_states())


def _of_pair(pair: Pair, slot: str | None, *, single: bool, similarity: float | None) -> Verdict:
    old, new = pair.old, pair.new
    if (state := _of_states(pair)) is not None:
        return state
    if _other_slot(old, new):
        return Verdict.DISTINCT
    if old.category in _OCCASIONS and new.category in _OCCASIONS:
        return judge_occasions(pair, single=single)
    if (pair.shared and pair.opposed) or (pair.antonyms and (old.text[:2] == new.text[:2] or pair.alike)):
        return Verdict.DISTINCT if lay_down_two_things(pair) else Verdict.CONFLICTS
    if holds_one(slot) or (single and old.text[:2] == new.text[:2]):
        return _in_one_slot(pair, similarity)
    return _side_by_side(pair, similarity)


def _of_states(pair: Pair) -> Verdict | None:
    """Return what needs no slot to be decided: states of a person, and what is over."""
    old, new = pair.old, pair.new
    if {old.category, new.category} & _OCCASIONS:
        return None
    over = "experience" not in (old.category, new.category) and (
        _takes_back(old, new, pair) or _takes_back(new, old, pair)
    )
    if over or any_pair(old.object, new.object, opposite_states()):
        return Verdict.CONFLICTS
    told = old.object & new.object & states()
    if not told or (old.object - states() and new.object - states()) or pair.other_numbers:
        return None
    if told.isdisjoint(old.value.signs.keys() | new.value.signs.keys()):
        return None  # it only names the slot
    if any(old.sign(state) != new.sign(state) for state in told):
        return Verdict.CONFLICTS
    return merge_verdict(pair) if old.object <= new.object or new.object <= old.object else None


def _other_slot(old: Reading, new: Reading) -> bool:
    if old.slot is None or new.slot is None:
        one, other = old.slot or new.slot, old if old.slot is None else new
        return one is not None and old.category == new.category == "personal_info" and bool(other.topic)
    slots = {old.slot, new.slot}
    return len(slots) > 1 and slots != _SAME_JOB_AND_PLACE


def _in_one_slot(pair: Pair, similarity: float | None) -> Verdict:
    """A slot with one value: the same one, or a new one in its place."""
    old, new = pair.old, pair.new
    if pair.other_numbers or other_dates(old.dates, new.dates) or differ(old.days, new.days):
        return Verdict.CONFLICTS
    if not old.value.signs and not new.value.signs and _same_moment_or_number(old, new):
        return merge_verdict(pair)
    if not old.object or not new.object:
        return merge_verdict(pair) if old.text[2] == new.text[2] else Verdict.DISTINCT
    if pair.within(old, new) or pair.within(new, old):
        return merge_verdict(pair)
    if pair.retold and not pair.strict and pair.names_values_alike and not pair.other_names:
        return merge_verdict(pair)
    if all(reading.sign(term) < 0 for reading in (old, new) for term in reading.object):
        return Verdict.DISTINCT  # two things that are both not so
    if (
        pair.overlap(old.object - _COMMON_HEADS, new.object - _COMMON_HEADS)
        and not pair.strict
        and not pair.other_names
    ):
        return Verdict.REINFORCES
    return merge_verdict(pair) if _near(similarity) and not pair.other_names else Verdict.CONFLICTS


def _same_moment_or_number(old: Reading, new: Reading) -> bool:
    """Return whether both tell a date, day or number; that they agree has been decided."""
    return bool((old.dates and new.dates) or (old.days and new.days) or (old.numbers and new.numbers))


def _side_by_side(pair: Pair, similarity: float | None) -> Verdict:
    """Many values: the same one or another."""
    old, new = pair.old, pair.new
    if _tells_other_content(pair):
        if new.changes or (old.text[:2] == new.text[:2] and old.category == "shared_knowledge" and pair.alike):
            return Verdict.CONFLICTS
        if old.changes:
            return Verdict.DISTINCT
    if (
        pair.other_names
        or _other_relation(old, new)
        or pair.other_world
        or _other_codes(pair)
        or stand_side_by_side(pair)
    ):
        return Verdict.DISTINCT
    if not (pair.retold and old.category == new.category) and not _is_the_same(pair, similarity):
        return Verdict.DISTINCT
    if pair.other_moment or pair.other_numbers:
        return _of_other_time(pair)
    return merge_verdict(pair)


def _of_other_time(pair: Pair) -> Verdict:
    categories = {pair.old.category, pair.new.category}
    changed = categories <= _CHANGING and pair.other_measure
    if categories == {"shared_knowledge"} and pair.same_key and pair.other_numbers:
        changed = not pair.of_calendar
    return Verdict.DISTINCT if categories & _MOMENTS_STAND_SIDE_BY_SIDE and not changed else Verdict.CONFLICTS


def _tells_other_content(pair: Pair) -> bool:
    """Return whether the two tell another content of one key; it replaces the other where it is said to be a change, or
    where it is what the chat knows."""
    old, new = pair.old, pair.new
    if not pair.same_key or not old.value.signs or not new.value.signs or pair.other_numbers:
        return False
    return not pair.overlap(old.value.signs.keys(), new.value.signs.keys())


def _is_the_same(pair: Pair, similarity: float | None) -> bool:
    old, new = pair.old, pair.new
    if not pair.shared:
        return False
    labels_only = {old.category, new.category} <= _KEYS_ONLY_LABEL and old.value.signs and new.value.signs
    if pair.other_key and not (labels_only and pair.of_one_sense):
        return False
    if not _near(similarity) and (_each_goes_on(pair) or not _says_the_same(pair)):
        return False
    # "allergic to cats" is not "has a cat"
    return old.category == new.category or (old.terms <= pair.in_new.keys() and new.terms <= pair.in_old.keys())


def _other_relation(old: Reading, new: Reading) -> bool:
    relations, also = old.terms & kin(), new.terms & kin()
    return "relationship" in (old.category, new.category) and bool(relations and also) and not relations & also


def _other_codes(pair: Pair) -> bool:
    """Return whether one tells a number and the other a word in its place: two passwords, two codes."""
    old, new = pair.old, pair.new
    if {old.category, new.category} != {"shared_knowledge"}:
        return False
    gone, come = old.numbers - new.numbers, new.numbers - old.numbers
    return bool((gone and pair.missing_in_old) or (come and pair.missing_in_new))


def _each_goes_on(pair: Pair) -> bool:
    """Return whether a word they share stands among others in each: "rock climbing", "rock music"."""
    if pair.old.category in _TOLD_FREELY or (not pair.missing_in_new and not pair.missing_in_old):
        return False
    return pair.each_goes_on


def _says_the_same(pair: Pair) -> bool:
    if not pair.missing_in_new and not pair.missing_in_old:
        return True
    if pair.within(pair.old, pair.new) or pair.within(pair.new, pair.old):
        return True
    fewest = min(len(pair.old.object), len(pair.new.object))
    missing = max(len(pair.missing_in_new), len(pair.missing_in_old))
    return fewest >= _WORDY and missing <= (1 - WORDY_SHARE) * fewest


def _takes_back(stated: Reading, over: Reading, pair: Pair) -> bool:
    """Return whether one tells as past what the other is about ("quit guitar for drums"), in either order."""
    former = over.former
    if not stated.object or not former or not stated.former.isdisjoint(former):
        return False
    return all(not former.isdisjoint(pair.twins_of(stated).get(term, ())) for term in stated.object)


def _near(similarity: float | None) -> bool:
    return similarity is not None and similarity >= NEAR
