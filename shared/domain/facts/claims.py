"""The values that were said in a slot, which of them a statement says, and what of their words is kept.

A statement may come under another key than its slot's. Then the same value can mean the opposite ("likes" coffee,
"dislikes" coffee), so whether it is the same is not told by the value alone, and what is not goes by key and value.

What was said of one value is a set that grows within bounds: everything that joins is a union, so order and repetition
change nothing (law 10); of too many words, those that decide stay.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

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
    Vote,
    rank_authority,
)
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.text.language import fold, tokens


class Verdict(StrEnum):
    """The relation of an incoming statement to an existing one, as `dedup.verdict` decides."""

    DUPLICATE = "duplicate"  # says the same
    REINFORCES = "reinforces"  # says the same, one of the two with more detail or strength
    CONFLICTS = "conflicts"  # both cannot hold now
    DISTINCT = "distinct"  # both stay


Judge = Callable[[Fact, Candidate | Fact], Verdict]


def judge_by_value(existing: Fact, incoming: Candidate | Fact) -> Verdict:
    """The simplest judge: the same folded value is a duplicate, another one conflicts."""
    return Verdict.DUPLICATE if fold(existing.value) == fold(incoming.value) else Verdict.CONFLICTS


def claims_of(fact: Fact) -> list[Claim]:
    """Everything that was said in the fact's slot, one claim for each value."""
    wordings = fact.wordings or (fact.value_key,)
    held = Claim(fact.value, fact.description, fact.evidence, fact.voices, fact.rulings, wordings)
    return join_by_value([held, *fact.others])


def join_by_value(claims: Iterable[Claim]) -> list[Claim]:
    """Claims with one for each value, as `join_claims` makes it."""
    joined: dict[str, Claim] = {}
    for claim in claims:
        name = claim.value_key
        joined[name] = join_claims(joined[name], claim) if name in joined else claim
    return list(joined.values())


def with_said(
    fact: Fact, claims: Sequence[Claim], said: Candidate | Fact, incoming: Claim, judge: Judge
) -> tuple[list[Claim], Claim | None, Verdict]:
    """The slot's claims with one more statement among them.

    Args:
        fact: Whose slot it is.
        said: The statement.
        incoming: The same as a claim, with what stands behind it.
    Returns:
        The claims; the one that was known and says the same, or None; and how it says it: a new value conflicts.
    """
    known, verdict = _find_known_claim(fact, claims, said, judge)
    if said.key != fact.key and any(claim.says(said.value) for claim in claims if claim is not known):
        incoming = replace(incoming, value=_in_full(said), wordings=(fold(_in_full(said)),))
    rewords = isinstance(said, Candidate) and said.rewords
    merged = incoming if known is None else _reword(known, incoming, verdict, rewords=rewords)
    return [merged, *(claim for claim in claims if claim is not known)], known, verdict


def _find_known_claim(
    fact: Fact, claims: Sequence[Claim], said: Candidate | Fact, judge: Judge
) -> tuple[Claim | None, Verdict]:
    def decide(claim: Claim) -> Verdict:
        return judge(replace(fact, value=claim.value, description=claim.description), said)

    for claim in claims:
        if said.key != fact.key and claim.says(_in_full(said)):
            return claim, Verdict.DUPLICATE
    for claim in claims:
        if claim.says(said.value) and (said.key == fact.key or decide(claim) is not Verdict.CONFLICTS):
            return claim, Verdict.DUPLICATE
    for claim in sorted(claims, key=lambda claim: (claim.value_key != fact.value_key, claim.value_key)):
        verdict = decide(claim)
        if verdict in (Verdict.DUPLICATE, Verdict.REINFORCES):
            return claim, verdict
    return None, Verdict.CONFLICTS


def _in_full(said: Candidate | Fact) -> str:
    """The value under its own key, for a slot whose key says something else: "dislikes coffee"."""
    return f"{said.key.replace('_', ' ')} {said.value}"


