"""Judges two readings against each other. Guards decide first, likeness last.

A wrong merge costs more than a missed one.
"""

from shared.domain.facts.claims import Verdict
from shared.domain.facts.dedup.lexicon import opposites, term_group
from shared.domain.facts.dedup.pairs import Pair, differ, has_pair, other_dates
from shared.domain.facts.dedup.reading import Reading, comparable, holds_one

_WORDY, _WORDY_SHARE = 4, 0.8
"""A statement of so many terms is wordy: this share of it has to be common; shorter ones have to be covered whole."""

_OCCASION_SHARE = 0.5
"""Share of the shorter one's terms by which two occasions are taken for one; exactly at it only if a change is told."""

_OCCASIONS = frozenset({"event", "tradition"})
_LAID_DOWN = frozenset({"rule", "norm"})
_CUSTOMS = _LAID_DOWN | {"tradition"}
_TOLD_FREELY = frozenset({"experience", "goal"})
_CHANGING = frozenset({"personal_info", "preference", "skill"})
_MOMENTS_STAND_SIDE_BY_SIDE = frozenset({"experience", "preference", "shared_knowledge", "topic", "personal_info"})
_KEYS_ONLY_LABEL = frozenset(
    {"preference", "skill", "topic", "rule", "culture", "norm", "shared_knowledge", "event", "tradition"}
)
_NAMED_SLOTS = frozenset(
    {"name", "nickname", "location", "hometown", "workplace", "spouse", "mother", "father", "boss", "coach", "keeper"}
)
_SAME_JOB_AND_PLACE = frozenset({"job", "workplace"})
_CALLED = frozenset({"name", "nickname"})
"""The slots of what somebody is called: their words stand in everything else that is told of them."""


def judge(old: Reading, new: Reading, *, single: bool = False) -> Verdict:
    """Decide between two readings about one subject.

    Args:
        single: Whether the facts themselves say that their slot holds one value at a time.
    """
    if old.text == new.text:
        return Verdict.DUPLICATE
    if not comparable(old.category, new.category) or (old.category != new.category and {old.slot, new.slot} & _CALLED):
        return Verdict.DISTINCT
    slot = old.slot if old.slot == new.slot else None
    pair = Pair(old, new, strict=slot in _NAMED_SLOTS)
    verdict = _judge_pair(pair, slot, single=single and old.text[:2] == new.text[:2])
    if verdict is Verdict.CONFLICTS and pair.of_two_languages and not _shows_without_translation(pair):
        return Verdict.DISTINCT
    return verdict


def _shows_without_translation(pair: Pair) -> bool:
    """Return whether two languages contradict each other in what needs no list of translations.

    That two words are not known to be one proves nothing. Numbers, dates, times and names do, an opposite beside a word
    that both have or in a slot that both name, and somebody who says that it has changed.
    """
    if pair.other_numbers or pair.other_moment or pair.other_names or pair.changed or (pair.shared and pair.opposed):
        return True
    return not _other_slot(pair.old, pair.new) and has_pair(pair.old.terms, pair.new.terms, opposites("states"))


def _judge_pair(pair: Pair, slot: str | None, *, single: bool) -> Verdict:
    """Decide; `single` is of one and the same slot."""
    old, new = pair.old, pair.new
    if (state := _judge_states(pair)) is not None:
        return state
    if _other_slot(old, new):
        return Verdict.DISTINCT
    if old.category in _OCCASIONS and new.category in _OCCASIONS:
        return _judge_occasions(pair, single=single)
    if (pair.shared and pair.opposed) or (pair.antonyms and (old.text[:2] == new.text[:2] or pair.alike)):
        return Verdict.DISTINCT if _lay_down_two_things(pair) else Verdict.CONFLICTS
    if holds_one(slot) or single:
        return _in_one_slot(pair)
    return _side_by_side(pair)


def _judge_states(pair: Pair) -> Verdict | None:
    """Return what needs no slot to be decided: states of a person, and what is over."""
    old, new = pair.old, pair.new
    if {old.category, new.category} & _OCCASIONS:
        return None
    states = term_group("states")
    over = "experience" not in (old.category, new.category) and (
        _takes_back(old, new, pair) or _takes_back(new, old, pair)
    )
    if over or has_pair(old.object, new.object, opposites("states")):
        return Verdict.CONFLICTS
    told = old.object & new.object & states
    if not told or (old.object - states and new.object - states) or pair.other_numbers:
        return None
    if told.isdisjoint(old.value.signs.keys() | new.value.signs.keys()):
        return None  # it only names the slot
    if any(old.sign(state) != new.sign(state) for state in told):
        return Verdict.CONFLICTS
    return pair.merge() if old.object <= new.object or new.object <= old.object else None


