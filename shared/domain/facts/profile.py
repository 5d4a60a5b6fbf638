"""The profile of one subject: enough of each fact to rank it, to tell it and to show where it was learnt.

A profile holds active facts only, and of each what people are shown; the fact itself keeps everything else.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from shared.domain.facts.evidence.claim import Authority, Claim, Evidence, RulingKind
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.slot import rivals
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.language import fold
from shared.domain.text.plain import one_line, quote_inline

BEFORE_SHOWN = 3
"""Values that a fact replaced, the last ones, that are told beside it."""

QUOTES_SHOWN, QUOTE_SHOWN = 3, 300
"""Quotes of a fact that people are shown, and characters of each: its beginning is still verbatim."""


class ProfileQuote(NamedTuple):
    """A quote that a fact was learnt from, and its message.

    Attributes:
        name: What the author was called when the profile was made, or "" when nobody knows.
    """

    message_id: int
    user_id: int
    name: str
    quote: str
    sent_at: datetime


class ReplacedValue(NamedTuple):
    """A value that was believed before in a fact's slot, since when, and who said so."""

    description: str
    since: datetime
    user_ids: tuple[int, ...]


class ProfileFact(NamedTuple):
    """One fact, as a profile holds it. What `Fact` has under the same name means the same.

    Attributes:
        evidence_count: Quotes that show it, those not kept here as well.
        supporters: Members whose last word was for it.
        evidence: The quotes that people are shown (`quotes_shown`), oldest first, but for the one that says what the
            fact has grown to, by which it is cited.
        before: What it replaced, oldest first.
        ended_at: Of a fact that is over when it ended, by its own words or as nobody said it any more; no profile
            holds such a one.
    """

    id: str
    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    authority: Authority
    evidence_count: int
    supporters: int
    valid_from: datetime | None
    last_reinforced_at: datetime | None
    evidence: tuple[ProfileQuote, ...]
    pinned_at: datetime | None = None
    before: tuple[ReplacedValue, ...] = ()
    holds_until: datetime | None = None
    ended_at: datetime | None = None

    @property
    def status(self) -> Status:
        """Active, unless it is over."""
        return Status.ACTIVE if self.ended_at is None else Status.EXPIRED

    def last_day(self, zone: tzinfo) -> date | None:
        """Return the last day on which it holds by its own words, or None."""
        return None if self.holds_until is None else (self.holds_until - timedelta.resolution).astimezone(zone).date()

    def was_held_in(self, since: datetime, until: datetime) -> bool:
        """Return whether it is over and held at some time of a span."""
        return self.ended_at is not None and since < self.ended_at and (self.valid_from or since) < until

    @property
    def user_id(self) -> int:
        """Return whom it is about, 0 for the chat."""
        return int(self.subject.removeprefix("user:")) if self.subject != "chat" else 0


