"""What the group does regularly (traditions) and what it is going to do (events)."""

from __future__ import annotations

import re
from typing import NamedTuple

from shared.domain.reading.matching import terms
from shared.domain.reading.matching.clauses import language_of
from shared.domain.reading.matching.marks import Marks
from shared.domain.reading.matching.rows import label, value_of
from shared.domain.reading.patterns.chat import calendar_words as said
from shared.domain.text.language import tokens
from shared.domain.text.words import AnalysedText, analyse

_TELLING = 6
_TOLD_BEFORE = 4
"""Words that must say what is done before others say that it has long been so."""
_COMMON = frozenset({
    "наші", "зустр", "збира", "місце", "подія", "буде", "plans", "change", "still", "place", "have", "with", "going",
    "всіх", "разом", "there", "next", "this", "that", "from",
})  # fmt: skip
_MONTHLY = Marks("місяць|місяця|month|monthly|щомісяця|щомісячний|щомісячно")
_YEARLY = Marks(
    "рік|=року|щороку|річний|щорічний|щорічно|year|yearly|annual|annually|щоліта|щозими|щовесни|щоосені|щорік\n"
    "@season|@feast|@month",
    said.LISTS,
)
_WEEKLY = Marks("тиждень|тижня|щотижня|week|weekly|biweekly|щотижневий")


class CalendarFinding(NamedTuple):
    """What a calendar sentence says: row, category, key, value, description and whether the slot holds one value."""

    row: str
    category: str
    key: str
    value: str
    description: str
    single: bool
    confidence: float


def tradition_in(sentence: str) -> CalendarFinding | None:
    """The tradition that a sentence tells of, or None."""
    words = analyse(sentence.replace(" = ", " – "))
    named, always = said.TRADITION.mark(words), said.AS_ALWAYS.mark(words)
    recurring = said.RECURS.mark(words)
    as_always = always and (recurring or said.HOLIDAY.mark(words) or bool(terms.day(sentence)))
    kept = _is_kept_up(sentence, words)
    if not (recurring or named or as_always or kept) or said.NOT_DONE.mark(words) or said.NO_TRADITION.mark(words):
        return None
    if not (named or kept) and not (_by_the_group(words) if not as_always else _is_shared(words)):
        return None
    if named and not (recurring or as_always) and not _tells(sentence):
        return None
    if said.DAILY.mark(words) and not named:
        return None
    return _tradition(sentence, words, strong=named or as_always or kept)


def _is_kept_up(sentence: str, words: AnalysedText) -> bool:
    """Return whether a sentence tells what the group does, and that it has long been so ("…, been that way for
    years")."""
    found = said.KEPT.find(words)
    told = len(tokens(sentence[: found.start])) if found else 0
    return told >= _TOLD_BEFORE and _is_of_group(words)


def _is_of_group(words: AnalysedText) -> bool:
    return _is_shared(words) and (said.WE.mark(words) or said.ROLE.mark(words) or said.RECURS.mark(words))


def is_named_tradition(sentence: str) -> bool:
    """Return whether a sentence calls what the group does a tradition."""
    return said.TRADITION.mark(analyse(sentence)) and tradition_in(sentence) is not None


def _tells(sentence: str) -> bool:
    """Return whether a sentence that speaks of a tradition says which."""
    return bool(terms.activity(sentence) or terms.day(sentence)) or len(tokens(sentence)) >= _TELLING


def _by_the_group(words: AnalysedText) -> bool:
    return _is_shared(words) and said.WE.mark(words)


def _is_shared(words: AnalysedText) -> bool:
    """Return whether a sentence is not only about its speaker or a third person."""
    return said.GROUP_VERB.mark(words) or not said.MINE.mark(words)


def _tradition(sentence: str, words: AnalysedText, *, strong: bool) -> CalendarFinding:
    sentence = said.AGREED.sub("", sentence)
    day, activity = terms.day(sentence), terms.activity(sentence)
    single = activity is not None and day is not None
    value = day if single and day else value_of(said.OPENERS.sub("", sentence))
    key = f"{_period(words, day)}_{activity or 'tradition'}"
    description = label("tradition", language_of(sentence), sentence)
    return CalendarFinding("tradition", "tradition", key, value, description, single, 0.87 if strong else 0.82)


def _period(words: AnalysedText, day: str | None) -> str:
    if _MONTHLY.mark(words):
        return "monthly"
    if _YEARLY.mark(words) and not (day and not said.DATE.mark(words)):
        return "yearly"
    return "weekly" if day or _WEEKLY.mark(words) else "regular"


def event_in(sentence: str) -> CalendarFinding | None:
    """The coming event or deadline of the group that a sentence announces, or None."""
    if _is_offered_instead(sentence):
        return _event(sentence, "event")
    words = analyse(sentence)
    gathers, occasion = said.GATHER.mark(words), said.OCCASION.mark(words)
    deadline = said.DUE.mark(words) and _is_shared(words)
    if not (gathers or occasion or deadline) or not _says_when(sentence, words, gathers=gathers):
        return None
    if said.PAST.mark(words) or said.CANCELLED.mark(words):
        return None
    own = said.OWN_OCCASION.mark(words) and not (gathers or said.SHARED.mark(words))
    if own or not (deadline or gathers or _is_announced(sentence, words)):
        return None
    return _event(sentence, "deadline" if deadline and not gathers else "event")


