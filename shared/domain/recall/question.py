"""Reads what a question asks for beside its words: about whom, when, and what kind of answer.

Everything here only shifts the ranking: a name or a time that was misread costs a little, never the answer.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from shared.domain.people.labels import families_of, forms_of
from shared.domain.people.naming import MIN_NAME, NAME_WORD, Called, NameBook, name_book
from shared.domain.recall.time_phrases import Span, spans_in
from shared.domain.text.data_files import common_words, expressions, stop_words, time_words, word_sets
from shared.domain.text.language import fold, unify_apostrophes
from shared.domain.text.names import is_cyrillic, phonetic_key, possessor_key
from shared.domain.text.terms import pairs_of, sound_term, stem, term, words_of

Wanted = Literal["time", "number", "place"]

_MIN_CUT = 3
"""Letters of a name that is cut short."""

MAX_TERMS = 16
"""Different words of a question that are looked for: over that it is a text, not a question."""

_SAYS, _WORDS = expressions(__package__, "question"), word_sets(__package__, "question")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question as it is searched for.

    Attributes:
        terms: Its different words, stemmed, in order.
        light_terms: Those among them that only say whose words or which time is meant, which is known better: members'
            names, "said", "yesterday".
        name_terms: Those of the light ones that are members' names: others may speak of them, too.
        common_terms: Those that are in every talk; where there is little talk, rarity does not tell that.
        alike: For some of the words, terms that mean the very same: how it sounds, other forms of a name.
        speakers: Members whose own words are asked for: those named, else the asker of a question about "me".
        by_asker: Whether the speaker is the asker, and not named.
        wanted: What the answer should hold.
        outcome: Whether it asks how something stands or ended, so that of two answers the later is right.
        spans: Times named, aware.
    """

    terms: tuple[str, ...]
    light_terms: frozenset[str] = frozenset()
    name_terms: frozenset[str] = frozenset()
    common_terms: frozenset[str] = frozenset()
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    speakers: frozenset[int] = frozenset()
    by_asker: bool = False
    wanted: frozenset[Wanted] = frozenset()
    outcome: bool = False
    spans: tuple[Span, ...] = ()


def read_question(
    text: str, *, asked_at: datetime, names: Called, aliases: Called = MappingProxyType({}), asker: int | None = None
) -> SearchQuery:
    """Read a question, Ukrainian or English.

    Args:
        asked_at: Aware; "yesterday" is counted from it.
        names: Names and usernames of the members, by user id; not changed afterwards, for they are indexed once.
        aliases: What else members are called, by user id; it means them where it is nobody's name.
        asker: Who asks, whom "I" and "my" mean.
    """
    unified = unify_apostrophes(text)
    folded = fold(unified)
    spans = tuple(spans_in(text, asked_at))
    words: dict[str, str] = {}
    for known, word in pairs_of(text):
        words.setdefault(known, word)
    words = dict(list(words.items())[:MAX_TERMS])
    book = name_book(names, aliases)
    found = {fold(word): _users(word, book, opens=at == 0) for at, word in enumerate(NAME_WORD.findall(unified))}
    named = {word: users for word, users in found.items() if users}
    speakers = frozenset(user for users in named.values() for user in users)
    by_asker = not speakers and asker is not None and bool(_SAYS["about_asker"].search(folded))
    name_terms = frozenset(known for word in named for known in words_of(word))
    light = name_terms | _reports(cyrillic=any(map(is_cyrillic, words)))
    if spans:  # words that tell a time, and the numbers beside them
        light |= _stems(time_words) | {word for word in words if word.isdecimal()}
    return SearchQuery(
        terms=tuple(words),
        light_terms=light,
        name_terms=name_terms,
        common_terms=_stems(common_words) & words.keys(),
        alike={known: _alike_terms(word) for known, word in words.items()},
        speakers=frozenset({asker}) if by_asker and asker is not None else speakers,
        by_asker=by_asker,
        wanted=frozenset(wanted for wanted in get_args(Wanted) if _SAYS[wanted].search(folded)),
        outcome=bool(_SAYS["outcome"].search(folded)),
        spans=spans,
    )


@lru_cache(maxsize=10_000)
def _alike_terms(word: str) -> frozenset[str]:
    """Terms that mean what a folded word means: its sound, the short forms of a name, whom a possessive names."""
    owner = possessor_key(word)
    bare = phonetic_key(word) if owner is None or families_of(phonetic_key(word)) else owner
    sounds = {sound_term(word), f"~{owner}" if owner else None}
    forms = {stem(form) for form in forms_of(bare)}  # in their dictionary form already
    return frozenset(known for known in sounds | forms if known) - {term(word)}


@cache
def _stems(words: Callable[[], Iterable[str]]) -> frozenset[str]:
    """The terms of a list of words, which is read at its first use."""
    return frozenset(map(stem, words()))


@lru_cache(maxsize=2)
def _reports(*, cyrillic: bool) -> frozenset[str]:
    """Return where a question has no Cyrillic word, the dictionary that theirs need is not loaded: it takes a
    second."""
    told = _WORDS["reports"] | (_WORDS["ukrainian_reports"] if cyrillic else frozenset())
    return frozenset(words_of(" ".join(told)))


def _users(word: str, book: NameBook, *, opens: bool) -> frozenset[int]:
    """Return whom a word of the question names: in a case form, in another script, or cut short ("Mel").

    Of what it may be the first counts that is somebody's: a name, an alias, a short form, how a username begins.
    """
    folded = fold(word).removesuffix("'s")
    as_name = word[0].isupper() and not opens
    if not folded.startswith("@") and not as_name and (folded in stop_words() or folded in common_words()):
        return frozenset()
    if folded.startswith("@") or len(folded) < MIN_NAME:
        return book.members_named(folded)
    can_be_cut = as_name and len(folded) >= _MIN_CUT and not is_cyrillic(folded)
    return book.members_named(folded) or book.guess(folded, is_cut=can_be_cut)
