"""The wording of rules: rows about what is forbidden and what all are to do, marks, and parts of what is laid down.

Without its list ("no ads, politics (spam)") or its time a rule would say less than the admin did, and a later one would
be taken for the same. What only announces it ("Reminder:", "Нагадую всім, що") is no part of it; a heading that names a
thing or says for whom ("rule for ads:") is, and stays. Whether words are about the chat at all is decided in `rules`.
"""

import re
from itertools import chain, pairwise

from shared.domain.reading.matching import terms
from shared.domain.reading.matching.tables import Table, read_marks
from shared.domain.reading.patterns.row_tables import flatten_list, read_rows
from shared.domain.text.data_files import expressions, read_data, word_sets
from shared.domain.text.words import analyse

_FILE = read_data(__package__, "rule_lists")
_LISTS, _BASES = ({name: tuple(words.split()) for name, words in _FILE[head].items()} for head in ("lists", "bases"))
for _name, _table in _FILE["verbs"].items():
    _verbs = flatten_list(_table["words"].split(), _BASES)
    _LISTS[_name] = tuple(f"{verb}#{person}" for verb in _verbs for person in _table["persons"].split())
FORMS = expressions(__package__, "rule_forms")
MARKS = read_marks(__package__, "rules", _LISTS)
RULES = Table(read_rows(__package__, "rule_rows", {"lang": "uk", "category": "rule", "confidence": 0.92}), _LISTS)
"""Rows in the order in which they are tried; the language of a row says nothing, phrases of both stand together."""

_ENDS = (FORMS["headed"], FORMS["led"])
_BORDER = re.compile(r"[,()]")
_OTHER_BORDER = re.compile(r"[:;\[\]]")
_WORDS = word_sets(__package__, "words")
_WORD = re.compile(r"[\w'’-]+")


def without_heading(said: str) -> str:
    """Return what is said after its headings; the same text when it begins with none."""
    while rest := next(filter(None, (_text_behind(ends.match(said), said) for ends in _ENDS)), ""):
        said = rest
    return said


def _text_behind(found: re.Match[str] | None, said: str) -> str:
    """Return what stands behind a heading, "" when what was found is none."""
    words = analyse(found["heading"]) if found else None
    if not found or not words or not MARKS["announces"].mark(words) or MARKS["says_for_whom"].mark(words):
        return ""
    return "" if terms.topics(found["heading"]) else said[found.end() :].strip()


def join_lists(sentence: str) -> str:
    """The sentence, as long as it was, in which no border parts the things of one list: ", " becomes "/ ".

    A border joins when what stands on one side of it, up to the next border, only names things that chats regulate.
    """
    first, *rest = _BORDER.split(sentence)
    if not rest:
        return sentence
    items = [_only_names_topics(_OTHER_BORDER.split(part)) for part in (first, *rest)]
    signs = zip(_BORDER.findall(sentence), pairwise(items), strict=True)
    borders = ("/" if any(beside) else sign for sign, beside in signs)
    return first + "".join(chain(*zip(borders, rest, strict=True)))


def _only_names_topics(parts: list[str]) -> bool:
    """Return whether only things that chats regulate stand there, perhaps after a heading ("New rule: politics")."""
    *heading, part = parts
    if len(heading) > 1:
        return False
    words = [word for word in _WORD.findall(FORMS["place"].sub("", part).casefold()) if word not in _WORDS["joiners"]]
    if not words or not _WORDS["forbids"].isdisjoint(words):
        return False
    of_two_words = len(words) == 2 and bool(terms.topics(" ".join(words)))  # "voice notes"
    return of_two_words or all(terms.topics(word) for word in words)


def moment_of(said: str) -> str:
    """Return when a rule holds, in its own words ("після 22:00") or as a day ("friday"); "" when it always does."""
    found = FORMS["when"].search(said)
    return " ".join(found.group().casefold().split()) if found else terms.day(said) or ""
