"""What two readings are to each other. Guards decide first, likeness last.

A wrong merge costs more than a missed one.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum
from functools import lru_cache

from shared.domain.dedup.lexicon import ANTONYMS, DOMAINS, KIN, OPPOSITE_STATES, STATES, words
from shared.domain.dedup.names import is_cyrillic, same_name, same_stem, sound
from shared.domain.dedup.reading import Reading
from shared.domain.dedup.slots import comparable, holds_one


class Verdict(StrEnum):
    """What an incoming statement is to an existing one."""

    DUPLICATE = "duplicate"  # says the same
    REINFORCES = "reinforces"  # says the same, one of the two with more detail or strength
    CONFLICTS = "conflicts"  # both cannot hold now
    DISTINCT = "distinct"  # both stay


NEAR = 0.92
"""Cosine from which words that are not in the tables may still be the same (own choice; guards go first)."""

_ALIKE_SHARE = 0.75
"""Share of a word's letters that its beginning has to have in common with a related word ("hiker", "hiking")."""

_MIN_COMMON = 5
"""Letters of that common beginning at least."""

_WORDY, _WORDY_SHARE = 4, 0.8
"""Of what has so many terms or more, this share has to be common; shorter ones have to be covered whole."""

_TELLING = 2
"""Words of a description from which repeating them all says the same, whatever the keys are."""

_MORE_WORDS = 3
"""New words of a longer description from which it counts as more detail, not as another wording."""

_OCCASION_SHARE = 0.5
"""Share of the shorter one's terms by which two occasions are taken for one; exactly at it only if a change is told."""

