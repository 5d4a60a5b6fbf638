"""The meaning of a word or a phrase, the same in both languages.

The words are data, TOML beside this module: `parts` (what carries no content), `content`, `languages`, `places` and
`phrases`; `terms`, `opposites` and `domains` say what is known of canonical names.
"""

from collections.abc import Iterator, Mapping
from enum import IntEnum, auto
from functools import cache, lru_cache
from typing import NamedTuple

from shared.domain.text.data_files import Words, word_lists, word_tables
from shared.domain.text.language import lemma

_LONGEST_WORD = 40


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


class Meaning(NamedTuple):
    """A word's part and its canonical name ("coffee" for "кавою")."""

    kind: Kind
    name: str


@cache
def term_group(name: str) -> frozenset[str]:
    """Return a group of canonical names that `terms` has.

    "kin": the relations, and kinds of pets: a friend Dana is not a cousin Dana. "states": what says all by itself:
    "vegan" is the same under `diet` and under `food`. "generic_keys": words of keys that say no more than the category.
    """
    return frozenset(word_lists(__package__, "terms")[name])


@cache
def opposites(name: str) -> Mapping[str, frozenset[str]]:
    """Return, by canonical name, those that cannot hold beside it.

    "antonyms": of the same thing. "states": of a person, whatever the keys are.
    """
    found: dict[str, set[str]] = {}
    for one, others in word_tables(__package__, "opposites")[name].items():
        found.setdefault(one, set()).update(others)
        for other in others:
            found.setdefault(other, set()).add(one)
    return {each: frozenset(excluded) for each, excluded in found.items()}


@cache
def domains() -> Mapping[str, str]:
    """Return what world a key's word belongs to: a pear of `fruit` is not a pear of `sport`."""
    return {word: domain for domain, in_it in word_lists(__package__, "domains").items() for word in in_it}


class _Vocabulary(NamedTuple):
    """The meanings of single words, by whole words and by their beginnings (lengths in characters); the strong ones."""

    whole: Mapping[str, Meaning]
    beginnings: Mapping[str, Meaning]
    shortest: int
    longest: int
    strong: frozenset[str]


@cache
def _vocabulary() -> _Vocabulary:
    whole: dict[str, Meaning] = {}
    beginnings: dict[str, Meaning] = {}
    for kind, table in _words_by_kind():
        for name, patterns in table.items():
            for pattern in patterns:
                target = beginnings if pattern.endswith("*") else whole
                target.setdefault(pattern.rstrip("*"), Meaning(kind, name))
    lengths = sorted(map(len, beginnings))
    strong = {word.rstrip("*") for table in word_tables(__package__, "parts")["strong"].values() for word in table}
    return _Vocabulary(whole, beginnings, lengths[0], lengths[-1], frozenset(strong))


def _words_by_kind() -> Iterator[tuple[Kind, Mapping[str, Words]]]:
    parts = word_tables(__package__, "parts")
    yield from ((Kind[part.upper()], table) for part, table in parts.items() if part != "strong")
    yield Kind.PLACE, word_lists(__package__, "places")
    yield Kind.CONTENT, word_lists(__package__, "languages")
    yield Kind.CONTENT, word_lists(__package__, "content")
    yield Kind.STRONG, parts["strong"]  # last: a word may raise the strength and be something else before


@lru_cache(maxsize=20_000)
def meaning(word: str) -> Meaning:
    """Return what one folded word is: from the tables, else a word under its lemma."""
    word = word[:_LONGEST_WORD]
    whole = _vocabulary().whole
    if (known := whole.get(word)) is not None:
        return known
    dictionary_form = lemma(word)
    if (known := whole.get(dictionary_form)) is not None:
        return known
    if word.endswith("s") and (known := whole.get(word[:-1])) is not None:
        return known
    return _find_beginning(word) or _find_beginning(dictionary_form) or Meaning(Kind.WORD, dictionary_form)


def _find_beginning(word: str) -> Meaning | None:
    known = _vocabulary()
    sizes = range(min(len(word), known.longest), known.shortest - 1, -1)
    return next((meant for size in sizes if (meant := known.beginnings.get(word[:size])) is not None), None)


@lru_cache(maxsize=20_000)
def is_strong(word: str) -> bool:
    """Return whether a folded word raises the strength of what is said ("very", "обожнює")."""
    strong = _vocabulary().strong
    return any(word[:size] in strong for size in range(5, len(word) + 1)) or word in strong


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], Meaning]]]:
    """Phrases by the first three letters of their first word."""
    found: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    for kind, table in word_tables(__package__, "phrases").items():
        for name, patterns in table.items():
            for pattern in patterns:
                parts = tuple(pattern.split("_"))
                found.setdefault(parts[0].rstrip("*")[:3], []).append((parts, Meaning(Kind[kind.upper()], name)))
    return found


def phrase_at(raw: list[str], at: int) -> tuple[int, Meaning] | None:
    """The longest phrase that begins with the folded word at `at`: how many words it takes, and what it means."""
    for parts, meant in _phrases_from(raw[at]):
        if at + len(parts) <= len(raw) and all(map(_fits, raw[at + 1 : at + len(parts)], parts[1:])):
            return len(parts), meant
    return None


@lru_cache(maxsize=20_000)
def _phrases_from(word: str) -> tuple[tuple[tuple[str, ...], Meaning], ...]:
    """The phrases that may begin with a word, the longest first."""
    begun = (phrase for size in range(1, 4) for phrase in _phrases().get(word[:size], ()) if size <= len(word))
    return tuple(sorted((phrase for phrase in begun if _fits(word, phrase[0][0])), key=lambda phrase: -len(phrase[0])))


def _fits(word: str, part: str) -> bool:
    return word.startswith(part[:-1]) if part[-1] == "*" else word == part
