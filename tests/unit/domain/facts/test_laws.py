"""The laws of memory that a slot's life obeys, for any words in any order (DESIGN, laws 1 to 6 and 10)."""

from dataclasses import replace

from hypothesis import assume, example, given
from hypothesis import strategies as st

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import claims_of, join_evidence, join_votes
from shared.domain.facts.evidence.belief import believe
from shared.domain.facts.evidence.claim import Authority, Claim, Quorum, Vote, rank_authority
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import SaidMessage, keep_said, learn, own_words
from shared.domain.facts.revision import cast_voice, deprecate, expire, expire_rival, merge, retract
from shared.domain.facts.slot import rivals
from tests.support.builders import at, candidate, evidence

VALUES = ("friday", "monday", "sunday")


def author(message_id):
    """A message has one author."""
    return 101 + message_id % 5


def said(value, message_ids, authority, confidence=0.8, opposed=()):
    quotes = (evidence(i, user_id=author(i)) for i in message_ids)
    against = tuple(Vote(at(i), author(i), supports=False, message_id=i) for i in sorted(opposed))
    return candidate(value, *quotes, authority=authority, confidence=confidence, voices=against)


candidates = st.builds(
    said,
    st.sampled_from(VALUES),
    st.sets(st.integers(1, 12), min_size=1, max_size=3),
    st.sampled_from(Authority),
    st.sampled_from([0.7, 0.8, 0.95]),
    st.just(()) | st.sets(st.integers(1, 12), max_size=2),
)
talks = st.lists(candidates, min_size=1, max_size=6)


def changes_of(talk, fact=None):
    for each in talk:
        change = learn(fact, each)
        if change is not None:
            fact = change.belief
            yield change


def believed(talk, fact=None):
    changes = list(changes_of(talk, fact))
    return changes[-1].belief if changes else fact


def state(fact):
    """Everything about a slot but how many steps led there."""
    rest = {name: replace(rival, version=0) for name, rival in rivals(fact).items()}
    return replace(fact, version=0, anchor=None), rest


# --- 1: nothing without a verbatim quote by the credited author -----------------------------------


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(101, 103), st.text("аб ", max_size=4)), min_size=1, max_size=6),
    st.dictionaries(
        st.integers(1, 4),
        st.builds(SaidMessage, st.integers(101, 103), st.text("аб ", max_size=8), st.booleans()),
    ),
    st.sampled_from(["chat", "user:101", "user:103"]),
)
def test_law_1_a_fact_holds_only_quotes_that_the_stored_message_of_that_author_holds(quotes, stored, subject):
    proposed = [replace(evidence(i, user_id=user_id), quote=quote) for i, user_id, quote in quotes]
    allowed = keep_said(candidate("friday", *proposed, subject=subject), stored)
    change = learn(None, allowed) if allowed else None
    kept = change.after.evidence if change else ()
    for quote in kept:
        message = stored[quote.message_id]
        assert message.may_teach
        assert message.user_id == quote.user_id
        assert quote.quote.strip()
        assert quote.quote in message.text
    assert change is None or kept


def test_law_1_what_nobody_said_is_no_fact():
    assert learn(None, replace(candidate(), evidence=())) is None
    assert keep_said(candidate(), {}) is None


def test_law_1_who_agreed_with_words_that_are_gone_has_said_nothing():
    agreed = candidate("friday", replace(evidence(1), quote="Fridays?"), replace(evidence(2, user_id=102), quote="+1"))
    stored = {1: SaidMessage(101, "Fridays?"), 2: SaidMessage(102, "+1")}
    assert keep_said(agreed, stored) == agreed
    assert keep_said(agreed, {2: stored[2]}) is None
    assert keep_said(agreed, {1: stored[1]}).evidence == agreed.evidence[:1]


# --- 2: confirmation never lowers, contradiction and correction never raise -------------------------


@given(talks, st.integers(13, 20), st.sampled_from(Authority), st.sampled_from([0.7, 0.95]))
def test_law_2_confirmation_never_lowers_belief(talk, message_id, authority, confidence):
    fact = believed(talk)
    assume(fact.status is Status.ACTIVE)  # what is voted out one more word does not bring back
    change = learn(fact, said(fact.value, [message_id], authority, confidence))
    assert (change.after.value, change.after.status) == (fact.value, Status.ACTIVE)
    assert change.after.confidence >= fact.confidence


