"""The keys by which names and telling words are the same in every form: stems, sounds, short forms.

A word has several keys, and is another when they share one: dictionaries do not know every word, and what they do not
know keeps its ending.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from shared.domain.people.short_names import families_of
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import fold, lemma, tokens, unify_apostrophes
from shared.domain.text.lookalikes import one_script
from shared.domain.text.names import phonetic_key, possessor_key
from shared.domain.text.terms import term
from shared.domain.text.word_sets import common_words

_MIN_SOUND = 4
"""Letters of a sound by which words are the same, and by which a name is one though it is not capitalised."""

_MOST_WORDS = 1_000
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_USERNAME = re.compile(r"(?<![\w@])(?P<at>@|(?:https?://)?t\.me/)?(?P<name>[A-Za-z][A-Za-z0-9_]{3,31})(?!\w)")
_TELLING_USERNAME = re.compile(r"[0-9_]")


@cache
def _words_of(kind: str) -> frozenset[str]:
    return frozenset(word_lists(__package__, "words")[kind])


def is_about_speaker(text: str) -> bool:
    """Return whether a text speaks of who says it: that is known of them, also when no fact was made of it yet."""
    return not _words_of("oneself").isdisjoint(tokens(one_script(text)))


class TellingWord(NamedTuple):
    """A word that tells something.

    Attributes:
        word: It, folded.
        keys: What it is known by.
        telling: Whether it tells more than that there is a fact.
    """

    word: str
    keys: frozenset[str]
    telling: bool


@lru_cache(maxsize=1_000)  # asked for each forgotten member
def content_words(text: str) -> tuple[TellingWord, ...]:
    """The words of a text that tell something, each once, in order; grammar and words of every talk are left out."""
    found: dict[frozenset[str], TellingWord] = {}
    for word in tokens(one_script(text))[:_MOST_WORDS]:
        keys = content_keys(word)
        if keys:
            found.setdefault(keys, TellingWord(word, keys, lemma(word) not in _words_of("predicates")))
    return tuple(found.values())


@lru_cache(maxsize=50_000)
def content_keys(word: str) -> frozenset[str]:
    """Return what a folded word is known by, or nothing when it tells nothing."""
    base = lemma(word)
    stem = term(word)
    if not stem or word in common_words() or base in common_words() or (len(stem) < 2):
        return frozenset()
    sounds = {phonetic_key(word), phonetic_key(base)}
    return frozenset({f"c:{stem}", *(f"c:~{sound}" for sound in sounds if len(sound) >= _MIN_SOUND)})


def name_keys(name: str) -> frozenset[str]:
    """Return what a member's name is known by: each word of it that is no word of every talk, else all of it
    together."""
    words = [fold(word) for word in _words(name)]
    telling = [word for word in words if common_words().isdisjoint((word, lemma(word))) and not word.isdecimal()]
    keys = {key for word in telling for key in _forms(word)}
    return frozenset(keys if telling else {_whole(words)} if len(words) > 1 else ())


def username_key(username: str) -> str:
    """Return what a username is known by."""
    return f"u:{username.casefold()}"


@lru_cache(maxsize=1_000)
def names_in(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what may be names in a text: the folded word (of what is more than a word ""), and its keys."""
    return tuple(_names_in(text))


def _names_in(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    plain = one_script(text)
    words = list(_words(plain))[:_MOST_WORDS]
    for word in words:
        folded = fold(word)
        certain = word[:1].isupper() or len(phonetic_key(folded)) >= _MIN_SOUND
        yield folded, _forms(folded) if certain else frozenset({f"w:{folded}"})
    for size in (2, 3, 4):
        for at in range(len(words) - size + 1):
            yield "", frozenset({_whole([fold(word) for word in words[at : at + size]])})
    for match in _USERNAME.finditer(text):
        if match["at"] or _TELLING_USERNAME.search(match["name"]):
            yield match["name"].casefold(), frozenset({username_key(match["name"])})


def _words(text: str) -> Iterator[str]:
    return (match.group() for match in _WORD.finditer(unify_apostrophes(text)))


def _whole(words: Iterable[str]) -> str:
    return f"all:{' '.join(words)}"


@lru_cache(maxsize=50_000)
def _forms(word: str) -> frozenset[str]:
    """A folded word as a name: itself, its dictionary form, how they sound, whose short form it is, and whose is
    "Ярининій"."""
    bases = {word.removesuffix("'s"), lemma(word)}
    sounds = {phonetic_key(base) for base in bases} | {owner for base in bases if (owner := possessor_key(base))}
    families = {number for sound in sounds for number in families_of(sound)}
    return frozenset(
        {*(f"w:{base}" for base in bases), *(f"n:{sound}" for sound in sounds), *(f"f:{each}" for each in families)}
    )
