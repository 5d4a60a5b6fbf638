"""Taking words out of a fact: its quotes and voices go, the rest is replayed, and its history is told without them.

A value that nobody else has said goes with its wordings, its rulings and its versions; a fact of which nothing is left
goes altogether, and so does one about a member of whom no own word is left. A value for which a quote of somebody else
stands is never lost, whatever words the member repeated. Pure but for `forget_in_slot`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.application.app import App
from shared.application.documents import fact_path, facts_path, quality_records_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.subject_codec import subject_writes
from shared.application.facts.version_codec import told_of
from shared.application.facts.writes import change_writes
from shared.application.forgetting.bulk import delete_subtree, write_all
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.policy import Policy
from shared.application.ports.store import Delete, Document, DocumentStore, Filter, Set, Transaction, Write
from shared.domain.facts.change import FactChange, conflict
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Claim, Evidence, Ruling
from shared.domain.facts.evidence.joining import join_claims
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.slot import rebuilt, rivals
from shared.domain.text.language import fold, tokens

CAUSE = "words were forgotten"
"""In a version: why it says less than it did."""


def without(fact: Fact, scope: Scope, words: ForgottenWords) -> Fact | None:
    """The fact as if it had never been said, or None when nothing is left of it; its version is the next one."""
    claims = [kept for claim in claims_of(fact) if (kept := _claim_without(claim, scope, words)) is not None]
    if fact.subject == scope.subject and not any(e.user_id == scope.user_id for c in claims for e in c.evidence):
        return None
    if not claims:
        return None
    base = next((claim for claim in claims if claim.value_key == fact.value_key), claims[0])
    shell = replace(
        fact,
        value=base.value,
        description=base.description,
        wordings=base.wordings,
        evidence=(),
        voices=(),
        rulings=(),
        others=(),
        anchor=_anchor(fact, claims, base),
    )
    return rebuilt(shell, claims, closed_at=scope.until)


def _anchor(fact: Fact, claims: Sequence[Claim], base: Claim) -> str | None:
    """Return where nobody's words are left that say what the fact's id is made of, it goes on under another id."""
    gone = fact.anchor is not None and not any(claim.says(fact.anchor) for claim in claims)
    return base.value if gone else fact.anchor


def others_words(fact: Fact, scope: Scope) -> Iterator[str]:
    """Yield the values, in all wordings, that are made of quotes of others alone, and descriptions that mostly repeat
    these: who repeats one does not own it.

    Of a value that somebody else said first, it is the wording under which it was stored first.
    """
    for claim in claims_of(fact):
        left, gone = _split_quotes(claim, scope)
        own = [e for e in left if not e.agrees]
        if own and not gone:
            yield from (claim.value, *claim.wordings)
            yield from (
                [claim.description] if _retells(claim.description, [claim.value, *(e.quote for e in own)]) else []
            )
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
    """The claim without the words, or None when nobody else has said it."""
    evidence, gone = _split_quotes(claim, scope)
    own = [e for e in evidence if not e.agrees]
    if not own:
        return None
    claim = replace(
        claim,
        evidence=tuple(evidence),
        voices=tuple(v for v in claim.voices if not scope.covers(v.message_id, v.user_id, v.at)),
        rulings=tuple(_ruling_without(ruling, scope) for ruling in claim.rulings),
    )
    if not gone:
        return replace(claim, description=own[0].quote if words.repeated_in(claim.description) else claim.description)
    wordings = _wordings_without(claim, words) or (fold(own[0].quote),)
    return replace(
        claim,
        value=wordings[0] if words.repeated_in(claim.value) else claim.value,
        description=own[0].quote if words.echoed_in(claim.description) else claim.description,
        wordings=wordings,
    )


def _wordings_without(claim: Claim, words: ForgottenWords) -> tuple[str, ...]:
    """Those that repeat nothing of the words; none when the value was never said but in the member's."""
    name, *others = claim.wordings or (claim.value_key,)
    kept = [name, *(each for each in others if not words.echoed_in(each))]
    return tuple(each for each in kept if not words.repeated_in(each))


def _ruling_without(ruling: Ruling, scope: Scope) -> Ruling:
    """A decision stays; who made it does not."""
    return replace(ruling, user_id=None) if scope.covers(None, ruling.user_id, ruling.at) else ruling


# --- its history --------------------------------------------------------------------------------


def versions_without(versions: Sequence[Document], scope: Scope, words: ForgottenWords) -> list[Write]:
    """The writes by which a fact's versions, in order, tell of it without the words.

    Those of a fact that was folded into it tell of another one. A version stays when a quote is left for what it says,
    or when an earlier one that stays says the same.
    """
    lines: dict[str, list[Document]] = {}
    for version in versions:
        lines.setdefault(told_of(version.data), []).append(version)
    return [write for line in lines.values() for write in _line_without(line, scope, words)]


