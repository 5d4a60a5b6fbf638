"""Tells the history of a fact without forgotten words, version by version.

A version stays when a quote is left for what it says, or when an earlier one that stays says the same. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from shared.application.facts.version_codec import FactVersion, read_version, rewritten_version
from shared.application.forgetting.traces.remainder import CAUSE
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.ports.store import Delete, Document, Write
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.text.language import fold

_QuoteKey = tuple[int, int]
"""The message and the author of a quote."""


def versions_without(versions: Sequence[Document], scope: Scope, words: ForgottenWords) -> list[Write]:
    """Return the writes by which a fact's versions, in order, tell of it without the words.

    Versions of a fact that was folded into it tell of another fact, and are judged by themselves.
    """
    lines: dict[str, list[tuple[Document, FactVersion]]] = {}
    for document in versions:
        version = read_version(document)
        lines.setdefault(version.fact_id, []).append((document, version))
    return [write for line in lines.values() for write in _line_without(line, scope, words)]


def _line_without(
    versions: Sequence[tuple[Document, FactVersion]], scope: Scope, words: ForgottenWords
) -> Iterator[Write]:
    standing: dict[_QuoteKey, Evidence] = {}
    before: set[_QuoteKey] = set()
    told: set[str] = set()
    for document, version in versions:
        kept, value = _without_quotes(version, scope), fold(version.value)
        before = (before - _keys(version.retracted)) | _keys(version.evidence)
        standing = {key: quote for key, quote in standing.items() if key not in _keys(kept.retracted)}
        standing |= {_key(quote): quote for quote in kept.evidence}
        if words.repeated_in(version.value) or (not standing and (before or value not in told)):
            yield Delete(document.path)
            continue
        told.add(value)
        kept = _retell(kept, standing, told, words)
        backers = {*(user_id for _, user_id in standing), *(voice.user_id for voice in kept.voices)}
        supporters = tuple(user_id for user_id in version.supporters if user_id in backers)
        kept = kept._replace(cause=_cause(version.cause, told, scope), supporters=supporters)
        if kept != version:
            yield rewritten_version(document, kept)


def _without_quotes(version: FactVersion, scope: Scope) -> FactVersion:
    evidence, retracted = (
        tuple(e for e in quotes if not scope.covers(e.message_id, e.user_id, e.sent_at))
        for quotes in (version.evidence, version.retracted)
    )
    voices = tuple(v for v in version.voices if not scope.covers(v.message_id, v.user_id, v.at))
    return version._replace(evidence=evidence, retracted=retracted, voices=voices)


def _keys(quotes: Sequence[Evidence]) -> set[_QuoteKey]:
    return set(map(_key, quotes))


def _key(quote: Evidence) -> _QuoteKey:
    return quote.message_id, quote.user_id


def _retell(
    version: FactVersion, standing: Mapping[_QuoteKey, Evidence], told: set[str], words: ForgottenWords
) -> FactVersion:
    """Return a version that stays, with a description and a previous value without the words."""
    description, previous = version.description, version.previous_value
    if words.echoed_in(description):
        description = next((quote.quote for quote in standing.values()), "")
    known = previous is None or fold(previous) in told
    return version._replace(description=description, previous_value=previous if known else None)


def _cause(cause: str, told: set[str], scope: Scope) -> str:
    """Return why a version came to be, unless that names the member or a value that no earlier version tells of."""
    named = cause.partition(": ")[2].removesuffix("; voted")
    return CAUSE if (named and fold(named) not in told) or str(scope.user_id) in re.findall(r"\d+", cause) else cause
