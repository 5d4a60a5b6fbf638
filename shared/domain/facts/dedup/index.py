"""Finding the stored fact that a candidate repeats or contradicts, without comparing it to all of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from shared.domain.facts.claims import Verdict
from shared.domain.facts.dedup.judging import judge
from shared.domain.facts.dedup.reading import Reading, holds_one, likeness, read_statement
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.facts.ranking import first_said
from shared.domain.text.names import sound

_BLOCK_LETTERS = 4
_COMPARED = 5
"""Facts compared with one candidate: those that share most with it."""

_SEEN = 100
"""Facts looked at in the blocks of a statement, the rarest blocks first, so that finding does not grow with the facts
(of the 1,317 facts of the evals as one subject it finds all that looking at every block finds)."""

_CROWD, _LIGHT = 100, 1.0
"""A block of more facts than `_CROWD` is skipped where it says little ("key preference likes")."""

_SAME = (Verdict.DUPLICATE, Verdict.REINFORCES)


@dataclass(frozen=True, slots=True)
class DuplicateMatch:
    """The stored fact that a candidate is about.

    Attributes:
        verdict: Never `DISTINCT`.
        score: 0 to 1, how alike the words are.
    """

    fact: Fact
    verdict: Verdict
    score: float


def verdict(existing: Candidate | Fact, incoming: Candidate | Fact) -> Verdict:
    """Return what `incoming` is to `existing`.

    `DUPLICATE` and `REINFORCES` are symmetric; any text is accepted and only the beginning of each field is read.
    """
    if existing.subject != incoming.subject:
        return Verdict.DISTINCT
    return judge(read_statement(existing), read_statement(incoming), single=existing.single and incoming.single)


class _KnownStatement(NamedTuple):
    number: int
    fact_id: str
    age: tuple[object, ...]
    fact: Fact
    reading: Reading
    blocks: tuple[str, ...]


class FactIndex:
    """Facts of any number of subjects, found by the terms, names and slots they share with a candidate."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._known: dict[str, _KnownStatement] = {}
        self._judged: dict[tuple[int, int], Verdict] = {}
        self._put = 0
        self._blocks: dict[tuple[str, str], set[str]] = defaultdict(set)
        for fact in facts:
            self.put(fact)

    def put(self, fact: Fact) -> None:
        """Add a fact, or replace the one with its id."""
        fact_id = fact.id
        self.remove(fact_id)
        reading = read_statement(fact)
        blocks = (*_blocks(reading), *_blocks_of_terms(_index_terms(reading)))
        self._put += 1
        age = first_said(fact) if fact.evidence else ()
        self._known[fact_id] = _KnownStatement(self._put, fact_id, age, fact, reading, blocks)
        for block in blocks:
            self._blocks[fact.subject, block].add(fact_id)

    def remove(self, fact_id: str) -> None:
        """Take a fact out; absent is fine."""
        gone = self._known.pop(fact_id, None)
        if gone is not None:
            for block in gone.blocks:
                self._blocks[gone.fact.subject, block].discard(fact_id)

    def match(self, candidate: Candidate | Fact) -> DuplicateMatch | None:
        """The fact that says the same, else one that contradicts, else None; the most alike, then the least id."""
        reading = read_statement(candidate)
        near = self._find_nearest(candidate.subject, reading)
        return _choose_match(
            reading, near, lambda known: judge(known.reading, reading, single=known.fact.single and candidate.single)
        )

    def twin(self, fact_id: str) -> DuplicateMatch | None:
        """Return that of the other facts which says the same as this one, else one that contradicts it, else None.

        Each pair is judged as it came about: what was said later is the incoming statement.
        """
        known = self._known.get(fact_id)
        if known is None:
            return None
        near = self._find_nearest(known.fact.subject, known.reading, without=fact_id)
        return _choose_match(known.reading, near, lambda other: self._judge_pair(known, other))

    def _judge_pair(self, one: _KnownStatement, other: _KnownStatement) -> Verdict:
        """Return what the one said later is to the one said first; kept, for each asks for the other."""
        first, later = (one, other) if one.age <= other.age else (other, one)
        pair = first.number, later.number
        if pair not in self._judged:
            single = first.fact.single and later.fact.single
            self._judged[pair] = judge(first.reading, later.reading, single=single)
        return self._judged[pair]

    def _find_nearest(self, subject: str, reading: Reading, *, without: str | None = None) -> list[_KnownStatement]:
        """The facts that share most with a reading; a block shared with few facts says more than one with many."""
        shared: dict[str, float] = {}
        blocks = {**_blocks_of_terms(reading.terms), **_blocks_of_terms(_index_terms(reading), 4), **_blocks(reading)}
        found = ((self._blocks.get((subject, block), ()), weight) for block, weight in blocks.items())
        seen = 0
        for fact_ids, weight in sorted(found, key=lambda each: len(each[0])):
            crowded = len(fact_ids) > _CROWD and weight <= _LIGHT
            if crowded or (shared and seen + len(fact_ids) > _SEEN):
                continue
            seen += len(fact_ids)
            for fact_id in fact_ids:
                shared[fact_id] = shared.get(fact_id, 0) + weight / len(fact_ids)
        shared.pop(without or "", None)
        nearest = nsmallest(_COMPARED, shared, key=lambda fact_id: (-shared[fact_id], fact_id))
        return [self._known[fact_id] for fact_id in nearest]


def _choose_match(
    reading: Reading, near: Iterable[_KnownStatement], verdict_of: Callable[[_KnownStatement], Verdict]
) -> DuplicateMatch | None:
    """The most alike fact of those that say the same, else of those that contradict."""
    alike = sorted((-likeness(known.reading, reading), known.fact_id, known) for known in near)
    conflicting = None
    for score, _, known in alike:
        decided = verdict_of(known)
        if decided in _SAME:
            return DuplicateMatch(known.fact, decided, -score)
        if decided is Verdict.CONFLICTS and conflicting is None:
            conflicting = DuplicateMatch(known.fact, decided, -score)
    return conflicting


def _blocks(reading: Reading) -> dict[str, float]:
    """Return what else than its terms a reading is found by, and how much sharing it says."""
    blocks = {"value " + reading.text[2]: 4.0, "key " + " ".join(reading.text[:2]): 1.0}
    if holds_one(reading.slot):
        blocks[f"slot {reading.slot}"] = 8.0
    return blocks


def _index_terms(reading: Reading) -> frozenset[str]:
    """The terms under which a fact is kept: of events and traditions the description names the occasion too."""
    return reading.terms if reading.category in ("event", "tradition") else reading.about


def _blocks_of_terms(terms: Iterable[str], weight: float = 1.0) -> dict[str, float]:
    return {sound(term)[:_BLOCK_LETTERS]: weight for term in terms}
