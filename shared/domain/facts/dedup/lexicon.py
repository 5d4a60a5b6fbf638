"""What a word or a phrase means, whichever of the two languages it is said in.

The words are data, TOML beside this module: `parts` (what carries no content), `content`, `languages`, `places` and
`phrases`; `terms`, `opposites` and `domains` say what is known of canonical names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from shared.domain.facts.dedup.kinds import Kind
from shared.domain.text.data_files import Words, word_lists, word_tables
from shared.domain.text.language import lemma

_LONGEST_WORD = 40


class Meaning(NamedTuple):
    """A word's part and its canonical name ("coffee" for "кавою")."""

    kind: Kind
    name: str


def words(text: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(text.split())


@cache
def kin() -> frozenset[str]:
    """Return the relations, and kinds of pets: a friend Dana is not a cousin Dana."""
    return frozenset(word_lists(__package__, "terms")["kin"])


@cache
def states() -> frozenset[str]:
    """Return the names that say all by themselves: "vegan" is the same under `diet` and under `food`."""
    return frozenset(word_lists(__package__, "terms")["states"])


@cache
def generic_keys() -> frozenset[str]:
    """Return the words of keys that say no more than the category does."""
    return frozenset(word_lists(__package__, "terms")["generic_keys"])


@cache
def antonyms() -> Mapping[str, frozenset[str]]:
    """Return, by canonical name, those that cannot hold of the same thing beside it."""
    return _both_ways(word_tables(__package__, "opposites")["antonyms"])


@cache
def opposite_states() -> Mapping[str, frozenset[str]]:
    """Return, by canonical name of a state of a person, those that it excludes, whatever the keys are."""
    return _both_ways(word_tables(__package__, "opposites")["states"])


def _both_ways(table: Mapping[str, Words]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, others in table.items():
        for other in others:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {name: frozenset(excluded) for name, excluded in found.items()}


@cache
def domains() -> Mapping[str, str]:
    """Return what world a key's word belongs to: a pear of `fruit` is not a pear of `sport`."""
    return {word: domain for domain, in_it in word_lists(__package__, "domains").items() for word in in_it}


class _Vocabulary(NamedTuple):
    """What single words mean, by whole words and by their beginnings; lengths in characters."""

    whole: Mapping[str, Meaning]
    beginnings: Mapping[str, Meaning]
    shortest: int
    longest: int


@cache
def _vocabulary() -> _Vocabulary:
    whole: dict[str, Meaning] = {}
    beginnings: dict[str, Meaning] = {}
    for kind, table in _words_by_kind():
        for name, patterns in table.items():
            for pattern in patterns:
                target = beginnings if pattern.endswith("*") else whole
                target.setdefault(pattern.rstrip("*"), Meaning(kind, name))
    return _Vocabulary(whole, beginnings, min(map(len, beginnings)), max(map(len, beginnings)))


def _words_by_kind() -> Iterator[tuple[Kind, Mapping[str, Words]]]:
    parts = word_tables(__package__, "parts")
    yield from ((Kind[part.upper()], table) for part, table in parts.items() if part != "strong")
    yield Kind.PLACE, word_lists(__package__, "places")
    yield Kind.CONTENT, word_lists(__package__, "languages")
    yield Kind.CONTENT, word_lists(__package__, "content")
    yield Kind.STRONG, parts["strong"]  # last: a word may raise the strength and be something else before


@cache
def _strong() -> frozenset[str]:
    return frozenset(
        word.rstrip("*") for of_it in word_tables(__package__, "parts")["strong"].values() for word in of_it
    )


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
    return _begun(word) or _begun(dictionary_form) or Meaning(Kind.WORD, dictionary_form)


def _begun(word: str) -> Meaning | None:
    known = _vocabulary()
    for size in range(min(len(word), known.longest), known.shortest - 1, -1):
        if (meant := known.beginnings.get(word[:size])) is not None:
            return meant
    return None


@lru_cache(maxsize=20_000)
def is_strong(word: str) -> bool:
    """Return whether a folded word raises the strength of what is said ("very", "обожнює")."""
    strong = _strong()
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