def _takes_back(stated: Reading, over: Reading, pair: Pair) -> bool:
    """Return whether one tells as past what the other is about ("quit guitar for drums"), in either order."""
    former, twins = over.former, pair.twins_of(stated)
    if not stated.object or not former or not stated.former.isdisjoint(former):
        return False
    return all(not former.isdisjoint(twins.get(term, ())) for term in stated.object)


def _other_slot(old: Reading, new: Reading) -> bool:
    if old.slot is None or new.slot is None:
        one, other = old.slot or new.slot, old if old.slot is None else new
        return one is not None and old.category == new.category == "personal_info" and bool(other.topic)
    return old.slot != new.slot and {old.slot, new.slot} != _SAME_JOB_AND_PLACE


def _judge_occasions(pair: Pair, *, single: bool) -> Verdict:
    """Events and traditions: the same occasion or another, then whether time and place agree."""
    if pair.old.category != pair.new.category:
        return Verdict.DISTINCT
    old, new = _occasion_terms(pair.old), _occasion_terms(pair.new)
    common = pair.overlap(old, new)
    named_alike = pair.same_key or single
    share = common / min(len(old), len(new)) if old and new else 1.0
    if not named_alike and (not common or share < _OCCASION_SHARE or (share == _OCCASION_SHARE and not pair.changed)):
        return Verdict.DISTINCT
    if pair.other_names:
        moved = named_alike and all(name[0].isupper() for name in pair.names)  # only the table's places have a capital
        return Verdict.CONFLICTS if pair.changed or moved else Verdict.DISTINCT
    opposed = (pair.shared and pair.opposed) or _calls_off(pair.old) != _calls_off(pair.new)
    if opposed or pair.other_moment or pair.other_numbers:
        return Verdict.CONFLICTS
    return pair.merge() if pair.retold else _judge_occasion(pair, share)


def _occasion_terms(reading: Reading) -> frozenset[str]:
    off = _calls_off(reading)
    told = {term for term, sign in reading.description.signs.items() if sign >= 0 or off}
    return reading.topic | reading.value.signs.keys() | told


def _calls_off(reading: Reading) -> bool:
    return (reading.value.sign or reading.description.sign) < 0


def _judge_occasion(pair: Pair, share: float) -> Verdict:
    old, new = pair.old.value.signs.keys(), pair.new.value.signs.keys()
    if share <= _OCCASION_SHARE and not pair.same_key:
        return Verdict.DISTINCT
    if old and new and not old & pair.in_new.keys() and not new & pair.in_old.keys():
        return Verdict.CONFLICTS if pair.same_key else Verdict.DISTINCT
    if pair.missing_in_new and pair.missing_in_old and share < _WORDY_SHARE:
        return Verdict.DISTINCT
    return pair.merge()


def _lay_down_two_things(pair: Pair) -> bool:
    """Return whether two rules or customs share a word but each is about something else ("photos of cats", "of food").

    What is asked of the one is not denied of the other then. Opposites are about one thing, so is what is told as a
    change, and in two languages a word that no list translates proves nothing.
    """
    if not {pair.old.category, pair.new.category} <= _CUSTOMS:
        return False
    return pair.each_goes_on and not (pair.antonyms or pair.changed or pair.of_two_languages)


