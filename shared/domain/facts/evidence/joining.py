"""What was said of one value, as a set that grows within bounds: which words are kept, whatever order they come in.

Everything here is a union, so order and repetition change nothing (law 10); of too many, what decides stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared.domain.facts.evidence.claim import (
    MAX_EVIDENCE,
    MAX_QUOTE,
    MAX_QUOTE_BYTES,
    MAX_VOICES,
    MAX_WORDINGS,
    Authority,
    Claim,
    Evidence,
    Ruling,
    RulingKind,
    Voice,
)
from shared.domain.facts.evidence.votes import standing


def join_claims(one: Claim, other: Claim) -> Claim:
    """Two records of one value as one, in the wording of `one`; a union, so order and repetition change nothing."""
    wordings = tuple(dict.fromkeys([one.value_key, *one.wordings, other.value_key, *other.wordings]))
    return Claim(
        one.value,
        one.description,
        joined_evidence([*one.evidence, *other.evidence]),
        joined_voices([*one.voices, *other.voices]),
        joined_rulings([*one.rulings, *other.rulings]),
        wordings[:MAX_WORDINGS],
    )


def joined_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """One quote for each message of each author, at the best confidence and authority it was ever given.

    Oldest first; of too many, what decides is kept: the one that began it, the newest of an admin, whose word nobody
    talks away (law 5), the newest of each of the members who spoke last, for a consensus is counted by members, and
    beside them the newest of all.
    """
    best: dict[tuple[int, int], Evidence] = {}
    for quote in evidence:
        said = (quote.message_id, quote.user_id)
        best[said] = _stronger(best[said], quote) if said in best else quote
    ordered = sorted(replace(quote, quote=kept_quote(quote.quote)) for quote in best.values())
    if len(ordered) <= MAX_EVIDENCE:
        return tuple(ordered)
    kept = {*ordered[:1], *[e for e in ordered if e.authority is Authority.ADMIN][-1:]}
    last = {e.user_id: e for e in ordered}  # the newest of each member
    wanted = sorted(ordered, key=lambda e: (last[e.user_id] is e, e), reverse=True)
    return tuple(sorted([*kept, *[e for e in wanted if e not in kept][: MAX_EVIDENCE - len(kept)]]))


def kept_quote(quote: str) -> str:
    """The beginning of a quote, as much as is kept of one."""
    if len(quote) <= MAX_QUOTE and 4 * len(quote) <= MAX_QUOTE_BYTES:
        return quote
    whole = quote[:MAX_QUOTE].encode("utf-8", "surrogatepass")
    cut = whole[:MAX_QUOTE_BYTES].decode("utf-8", "ignore") if len(whole) > MAX_QUOTE_BYTES else quote[:MAX_QUOTE]
    return quote if cut == quote else cut.rstrip()


def _stronger(one: Evidence, other: Evidence) -> Evidence:
    longer = max(one, other, key=lambda e: (len(e.quote), e.quote))
    return Evidence(
        max(one.sent_at, other.sent_at),
        one.message_id,
        one.user_id,
        longer.quote,
        max(one.confidence, other.confidence),
        max(one.authority, other.authority, key=lambda authority: standing("chat", authority)),
        one.agrees and other.agrees,
        max(one.answers, other.answers) if one.answers and other.answers else 0,
        min(one.quorum, other.quorum),
    )


def joined_voices(voices: Iterable[Voice]) -> tuple[Voice, ...]:
    """The last voice of each member; of too many members those who spoke last."""
    last: dict[int, Voice] = {}
    for voice in sorted(voices, key=lambda v: (v.at, v.supports, v.message_id or 0)):
        last[voice.user_id] = voice
    newest = sorted(last.values(), key=lambda v: (v.at, v.user_id))[-MAX_VOICES:]
    return tuple(sorted(newest, key=lambda v: v.user_id))


def joined_rulings(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """The last ruling of each kind."""
    last: dict[RulingKind, Ruling] = {}
    for ruling in sorted(rulings, key=lambda r: (r.at, r.authority, r.user_id or 0)):
        last[ruling.kind] = ruling
    return tuple(last[kind] for kind in RulingKind if kind in last)
