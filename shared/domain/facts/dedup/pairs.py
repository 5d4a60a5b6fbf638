"""Two readings side by side: which terms are the same, and in what the readings differ."""

from collections.abc import Mapping, Set
from functools import lru_cache

from shared.domain.facts.claims import Verdict
from shared.domain.facts.dedup.lexicon import domains, meaning, opposites
from shared.domain.facts.dedup.reading import Reading
from shared.domain.text.language import tokens
from shared.domain.text.names import is_cyrillic, same_name, same_stem, sound

_ALIKE_SHARE = 0.75
"""Share of a word's letters that its beginning has to have in common with a related word ("hiker", "hiking")."""

_MIN_COMMON = 5
"""Letters of that common beginning at least."""

_TELLING = 2
"""Words of a description from which repeating them all says the same, whatever the keys are."""

_MORE_WORDS = 3
"""New words of a longer description from which it counts as more detail, not as another wording."""

_PERIODIC = frozenset({"event", "tradition", "rule", "norm"})
_NAME_LETTERS = 40
_ENGLISH_ENDINGS = frozenset(
    {"", "s", "es", "e", "er", "ers", "or", "ing", "ed", "y", "ies", "ist", "ic", "al", "ion", "ly", "ish"}
)


class Pair:
    """Two readings and which of their terms are the same; symmetric but for the order of the attributes.

    Attributes:
        in_new, in_old: For each term of one that the other has too, the other's terms that are the same.
        missing_in_new, missing_in_old: What one is about and the other does not say.
        untold_in_new, untold_in_old: What one's description says and the other does not.
        shared: Pairs of terms that are the same, and that at least one of the two is about, by its value or key; not
            whom both tell of ("Owen …").
        strict: Whether terms have to be one name to be the same.
    """

    def __init__(self, old: Reading, new: Reading, *, strict: bool) -> None:
        self.old, self.new, self.strict = old, new, strict
        self.names = old.proper | new.proper
        near = ((term, twin) for term in old.terms for twin in new.by_sound.get(sound(term)[:1], ()))
        pairs = [(term, twin) for term, twin in near if twin == term or self._same(term, twin)]
        self.in_new: dict[str, list[str]] = {}
        self.in_old: dict[str, list[str]] = {}
        for term, twin in pairs:
            self.in_new.setdefault(term, []).append(twin)
            self.in_old.setdefault(twin, []).append(term)
        self.missing_in_new, self.missing_in_old = old.object - self.in_new.keys(), new.object - self.in_old.keys()
        self.untold_in_new = old.description.signs.keys() - self.in_new.keys()
        self.untold_in_old = new.description.signs.keys() - self.in_old.keys()
        self.named = named = _find_common_name(old, new)
        self.shared = [pair for pair in pairs if pair[0] != named and (pair[0] in old.about or pair[1] in new.about)]

    def _same(self, one: str, other: str) -> bool:
        if self.strict or one in self.names or other in self.names:
            return same_name(one, other)
        return _are_related(one, other)

    def twins_of(self, reading: Reading) -> Mapping[str, list[str]]:
        """Return, for each term of one of the two that the other has too, the other's terms that are the same."""
        return self.in_new if reading is self.old else self.in_old

    def overlap(self, old: Set[str], new: Set[str]) -> int:
        """Return how many terms both sets have; two forms of one word ("hiker", "hiking") on one side count once."""
        in_new = sum(not new.isdisjoint(self.in_new.get(term, ())) for term in old)
        return min(in_new, sum(not old.isdisjoint(self.in_old.get(term, ())) for term in new))

    @property
    def within(self) -> bool:
        """Return whether all that one of the two is about is said by the other's value or key."""
        return self._is_within(self.old, self.new) or self._is_within(self.new, self.old)

    def _is_within(self, part: Reading, whole: Reading) -> bool:
        twins = self.twins_of(part)
        told = part.object - {self.named}
        return bool(told) and all(not whole.about.isdisjoint(twins.get(term, ())) for term in told)

    @property
    def opposed(self) -> bool:
        """Negation, antonym or level against level about what they share; a sign counts for what one is about."""
        old, new = self.old, self.new
        weighing = ((term, twin) for term, twin in self.shared if term in old.object or twin in new.object)
        if any(old.sign(term) != new.sign(twin) for term, twin in weighing):
            return True
        return self.antonyms or differ(old.levels, new.levels)

    @property
    def of_two_languages(self) -> bool:
        """Return whether the two are told in two scripts."""
        return is_cyrillic(self.old.text[3]) != is_cyrillic(self.new.text[3])

    @property
    def changed(self) -> bool:
        """Return whether either is said to be new."""
        return self.old.changes or self.new.changes

    @property
    def antonyms(self) -> bool:
        return has_pair(self.old.object, self.new.object, opposites("antonyms"))

    @property
    def other_names(self) -> bool:
        """Return whether each names somebody or some place that the other does not."""
        return bool(self.old.proper - self.in_new.keys()) and bool(self.new.proper - self.in_old.keys())

    @property
    def other_moment(self) -> bool:
        """Return whether both tell a day, a date or a time, and not the same."""
        old, new = self.old, self.new
        if differ(old.days, new.days) or differ(old.clock, new.clock) or other_dates(old.dates, new.dates):
            return True
        periods = [each.value.periods | each.description.periods for each in (old, new)]
        return differ(*periods) and bool(_PERIODIC & {old.category, new.category})

    @property
    def other_numbers(self) -> bool:
        old, new = self.old.numbers, self.new.numbers
        return _unmatched_number(old, new) and _unmatched_number(new, old)

    @property
    def other_key(self) -> bool:
        """Return whether the keys name different things."""
        old, new = self.old, self.new
        if not old.topic or not new.topic or (old.slot and old.slot == new.slot):
            return False
        return old.topic.isdisjoint(self.in_new) and new.topic.isdisjoint(self.in_old)

    @property
    def same_key(self) -> bool:
        """Return whether both keys say more than the category, and the same."""
        common = self.overlap(self.old.topic, self.new.topic)
        return common > 0 and common >= min(len(self.old.topic), len(self.new.topic))

    @property
    def alike(self) -> bool:
        """Return whether at least half of what the shorter description says is said by the other too."""
        old, new = self.old.description.signs.keys(), self.new.description.signs.keys()
        return bool(old and new) and 2 * self.overlap(old, new) >= min(len(old), len(new))

    @property
    def retold(self) -> bool:
        """Return whether all that one description says is said by the other fact too."""
        same_key = self.old.text[1] == self.new.text[1] or self.old.category == "topic"
        return (not self.untold_in_new and _is_telling(self.old, same_key, self.named)) or (
            not self.untold_in_old and _is_telling(self.new, same_key, self.named)
        )

    @property
    def mutual(self) -> bool:
        """Return whether each says all that the other's description says."""
        return not self.untold_in_new and not self.untold_in_old

    @property
    def each_goes_on(self) -> bool:
        """Return whether each description says something that the other fact does not."""
        return bool(self.untold_in_new) and bool(self.untold_in_old)

    @property
    def other_world(self) -> bool:
        """Return whether the keys say that one word means two things ("pear" as a fruit and in a sport)."""
        worlds = domains()
        old, new = ({worlds[word] for word in each.key.signs if word in worlds} for each in (self.old, self.new))
        return not self.mutual and bool(old and new) and not old & new

    def merge(self) -> Verdict:
        """Return how the two, which say the same, do: whether either of them adds something to the other."""
        adds = self._adds(self.old, self.new) or self._adds(self.new, self.old)
        return Verdict.REINFORCES if adds else Verdict.DUPLICATE

    def _adds(self, old: Reading, new: Reading) -> bool:
        """Return whether `new` says more."""
        in_old = self.twins_of(new).keys()
        if (new.strong and not old.strong) or not new.value.signs.keys() <= in_old or _tells_more(old, new):
            return True
        known = old.terms | new.value.signs.keys()
        if any(not any(same_stem(name, each) for each in known) for name in new.proper - in_old):
            return True  # a name, and no case form of one that is known
        more = new.description.signs.keys() - in_old
        return len(more) >= _MORE_WORDS and old.terms <= self.twins_of(old).keys() and not self.of_two_languages