def _in_one_slot(pair: Pair) -> Verdict:
    """A slot with one value: the same one, or a new one in its place."""
    old, new = pair.old, pair.new
    if pair.other_numbers or other_dates(old.dates, new.dates) or differ(old.days, new.days):
        return Verdict.CONFLICTS
    # That their dates, days or numbers agree has been decided.
    agree = (old.dates and new.dates) or (old.days and new.days) or (old.numbers and new.numbers)
    if not old.value.signs and not new.value.signs and agree:
        return pair.merge()
    if not old.object or not new.object:
        return pair.merge() if old.text[2] == new.text[2] else Verdict.DISTINCT
    if pair.within:
        return pair.merge()
    # Every name in either's value is said by the other too.
    named_alike = old.value.proper <= pair.in_new.keys() and new.value.proper <= pair.in_old.keys()
    if pair.retold and not pair.strict and named_alike and not pair.other_names:
        return pair.merge()
    if all(reading.sign(term) < 0 for reading in (old, new) for term in reading.object):
        return Verdict.DISTINCT  # two things that are both not so
    if pair.other_names:
        return Verdict.CONFLICTS
    common = term_group("common_heads")
    if not pair.strict and pair.overlap(old.object - common, new.object - common):
        return Verdict.REINFORCES
    return Verdict.CONFLICTS


def _side_by_side(pair: Pair) -> Verdict:
    """Many values: the same one or another."""
    old, new = pair.old, pair.new
    if _tells_other_content(pair):
        if new.changes or (old.text[:2] == new.text[:2] and old.category == "shared_knowledge" and pair.alike):
            return Verdict.CONFLICTS
        if old.changes:
            return Verdict.DISTINCT
    if pair.other_names or _other_relation(old, new) or pair.other_world or _other_codes(pair) or _of_two_laws(pair):
        return Verdict.DISTINCT
    if not (pair.retold and old.category == new.category) and not _is_the_same(pair):
        return Verdict.DISTINCT
    if pair.other_moment or pair.other_numbers:
        return _judge_times(pair)
    return pair.merge()


def _judge_times(pair: Pair) -> Verdict:
    categories = {pair.old.category, pair.new.category}
    units = {unit for _, unit in pair.old.numbers}
    changed = categories <= _CHANGING and pair.other_numbers and not units <= {"", "calendar"}
    if categories == {"shared_knowledge"} and pair.same_key and pair.other_numbers:
        changed = "calendar" not in units | {unit for _, unit in pair.new.numbers}  # two years are two occasions
    return Verdict.DISTINCT if categories & _MOMENTS_STAND_SIDE_BY_SIDE and not changed else Verdict.CONFLICTS


def _tells_other_content(pair: Pair) -> bool:
    """Return whether the two tell another content of one key; it replaces the other where it is said to be a change, or
    where it is what the chat knows."""
    old, new = pair.old.value.signs.keys(), pair.new.value.signs.keys()
    return pair.same_key and bool(old and new) and not pair.other_numbers and not pair.overlap(old, new)


def _other_relation(old: Reading, new: Reading) -> bool:
    relations, also = old.terms & term_group("kin"), new.terms & term_group("kin")
    return "relationship" in (old.category, new.category) and bool(relations and also) and not relations & also


def _other_codes(pair: Pair) -> bool:
    """Return whether one tells a number and the other a word in its place: two passwords, two codes."""
    old, new = pair.old, pair.new
    if {old.category, new.category} != {"shared_knowledge"}:
        return False
    gone, come = old.numbers - new.numbers, new.numbers - old.numbers
    return bool((gone and pair.missing_in_old) or (come and pair.missing_in_new))


def _of_two_laws(pair: Pair) -> bool:
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


def _is_the_same(pair: Pair) -> bool:
    old, new = pair.old, pair.new
    if not pair.shared:
        return False
    labels_only = {old.category, new.category} <= _KEYS_ONLY_LABEL and old.value.signs and new.value.signs
    # What they share is more than a single word that may mean two things.
    of_one_sense = pair.mutual or pair.overlap(old.object, new.object) > 1
    if pair.other_key and not (labels_only and of_one_sense):
        return False
    if not _says_the_same(pair):
        return False
    # "allergic to cats" is not "has a cat"
    return old.category == new.category or (old.terms <= pair.in_new.keys() and new.terms <= pair.in_old.keys())


def _says_the_same(pair: Pair) -> bool:
    if not pair.missing_in_new and not pair.missing_in_old:
        return True
    if pair.old.category not in _TOLD_FREELY and pair.each_goes_on:
        return False  # a word they share stands among others in each: "rock climbing", "rock music"
    if pair.within:
        return True
    fewest = min(len(pair.old.object), len(pair.new.object))
    return fewest >= _WORDY and max(len(pair.missing_in_new), len(pair.missing_in_old)) <= (1 - _WORDY_SHARE) * fewest
