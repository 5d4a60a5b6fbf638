"""Takes forgotten words out of a fact in the store, with its rivals, versions and quality records.

Its quotes and voices go, and the rest is replayed. A value that nobody else has said goes with its wordings and
rulings, a fact of which nothing is left altogether. A value for which a quote of somebody else stands is never lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.bulk import delete_subtree, write_all
from shared.application.documents import fact_path, facts_path, quality_records_path
from shared.application.facts.codec import fact_from_fields, rivals_of
from shared.application.facts.subject_codec import QualityRecord, read_quality, subject_writes
from shared.application.facts.version_codec import FactVersion, noted_at, read_version, rewrite_version
from shared.application.facts.writes import change_writes
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, Filter, Transaction, Write
from shared.domain.facts.change import Cause, FactChange, quality_of
from shared.domain.facts.claims import Verdict, claims_of, join_by_value
from shared.domain.facts.evidence.claim import Claim, Evidence
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.slot import rebuild, rivals
from shared.domain.text.language import fold, tokens


def drop_forgotten(fact: Fact, scope: Scope, words: ForgottenWords) -> Fact | None:
    """Return the fact as if the words had never been said, or None when nothing is left of it.

    Its version is the next one.
    """
    claims = [kept for claim in claims_of(fact) if (kept := _claim_without(claim, scope, words)) is not None]
    if fact.subject == scope.subject and not any(e.user_id == scope.user_id for c in claims for e in c.evidence):
        return None
    if not claims:
        return None
    base = next((claim for claim in claims if claim.value_key == fact.value_key), claims[0])
    # The fact's id is made of its anchor: when nobody who is left said that, it is another value, and another id.
    nobody_says_it = fact.anchor is not None and not any(claim.says(fact.anchor) for claim in claims)
    shell = replace(
        fact,
        value=base.value,
        description=base.description,
        wordings=base.wordings,
        evidence=(),
        voices=(),
        rulings=(),
        others=(),
        anchor=base.value if nobody_says_it else fact.anchor,
    )
    return rebuild(shell, claims, closed_at=scope.until)


def others_words(fact: Fact, scope: Scope) -> Iterator[str]:
    """Yield the texts of a fact that are others' own: whoever only repeats one does not own it.

    Of a value for which only others are quoted, these are all its wordings, and the description when it mostly repeats
    the quotes; of a value that somebody else said first, the wording under which it was stored first.
    """
    for claim in claims_of(fact):
        left, gone = _split_quotes(claim, scope)
        own = [e for e in left if not e.agrees]
        if own and not gone:
            yield from (claim.value, *claim.wordings)
            if _retells(claim.description, [claim.value, *(e.quote for e in own)]):
                yield claim.description
        elif own and own[0] < min(gone):
            yield claim.value_key


def _retells(description: str, said: Iterable[str]) -> bool:
    """Return whether at least half of the words are those that were said: the rest is how the bot puts it."""
    told, known = tokens(description), {word for text in said for word in tokens(text)}
    return 2 * sum(word in known for word in told) >= len(told)


def _split_quotes(claim: Claim, scope: Scope) -> tuple[list[Evidence], list[Evidence]]:
    """Split a claim's quotes into those that stay and those that go, each oldest first."""
    left: list[Evidence] = []
    gone: list[Evidence] = []
    for each in sorted(claim.evidence):
        (gone if scope.covers(each.message_id, each.user_id, each.sent_at) else left).append(each)
    return left, gone