def _line_without(versions: Sequence[Document], scope: Scope, words: ForgottenWords) -> Iterator[Write]:
    standing: dict[tuple[int, int], Mapping[str, Any]] = {}
    before: set[tuple[int, int]] = set()
    told: set[str] = set()
    for path, data in versions:
        kept, value = _version_without(data, scope), fold(data["value"])
        before = _standing(before, data)
        standing = {
            said: e for said, e in standing.items() if said not in {_key_of_quote(r) for r in kept["retracted"]}
        }
        standing |= {_key_of_quote(e): e for e in kept["evidence"]}
        if words.repeated_in(data["value"]) or (not standing and (before or value not in told)):
            yield Delete(path)
            continue
        told.add(value)
        backers = {*(user_id for _, user_id in standing), *(v["user_id"] for v in kept["voices"])}
        kept |= {**_retold(data, standing, told, words), "cause": _cause(data["cause"], told, scope)}
        kept |= {"supporters": [u for u in data["supporters"] if u in backers]}
        if any(data.get(name) != value for name, value in kept.items()):
            yield Set(path, {**data, **kept})


def _version_without(data: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    return {name: [e for e in data[name] if not scope.is_named_in(e)] for name in ("evidence", "retracted", "voices")}


def _standing(before: set[tuple[int, int]], data: Mapping[str, Any]) -> set[tuple[int, int]]:
    """Return which quotes a version had, given those of the one before."""
    return (before - {_key_of_quote(e) for e in data["retracted"]}) | {_key_of_quote(e) for e in data["evidence"]}


def _key_of_quote(fields: Mapping[str, Any]) -> tuple[int, int]:
    return fields["message_id"], fields["user_id"]


def _retold(
    data: Mapping[str, Any],
    standing: Mapping[tuple[int, int], Mapping[str, Any]],
    told: set[str],
    words: ForgottenWords,
) -> dict[str, Any]:
    """Description and previous value of a version that stays."""
    description, previous = data["description"], data["previous_value"]
    if words.echoed_in(description):
        description = next((e["quote"] for e in standing.values()), "")
    known = previous is None or fold(previous) in told
    return {"description": description, "previous_value": previous if known else None}


def _cause(cause: str, told: set[str], scope: Scope) -> str:
    """Return why a version came to be, unless that names the member or a value that no earlier version tells of."""
    named = cause.partition(": ")[2].removesuffix("; voted")
    return CAUSE if (named and fold(named) not in told) or str(scope.user_id) in re.findall(r"\d+", cause) else cause


# --- in the store -------------------------------------------------------------------------------


async def forget_in_slot(app: App, scope: Scope, words: ForgottenWords, fact_id: str) -> None:
    """Take the words out of a fact, its rivals, their versions and quality records. Repeats harmlessly.

    The fact itself comes last but for a second look at the versions: one may have been written meanwhile.
    """
    path = fact_path(scope.chat_id, fact_id)
    waiting = await app.store.query(facts_path(scope.chat_id), where=[Filter("conflicts_with", "==", fact_id)])
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
    versions = sorted(await store.query(f"{path}/versions"), key=lambda v: (v.data["at"], v.id))
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
        writes += [Delete(record.path) for record in judged if not _stands(record.data, said.values(), scope, words)]
        there = None
        if fact is not None and (after is None or after.id != fact_id):
            writes += [Delete(path), *subject_writes(chat_id, fact.subject)]
            there = None if after is None else _fact(app.policy, await tx.get(fact_path(chat_id, after.id)))
        if fact is not None and after is not None and not unchanged:
            writes += change_writes(chat_id, step_without(fact, _with_said(there, after), scope), now=now)
        for write in writes:
            tx.write(write)
        return after is not None and after.id == fact_id

    return await app.store.transaction(rewrite)


def _with_said(there: Fact | None, moved: Fact) -> Fact:
    """A fact that goes on under another id, with what was said in that slot before."""
    if there is None:
        return moved
    claims = {claim.value_key: claim for claim in claims_of(there)}
    for claim in claims_of(moved):
        claims[claim.value_key] = join_claims(claims[claim.value_key], claim) if claim.value_key in claims else claim
    return rebuilt(there, claims.values(), closed_at=None)


def step_without(fact: Fact, after: Fact, scope: Scope) -> FactChange:
    """The step to the fact without the words: its version holds none of them, and neither does its `before`."""
    left = tuple(e for e in fact.evidence if not scope.covers(e.message_id, e.user_id, e.sent_at))
    before = replace(after, confidence=fact.confidence, version=fact.version, evidence=left)
    pending = [replace(rival, version=after.version) for rival in rivals(after).values()]
    also = tuple(FactChange("creation", None, rival, CAUSE) for rival in pending)
    quality = tuple(conflict(after, rival, resolved=False) for rival in pending)
    if after.id != fact.id:
        return FactChange("creation", None, after, CAUSE, also, quality)
    return FactChange(_kind(fact, after), before, after, CAUSE, also, quality)


def _kind(fact: Fact, after: Fact) -> str:
    if after.status is Status.DEPRECATED:
        return "deprecation"
    if after.value_key != fact.value_key:
        return "revival"
    return "correction" if after.confidence <= fact.confidence else "reinforcement"


def _stands(record: Mapping[str, Any], kept: Iterable[Claim], scope: Scope, words: ForgottenWords) -> bool:
    """Return whether both statements of a quality record are still somebody's, in words that are not forgotten."""
    if not scope.message_ids.isdisjoint(record["message_ids"]):
        return False
    said = {wording for claim in kept for wording in (fold(claim.value), claim.value_key, *claim.wordings)}
    return all(
        fold(statement["value"]) in said and not words.echoed_in(statement["description"])
        for statement in (record["existing"], record["incoming"])
    )
