"""The clauses of a text as words with their meanings; words that mean one thing together are one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from shared.domain.facts.dedup.kinds import Kind
from shared.domain.facts.dedup.lexicon import is_strong, meaning, phrase_at
from shared.domain.text.names import is_cyrillic

_PIECE = re.compile(r"[^\W_]+(?:'[^\W_]+)*|@\w+|[.,;!?()—–]")
_ENDS_CLAUSE = frozenset(".,;!?()—–") | {"but", "але", "проте", "however", "а", "натомість"}
_TENS, _ONES = frozenset(map(str, range(20, 100, 10))), frozenset(map(str, range(1, 10)))
_ARTICLES = frozenset({"a", "an", "the"})


class ClauseWord(NamedTuple):
    """A word or phrase: `raw` as folded text, `capital` not at the beginning of a sentence."""

    kind: Kind
    name: str
    raw: str
    capital: bool
    strong: bool


def clauses(text: str, *, sentence: bool) -> Iterator[list[ClauseWord]]:
    """The clauses of a text; the capital that begins a sentence says nothing, that of a bare value does."""
    clause: list[ClauseWord] = []
    first = sentence
    for piece in _PIECE.findall(text):
        folded = piece.casefold()
        if folded in _ARTICLES:
            continue
        if folded in _ENDS_CLAUSE:
            first = first or (sentence and piece in ".!?")
            if clause:
                yield _join_terms(clause)
            clause = []
            continue
        clause.append(_word(piece, first, sentence))
        first = False
    if clause:
        yield _join_terms(clause)


@lru_cache(maxsize=40_000)
def _word(piece: str, begins: bool, inflected: bool) -> ClauseWord:
    raw = piece.casefold()
    kind, name = (Kind.NUMBER, raw) if raw.isdecimal() else meaning(raw)
    capital = piece[0].isupper() and not begins
    if kind is Kind.WORD and capital and not (inflected and is_cyrillic(raw)):
        # It stands in its dictionary form, and a lemmatiser may take it for another word ("Taras").
        name = raw.removesuffix("'s")
    return ClauseWord(kind, name, raw, capital, is_strong(raw) or name == "hate")


def _append(joined: list[ClauseWord], word: ClauseWord) -> None:
    """A word after the others; "twenty seven" becomes one number."""
    last = joined[-1] if joined and word.kind is Kind.NUMBER else None
    if (
        last is not None
        and last.name in _TENS
        and last.kind is Kind.NUMBER
        and word.name in _ONES
        and not last.raw.isdecimal()
    ):
        joined[-1] = last._replace(name=str(int(last.name) + int(word.name)))
    else:
        joined.append(word)


def _join_terms(words: list[ClauseWord]) -> list[ClauseWord]:
    """Words that mean one thing together become one."""
    raw = [word.raw for word in words]
    joined: list[ClauseWord] = []
    at = 0
    while at < len(words):
        found = phrase_at(raw, at)
        if found is None:
            _append(joined, words[at])
            at += 1
        else:
            size, meant = found
            joined.append(
                words[at]._replace(kind=meant.kind, name=meant.name, capital=False, strong=meant.name == "hate")
            )
            at += size
    return joined
