"""How far words were really said: a content is believed when what it names occurs in its quote.

Words count as the same across inflection, the two languages and the two scripts; what neither shares nor translates
counts as not said, so a doubtful content needs a quote that speaks for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.text.data_files import word_sets
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import is_cyrillic, same_name

_STEM = 4
_MIN_NAME = 4
_WORDS = word_sets(__package__, "support")
_NUMBER = re.compile(r"\d{1,9}")
_TEENS_AND_TENS = re.compile(
    r"(?P<ten>двадцят|тридцят|сорок|п'ятдесят|шістдесят|сімдесят|вісімдесят|дев'яност)\w*"
    r"|(?P<teen>один|два|три|чотир|п'ят|шіст|сім|вісім|дев'ят)надцят\w*|(?P<tenth>десят)\w*"
)
_TENS = {"двадцят": 20, "тридцят": 30, "сорок": 40, "п'ятдесят": 50, "шістдесят": 60, "сімдесят": 70,
         "вісімдесят": 80, "дев'яност": 90}  # fmt: skip
_UNITS = {"один": 1, "два": 2, "три": 3, "чотир": 4, "п'ят": 5, "шіст": 6, "сім": 7, "вісім": 8, "дев'ят": 9}
_WORD_UNITS = {"чотири": 4, "шість": 6}


def is_first_person(words: Iterable[str]) -> bool:
    """Return whether any folded word says "I" or "we"."""
    return not _WORDS["first_person"].isdisjoint(words)


def is_second_person(words: Iterable[str]) -> bool:
    """Return whether any folded word says "you"."""
    return not _WORDS["second_person"].isdisjoint(words)


@lru_cache(maxsize=20_000)
def matters(word: str) -> bool:
    """Return whether a folded word carries content rather than grammar; one-letter words never do."""
    return len(word) > 1 and meaning(word).kind is not Kind.STOP


@lru_cache(maxsize=50_000)
def same_word(one: str, other: str) -> bool:
    """Return whether two folded words say the same: inflection, translation (where known) or spelling apart."""
    if one == other or lemma(one) == lemma(other):
        return True
    known, also = meaning(one), meaning(other)
    if known.kind is not Kind.WORD and known.kind is not Kind.STOP and known == also:
        return True
    if is_cyrillic(one) != is_cyrillic(other):
        return min(len(one), len(other)) >= _MIN_NAME and same_name(one, other)
    shared = max(_STEM, min(len(one), len(other)) - 3)
    return len(one) >= shared and one[:shared] == other[:shared]


def is_said(word: str, said: Sequence[str]) -> bool:
    """Return whether a folded word is among the folded words said."""
    return any(same_word(word, other) for other in said)


def support(content: Iterable[str], said: Sequence[str]) -> float:
    """Share of the content's meaningful words that were said; 0 when it has none."""
    words = [word for word in content if matters(word)]
    return sum(is_said(word, said) for word in words) / len(words) if words else 0.0


def numbers(text: str) -> frozenset[int]:
    """Numbers of a text in figures or words, in either language, up to a hundred where in words."""
    found: set[int] = set()
    ten = 0
    for word in tokens(text):
        value = number(word)
        if value is not None:
            found.add(value)
        if ten and value and value < 10:
            found.add(ten + value)
        ten = value if value and value >= 20 and value % 10 == 0 else 0
    return frozenset(found)


@lru_cache(maxsize=5_000)
def number(word: str) -> int | None:
    """The number that one folded word says ("27th", "twenties", "сорока"), or None."""
    if figures := _NUMBER.match(word):
        return int(figures.group())
    if match := _TEENS_AND_TENS.fullmatch(word):
        return _TENS[match["ten"]] if match["ten"] else 10 + _UNITS[match["teen"]] if match["teen"] else 10
    known = meaning(word)
    if known.kind is Kind.NUMBER and known.name.isdigit():
        return int(known.name)
    return _WORD_UNITS.get(word)
