"""Demographic guesses: gender, age, origin, faith and the like, unless the member says so of themselves.

A stated age is a fact, an inferred one is not (DESIGN, rulings). A trait is stated when the quote predicates it of
"I" or "we": neither a wife's nationality nor a German beer says anything about the speaker.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from shared.domain.reading.filters.subjects import lead_of
from shared.domain.reading.filters.support import number, numbers
from shared.domain.text.data_files import expressions, word_sets, word_tables
from shared.domain.text.language import lemma, tokens
from shared.domain.text.words import readings

_WORDS = word_sets(__package__, "guesses")
_TABLES = word_tables(__package__, "guesses")
_TRAITS, _KIN = _TABLES["traits"], _TABLES["kin"]
"""Traits by the words for them in both languages; a star ends a beginning."""

_SAYS = expressions(__package__, "guesses")
_NEAR = 5


def is_guess(content: str, said: str, participants: Mapping[int, Sequence[str]]) -> bool:
    """Return whether a content says what the member is, or how old, without their saying so."""
    lead = lead_of(content, participants)
    if _SAYS["age"].search(lead.rest) and not _is_age_said(lead.rest, said):
        return True
    if lead.possessive and not _SAYS["guessed"].search(lead.rest):
        return False
    claimed = _find_claimed_traits(lead.rest)
    if not claimed and _SAYS["guessed"].search(lead.rest):
        return not set(tokens(lead.rest)[-2:]) & set(tokens(said))
    return any(not _states(trait, said) for trait in claimed)


@lru_cache(maxsize=5_000)
def _trait(word: str) -> str | None:
    for form in (word, lemma(word)):
        for trait, words in _TRAITS.items():
            if any(form.startswith(name[:-1]) if name.endswith("*") else form == name for name in words):
                return trait
    return None


def _find_claimed_traits(rest: str) -> list[str]:
    """Traits in the place of the predicate ("is a young woman"); "young wine" and "English teacher" are none."""
    words = tokens(rest)
    traits = [_trait(word) or "" for word in words]
    if _SAYS["guessed"].search(rest):
        return list(filter(None, traits))
    at = 0
    while at < len(words) and words[at] in _WORDS["copulas"] and not (traits[at] and at + 1 >= len(words)):
        at += 1
    found = list(takewhile(bool, traits[at:]))
    follows = all({word, lemma(word)} & _WORDS["follow"] for word in words[at + len(found) :][:1])
    return [*filter(None, traits[:at]), *found] if found and follows else []


def _states(trait: str, said: str) -> bool:
    """Return whether the quote says the trait of its speaker."""
    clauses = map(tokens, re.split(r"[.!?;:\n,—–]+", said))
    return any(
        _names(trait, word) and _is_of_speaker(words[:at], many=_is_plural(word))
        for words in clauses
        for at, word in enumerate(words)
    )


def _is_plural(word: str) -> bool:
    """English only: "girls, who's up?" says nothing of the speaker, "we girls" does."""
    return word.isascii() and lemma(word) != word and (word.endswith("s") or word in ("women", "men"))


def _names(trait: str, word: str) -> bool:
    return _trait(word) == trait or not {word, lemma(word)}.isdisjoint(_KIN.get(trait, ()))


def _is_of_speaker(before: Sequence[str], *, many: bool) -> bool:
    """Return whether what stands before a trait links it to "I", perhaps over one word after an article or "am"."""
    unknown, linked = False, False
    for word in reversed(before):
        if word in _WORDS["self"] or word in ("as", "як"):
            return not unknown or linked or word.endswith(("'m", "'re", "im")) or not word.isascii()
        if word in _WORDS["owners"]:
            return False
        if word in _WORDS["links"] or _trait(word) or number(word) is not None:
            linked = linked or word in ("a", "an", "am", "be", "been", "was", "were", "being")
        elif (
            (unknown or linked or word in _WORDS["parting"] or word.endswith("ing"))
            or any(reading.startswith("#") for reading in readings(word))  # a verb
        ):  # fmt: skip
            return False
        else:
            unknown = True
    return not many and not unknown


def _is_age_said(content: str, said: str) -> bool:
    """Return whether every number of an age was said, and as an age or a count of years."""
    words = tokens(said)
    return bool(numbers(content) & numbers(said)) and any(_is_age(at, words) for at in range(len(words)))


def _is_age(at: int, words: Sequence[str]) -> bool:
    if number(words[at]) is None:
        return False
    following = words[at + 1] if at + 1 < len(words) else ""
    if not following or number(following) is not None or _SAYS["years"].fullmatch(following):
        return True
    if any(_SAYS["came_of_age"].fullmatch(word) for word in words[at + 2 : at + _NEAR]):
        return True
    return bool(at and _SAYS["before_age"].fullmatch(words[at - 1]))