def event_over(before: str, sentence: str) -> CalendarFinding | None:
    """The event that two sentences announce together, one saying what and the other when, or None.

    So is a tradition told, when the second sentence only says that it has long been so, and the new date of something
    that the first one cancels.
    """
    first, second = analyse(before), analyse(sentence)
    if said.KEPT.begin(second) and not tradition_in(before):
        return tradition_in(f"{before}, {sentence}")
    if _is_offered_instead(f"{before}, {sentence}"):
        return _event(f"{before}, {sentence}", "event")
    if names_event(before) == names_event(sentence) or not (said.DATE.mark(first) or said.DATE.mark(second)):
        return None
    return None if event_in(before) else event_in(f"{before}, {sentence}")


def _is_offered_instead(sentence: str) -> bool:
    """Return whether a sentence cancels an occasion and then, after a comma, names another date for it."""
    before, _, rest = sentence.partition(", ")
    if not rest or not names_event(before) or not cancels(before):
        return False
    words = analyse(rest)
    return said.PUT_OFF.mark(words) and _says_when(rest, words, gathers=True) and not said.PAST.mark(words)


def names_event(sentence: str) -> bool:
    """Return whether a sentence says that people gather, or names an occasion."""
    words = analyse(sentence)
    return said.GATHER.mark(words) or said.OCCASION.mark(words)


def rescheduled_in(sentence: str) -> CalendarFinding | None:
    """The new date of something announced before, in a sentence that need not say again what it is."""
    words = analyse(sentence)
    if not _says_when(sentence, words, gathers=True) or said.PAST.mark(words):
        return None
    return _event(sentence, "event")


_THAT = re.compile(r"^\W*(?:that|що|шо)\s+", re.IGNORECASE)
_AT = r"(?:(?<!\w)(?:о|об|на|в|у|at|on)\s+)?(?<!\w)"
_WEEKDAY = (
    r"понеділ\w+|вівтор\w+|серед[иау]|четвер\w*|п'ятниц\w+|субот\w+|неділ\w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_TOLD = re.compile(rf"{_AT}(?:\d|{_WEEKDAY}).*", re.IGNORECASE)
_DENIED = re.compile(
    rf"[,–—-]?\s*(?:а |and )?(?<!\w)(?:не|not|замість|instead of)\s+{_AT}"
    rf"(?P<when>\d{{1,2}}(?:[:.]\d\d)?(?:\s?[ap]\.?m)?|{_WEEKDAY})(?!\w)",
    re.IGNORECASE,
)
"""A time that is said not to hold."""


def _event(sentence: str, key: str) -> CalendarFinding:
    kept = _DENIED.sub("", sentence) if corrects(sentence) else sentence
    value, description = value_of(_THAT.sub("", said.OPENERS.sub("", kept))), label("event", language_of(kept), kept)
    return CalendarFinding("event", "event", key, value, description, False, 0.82)


def _says_when(sentence: str, words: AnalysedText, *, gathers: bool) -> bool:
    """Return whether a sentence says when: a time of day alone is a date only for those who gather."""
    if said.DATE.mark(words):
        return True
    if not any(char.isdigit() for char in sentence):
        return gathers and bool(said.TIME.search(sentence))
    return bool(said.NUMERIC_DATE.search(sentence)) or (gathers and bool(said.TIME.search(sentence)))


def _is_announced(sentence: str, words: AnalysedText) -> bool:
    """A bare noun with a day is an event of the group when it says when or where."""
    return bool(said.TIME.search(sentence)) or said.MOVED.mark(words) or said.ANNOUNCES.mark(words)


def changes_plans(sentence: str) -> bool:
    """Return whether a sentence moves or cancels something announced before."""
    words = analyse(sentence)
    return said.MOVED.mark(words) or said.CANCELLED.mark(words) or corrects(sentence)


def corrects(sentence: str) -> bool:
    """Return whether a sentence names a time and denies another one ("о 9 на Шевченка 5, не о 10")."""
    denied = _DENIED.search(sentence)
    return denied is not None and _TOLD.search(_without(denied, sentence)) is not None


def correct_announcement(announced: str, correction: str) -> CalendarFinding | None:
    """The announcement with the time of day that the correction denies replaced by what it tells instead, or None."""
    denied = _DENIED.search(correction)
    told = _TOLD.search(_without(denied, correction)) if denied else None
    if denied is None or told is None or not denied["when"][0].isdigit():
        return None
    held = re.search(rf"{_AT}{re.escape(denied['when'])}(?::00|\w*)(?!\w)", announced, re.IGNORECASE)
    if held is None:
        return None
    instead = told.group().strip(" ,.")
    return _event(f"{announced[: held.start()]}{instead}{announced[held.end() :]}", "event")


def _without(found: re.Match[str], sentence: str) -> str:
    return f"{sentence[: found.start()]}{sentence[found.end() :]}"


def cancels(sentence: str) -> bool:
    """Return whether a sentence says that something will not happen."""
    words = analyse(sentence)
    return said.CANCELLED.mark(words) or said.SCRAPPED.mark(words)


def same_occasion(earlier: str, later: str) -> bool:
    """Return whether two sentences seem to be about one event: they share a word that is neither a date nor common."""
    return bool(_content(earlier) & _content(later))


def _content(sentence: str) -> set[str]:
    dated = {word for found in (terms.day(word) for word in tokens(sentence)) if (word := found)}
    kept = {word[:5] for word in tokens(sentence) if len(word) >= 4 and not word[0].isdigit() and not terms.day(word)}
    return kept - _COMMON - dated - _MONTH_STEMS


_MONTH_STEMS = frozenset(month.lstrip("=")[:5] for month in said.LISTS["month"])