@given(talks, st.sets(st.integers(1, 12), min_size=1, max_size=3), st.sampled_from(Authority))
def test_law_2_whatever_else_is_said_never_raises_belief_in_what_holds(talk, message_ids, authority):
    fact = believed(talk)
    change = learn(fact, said("never", message_ids, authority))
    assert change.belief.value_key != fact.value_key or change.belief.confidence <= fact.confidence


@given(talks, st.integers(1, 12))
@example(
    [
        *(said("friday", [i], Authority.STATISTICS, 0.7) for i in (1, 5)),
        said("monday", [1], Authority.STATISTICS, 0.7),
        said("monday", [10], Authority.CONSENSUS, 0.7),
        said("friday", [1, 11], Authority.CONSENSUS, 0.7),
    ],
    10,
)
def test_law_2_a_correction_never_raises_belief(talk, message_id):
    fact = believed(talk)
    change = retract(fact, message_id, now=at(99), cause=Cause.EDITED)
    steps = [] if change is None else [change, *change.also]
    for step in steps:
        if step.kind in ("correction", "deprecation", "contradiction", "objection"):
            assert step.after.status is not Status.ACTIVE or step.after.confidence <= step.before.confidence


@given(talks, st.lists(st.tuples(st.integers(101, 108), st.booleans()), min_size=1, max_size=8))
def test_law_2_an_objection_never_raises_and_support_never_lowers(talk, voices):
    fact = believed(talk)
    for minute, (user_id, supports) in enumerate(voices, start=30):
        after = cast_voice(fact, fact.value_key, Vote(at(minute), user_id, supports)).belief
        if after.value_key == fact.value_key and supports:
            assert after.confidence >= fact.confidence
        elif after.value_key == fact.value_key:
            assert after.confidence <= fact.confidence
        fact = after


@given(talks, st.sets(st.integers(1, 20), min_size=1, max_size=3))
@example(  # votes of the past close the value for a while: the other one begins to wait later, and nobody said it anew
    [
        said("friday", [1], Authority.STATISTICS, 0.7),
        said("friday", [1, 2, 8], Authority.STATISTICS, 0.7),
        said("monday", [1, 7], Authority.CONSENSUS, 0.7, opposed=[2]),
    ],
    {3, 4},
)
def test_law_2_an_objection_in_talk_never_raises_belief(talk, opposed):
    fact = believed(talk)
    assume(fact.status is Status.ACTIVE)
    first = min(fact.evidence)
    again = candidate(fact.value, first, authority=first.authority, confidence=first.confidence)
    against = tuple(Vote(at(i), author(i), supports=False, message_id=i) for i in sorted(opposed))
    change = learn(fact, replace(again, voices=against))
    if change is not None and change.belief.value_key == fact.value_key:
        assert change.belief.confidence <= fact.confidence
        assert change.kind != "reinforcement" or change.after.confidence == fact.confidence


@given(st.lists(st.tuples(st.integers(1, 12), st.sampled_from([0.7, 0.75, 0.85])), min_size=1, max_size=8))
def test_law_2_many_examples_of_a_count_are_as_sure_as_the_surest(samples):
    talk = [said("often", [i], Authority.STATISTICS, confidence) for i, confidence in samples]
    assert believed(talk).confidence == max(confidence for _, confidence in samples)


# --- 4: about a member only their own words count ---------------------------------------------------


@given(st.lists(st.tuples(st.sets(st.integers(1, 12), min_size=1), st.sampled_from(Authority)), max_size=6))
def test_law_4_a_members_fact_holds_only_their_own_words(talk):
    fact = None
    for message_ids, authority in talk:
        change = learn(fact, replace(said("lviv", message_ids, authority), subject="user:103"))
        fact = change.after if change else fact
        assert change is None or {e.user_id for e in change.after.evidence} == {103}
        assert (fact is not None) or all(author(i) != 103 for i in message_ids)