def _reword(known: Claim, incoming: Claim, verdict: Verdict, *, rewords: bool) -> Claim:
    """Both as one, in the richer words when one says more, else in the words that were said first, unless the new ones
    are to be told.

    Words to which somebody else has agreed stay as they were when they did: nobody agreed to more.
    """
    both = (known, incoming)
    agreed_to = [c for c in both if any(e.agrees for e in c.evidence) or any(voice.supports for voice in c.voices)]
    if verdict is Verdict.REINFORCES and len(agreed_to) == 1:
        better = agreed_to[0]
    elif rewords and not agreed_to:
        better = incoming
    else:
        reinforces = verdict is Verdict.REINFORCES and not agreed_to
        better = _richer(known, incoming) if reinforces else _first_said(known, incoming)
    return replace(join_claims(known, incoming), value=better.value, description=better.description)


def _richer(known: Claim, incoming: Claim) -> Claim:
    """Return what lists all that the other lists and more ("spam, flood"), else what is said in more words."""
    listed, also = (frozenset(fold(item) for item in claim.value.split(",")) for claim in (known, incoming))
    if listed < also or also < listed:
        return known if also < listed else incoming

    def richness(claim: Claim) -> tuple[int, int, str, str]:
        words = {*tokens(claim.value), *tokens(claim.description)}
        return len(words), len(claim.description), claim.value, claim.description

    return max(known, incoming, key=richness)


def _first_said(known: Claim, incoming: Claim) -> Claim:
    """Return that of two claims with the older quote; the known one when they are as old, or it has none."""
    second, first = min(known.evidence, default=None), min(incoming.evidence, default=None)
    if first is None or second is None:
        return known
    earlier = (first.sent_at, first.message_id) < (second.sent_at, second.message_id)
    return incoming if earlier else known


def join_claims(one: Claim, other: Claim) -> Claim:
    """Two records of one value as one, in the wording of `one`."""
    wordings = tuple(dict.fromkeys([one.value_key, *one.wordings, other.value_key, *other.wordings]))
    return Claim(
        one.value,
        one.description,
        join_evidence([*one.evidence, *other.evidence]),
        join_votes([*one.voices, *other.voices]),
        join_rulings([*one.rulings, *other.rulings]),
        wordings[:MAX_WORDINGS],
    )


def join_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """One quote for each message of each author, at the best confidence and authority it was ever given.

    Oldest first; of too many, what decides is kept: the one that began it, the newest of an admin, whose word nobody
    talks away (law 5), the newest of each of the members who spoke last, for a consensus is counted by members, and
    beside them the newest of all.
    """
    best: dict[tuple[int, int], Evidence] = {}
    for quote in evidence:
        said = (quote.message_id, quote.user_id)
        best[said] = _stronger(best[said], quote) if said in best else quote
    ordered = sorted(replace(quote, quote=cut_quote(quote.quote)) for quote in best.values())
    if len(ordered) <= MAX_EVIDENCE:
        return tuple(ordered)
    kept = {*ordered[:1], *[e for e in ordered if e.authority is Authority.ADMIN][-1:]}
    last = {e.user_id: e for e in ordered}  # the newest of each member
    wanted = sorted(ordered, key=lambda e: (last[e.user_id] is e, e), reverse=True)
    return tuple(sorted([*kept, *[e for e in wanted if e not in kept][: MAX_EVIDENCE - len(kept)]]))


def cut_quote(quote: str) -> str:
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
        max(one.authority, other.authority, key=lambda authority: rank_authority("chat", authority)),
        one.agrees and other.agrees,
        max(one.answers, other.answers) if one.answers and other.answers else 0,
        min(one.quorum, other.quorum),
    )


def join_votes(voices: Iterable[Vote]) -> tuple[Vote, ...]:
    """The last voice of each member; of too many members those who spoke last."""
    last = {voice.user_id: voice for voice in sorted(voices, key=lambda v: (v.at, v.supports, v.message_id or 0))}
    newest = sorted(last.values(), key=lambda v: (v.at, v.user_id))[-MAX_VOICES:]
    return tuple(sorted(newest, key=lambda v: v.user_id))


def join_rulings(rulings: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """The last ruling of each kind."""
    last = {ruling.kind: ruling for ruling in sorted(rulings, key=lambda r: (r.at, r.authority, r.user_id or 0))}
    return tuple(last[kind] for kind in RulingKind if kind in last)
