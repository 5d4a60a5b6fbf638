"""The belief that follows from a slot: a pure function of everything said, voted and ruled (law 10).

The words are replayed in the order in which they were said, not delivered. A value holds until another one is said
with at least its standing; one of lower standing waits as a rival (law 5). What closed a value stays known, so a
repetition or a late delivery finds its place, and what is taken back brings back what it had replaced.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from shared.domain.facts.evidence.claim import (
    CONSENSUS_MEMBERS,
    Authority,
    Claim,
    Evidence,
    Quorum,
    Ruling,
    RulingKind,
    Vote,
    VoteTally,
    is_person,
    last_stands,
    not_rejected,
    rank_authority,
    words_of,
)


class ValueRun(NamedTuple):
    """One value while it holds or waits, with every quote and voice for it that was not rejected.

    Words from before another value held count on, so that no contradiction, however late it is delivered, raises
    belief (law 2); but they lend their standing only to the run that they were said in.

    Attributes:
        since: When it began to hold or to wait.
        authority: The highest behind it.
    """

    value_key: str
    evidence: tuple[Evidence, ...]
    voices: tuple[Vote, ...]
    since: datetime
    authority: Authority


class Belief(NamedTuple):
    """The result of the replay.

    Attributes:
        held: The value that holds, or None.
        lapsed_at: When the held one expired, or None.
        closed_at: With nothing held: when the last value was rejected or voted out, or None.
        pending: The values that wait against `held`.
        voted_out: With nothing held: the value that the votes are against, when they were the last to close one.
    """

    held: ValueRun | None
    lapsed_at: datetime | None
    closed_at: datetime | None
    pending: tuple[ValueRun, ...]
    voted_out: ValueRun | None = None


@dataclass(slots=True)
class _Open:
    """A claim's run under way; `last` words are those of the whole claim, as `last_words` tells them until now."""

    claim: Claim
    evidence: list[Evidence] = field(default_factory=list)
    voices: dict[int, Vote] = field(default_factory=dict)
    floor: list[Authority] = field(default_factory=list)
    since: datetime | None = None
    last: dict[int, tuple[datetime, bool]] = field(default_factory=dict)

    def hear(self, word: Vote) -> None:
        said = (word.at, word.supports)
        self.last[word.user_id] = max(self.last.get(word.user_id, said), said)

    def close(self) -> None:
        self.evidence, self.voices, self.floor, self.since = [], {}, [], None

    def newest(self) -> datetime:
        return max([e.sent_at for e in self.evidence] + [v.at for v in self.voices.values() if v.supports])