def quotes_shown(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return those of a fact's quotes that people are shown, oldest first: the ones that began it, and the newest."""
    return (*evidence[: QUOTES_SHOWN - 1], *evidence[QUOTES_SHOWN - 1 :][-1:])


def _telling_first(fact: Fact) -> list[Evidence]:
    """Return the quotes that people are shown; of a value that grew since it was first said, the one that says most of
    it comes first: "a senior nurse" was not said with "a nurse"."""
    shown = list(quotes_shown(fact.evidence))
    if fact.value_key == fold(fact.value) or not shown:
        return shown
    from shared.domain.text.terms import words_of  # here: answers read facts, too, and need no lemmas

    told = frozenset(words_of(fact.value))
    telling = max(shown, key=lambda said: len(told.intersection(words_of(said.quote))))
    return [telling, *(said for said in shown if said is not telling)]


def profile_fact(fact: Fact, names: Mapping[int, str]) -> ProfileFact:
    """A fact as a profile holds it.

    Args:
        names: What the authors of the quotes shown are called, by user id.
    """
    same = ("id", "subject", "category", "key", "value", "description", "confidence", "authority", "evidence_count")
    times = ("last_reinforced_at", "pinned_at", "holds_until")
    shown = _telling_first(fact)
    grown = [said.sent_at for said in shown[:1] if said != fact.evidence[0]]
    ends = [at for at in (fact.closed_at, fact.holds_until) if at is not None]
    return ProfileFact(
        **{name: getattr(fact, name) for name in (*same, *times)},
        supporters=len(fact.supporters),
        evidence=tuple(
            ProfileQuote(e.message_id, e.user_id, names.get(e.user_id, ""), e.quote[:QUOTE_SHOWN], e.sent_at)
            for e in shown
        ),
        valid_from=max([fact.valid_from, *grown]) if fact.valid_from else None,
        before=_replaced_values(fact),
        ended_at=min(ends, default=None) if fact.status is Status.EXPIRED else None,
    )


def _replaced_values(fact: Fact) -> tuple[ReplacedValue, ...]:
    """Return what held before the fact's value: what was said of the same before it began to hold, and neither waits
    nor was rejected."""
    said = [claim for claim in fact.others if claim.evidence and claim.value_key != fact.value_key]
    if not said or fact.valid_from is None:
        return ()
    waiting = rivals(fact)
    told = [
        ReplacedValue(claim.description, first.sent_at, tuple(sorted({e.user_id for e in claim.evidence})))
        for claim in said
        if (first := min(claim.evidence)).sent_at < fact.valid_from
        and claim.value_key not in waiting
        and _is_of_the_same(fact, claim)
        and not any(ruling.kind is RulingKind.REJECTED for ruling in claim.rulings)
    ]
    return tuple(sorted(told, key=lambda value: (value.since, value.description))[-BEFORE_SHOWN:])


def _is_of_the_same(fact: Fact, claim: Claim) -> bool:
    """Return whether a value tells otherwise what the fact tells: its slot holds one, or the two are no strangers.

    Stores hold slots into which statements came that share their key and nothing else; the key says nothing here.
    """
    from shared.domain.facts.dedup import Verdict, verdict

    held, earlier = replace(fact, key=""), replace(fact, key="", value=claim.value, description=claim.description)
    return fact.single or verdict(earlier, held) is not Verdict.DISTINCT


def reword(fact: ProfileFact, tell: Callable[[str], str]) -> ProfileFact:
    """Return a fact with its sentences, and those that it replaced, told otherwise."""
    before = tuple(value._replace(description=tell(value.description)) for value in fact.before)
    return fact._replace(description=tell(fact.description), before=before)


def sentences_of(facts: Iterable[ProfileFact]) -> list[str]:
    """Return what facts say, and what they replaced."""
    return [text for fact in facts for text in (fact.description, *(value.description for value in fact.before))]


def without_opted_out(facts: Iterable[ProfileFact], silenced: Collection[int]) -> list[ProfileFact]:
    """The facts without what is about members who opted out, and without their words.

    A fact that only they are shown to have said is left out; of others their quotes are.

    Args:
        silenced: Who opted out.
    """
    if not silenced:
        return list(facts)
    hidden = {f"user:{user_id}" for user_id in silenced}
    shown = [fact for fact in facts if fact.subject not in hidden]
    said = [tuple(quote for quote in fact.evidence if quote.user_id not in silenced) for fact in shown]
    before = [tuple(value for value in fact.before if not set(silenced).issuperset(value.user_ids)) for fact in shown]
    kept = zip(shown, said, before, strict=True)
    return [fact._replace(evidence=quotes, before=values) for fact, quotes, values in kept if quotes]


def people_in(facts: Iterable[ProfileFact | Fact]) -> frozenset[int]:
    """Return whom facts are about, and whose words they show."""
    told = list(facts)
    about = {int(fact.subject.removeprefix("user:")) for fact in told if fact.subject != "chat"}
    before = {user_id for fact in told if isinstance(fact, ProfileFact) for v in fact.before for user_id in v.user_ids}
    return frozenset(about | before | {quote.user_id for fact in told for quote in fact.evidence})


def quoted_names(facts: Iterable[ProfileFact]) -> dict[int, str]:
    """Return what the people are called who said what is known, by user id; people without a name are left out."""
    return {quote.user_id: quote.name for fact in facts for quote in fact.evidence if quote.name}


MAX_NAME = 40


class FactSummary(NamedTuple):
    """One line a category that has a fact, and the ids of the facts that stand in the lines, best first."""

    lines: list[str]
    ids: list[str]


def summarize(
    facts: Iterable[ProfileFact],
    headings: Mapping[str, str],
    names: Mapping[int, str],
    *,
    limit: int,
    budget_tokens: int,
    zone: tzinfo = UTC,
) -> FactSummary:
    """The best facts that fit, grouped: `- Rules: "No politics" (#12, 95%, since 2026-03-07, said by "Olha"); …`.

    `#12` is the message in which it was said first, by which it may be cited. What a fact replaced follows it:
    `before: "On Tuesdays" from 2026-03-01`.

    Args:
        facts: Best first. One that does not fit is left out whole, and later ones may still fit.
        headings: What the reader calls each category, in the order of the lines; others follow under their own names.
        names: What people are called, by user id; others are not named.
        limit: Facts at most.
        budget_tokens: Tokens of all lines at most, as `estimate_tokens` counts, with one more for each line's end.
        zone: In which days begin.
    Returns:
        The same facts always give the same lines.
    """
    groups: dict[str, list[str]] = {}
    kept: list[str] = []
    for fact in facts:
        if len(kept) == limit:
            break
        wider = {**groups, fact.category: [*groups.get(fact.category, ()), _item(fact, names, zone)]}
        if sum(estimate_tokens(line) + 1 for line in _lines(wider, headings)) <= budget_tokens:
            groups = wider
            kept.append(fact.id)
    return FactSummary(_lines(groups, headings), kept)


def _lines(groups: Mapping[str, list[str]], headings: Mapping[str, str]) -> list[str]:
    order = [category for category in headings if category in groups]
    order += [category for category in groups if category not in headings]
    return [f"- {headings.get(category, category)}: {'; '.join(groups[category])}" for category in order]


def _item(fact: ProfileFact, names: Mapping[int, str], zone: tzinfo) -> str:
    who = one_line(names.get(fact.evidence[0].user_id, ""), MAX_NAME) if fact.evidence else ""
    number = f"#{fact.evidence[0].message_id}, " if fact.evidence else ""
    since = f", since {fact.valid_from.astimezone(zone).date()}" if fact.valid_from else ""
    if fact.ended_at is not None:
        since += f", over since {fact.ended_at.astimezone(zone).date()}"
    elif last := fact.last_day(zone):
        since += f" until {last}"
    said = f", said by {quote_inline(who)}" if who else ""
    replaced = (f"{_quote(value.description)} from {value.since.astimezone(zone).date()}" for value in fact.before)
    before = ", ".join(replaced)
    told = f"{number}{fact.confidence:.0%}{since}{said}"
    return f"{_quote(fact.description)} ({told}{f'; before: {before}' if before else ''})"


def _quote(description: str) -> str:
    return quote_inline(one_line(description, len(description)))
