"""Finds what the group does regularly (traditions) and what it is going to do (events)."""

import re
from typing import NamedTuple

from shared.domain.reading.matching import terms
from shared.domain.reading.matching.clauses import language_of
from shared.domain.reading.matching.rows import label, value_of
from shared.domain.reading.matching.tables import read_marks
from shared.domain.text.data_files import expressions, read_data, word_lists, word_sets
from shared.domain.text.language import tokens
from shared.domain.text.words import AnalysedText, analyse

_LISTS = dict(word_lists(__package__, "calendar_lists"))
_LISTS |= {f"gather_{person}": tuple(f"{verb}#{person}" for verb in _LISTS["gather"]) for person in ("we", "they")}
SAID = read_marks(__package__, "calendar_marks", _LISTS)
"""Phrases by which regular customs and coming events are told."""

OCCASION, OWN_OCCASION, PUT_OFF = SAID["occasion"], SAID["own_occasion"], SAID["put_off"]
_TIMES = expressions(__package__, "calendar_times")
_MIN_TELLING = 6
_MIN_KEPT = 4
"""Words that must say what is done before others say that it has long been so."""
_MONTH_STEMS = frozenset(month.lstrip("=")[:5] for month in _LISTS["month"])
_AT: str = read_data(__package__, "calendar_times")["parts"]["AT"]
_COMMON = word_sets(__package__, "words")["common"]


class CalendarFinding(NamedTuple):
    """A tradition or an event that a sentence tells of; `single` when the slot holds one value."""

    category: str
    key: str
    value: str
    description: str
    single: bool
    confidence: float


def tradition_in(sentence: str) -> CalendarFinding | None:
    """The tradition that a sentence tells of, or None."""
    words = analyse(sentence.replace(" = ", " – "))
    named, recurring = SAID["tradition"].mark(words), SAID["recurs"].mark(words)
    timely = recurring or SAID["holiday"].mark(words) or bool(terms.day(sentence))
    as_always = timely and SAID["as_always"].mark(words)
    kept = _is_kept_up(sentence, words)
    if not (recurring or named or as_always or kept) or SAID.stand_in(words, "not_done", "no_tradition"):
        return None
    by_group = _is_shared(words) and (as_always or SAID["we"].mark(words))
    if not (named or kept or by_group) or (SAID["daily"].mark(words) and not named):
        return None
    which = terms.activity(sentence) or terms.day(sentence) or len(tokens(sentence)) >= _MIN_TELLING
    if named and not (recurring or as_always or which):
        return None
    return _tradition(sentence, words, strong=named or as_always or kept)


def _is_kept_up(sentence: str, words: AnalysedText) -> bool:
    """Return whether a sentence tells what the group does, and that it has long been so ("…, been so for years")."""
    found = SAID["kept"].find(words)
    told = len(tokens(sentence[: found.start])) if found else 0
    return told >= _MIN_KEPT and _is_shared(words) and SAID.stand_in(words, "we", "role", "recurs")


def is_named_tradition(sentence: str) -> bool:
    """Return whether a sentence calls what the group does a tradition."""
    return SAID["tradition"].mark(analyse(sentence)) and tradition_in(sentence) is not None


def _is_shared(words: AnalysedText) -> bool:
    """Return whether a sentence is not only about its speaker or a third person."""
    return SAID["group_verb"].mark(words) or not SAID["mine"].mark(words)


def _tradition(sentence: str, words: AnalysedText, *, strong: bool) -> CalendarFinding:
    sentence = _TIMES["agreed"].sub("", sentence)
    day, activity = terms.day(sentence), terms.activity(sentence)
    single = activity is not None and day is not None
    value = day if single and day else value_of(_TIMES["openers"].sub("", sentence))
    key = f"{_period(words, day)}_{activity or 'tradition'}"
    description = label("tradition", language_of(sentence), sentence)
    return CalendarFinding("tradition", key, value, description, single, 0.87 if strong else 0.82)


def _period(words: AnalysedText, day: str | None) -> str:
    if SAID["monthly"].mark(words):
        return "monthly"
    if SAID["yearly"].mark(words) and not (day and not SAID["date"].mark(words)):
        return "yearly"
    return "weekly" if day or SAID["weekly"].mark(words) else "regular"


