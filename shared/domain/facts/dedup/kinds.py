"""What a word does in a statement."""

from __future__ import annotations

from enum import IntEnum, auto


class Kind(IntEnum):
    """A word's part (numbers, because they hash faster than names)."""

    CONTENT = auto()  # of the tables: the same name in both languages
    WORD = auto()  # content that the tables do not know, under its lemma
    PLACE = auto()  # content that is never merged with another place
    STOP = auto()
    FRAME = auto()  # verbs that only carry the object ("plays", "visited"); content in experiences and goals
    NEGATION = auto()  # turns its whole clause
    NEGATION_AHEAD = auto()  # turns what follows it in its clause
    AGAINST = auto()  # a stance: forbidden, hates
    FOR = auto()  # a stance: allowed, likes
    GIVEN_UP = auto()  # turns what follows: quit, instead of
    LOSS = auto()  # what its clause is about is no more: sold, died, broke up
    PENALTY = auto()  # against in rules ("spammers get removed"), else content
    CHANGE = auto()  # says that something is new: now, moved
    STRONG = auto()
    LEVEL = auto()
    DAY = auto()
    MONTH = auto()
    NUMBER = auto()
    PERIOD = auto()
    UNIT = auto()  # what a number counts, no content of its own
    AND = auto()