# --- 5: one message never overturns a fact of higher authority ---------------------------------------

_CLAIMED = [each for each in Authority if each is not Authority.CONSENSUS]  # which nobody claims: it is counted


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=3), st.sampled_from(_CLAIMED), st.integers(13, 20),
    st.sampled_from(Authority), st.sampled_from(["chat", "user:103"]),
)  # fmt: skip
def test_law_5_a_message_of_lower_authority_becomes_a_pending_conflict(known, holds, message_id, authority, subject):
    def quoted(message_ids, by=author):
        return [evidence(i, user_id=by(i) if subject == "chat" else 103) for i in message_ids]

    fact = believed([candidate("friday", *quoted(known), authority=holds, subject=subject)])
    other = candidate("monday", *quoted([message_id], by=lambda _: 999), authority=authority, subject=subject)
    assume(rank_authority(subject, own_words(other).authority) < rank_authority(subject, fact.authority))
    change = learn(fact, other)
    assert change.belief.value == "friday"
    assert change.belief.confidence <= fact.confidence
    assert (change.after.status, change.after.conflicts_with) == (Status.PENDING, fact.id)


@given(talks)
def test_law_5_no_talk_of_members_overturns_an_admins_word(talk):
    members = [replace(each, authority=min(each.authority, Authority.OWN_STATEMENT)) for each in talk]
    assert believed([said("rule", [0], Authority.ADMIN), *members]).value == "rule"


@given(talks, st.integers(2, 6))
def test_law_5_as_many_votes_as_a_consensus_has_members_settle_a_conflict_and_fewer_do_not(talk, consensus):
    rule = learn(None, said("rule", [0], Authority.ADMIN), consensus=consensus).after
    unopposed = [replace(c, authority=Authority.MODEL, voices=()) for c in talk]
    disputed = believed(unopposed, rule)
    for name in rivals(disputed):
        fact = disputed
        for user_id in range(1, consensus + 1):
            assert fact.value_key == "rule"
            fact = cast_voice(fact, name, Vote(at(50), user_id, supports=True)).belief
        assert fact.value_key == name


@given(st.integers(2, 6), st.integers(1, 8))
def test_law_5_as_many_members_as_the_operator_says_are_a_consensus(consensus, members):
    def word(value, user_id):
        return candidate(value, evidence(user_id, user_id=user_id), authority=Authority.OWN_STATEMENT)

    ready = candidate("friday", *(evidence(0, user_id=90 + n) for n in range(consensus)))
    fact = learn(None, ready, consensus=consensus).after
    fact = believed([word("monday", user_id) for user_id in range(1, members + 1)], fact)
    assert (fact.value == "monday") == (members >= consensus)


_motion = st.lists(
    st.tuples(
        st.integers(1, 5) | st.integers(-3, -1), st.sampled_from(["agree", "object", "vote for", "vote against"])
    ),
    max_size=14,
)


def moved(steps, consensus):
    """A member's rule, and what others say and vote about it, one after another."""
    first = replace(evidence(0, user_id=100), quorum=Quorum.CONSENSUS)
    quotes, voices = [first], []
    for minute, (user_id, step) in enumerate(steps, start=1):
        supports = step in ("agree", "vote for")
        if step == "agree":
            plus = replace(evidence(minute, user_id=user_id, quote="+1"), agrees=True, answers=1000)
            quotes.append(plus)
        else:
            message_id = minute if step == "object" else None
            voices.append(Vote(at(minute), user_id, supports, message_id))
    claim = Claim("friday", "Friday.", join_evidence(quotes), join_votes(voices), (), ("friday",))
    return believe("chat", [claim], consensus=consensus).held


@given(_motion, st.integers(2, 4))
@example([(2, "object"), (3, "vote for"), (5, "vote for"), (1, "object"), (4, "object")], 2)  # a tie in the end
def test_law_5_consensus_is_a_function_of_the_persons_who_agreed_and_still_do(steps, consensus):
    last = {user_id: step in ("agree", "vote for") for user_id, step in steps if user_id > 0}
    backers = 1 + sum(last.values())
    foes = len(last) - sum(last.values())
    held = moved(steps, consensus)
    assert (held is not None) == (backers >= consensus and backers > foes)
    assert held is None or held.authority is Authority.CONSENSUS