_OCCASIONS = frozenset({"event", "tradition"})
_PERIODIC = _OCCASIONS | {"rule", "norm"}
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
_ENGLISH_ENDINGS = frozenset(
    {"", "s", "es", "e", "er", "ers", "or", "ing", "ed", "y", "ies", "ist", "ic", "al", "ion", "ly", "ish"}
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
    pair = _Pair(old, new, strict=slot in _NAMED_SLOTS)
    if (state := _of_states(pair)) is not None:
        return state
    if _other_slot(old, new):
        return Verdict.DISTINCT
    if old.category in _OCCASIONS and new.category in _OCCASIONS:
        return _occasions(pair, single=single)
    if (pair.shared and pair.opposed) or (pair.antonyms and (old.text[:2] == new.text[:2] or pair.alike)):
        return Verdict.CONFLICTS
    if holds_one(slot) or (single and old.text[:2] == new.text[:2]):
        return _in_one_slot(pair, similarity)
    return _side_by_side(pair, similarity)


def _of_states(pair: _Pair) -> Verdict | None:
    """What needs no slot to be decided: states of a person, and what is over."""
    old, new = pair.old, pair.new
    if {old.category, new.category} & _OCCASIONS:
        return None
    if (_takes_back(pair) and old.category != "experience") or _any_pair(old.object, new.object, OPPOSITE_STATES):
        return Verdict.CONFLICTS
    told = old.object & new.object & STATES
    if not told or (old.object - STATES and new.object - STATES) or pair.other_numbers:
        return None
    if told.isdisjoint(old.value.signs.keys() | new.value.signs.keys()):
        return None  # it only names the slot
    if any(old.sign(state) != new.sign(state) for state in told):
        return Verdict.CONFLICTS
    return pair.merged if old.object <= new.object or new.object <= old.object else None


def likeness(old: Reading, new: Reading) -> float:
    """0 to 1, symmetric: half shared terms, half shared trigrams of the values (Dice); 1.0 for the same statement."""
    if old.text == new.text:
        return 1.0
    return round((_dice(old.terms, new.terms) + _dice(old.grams, new.grams)) / 2, 4)


def _dice(one: Set[str], other: Set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def _other_slot(old: Reading, new: Reading) -> bool:
    if old.slot is None or new.slot is None:
        one, other = old.slot or new.slot, old if old.slot is None else new
        return one is not None and old.category == new.category == "personal_info" and bool(other.topic)
    slots = {old.slot, new.slot}
    return len(slots) > 1 and slots != _SAME_JOB_AND_PLACE


class _Pair:
    """Two readings and which of their terms are the same; symmetric but for the order of the attributes."""

    def __init__(self, old: Reading, new: Reading, *, strict: bool) -> None:
        self.old, self.new, self.strict = old, new, strict
        self.names = old.proper | new.proper
        self.in_new = {term: twins for term in old.terms if (twins := self._twins(term, new))}
        self.in_old: dict[str, list[str]] = {}
        for term, twins in self.in_new.items():
            for twin in twins:
                self.in_old.setdefault(twin, []).append(term)
        self.missing_in_new = old.object - self.in_new.keys()
        self.missing_in_old = new.object - self.in_old.keys()
        self.shared = [
            (term, twin) for term, twins in self.in_new.items() for twin in twins if self._is_topical(term, twin)
        ]

    def _twins(self, term: str, other: Reading) -> list[str]:
        return [twin for twin in other.by_sound.get(sound(term)[:1], ()) if twin == term or self._same(term, twin)]

    def _same(self, one: str, other: str) -> bool:
        if self.strict or one in self.names or other in self.names:
            return same_name(one, other)
        return _related(one, other)

    def _is_topical(self, term: str, twin: str) -> bool:
        """Whether a shared term is what at least one of the two is about, by its value or key."""
        return term in self.old.about or twin in self.new.about

    def common(self, old: Set[str], new: Set[str]) -> set[str]:
        """Those of the old terms that are among the new ones."""
        return {term for term in old for twin in self.in_new.get(term, ()) if twin in new}

    def within(self, part: Reading, whole: Reading) -> bool:
        """Whether all that `part` is about is said by the other's value or key."""
        twins = self.in_new if part is self.old else self.in_old
        return bool(part.object) and all(not whole.about.isdisjoint(twins.get(term, ())) for term in part.object)

    @property
    def opposed(self) -> bool:
        """Negation, antonym or level against level about what they share."""
        if any(self.old.sign(term) != self.new.sign(twin) for term, twin in self.shared if self._weighs(term, twin)):
            return True
        return self.antonyms or _differ(self.old.levels, self.new.levels)

    def _weighs(self, term: str, twin: str) -> bool:
        """A sign counts where the term is what one of the two is about."""
        return term in self.old.object or twin in self.new.object

    @property
    def antonyms(self) -> bool:
        return _any_pair(self.old.object, self.new.object, ANTONYMS)

    @property
    def other_names(self) -> bool:
        """Whether each names somebody or some place that the other does not."""
        return bool(self.old.proper - self.in_new.keys()) and bool(self.new.proper - self.in_old.keys())

    @property
    def other_moment(self) -> bool:
        """Whether both tell a day, a date or a time, and not the same."""
        old, new = self.old, self.new
        periods = _differ(old.value.periods | old.description.periods, new.value.periods | new.description.periods)
        return (_differ(old.days, new.days) or _differ(old.clock, new.clock) or _other_dates(old.dates, new.dates)) or (
            periods and bool(_PERIODIC & {old.category, new.category})
        )

    @property
    def other_numbers(self) -> bool:
        return _other_numbers(self.old.numbers, self.new.numbers)

    @property
    def other_measure(self) -> bool:
        """Whether the numbers that differ count the same thing, and are no years of the calendar."""
        return any(unit not in ("", "calendar") for _, unit in self.old.numbers) and self.other_numbers

    @property
    def of_calendar(self) -> bool:
        """Whether either counts years: two years are two occasions."""
        return any(unit == "calendar" for _, unit in self.old.numbers | self.new.numbers)

    @property
    def other_key(self) -> bool:
        """Whether the keys name different things."""
        old, new = self.old, self.new
        if not old.topic or not new.topic or (old.slot and old.slot == new.slot):
            return False
        return old.topic.isdisjoint(self.in_new) and new.topic.isdisjoint(self.in_old)

    @property
    def same_key(self) -> bool:
        """Whether both keys say more than the category, and the same."""
        common = self.common(self.old.topic, self.new.topic)
        return bool(common) and len(common) >= min(len(self.old.topic), len(self.new.topic))

    @property
    def alike(self) -> bool:
        """Whether at least half of what the shorter description says is said by the other too."""
        old, new = self.old.description.signs.keys(), self.new.description.signs.keys()
        return bool(old and new) and 2 * len(self.common(old, new)) >= min(len(old), len(new))

    @property
    def retold(self) -> bool:
        """Whether all that one description says is said by the other fact too."""
        same_key = self.old.text[1] == self.new.text[1] or self.old.category == "topic"
        return self._retells(self.old, self.in_new, same_key) or self._retells(self.new, self.in_old, same_key)

    @staticmethod
    def _retells(part: Reading, twins: Mapping[str, list[str]], same_key: bool) -> bool:
        told = part.description
        if not told.signs or any(term not in twins for term in told.signs):
            return False
        return len(told.signs) + len(told.frames) + len(told.numbers) >= _TELLING or (
            same_key and told.signs.keys() <= part.object
        )

    @property
    def other_world(self) -> bool:
        """Whether the keys say that one word means two things ("pear" as a fruit and in a sport)."""
        if (
            self.in_new.keys() >= self.old.description.signs.keys()
            and self.in_old.keys() >= self.new.description.signs.keys()
        ):
            return False
        old = {DOMAINS[word] for word in self.old.key.signs if word in DOMAINS}
        new = {DOMAINS[word] for word in self.new.key.signs if word in DOMAINS}
        return bool(old and new) and not old & new

    @property
    def merged(self) -> Verdict:
        """Duplicate, or reinforces where either side adds something."""
        adds = self._adds(self.old, self.new, self.in_old.keys(), self.in_new.keys())
        adds = adds or self._adds(self.new, self.old, self.in_new.keys(), self.in_old.keys())
        return Verdict.REINFORCES if adds else Verdict.DUPLICATE

    def _adds(self, old: Reading, new: Reading, in_old: Set[str], in_new: Set[str]) -> bool:
        """Whether `new` says more; the sets are the terms of each that the other says too."""
        if (new.strong and not old.strong) or not new.value.signs.keys() <= in_old or _tells_more(old, new):
            return True
        if any(_is_new_name(name, old, new) for name in new.proper - in_old):
            return True
        more = new.description.signs.keys() - in_old
        return len(more) >= _MORE_WORDS and old.terms <= in_new and _one_script(old, new)


def _any_pair(old: Set[str], new: Set[str], pairs: Set[frozenset[str]]) -> bool:
    return any(frozenset({one, other}) in pairs for one in old - new for other in new - old)


def _is_new_name(name: str, old: Reading, new: Reading) -> bool:
    """A case form of a name that is known is not new."""
    return not any(same_stem(name, known) for known in old.terms | new.value.signs.keys())


def _tells_more(old: Reading, new: Reading) -> bool:
    """Whether `new` tells a day, date, time or number and `old` none of its kind."""
    if (new.clock and not old.clock) or (new.often and not old.often | old.days | old.levels):
        return True
    if (new.days and not old.days) or len(new.dates) > len(old.dates):
        return True
    return bool(new.numbers) and not old.numbers


def _one_script(old: Reading, new: Reading) -> bool:
    return is_cyrillic(old.text[3]) == is_cyrillic(new.text[3])


def _in_one_slot(pair: _Pair, similarity: float | None) -> Verdict:
    """A slot with one value: the same one, or a new one in its place."""
    old, new = pair.old, pair.new
    if pair.other_numbers or _other_dates(old.dates, new.dates) or _differ(old.days, new.days):
        return Verdict.CONFLICTS
    if not old.value.signs and not new.value.signs and _same_moment_or_number(old, new):
        return pair.merged
    if not old.object or not new.object:
        return pair.merged if old.text[2] == new.text[2] else Verdict.DISTINCT
    if pair.within(old, new) or pair.within(new, old):
        return pair.merged
    if pair.retold and not pair.strict and old.value.proper <= pair.in_new.keys() and not pair.other_names:
        return pair.merged
    if all(reading.sign(term) < 0 for reading in (old, new) for term in reading.object):
        return Verdict.DISTINCT  # two things that are both not so
    if pair.common(old.object, new.object) - _COMMON_HEADS and not pair.strict and not pair.other_names:
        return Verdict.REINFORCES
    return pair.merged if _near(similarity) and not pair.other_names else Verdict.CONFLICTS


def _same_moment_or_number(old: Reading, new: Reading) -> bool:
    """Whether both tell a date, day or number; that they agree has been decided."""
    return bool((old.dates and new.dates) or (old.days and new.days) or (old.numbers and new.numbers))


def _occasions(pair: _Pair, *, single: bool) -> Verdict:
    """Events and traditions: the same occasion or another, then whether time and place agree."""
    if pair.old.category != pair.new.category:
        return Verdict.DISTINCT
    old, new = _about(pair.old), _about(pair.new)
    common = pair.common(old, new)
    named_alike = pair.same_key or (single and pair.old.text[:2] == pair.new.text[:2])
    changed = pair.new.description.changes or pair.new.value.changes
    if not common and not named_alike:
        return Verdict.DISTINCT
    share = len(common) / min(len(old), len(new)) if old and new else 1.0
    if not named_alike and (share < _OCCASION_SHARE or (share == _OCCASION_SHARE and not changed)):
        return Verdict.DISTINCT
    if pair.other_names:
        moved = named_alike and all(name[0].isupper() for name in pair.old.proper | pair.new.proper)
        return Verdict.CONFLICTS if changed or moved else Verdict.DISTINCT  # only the table's places have a capital
    if (pair.shared and pair.opposed) or _calls_off(pair.old) != _calls_off(pair.new):
        return Verdict.CONFLICTS
    if pair.other_moment or pair.other_numbers:
        return Verdict.CONFLICTS
    return pair.merged if pair.retold else _same_occasion(pair, share)


def _about(reading: Reading) -> frozenset[str]:
    off = _calls_off(reading)
    told = {term for term, sign in reading.description.signs.items() if sign >= 0 or off}
    return reading.topic | reading.value.signs.keys() | told


def _calls_off(reading: Reading) -> bool:
    return (reading.value.sign or reading.description.sign) < 0


def _same_occasion(pair: _Pair, share: float) -> Verdict:
    old, new = pair.old.value.signs.keys(), pair.new.value.signs.keys()
    if share <= _OCCASION_SHARE and not pair.same_key:
        return Verdict.DISTINCT
    if old and new and not old & pair.in_new.keys() and not new & pair.in_old.keys():
        return Verdict.CONFLICTS if pair.same_key else Verdict.DISTINCT
    if pair.missing_in_new and pair.missing_in_old and share < _WORDY_SHARE:
        return Verdict.DISTINCT
    return pair.merged


def _side_by_side(pair: _Pair, similarity: float | None) -> Verdict:
    """Many values: the same one or another."""
    old, new = pair.old, pair.new
    categories = {old.category, new.category}
    if _replaces(pair):
        return Verdict.CONFLICTS
    if pair.other_names or _other_relation(old, new) or pair.other_world:
        return Verdict.DISTINCT
    if not (pair.retold and old.category == new.category) and not _is_the_same(pair, similarity):
        return Verdict.DISTINCT
    if pair.other_moment or pair.other_numbers:
        return _of_other_time(pair)
    return pair.merged


def _of_other_time(pair: _Pair) -> Verdict:
    categories = {pair.old.category, pair.new.category}
    changed = categories <= _CHANGING and pair.other_measure
    if categories == {"shared_knowledge"} and pair.same_key and pair.other_numbers:
        changed = not pair.of_calendar
    return Verdict.DISTINCT if categories & _MOMENTS_STAND_SIDE_BY_SIDE and not changed else Verdict.CONFLICTS


def _replaces(pair: _Pair) -> bool:
    """Whether the new one tells another content of one key: of what the chat knows, or said to be a change."""
    old, new = pair.old, pair.new
    if not pair.same_key or not old.value.signs or not new.value.signs or pair.other_numbers:
        return False
    if pair.common(old.value.signs.keys(), new.value.signs.keys()):
        return False
    if new.description.changes or new.value.changes:
        return True
    return old.text[:2] == new.text[:2] and old.category == "shared_knowledge" and pair.alike


def _is_the_same(pair: _Pair, similarity: float | None) -> bool:
    old, new = pair.old, pair.new
    if not pair.shared:
        return False
    labels_only = {old.category, new.category} <= _KEYS_ONLY_LABEL and old.value.signs and new.value.signs
    if pair.other_key and not labels_only:
        return False
    if _each_goes_on(pair) or not (_says_the_same(pair) or _near(similarity)):
        return False
    # "allergic to cats" is not "has a cat"
    return old.category == new.category or (old.terms <= pair.in_new.keys() and new.terms <= pair.in_old.keys())


def _other_relation(old: Reading, new: Reading) -> bool:
    kin, also = old.terms & KIN, new.terms & KIN
    return "relationship" in (old.category, new.category) and bool(kin and also) and not kin & also


def _each_goes_on(pair: _Pair) -> bool:
    """Whether a word they share stands among others in each: "rock climbing", "rock music"."""
    if pair.old.category in _TOLD_FREELY or (not pair.missing_in_new and not pair.missing_in_old):
        return False
    old, new = pair.old.description.signs.keys(), pair.new.description.signs.keys()
    return bool(old - pair.in_new.keys()) and bool(new - pair.in_old.keys())


def _says_the_same(pair: _Pair) -> bool:
    if not pair.missing_in_new and not pair.missing_in_old:
        return True
    if pair.within(pair.old, pair.new) or pair.within(pair.new, pair.old):
        return True
    fewest = min(len(pair.old.object), len(pair.new.object))
    missing = max(len(pair.missing_in_new), len(pair.missing_in_old))
    return fewest >= _WORDY and missing <= (1 - _WORDY_SHARE) * fewest


def _takes_back(pair: _Pair) -> bool:
    """Whether the new one tells as past what the old one is about ("quit guitar for drums")."""
    former: set[str] = pair.new.value.former | pair.new.description.former
    old = pair.old.object
    if not old or not former or not pair.old.former.isdisjoint(former):
        return False
    return all(any(twin in former for twin in pair.in_new.get(term, ())) for term in old)


def _near(similarity: float | None) -> bool:
    return similarity is not None and similarity >= NEAR


def _differ(old: Set[str] | Set[int], new: Set[str] | Set[int]) -> bool:
    return bool(old) and bool(new) and not (old <= new or new <= old)


def _other_dates(old: Set[tuple[int, int]], new: Set[tuple[int, int]]) -> bool:
    if not old or not new:
        return False
    fits = any(month == other and (day == also or not day or not also) for month, day in old for other, also in new)
    days_differ = {date for date in old if date[1]} and {date for date in new if date[1]} and not (old & new)
    return not fits or bool(days_differ)


def _other_numbers(old: Set[tuple[str, str]], new: Set[tuple[str, str]]) -> bool:
    return _unmatched_number(old, new) and _unmatched_number(new, old)


def _unmatched_number(some: Set[tuple[str, str]], others: Set[tuple[str, str]]) -> bool:
    for number, unit in some:
        against = {other for other, also in others if unit == also or not unit or not also}
        if against and number not in against:
            return True
    return False


@lru_cache(maxsize=100_000)
def _related(one: str, other: str) -> bool:
    """Whether two terms outside the tables are forms of one word, or one word in two scripts."""
    if is_cyrillic(one) != is_cyrillic(other):
        return same_name(one, other)
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if common < _MIN_COMMON or common < _ALIKE_SHARE * max(len(one), len(other)):
        return False
    endings = {one[common:], other[common:]}
    if is_cyrillic(one):
        return endings not in ({"", "а"}, {"", "я"})
    return endings <= _ENGLISH_ENDINGS