def event_in(sentence: str) -> CalendarFinding | None:
    """The coming event or deadline of the group that a sentence announces, or None."""
    if _is_offered_instead(sentence):
        return _event(sentence)
    words = analyse(sentence)
    gathers = SAID["gather"].mark(words)
    deadline = SAID["due"].mark(words) and _is_shared(words)
    if not (gathers or deadline or SAID["occasion"].mark(words)) or not _says_when(sentence, words, gathers=gathers):
        return None
    if SAID.stand_in(words, "past", "cancelled"):
        return None
    own = SAID["own_occasion"].mark(words) and not (gathers or SAID["shared"].mark(words))
    # A bare noun with a day is an event of the group when it says at what time or where.
    announced = bool(_TIMES["time"].search(sentence)) or SAID.stand_in(words, "moved", "announces")
    if own or not (deadline or gathers or announced):
        return None
    return _event(sentence, "deadline" if deadline and not gathers else "event")


def event_over(before: str, sentence: str) -> CalendarFinding | None:
    """The event that two sentences announce together, one saying what and the other when, or None.

    So is a tradition told, when the second sentence only says that it has long been so, and the new date of something
    that the first one cancels.
    """
    first, second, both = analyse(before), analyse(sentence), f"{before}, {sentence}"
    if SAID["kept"].begin(second) and not tradition_in(before):
        return tradition_in(both)
    if _is_offered_instead(both):
        return _event(both)
    if names_event(before) == names_event(sentence) or not any(map(SAID["date"].mark, (first, second))):
        return None
    return None if event_in(before) else event_in(both)


def _is_offered_instead(sentence: str) -> bool:
    """Return whether a sentence cancels an occasion and then, after a comma, names another date for it."""
    before, _, rest = sentence.partition(", ")
    if not rest or not names_event(before) or not cancels(before):
        return False
    return SAID["put_off"].mark(analyse(rest)) and find_rescheduled(rest) is not None


def names_event(sentence: str) -> bool:
    """Return whether a sentence says that people gather, or names an occasion."""
    return SAID.stand_in(analyse(sentence), "gather", "occasion")


def find_rescheduled(sentence: str) -> CalendarFinding | None:
    """The new date of something announced before, in a sentence that need not say again what it is."""
    words = analyse(sentence)
    past = not _says_when(sentence, words, gathers=True) or SAID["past"].mark(words)
    return None if past else _event(sentence)


def _event(sentence: str, key: str = "event") -> CalendarFinding:
    kept = _TIMES["denied"].sub("", sentence) if _find_correction(sentence) else sentence
    value = value_of(_TIMES["that"].sub("", _TIMES["openers"].sub("", kept)))
    return CalendarFinding("event", key, value, label("event", language_of(kept), kept), False, 0.82)


def _says_when(sentence: str, words: AnalysedText, *, gathers: bool) -> bool:
    """Return whether a sentence says when: a time of day alone is a date only for those who gather."""
    if SAID["date"].mark(words) or (gathers and _TIMES["time"].search(sentence)):
        return True
    return any(char.isdigit() for char in sentence) and bool(_TIMES["numeric_date"].search(sentence))


def changes_plans(sentence: str) -> bool:
    """Return whether a sentence moves or cancels something announced before."""
    return SAID.stand_in(analyse(sentence), "moved", "cancelled") or _find_correction(sentence) is not None


def _find_correction(sentence: str) -> tuple[str, str] | None:
    """Return the time that a sentence names and the one that it denies ("о 9 на Шевченка 5, не о 10"), or None."""
    denied = _TIMES["denied"].search(sentence)
    told = _TIMES["told"].search(f"{sentence[: denied.start()]}{sentence[denied.end() :]}") if denied else None
    return (told.group(), denied["when"]) if denied and told else None


def correct_announcement(announced: str, correction: str) -> CalendarFinding | None:
    """The announcement with the time of day that the correction denies replaced by what it tells instead, or None."""
    told, denied = _find_correction(correction) or ("", "")
    if not denied[:1].isdigit():
        return None
    held = re.search(rf"{_AT}{re.escape(denied)}(?::00|\w*)(?!\w)", announced, re.IGNORECASE)
    return _event(f"{announced[: held.start()]}{told.strip(' ,.')}{announced[held.end() :]}") if held else None


def cancels(sentence: str) -> bool:
    """Return whether a sentence says that something will not happen."""
    return SAID.stand_in(analyse(sentence), "cancelled", "scrapped")


def same_occasion(earlier: str, later: str) -> bool:
    """Return whether two sentences seem to be about one event: they share a word that is neither a date nor common."""
    return bool(_content(earlier) & _content(later))


def _content(sentence: str) -> set[str]:
    words = tokens(sentence)
    dated = {day for day in map(terms.day, words) if day}
    kept = {word[:5] for word in words if len(word) >= 4 and not word[0].isdigit() and not terms.day(word)}
    return kept - _COMMON - dated - _MONTH_STEMS
