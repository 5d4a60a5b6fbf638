"""Takes forgotten words out of a fact in the store, with its rivals, versions and quality records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.documents import fact_path, facts_path, quality_records_path
from shared.application.facts.codec import fact_from_fields, rivals_of
from shared.application.facts.subject_codec import QualityRecord, read_quality, subject_writes
from shared.application.facts.version_codec import FactVersion, noted_at, read_version, rewritten_version
from shared.application.facts.writes import change_writes
from shared.application.forgetting.bulk import delete_subtree, write_all
from shared.application.forgetting.traces.remainder import CAUSE, step_without, with_said, without
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, Filter, Transaction, Write
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Claim, Evidence
from shared.domain.facts.fact import Fact
from shared.domain.facts.slot import rivals
from shared.domain.text.language import fold


async def forget_in_slot(app: App, scope: Scope, words: ForgottenWords, fact_id: str) -> None:
    """Take the words out of a fact, its rivals, their versions and quality records. Idempotent.

    The fact itself is rewritten after its versions, and both once more: a version may have been written meanwhile.
    """
    path = fact_path(scope.chat_id, fact_id)
    waiting = await app.store.query(facts_path(scope.chat_id), where=[rivals_of(fact_id)])
    for rival in waiting:
        await delete_subtree(app.store, rival.path)
    fact = _fact(app.policy, await app.store.get(path))
    after = None if fact is None else without(fact, scope, words)
    stays = after is not None and after.id == fact_id
    for _ in range(2):
        if stays:
            stored = await app.store.query(f"{path}/versions")
            versions = sorted(stored, key=lambda version: (noted_at(version), version.id))
            await write_all(app.store, versions_without(versions, scope, words))
        else:
            await delete_subtree(app.store, path)
        stays = await _rewrite(app, scope, words, fact_id, waiting)


def _fact(policy: Policy, document: Document | None) -> Fact | None:
    return None if document is None else fact_from_fields(document.data, consensus=policy.consensus)


async def _rewrite(app: App, scope: Scope, words: ForgottenWords, fact_id: str, waiting: Sequence[Document]) -> bool:
    """Return whether anything is left of the fact under its id."""
    chat_id, path, now = scope.chat_id, fact_path(scope.chat_id, fact_id), app.clock.now()
    judged = await app.store.query(quality_records_path(chat_id), where=[Filter("fact_id", "==", fact_id)])

    async def rewrite(tx: Transaction) -> bool:
        fact = _fact(app.policy, await tx.get(path))
        after = None if fact is None else without(fact, scope, words)
        said = () if after is None else claims_of(after)
        unchanged = fact is not None and after is not None and replace(after, version=fact.version) == fact
        pending = {rival.id for rival in rivals(after).values()} if after is not None and unchanged else set()
        gone = [each for each in waiting if each.id not in pending]
        gone += [each for each in judged if not _stands(read_quality(each), said, scope, words)]
        writes: list[Write] = [Delete(each.path) for each in gone]
        there = None
        if fact is not None and (after is None or after.id != fact_id):
            writes += [Delete(path), *subject_writes(chat_id, fact.subject)]
            there = None if after is None else _fact(app.policy, await tx.get(fact_path(chat_id, after.id)))
        if fact is not None and after is not None and not unchanged:
            writes += change_writes(chat_id, step_without(fact, with_said(there, after), scope), now=now)
        for write in writes:
            tx.write(write)
        return after is not None and after.id == fact_id

    return await app.store.transaction(rewrite)


def _stands(record: QualityRecord, kept: Iterable[Claim], scope: Scope, words: ForgottenWords) -> bool:
    """Return whether both statements of a quality record are still somebody's, in words that are not forgotten."""
    if not scope.message_ids.isdisjoint(record.message_ids):
        return False
    said = {wording for claim in kept for wording in (fold(claim.value), claim.value_key, *claim.wordings)}
    return all(
        fold(statement.value) in said and not words.echoed_in(statement.description)
        for statement in (record.existing, record.incoming)
    )


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