# --- 6: a changed value closes the old one ----------------------------------------------------------


@given(st.lists(st.sampled_from(VALUES), min_size=1, max_size=8))
def test_law_6_at_any_moment_the_slot_holds_what_was_said_last(values):
    talk = [said(value, [i], Authority.ADMIN) for i, value in enumerate(values, start=1)]
    fact = believed(talk)
    for now, value in enumerate(values, start=1):
        until = [replace(c, evidence=tuple(e for e in c.evidence if e.sent_at <= at(now))) for c in claims_of(fact)]
        assert believe("chat", until).held.value_key == value


@given(talks)
def test_law_6_an_evolution_opens_the_new_value_when_it_closes_the_old_one(talk):
    for change in changes_of(sorted(talk, key=lambda c: max(e.sent_at for e in c.evidence))):
        if change.kind == "evolution":
            claims = claims_of(change.after)
            voted = {voice.at for claim in claims for voice in claim.voices}  # what they closed gives its place
            assert change.after.valid_from in {e.sent_at for e in change.after.evidence} | voted
            assert change.after.version == change.before.version + 1
            assert change.before.value_key in {claim.value_key for claim in claims_of(change.after)}


# --- 10: order and repetition change nothing --------------------------------------------------------


@given(talks.flatmap(lambda talk: st.tuples(st.just(talk), st.permutations(talk), st.lists(st.sampled_from(talk)))))
@example(
    (
        [said(v, [i], Authority.ADMIN) for v, i in (("friday", 1), ("monday", 2), ("friday", 3))],
        [said(v, [i], Authority.ADMIN) for v, i in (("friday", 3), ("friday", 1), ("monday", 2))],
        [],
    )
)
def test_law_10_order_and_repetition_of_deliveries_do_not_change_what_a_slot_holds(deliveries):
    talk, shuffled, repeated = deliveries
    assert state(believed([*shuffled, *repeated])) == state(believed(talk))


@given(talks)
def test_law_10_what_was_learnt_already_changes_nothing(talk):
    fact = believed(talk)
    assert [learn(fact, each) for each in talk] == [None] * len(talk)


@given(talks, talks, st.integers(1, 12))
def test_law_10_words_that_were_taken_back_leave_the_slot_as_if_never_said(kept, taken, message_id):
    def without(talk):
        left = [replace(c, evidence=tuple(e for e in c.evidence if e.message_id != message_id)) for c in talk]
        return [c for c in left if c.evidence]

    kept, taken = ([replace(c, voices=()) for c in talk] for talk in (kept, taken))
    assume(without([*kept, *taken]))
    change = retract(believed([*kept, *taken]), message_id, now=at(99), cause=Cause.EDITED)
    assume(change is not None)
    expected, rest = state(believed(without([*kept, *taken])))
    now, pending = state(change.belief)
    assert now == replace(expected, closed_at=now.closed_at)
    assert pending == rest


@given(talks, talks)
def test_law_10_two_halves_that_are_merged_believe_what_the_whole_does(here, there):
    one, other = believed(here), believed(there)
    change = merge(one, other)
    assert state(change.belief if change else one) == state(believed([*here, *there]))


@given(talks, st.lists(st.sampled_from(["expire", "expire a rival", "deprecate"]), min_size=1, max_size=3))
def test_law_10_what_was_said_before_a_fact_was_closed_does_not_reopen_it(talk, steps):
    fact = believed(talk)
    for minute, step in enumerate(steps, start=90):
        match step:
            case "expire":
                change = expire(fact, now=at(minute), unconfirmed_since=at(50))
            case "expire a rival":
                name = min(rivals(fact), default="")
                change = expire_rival(fact, name, now=at(minute), unconfirmed_since=at(50))
            case _:
                change = deprecate(fact, now=at(minute), cause=Cause.DROPPED_BY_ADMIN)
        fact = change.belief if change else fact
    assert [learn(fact, each) for each in talk] == [None] * len(talk)
