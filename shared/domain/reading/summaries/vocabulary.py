"""Words by which dates, numbers, places and promises are told in both languages; dictionary forms, folded."""

from __future__ import annotations

from shared.domain.text.data_files import word_lists

_WORDS = {name: frozenset(words) for name, words in word_lists(__package__, "vocabulary").items()}

DATES, SPANS, NUMBERS, ONES = _WORDS["dates"], _WORDS["spans"], _WORDS["numbers"], _WORDS["ones"]
BY_CAPITAL = _WORDS["by_capital"]
"""English dates that are common words, too: read as dates only with a capital letter or beside a number."""
MONEY, PLACES, LEADING = _WORDS["money"], _WORDS["places"], _WORDS["leading"]
"""What money is told by; kinds of places; prepositions that lead to one."""
PROMISING, STATIVE, IDLE = _WORDS["promising"], _WORDS["stative"], _WORDS["idle"]
"""Agreements; verbs whose first person promises nothing; small talk."""