def _find_common_name(old: Reading, new: Reading) -> str | None:
    """Return the word that both sentences begin with, whose facts they are, unless both values or keys have it."""
    first, also = (tokens(reading.text[3][:_NAME_LETTERS])[:1] for reading in (old, new))
    words = {word.removesuffix("'s") for word in (*first, *also)}
    if len(words) != 1:
        return None
    name = meaning(words.pop())[1]
    return None if all(name in reading.value.signs or name in reading.topic for reading in (old, new)) else name


def has_pair(old: Set[str], new: Set[str], opposed: Mapping[str, Set[str]]) -> bool:
    """Return whether a term that only one has is the opposite of one that only the other has."""
    return any(one in opposed and one not in new and not (opposed[one] & new) <= old for one in old)


def _is_telling(part: Reading, same_key: bool, named: str | None) -> bool:
    """Return whether a description says enough, beside whom it is about, that who says all of it says the same."""
    told = part.description
    words = len(told.signs) + len(told.frames) + len(told.numbers)
    return bool(told.signs.keys() - {named}) and (words >= _TELLING or (same_key and told.signs.keys() <= part.object))


def _tells_more(old: Reading, new: Reading) -> bool:
    """Return whether `new` tells a day, date, time or number and `old` none of its kind."""
    if (new.clock and not old.clock) or (new.often and not old.often | old.days | old.levels):
        return True
    if (new.days and not old.days) or len(new.dates) > len(old.dates):
        return True
    return bool(new.numbers) and not old.numbers


def differ(old: Set[str] | Set[int], new: Set[str] | Set[int]) -> bool:
    """Return whether both tell some, and neither all that the other tells."""
    return bool(old) and bool(new) and not (old <= new or new <= old)


def other_dates(old: Set[tuple[int, int]], new: Set[tuple[int, int]]) -> bool:
    """Return whether both tell a (month, day), and not the same; day 0 is any day of the month."""
    if not old or not new:
        return False
    fits = any(month == other and (day == also or not day or not also) for month, day in old for other, also in new)
    return not fits or (any(day for _, day in old) and any(day for _, day in new) and not old & new)


def _unmatched_number(some: Set[tuple[str, str]], others: Set[tuple[str, str]]) -> bool:
    against = ((number, {other for other, also in others if unit in ("", also) or not also}) for number, unit in some)
    return any(known and number not in known for number, known in against)


@lru_cache(maxsize=100_000)
def _are_related(one: str, other: str) -> bool:
    """Return whether two terms outside the tables are forms of one word, or one word in two scripts."""
    if is_cyrillic(one) != is_cyrillic(other):
        return same_name(one, other)
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if common < _MIN_COMMON or common < _ALIKE_SHARE * max(len(one), len(other)):
        return False
    endings = {one[common:], other[common:]}
    if is_cyrillic(one):
        return endings not in ({"", "а"}, {"", "я"})
    return endings <= _ENGLISH_ENDINGS