def _claim_without(claim: Claim, scope: Scope, words: ForgottenWords) -> Claim | None:
    """Return the claim without the words, or None when nobody else has said it."""
    evidence, gone = _split_quotes(claim, scope)
    own = [e for e in evidence if not e.agrees]
    if not own:
        return None
    claim = replace(
        claim,
        evidence=tuple(evidence),
        voices=tuple(v for v in claim.voices if not scope.covers(v.message_id, v.user_id, v.at)),
        rulings=tuple(  # a decision itself stays, without who made it when that was the member
            replace(each, user_id=None) if scope.covers(None, each.user_id, each.at) else each for each in claim.rulings
        ),
    )
    if not gone:
        return replace(claim, description=own[0].quote if words.occur_in(claim.description) else claim.description)
    # The wordings that repeat nothing of the words; none when nobody else ever worded the value.
    name, *others = claim.wordings or (claim.value_key,)
    kept = [name, *(each for each in others if not words.echo_in(each))]
    wordings = tuple(each for each in kept if not words.occur_in(each)) or (fold(own[0].quote),)
    return replace(
        claim,
        value=wordings[0] if words.occur_in(claim.value) else claim.value,
        description=own[0].quote if words.echo_in(claim.description) else claim.description,
        wordings=wordings,
    )


def with_said(there: Fact | None, moved: Fact) -> Fact:
    """Return a fact that goes on under another id, with what was said in that slot before.

    Args:
        there: The fact that is in that slot, or None.
    """
    if there is None:
        return moved
    return rebuild(there, join_by_value([*claims_of(there), *claims_of(moved)]), closed_at=None)


def step_without(fact: Fact, after: Fact, scope: Scope) -> FactChange:
    """Return the step to the fact without the words: neither its version nor its `before` holds any of them."""
    left = tuple(e for e in fact.evidence if not scope.covers(e.message_id, e.user_id, e.sent_at))
    before = replace(after, confidence=fact.confidence, version=fact.version, evidence=left)
    pending = [replace(rival, version=after.version) for rival in rivals(after).values()]
    also = tuple(FactChange("creation", None, rival, Cause.FORGOTTEN) for rival in pending)
    quality = tuple(quality_of(after, rival, Verdict.CONFLICTS, resolved=False) for rival in pending)
    if after.id != fact.id:
        return FactChange("creation", None, after, Cause.FORGOTTEN, also, quality)
    return FactChange(_kind(fact, after), before, after, Cause.FORGOTTEN, also, quality)


def _kind(fact: Fact, after: Fact) -> str:
    if after.status is Status.DEPRECATED:
        return "deprecation"
    if after.value_key != fact.value_key:
        return "revival"
    return "correction" if after.confidence <= fact.confidence else "reinforcement"


async def forget_in_slot(app: App, scope: Scope, words: ForgottenWords, fact_id: str) -> None:
    """Take the words out of a fact, its rivals, their versions and quality records. Idempotent.

    The fact itself is rewritten after its versions, and both once more: a version may have been written meanwhile.
    """
    path = fact_path(scope.chat_id, fact_id)
    waiting = await app.store.query(facts_path(scope.chat_id), where=[rivals_of(fact_id)])
    for rival in waiting:
        await delete_subtree(app.store, rival.path)
    fact = _fact(app.policy, await app.store.get(path))
    after = None if fact is None else drop_forgotten(fact, scope, words)
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
        after = None if fact is None else drop_forgotten(fact, scope, words)
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
    """Return whether both statements of a quality record are still somebody's, in words that are not forgotten.

    A cause of an older version may name a third value.
    """
    if record.cause is Cause.OTHER or not scope.message_ids.isdisjoint(record.message_ids):
        return False
    said = {wording for claim in kept for wording in (fold(claim.value), claim.value_key, *claim.wordings)}
    return all(
        fold(statement.value) in said and not words.echo_in(statement.description)
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
        if words.occur_in(version.value) or (not standing and (before or value not in told)):
            yield Delete(document.path)
            continue
        told.add(value)
        kept = _retell(kept, standing, told, words)
        backers = {*(user_id for _, user_id in standing), *(voice.user_id for voice in kept.voices)}
        supporters = tuple(user_id for user_id in version.supporters if user_id in backers)
        cause = Cause.FORGOTTEN if version.cause is Cause.OTHER else version.cause
        kept = kept._replace(cause=cause, supporters=supporters)
        if kept != version:
            yield rewrite_version(document, kept)


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
    if words.echo_in(description):
        description = next((quote.quote for quote in standing.values()), "")
    known = previous is None or fold(previous) in told
    return version._replace(description=description, previous_value=previous if known else None)
