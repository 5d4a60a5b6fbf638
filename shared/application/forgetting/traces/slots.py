"""Takes forgotten words out of a fact in the store, with its rivals, versions and quality records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.documents import fact_path, facts_path, quality_records_path
from shared.application.facts.codec import fact_from_fields, rivals_of
from shared.application.facts.quality_codec import QualityRecord, read_quality
from shared.application.facts.subject_codec import subject_writes
from shared.application.facts.version_codec import noted_at
from shared.application.facts.writes import change_writes
from shared.application.forgetting.bulk import delete_subtree, write_all
from shared.application.forgetting.traces.history import versions_without
from shared.application.forgetting.traces.remainder import step_without, with_said, without
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Transaction, Write
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Claim
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
            await _rewrite_versions(app.store, scope, words, path)
        else:
            await delete_subtree(app.store, path)
        stays = await _rewrite(app, scope, words, fact_id, waiting)


def _fact(policy: Policy, document: Document | None) -> Fact | None:
    return None if document is None else fact_from_fields(document.data, consensus=policy.consensus)


async def _rewrite_versions(store: DocumentStore, scope: Scope, words: ForgottenWords, path: str) -> None:
    versions = sorted(await store.query(f"{path}/versions"), key=lambda version: (noted_at(version), version.id))
    await write_all(store, versions_without(versions, scope, words))


async def _rewrite(app: App, scope: Scope, words: ForgottenWords, fact_id: str, waiting: Sequence[Document]) -> bool:
    """Return whether anything is left of the fact under its id."""
    chat_id, path, now = scope.chat_id, fact_path(scope.chat_id, fact_id), app.clock.now()
    judged = await app.store.query(quality_records_path(chat_id), where=[Filter("fact_id", "==", fact_id)])

    async def rewrite(tx: Transaction) -> bool:
        fact = _fact(app.policy, await tx.get(path))
        after = None if fact is None else without(fact, scope, words)
        said = {} if after is None else {claim.value_key: claim for claim in claims_of(after)}
        unchanged = after is not None and replace(after, version=fact.version) == fact if fact else False
        pending = rivals(after) if after is not None else {}
        writes: list[Write] = [
            Delete(r.path) for r in waiting if not (unchanged and r.id in {p.id for p in pending.values()})
        ]
        writes += [
            Delete(record.path) for record in judged if not _stands(read_quality(record), said.values(), scope, words)
        ]
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
