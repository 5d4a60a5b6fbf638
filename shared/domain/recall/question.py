"""What a question asks for beside its words: about whom, when, and what kind of answer.

Everything here only shifts the ranking: a name or a time that was misread costs a little, never the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from shared.domain.dedup.names import is_cyrillic, sound
from shared.domain.language import fold, unify_apostrophes
from shared.domain.recall.stop_words import STOP_WORDS
from shared.domain.recall.terms import stem, words_of
from shared.domain.recall.time_phrases import Span, spans_in
from shared.domain.recall.time_words import TIME_WORDS
from shared.domain.statistics.stop_words import COMMON

Wanted = Literal["time", "number", "place"]

MAX_TERMS = 16
"""Different words of a question that are looked for: over that it is a text, not a question (own choice)."""

_WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "time",
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b|\bhow long ago\b"
            r"|\bкол[иі]\b|\bо котрій\b"
            r"|\b(?:як(?:ого|ому|ий|им)|котр(?:ого|ий)) (?:числа|дня|день|місяц\w+|ро[кц]\w+|час\w*)\b"
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|long|old|often|far|tall|big)\b|\b(?:what|which) (?:number|amount|price|age)\b"
            r"|\bскільки\b|\bскількох\b|\bяк (?:довго|часто|далеко)\b|\bяка (?:ціна|сума)\b"
        ),
    ),
    (
        "place",
        re.compile(
            r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:country|city|town|place|state|area|location|address|street)\b"
            r"|\bде\b|\bкуди\b|\bзвідки\b|\bяк\w{1,3} (?:місц\w+|міст\w+|країн\w+|адрес\w+|вулиц\w+)\b"
        ),
    ),
)
_ABOUT_ASKER = re.compile(
    r"\b(?:i|my|mine|i've|i'd|i'm|я|мій|моя|моє|мої|мого|моєї|моєму|моїй|мою|моїх|моїм|моїми|моєю)\b"
)
_REPORTS = "say tell mention write ask казати сказати писати написати говорити розповідати питати згадувати"
_WORD = re.compile(r"@?[^\W_][\w'-]*")
_CASE_ENDING = re.compile(r"(?:oiu|eiu|ovi|evi|ami|iami|ah|iah|om|em|[aeiou]+)$")
_MIN_NAME, _MIN_CUT = 2, 3


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is searched for.

    Attributes:
        terms: Its different words, stemmed, in order.
        light_terms: Those among them that only say whose words or which time is meant, which is known better: members'
            names, "said", "yesterday".
        speakers: Members whose own words are asked for: those named, else the asker of a question about "me".
        wanted: What the answer should hold.
        spans: Times named, aware.
    """

    terms: tuple[str, ...]
    light_terms: frozenset[str] = frozenset()
    speakers: frozenset[int] = frozenset()
    wanted: frozenset[Wanted] = frozenset()
    spans: tuple[Span, ...] = ()


def read_question(
    text: str, *, asked_at: datetime, names: Mapping[int, tuple[str, ...]], asker: int | None = None
) -> Question:
    """Read a question, Ukrainian or English.

    Args:
        asked_at: Aware; "yesterday" is counted from it.
        names: Names and usernames of the members, by user id; not changed afterwards, for they are indexed once.
        asker: Who asks, whom "I" and "my" mean.
    """
    folded = fold(unify_apostrophes(text))
    spans = tuple(spans_in(text, asked_at))
    terms = tuple(dict.fromkeys(words_of(text)))[:MAX_TERMS]
    named = _named(text, names)
    speakers = frozenset(user for users in named.values() for user in users)
    if not speakers and asker is not None and _ABOUT_ASKER.search(folded):
        speakers = frozenset({asker})
    return Question(
        terms=terms,
        light_terms=_light(named, spans),
        speakers=speakers,
        wanted=frozenset(wanted for wanted, pattern in _WANTED if pattern.search(folded)),
        spans=spans,
    )


def _light(named: Iterable[str], spans: tuple[Span, ...]) -> frozenset[str]:
    names = frozenset(term for word in named for term in words_of(word))
    return names | _reports() | (_times() if spans else frozenset())


@lru_cache(maxsize=1)
def _reports() -> frozenset[str]:
    return frozenset(words_of(_REPORTS))


@lru_cache(maxsize=1)
def _times() -> frozenset[str]:
    return frozenset(stem(word) for word in TIME_WORDS)


def _named(text: str, names: Mapping[int, tuple[str, ...]]) -> dict[str, frozenset[int]]:
    """The words of a text that name members, each with whom it may name."""
    book = _name_book(_Same(names))
    words = enumerate(_WORD.findall(unify_apostrophes(text)))
    found = {fold(word): _users(word, book, opens=at == 0) for at, word in words}
    return {word: users for word, users in found.items() if users}


def _users(word: str, book: _NameBook, *, opens: bool) -> frozenset[int]:
    """Whom a word of the question names: in a case form, in another script, or cut short ("Mel")."""
    folded = fold(word).removesuffix("'s")
    if folded.startswith("@"):
        return frozenset(book.exact.get(folded[1:], ()))
    as_name = word[0].isupper() and not opens
    if len(folded) < _MIN_NAME or (not as_name and (folded in STOP_WORDS or folded in COMMON)):
        return frozenset()
    users = {*book.exact.get(folded, ())}
    users |= {user for name, user in book.heard.get(heard(folded), ()) if is_cyrillic(folded) or is_cyrillic(name)}
    if not users and as_name and len(folded) >= _MIN_CUT and not is_cyrillic(folded):
        users |= {user for name, user in book.begins.get(folded[:_MIN_CUT], ()) if name.startswith(folded)}
    return frozenset(users)


class _NameBook(NamedTuple):
    """Who is called what: by the folded name, by how it sounds without its ending, by its first letters."""

    exact: dict[str, list[int]]
    heard: dict[str, list[tuple[str, int]]]
    begins: dict[str, list[tuple[str, int]]]


class _Same:
    """A mapping as the key of a cache: equal to itself alone. A corpus does not change, so its names do not."""

    def __init__(self, names: Mapping[int, tuple[str, ...]]) -> None:
        self.names = names

    def __hash__(self) -> int:
        return id(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.names is other.names


@lru_cache(maxsize=8)
def _name_book(same: _Same) -> _NameBook:
    book = _NameBook({}, {}, {})
    for user, called in same.names.items():
        for name in _single_names(called):
            book.exact.setdefault(name, []).append(user)
            book.heard.setdefault(heard(name), []).append((name, user))
            book.begins.setdefault(name[:_MIN_CUT], []).append((name, user))
    return book


@lru_cache(maxsize=20_000)
def _single_names(called: tuple[str, ...]) -> tuple[str, ...]:
    """Each word of the names, folded."""
    words = dict.fromkeys(fold(word) for name in called for word in [name, *_WORD.findall(unify_apostrophes(name))])
    return tuple(word for word in words if len(word) >= _MIN_NAME and " " not in word)


@lru_cache(maxsize=20_000)
def heard(name: str) -> str:
    """How a folded name sounds, in Latin letters and without a case ending; whole when hardly anything is left."""
    whole = sound(name)
    bare = _CASE_ENDING.sub("", whole)
    return bare if len(bare) >= _MIN_NAME else whole
