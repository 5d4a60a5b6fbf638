"""Decides if two lines say the same: they share most of what the shorter one is about."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from shared.domain.consolidation.items import Item, Section, owner_of
from shared.domain.text.data_files import common_words, time_words, word_lists
from shared.domain.text.language import fold, lemma, tokens
from shared.domain.text.terms import term

IDENTICAL = 2.0
"""Likeness of two items with one id."""

_ENOUGH = {Section.TOPICS: 0.5, Section.ONGOING: 0.6, Section.PENDING: 0.6, Section.PREFERENCES: 0.6}
"""Share of the shorter line's terms that the other has, from which the two are the same: half is two
tasks with one verb ("buy bread", "buy milk"), and one thread that has moved on."""

_DENIALS = frozenset(word_lists(__package__, "words")["denials"])


class Gist(NamedTuple):
    """The gist of a line: its terms without times, numbers and everyday words, where others are left."""

    owner: frozenset[str]
    terms: frozenset[str]
    denied: bool


def likeness(one: Item, other: Item) -> float:
    """Return how alike two items are: `IDENTICAL`, a share in (0, 1] when they say the same, 0 when they do not.
    Symmetric."""
    if one.section is not other.section or one.section is Section.NOTES:
        return 0.0
    said, also = (item.name or fold(item.text) for item in (one, other))
    return IDENTICAL if said == also else _likeness(one.section, said, also)


def says_the_same(section: Section, one: str, other: str) -> bool:
    """Return whether two texts of a section say the same."""
    return _likeness(section, fold(one), fold(other)) > 0


@lru_cache(maxsize=20_000)
def _likeness(section: Section, one: str, other: str) -> float:
    a, b = gist(section, one), gist(section, other)
    if a.denied is not b.denied or (a.owner and b.owner and a.owner != b.owner):
        return 0.0
    smaller = min(len(a.terms), len(b.terms))
    shared = len(a.terms & b.terms) / smaller if smaller else 0.0
    return shared if shared >= _ENOUGH[section] else 0.0


@lru_cache(maxsize=5_000)
def gist(section: Section, said: str) -> Gist:
    """The gist of a folded line; only pending lines have an owner ("taras: book tickets")."""
    owner, task = owner_of(said) if section is Section.PENDING else ("", said)
    words = tokens(task)
    return Gist(frozenset(tokens(owner)), terms_of_words(words), any(word in _DENIALS for word in words))


def terms_of_words(words: Sequence[str]) -> frozenset[str]:
    """Terms of folded words, everyday ones only where there are no others."""
    return telling_terms(words) or frozenset(known for word in words if (known := term(word)) and not _is_time(word))


def telling_terms(words: Iterable[str]) -> frozenset[str]:
    """Terms of folded words that are neither everyday ones nor times."""
    return frozenset(known for word in words if (known := term(word)) and not _is_time(word) and not _is_everyday(word))


def _is_time(word: str) -> bool:
    return word in time_words() or word[0].isdigit()


@lru_cache(maxsize=20_000)
def _is_everyday(word: str) -> bool:
    base = lemma(word)
    return bool({word, base} & common_words()) or (base.endswith(("ти", "тися", "тись")) and not is_proper(word))


def is_proper(word: str) -> bool:
    """Return whether the dictionary writes a folded Ukrainian word with a capital ("карпати")."""
    if not word:
        return False
    import simplemma

    return str(simplemma.lemmatize(word, lang="uk"))[:1].isupper()