class _Replay:
    def __init__(self, subject: str, claims: Sequence[Claim], consensus: int) -> None:
        self.subject, self.consensus = subject, consensus
        self.runs = [_Open(claim) for claim in claims]
        self.stands = last_stands(claims)
        self.holder: _Open | None = None
        self.lapsed_at: datetime | None = None
        self.closed_at: datetime | None = None
        self.voted_out: _Open | None = None

    def play(self) -> Belief:
        for run, event in _events(self.runs):
            match event:
                case Evidence():
                    self._hear_quote(run, event)
                case Vote():
                    self._hear_voice(run, event)
                case Ruling():
                    self._apply_ruling(run, event)
            self._dismiss_voted_out(event.sent_at if isinstance(event, Evidence) else event.at)
        held = self._run(self.holder) if self.holder else None
        pending = tuple(self._run(run) for run in self._find_waiting())
        out = self._run(self.voted_out) if self.voted_out and self.voted_out.evidence and not held else None
        words = [word.at for run in self.runs for word in (*run.claim.voices, *words_of(run.claim.evidence))]
        closed_at = None if held else self.closed_at or max(words, default=None)
        return Belief(held, self.lapsed_at, closed_at, pending, out)

    def _hear(self, run: _Open, words: Iterable[Vote]) -> None:
        """Words about one value: a member who is for it is no longer for another."""
        for word in words:
            run.hear(word)
            for other in self.runs if word.supports else ():
                if other is not run and word.user_id in other.last:
                    other.hear(replace(word, supports=False))

    def _hear_quote(self, run: _Open, quote: Evidence) -> None:
        self._hear(run, words_of([quote]))
        run.evidence.append(quote)
        run.since = run.since or quote.sent_at
        self._reconsider(run, quote.sent_at)

    def _reconsider(self, run: _Open, at: datetime, *, voted: bool = False) -> None:
        """A word for `run`: it confirms the holder, overturns it, or waits.

        A mere vote overturns no equal that as many stand behind, or more.
        """
        if self._is_voted_out(run) or not self._is_carried(run):
            return
        if run is self.holder:
            if self.lapsed_at is not None:
                run.since, self.lapsed_at = at, None
        elif self.holder is None or self.lapsed_at is not None or self._outranks(run, self.holder, voted=voted):
            self._take(run, at)

    def _outranks(self, run: _Open, holder: _Open, *, voted: bool) -> bool:
        rank, holds = self._rank(run), self._rank(holder)
        return rank > holds or (rank == holds and (not voted or len(self._backers(run)) > len(self._backers(holder))))

    def _take(self, run: _Open, at: datetime) -> None:
        if self.holder is not None and self.holder is not run:
            self.holder.close()
        self.holder, self.lapsed_at, run.since = run, None, at

    def _hear_voice(self, run: _Open, voice: Vote) -> None:
        if not is_person(voice.user_id):
            return
        self._hear(run, [voice])
        run.voices[voice.user_id] = voice
        if not voice.supports or not run.evidence:
            return
        for other in self.runs:  # one member, one voice
            if other is not run and other.voices.get(voice.user_id, voice).supports:
                other.voices.pop(voice.user_id, None)
        if run is not self.holder and self._is_voted_in(run) and self._is_carried(run):
            self._take(run, voice.at)
        self._reconsider(run, voice.at, voted=True)

    def _is_voted_in(self, run: _Open) -> bool:
        votes = sum(voice.supports and self._stands_for(voice.user_id, run) for voice in run.voices.values())
        against = sum(not voice.supports for voice in run.voices.values())
        if self.holder is not None:
            against += sum(voice.supports for voice in self.holder.voices.values())
        return votes >= self.consensus and votes > against

    def _is_voted_out(self, run: _Open) -> bool:
        """Return whether what waits or holds is closed by the votes against it; what an admin said never is (law 5)."""
        if self.subject != "chat" or len(run.last) < self.consensus:
            return False
        supporters = frozenset(user_id for user_id, (_, supports) in run.last.items() if supports)
        votes = VoteTally(supporters, frozenset(run.last) - supporters)
        return votes.is_against(self.consensus) and self._authority(run) is not Authority.ADMIN

    def _dismiss_voted_out(self, at: datetime) -> None:
        if self.holder is not None and self._is_voted_out(self.holder):
            self._close_holder(at, voted_out=self.holder)

    def _close_holder(self, at: datetime, *, voted_out: _Open | None) -> None:
        self.holder, self.lapsed_at, self.closed_at, self.voted_out = None, None, at, voted_out
        self._succeed(at, self._find_waiting())

    def _apply_ruling(self, run: _Open, ruling: Ruling) -> None:
        match ruling.kind:
            case RulingKind.EXPIRED:
                self._expire(run, ruling)
            case RulingKind.ACCEPTED:
                run.evidence = run.evidence or [e for e in run.claim.evidence if e.sent_at <= ruling.at]
                if run.evidence:
                    run.floor.append(ruling.authority)
                    self._take(run, ruling.at if run is not self.holder else run.since or ruling.at)
            case RulingKind.REJECTED:
                self._reject(run, ruling.at)

    def _expire(self, run: _Open, ruling: Ruling) -> None:
        """Let what is held lapse and the newest of what waits succeed, unless somebody has confirmed it meanwhile."""
        if not run.evidence or ruling.known_until is None or run.newest() > ruling.known_until:
            return
        if run is not self.holder:
            run.close()
        elif self.lapsed_at is None:
            since = ruling.fresh_since
            self.lapsed_at = ruling.at
            self._succeed(ruling.at, [other for other in self._find_waiting() if since and other.newest() > since])

    def _reject(self, run: _Open, at: datetime) -> None:
        run.close()
        run.last = {}
        if run is self.holder:
            self._close_holder(at, voted_out=None)

    def _find_waiting(self) -> list[_Open]:
        open_ = (run for run in self.runs if run.evidence and run is not self.holder)
        return [run for run in open_ if not self._is_voted_out(run) and self._is_carried(run)]

    def _succeed(self, at: datetime, heirs: Sequence[_Open]) -> None:
        if heirs:
            self._take(max(heirs, key=lambda o: (self._rank(o), o.newest(), o.claim.value_key)), at)

    def _rank(self, run: _Open) -> int:
        return rank_authority(self.subject, self._authority(run))

    def _authority(self, run: _Open) -> Authority:
        behind = [*(e.authority for e in run.evidence), *run.floor]
        if self.subject == "chat" and len(run.last) >= self.consensus <= len(self._backers(run)):
            behind.append(Authority.CONSENSUS)
        return max(behind, key=lambda authority: rank_authority(self.subject, authority))

    def _backers(self, run: _Open) -> set[int]:
        """Persons who said or voted it and have not taken it back until now; what a model or a count infers has nobody
        behind it."""
        said = {word.user_id for word in words_of(run.evidence)} | {u for u, v in run.voices.items() if v.supports}
        return {user_id for user_id in said if user_id in run.last and run.last[user_id][1]}

    def _stands_for(self, user_id: int, run: _Open) -> bool:
        """Return whether that is what somebody ends with, whatever they said in between."""
        return self.stands.get(user_id) == run.claim.value_key

    def _is_carried(self, run: _Open) -> bool:
        """Return whether as many stand behind it as it needs: a proposal, or a rule that no admin said, is none without
        them, nor with as many against it."""
        if run.floor or self.subject != "chat":
            return True
        needed = min((e.quorum for e in run.evidence if not e.agrees), default=None)
        if needed is None or needed is Quorum.ONE:
            return needed is not None  # who only agrees has said nothing
        backers = sum(self._stands_for(user_id, run) for user_id in self._backers(run))
        against = {voice.user_id for voice in run.claim.voices if not voice.supports and is_person(voice.user_id)}
        foes = sum(not self._stands_for(user_id, run) for user_id in against)
        return backers >= needed.members(self.consensus) and backers > foes

    def _run(self, run: _Open) -> ValueRun:
        evidence, voices = not_rejected(run.claim)
        return ValueRun(run.claim.value_key, evidence, voices, run.since or evidence[0].sent_at, self._authority(run))


def _events(runs: Sequence[_Open]) -> list[tuple[_Open, Evidence | Vote | Ruling]]:
    """Everything in the order of time; at one instant words, then voices, then rulings."""
    keyed: list[tuple[tuple[datetime, int, int, int, str], _Open, Evidence | Vote | Ruling]] = []
    for run in runs:
        name = run.claim.value_key
        keyed += [((e.sent_at, 0, e.message_id, e.user_id, name), run, e) for e in run.claim.evidence]
        keyed += [((v.at, 1, v.user_id, 0, name), run, v) for v in run.claim.voices]
        keyed += [((r.at, 2, 0, 0, f"{r.kind} {name}"), run, r) for r in run.claim.rulings]
    return [(run, event) for _, run, event in sorted(keyed, key=lambda item: item[0])]


def believe(subject: str, claims: Sequence[Claim], *, consensus: int = CONSENSUS_MEMBERS) -> Belief:
    """Replay a slot.

    Args:
        claims: Everything said in it, in any order.
        consensus: Members whose agreement about the chat is a consensus, and votes that settle a conflict.
    """
    return _Replay(subject, claims, consensus).play()
