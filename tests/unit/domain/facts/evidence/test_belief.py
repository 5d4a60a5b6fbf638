"""Votes against a value: as many members as make a consensus close it, for as long as they stand (laws 2, 4, 5, 10)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import claims_of, join_evidence
from shared.domain.facts.evidence.claim import MAX_EVIDENCE, Authority, Vote, tally_of
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, deprecate, expire, recount, settle, withdraw_voice
from shared.domain.facts.slot import rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.slots import ADMIN, OWN, against, fact, voted

votes = st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=12).map(
    lambda said: [Vote(at(30 + n), user_id, supports) for n, (user_id, supports) in enumerate(said)]
)


def state(known):
    return replace(known, version=0), {name: replace(rival, version=0) for name, rival in rivals(known).items()}


# --- The share of those who agree --------------------------------------------------------------


def test_participant_consensus_is_the_share_of_supporters():
    known = fact()
    assert known.participant_consensus == 1.0
    known = voted(known, *against(7), Vote(at(20), 8, supports=True), Vote(at(21), 9, supports=True))
    assert known.participant_consensus == 0.75
    assert deprecate(known, now=at(40), cause=Cause.DROPPED_BY_ADMIN).after.participant_consensus is None


@given(votes)
def test_participant_consensus_is_a_share(said):
    share = voted(fact(), *said).participant_consensus
    assert share is None or 0 <= share <= 1


# --- Closed by votes ---------------------------------------------------------------------------


def test_as_many_votes_against_it_as_make_a_consensus_close_a_value():
    known = voted(fact(), *against(7, 8))
    assert known.status is Status.ACTIVE
    change = cast_voice(known, "friday", *against(9, start=15))
    assert (change.kind, change.after.status, change.after.closed_at) == ("deprecation", Status.DEPRECATED, at(15))
    assert change.after.confidence == 0


def test_it_takes_more_votes_than_it_has_supporters():
    four = candidate("friday", *(evidence(n, user_id=n) for n in range(1, 5)))
    known = voted(learn(None, four).after, *against(11, 12, 13, 14))
    assert known.status is Status.ACTIVE
    assert voted(known, *against(15, start=30)).status is Status.DEPRECATED


def test_what_a_count_shows_has_no_supporters_and_three_votes_close_it():
    counted = candidate("often", *(evidence(n, user_id=n) for n in range(1, 9)), authority=Authority.STATISTICS)
    assert voted(learn(None, counted).after, *against(11, 12, 13)).status is Status.DEPRECATED


def test_what_waits_behind_a_value_that_is_closed_is_believed_instead():
    known = learn(learn(None, agreed()).after, candidate("saturday", evidence(5, user_id=105), authority=OWN)).belief
    assert set(rivals(known)) == {"saturday"}
    known = voted(known, *against(6, 7, 8))
    change = cast_voice(known, "friday", *against(9, start=15))
    assert (change.kind, change.belief.value, change.belief.valid_from) == ("evolution", "saturday", at(15))
    assert rivals(change.belief) == {}


def test_a_value_that_waits_is_voted_out_too():
    known = learn(fact(ADMIN, 102), candidate("saturday", evidence(5, user_id=105), authority=OWN)).belief
    known = voted(known, *against(7, 8, 9), name="saturday")
    assert (known.value, rivals(known)) == ("friday", {})


def test_who_changes_their_mind_brings_the_value_back():
    gone = voted(fact(), *against(7, 8, 9))
    change = cast_voice(gone, "friday", Vote(at(40), 9, supports=True))
    assert (change.kind, change.after.status, change.after.value) == ("revival", Status.ACTIVE, "friday")
    withdrawn = withdraw_voice(gone, "friday", 9, now=at(41))
    assert (withdrawn.kind, withdrawn.after.status) == ("revival", Status.ACTIVE)


def test_one_more_message_does_not_outvote_three_members_and_as_many_as_they_are_do():
    gone = voted(fact(), *against(7, 8, 9))
    again = [candidate("friday", evidence(n, user_id=n), authority=OWN) for n in (41, 42, 43)]
    one = learn(gone, again[0]).belief
    assert one.status is Status.DEPRECATED
    three = learn(learn(one, again[1]).belief, again[2]).belief
    assert three.status is Status.ACTIVE


def test_another_value_is_believed_when_one_is_voted_out_and_said_later():
    gone = voted(fact(), *against(7, 8, 9))
    now = learn(gone, candidate("sunday", evidence(41, user_id=41), authority=OWN)).belief
    assert (now.value, now.status) == ("sunday", Status.ACTIVE)


def test_an_admins_word_brings_back_what_was_voted_out():
    gone = voted(fact(), *against(7, 8, 9))
    back = learn(gone, candidate("friday", evidence(41, user_id=102), authority=ADMIN)).belief
    assert (back.status, back.authority) == (Status.ACTIVE, ADMIN)


def test_an_admin_may_settle_for_what_the_votes_are_against():
    known = learn(learn(None, agreed()).after, candidate("saturday", evidence(5, user_id=105), authority=OWN)).belief
    chosen = settle(voted(known, *against(7, 8), name="saturday"), "saturday", accept=True, now=at(20), user_id=102)
    assert voted(chosen.belief, *against(9, 10, start=30)).value == "saturday"


@pytest.mark.parametrize("consensus", [2, 4])
def test_the_operators_number_decides(consensus):
    known = replace(fact(), consensus=consensus)
    members = range(7, 7 + consensus)
    assert voted(known, *against(*members[:-1])).status is Status.ACTIVE
    assert voted(known, *against(*members)).status is Status.DEPRECATED


def test_a_vote_is_recounted_when_the_operators_number_changes():
    known = voted(fact(), *against(7, 8))
    change = recount(replace(known, consensus=2), now=at(50))
    assert (change.kind, change.after.status) == ("deprecation", Status.DEPRECATED)
    back = recount(replace(change.after, consensus=3), now=at(60))
    assert (back.kind, back.after.status) == ("revival", Status.ACTIVE)


def test_nobody_elses_votes_close_what_a_member_said_of_themselves():
    mine = fact(subject="user:101", category="personal_info")
    known = voted(mine, *against(7, 8, 9, 10))
    assert known.status is Status.ACTIVE


def test_who_spoke_for_another_value_meanwhile_is_no_supporter_any_more():
    four = learn(None, candidate("friday", *(evidence(n, user_id=n) for n in (1, 2, 3, 4)))).after
    torn = learn(four, candidate("saturday", evidence(5, user_id=1), authority=OWN)).belief
    assert (torn.value, torn.supporters, torn.participant_consensus) == ("friday", {2, 3, 4}, 3 / 4)
    assert voted(torn, *against(7, 8)).value == "friday"
    assert voted(torn, *against(7, 8, 9)).value == "saturday"


def test_what_was_inferred_from_a_members_words_is_not_their_vote():
    guessed = learn(None, candidate("friday", evidence(1, user_id=1), authority=Authority.MODEL)).after
    assert (guessed.supporters, guessed.participant_consensus) == (frozenset(), None)
    assert voted(guessed, Vote(at(20), 1, supports=True)).supporters == {1}


def test_no_number_of_repetitions_talks_an_admins_word_away():
    rule = learn(fact(user_id=1), candidate("friday", evidence(2, user_id=102), authority=ADMIN)).after
    for n in range(3, 3 + MAX_EVIDENCE + 2):
        rule = learn(rule, candidate("friday", evidence(n, user_id=1), authority=OWN)).after
    assert (len(rule.evidence), rule.authority) == (MAX_EVIDENCE, ADMIN)
    rule = voted(rule, *against(7, 8, 9, start=99))
    assert (rule.status, rule.authority) == (Status.ACTIVE, ADMIN)


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=70), st.data())
def test_what_is_kept_of_many_quotes_does_not_depend_on_their_order(said, data):
    quotes = [replace(evidence(n), authority=ADMIN if rules else OWN) for n, rules in said]
    halves = data.draw(st.integers(0, len(quotes)))
    at_once = join_evidence(quotes)
    assert join_evidence([*join_evidence(quotes[halves:]), *join_evidence(quotes[:halves])]) == at_once


def test_the_largest_consensus_does_not_outvote_a_larger_number_that_voted_before():
    known = replace(fact(), consensus=50)
    known = voted(known, *(Vote(at(100 + n), 100 + n, supports=True) for n in range(75)))
    known = voted(known, *against(*range(300, 350), start=300))
    assert (known.status, len(known.supporters), len(known.objectors)) == (Status.ACTIVE, 75, 50)


def test_votes_from_before_an_admin_dropped_it_do_not_count_when_it_is_said_again():
    dropped = deprecate(voted(fact(), *against(7, 8)), now=at(20), cause=Cause.DROPPED_BY_ADMIN).after
    again = learn(dropped, candidate("friday", evidence(30, user_id=101), authority=OWN)).belief
    assert voted(again, *against(9, start=40)).status is Status.ACTIVE


def test_who_says_it_and_votes_against_it_at_one_instant_is_for_it():
    assert voted(fact(), *against(7, 8), Vote(at(1), 101, supports=False)).status is Status.ACTIVE


# --- Laws --------------------------------------------------------------------------------------


@given(votes)
def test_no_sequence_of_votes_on_an_admins_rule_closes_it(said):
    rule = voted(fact(ADMIN, 102), *said)
    assert (rule.value, rule.status, rule.authority) == ("friday", Status.ACTIVE, ADMIN)


members = st.sampled_from([authority for authority in Authority if authority is not ADMIN])


@given(
    st.lists(
        st.tuples(st.just("vote"), st.integers(1, 9), st.booleans(), st.just("friday"))
        | st.tuples(st.just("say"), st.integers(1, 9), members, st.sampled_from(["friday", "saturday", "sunday"])),
        max_size=14,
    )
)
def test_neither_talk_nor_votes_against_it_overturn_what_an_admin_said(steps):
    rule = fact(ADMIN, 102)
    for minute, step in enumerate(steps, start=10):
        change = _step(rule, minute, step)
        rule = change.belief if change else rule
    assert (rule.value, rule.status, rule.authority) == ("friday", Status.ACTIVE, ADMIN)


@given(votes.flatmap(lambda said: st.tuples(st.just(said), st.permutations(said))), st.data())
def test_votes_in_any_order_and_repeated_make_the_same_fact(said, data):
    told, shuffled = said
    repeated = data.draw(st.lists(st.sampled_from(told), max_size=4)) if told else []
    in_turn, otherwise = voted(fact(), *told), voted(fact(), *shuffled, *repeated)
    assert state(otherwise) == state(in_turn)


@given(votes)
def test_the_last_vote_of_each_member_is_all_that_counts(said):
    last = list({voice.user_id: voice for voice in said}.values())
    assert state(voted(fact(), *said)) == state(voted(fact(), *last))


@given(votes)
def test_a_value_is_closed_exactly_while_its_objectors_are_a_consensus_and_a_majority(said):
    last = {101: True} | {voice.user_id: voice.supports for voice in said}
    objectors = sum(not supports for supports in last.values())
    closed = objectors >= 3 and objectors > len(last) - objectors
    assert (voted(fact(), *said).status is Status.DEPRECATED) == closed


@given(votes, st.integers(1, 9))
def test_a_vote_taken_back_leaves_the_fact_as_if_it_was_never_cast(said, user_id):
    known = voted(fact(), *said)
    change = withdraw_voice(known, "friday", user_id, now=at(99))
    expected = state(voted(fact(), *(voice for voice in said if voice.user_id != user_id)))
    assert state(change.belief if change else known) == expected


def test_a_vote_that_arrives_late_closes_also_what_has_expired_meanwhile():
    old = expire(fact(), now=at(90), unconfirmed_since=at(50)).after
    gone = voted(old, *against(7, 8, 9))
    assert (gone.status, gone.value) == (Status.DEPRECATED, "friday")


values = st.sampled_from(["friday", "saturday"])
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("vote"), st.integers(1, 9), st.booleans(), values),
        st.tuples(st.just("say"), st.integers(1, 9), st.sampled_from(list(Authority)), values),
        st.tuples(st.sampled_from(["drop", "expire", "accept", "reject"])),
    ),
    max_size=14,
)


def _step(known, minute, step):
    match step:
        case ("vote", user_id, supports, name):
            return cast_voice(known, name, Vote(at(minute), user_id, supports))
        case ("say", user_id, authority, value):
            return learn(known, candidate(value, evidence(minute, user_id=user_id), authority=authority))
        case ("drop",):
            return deprecate(known, now=at(minute), cause=Cause.DROPPED_BY_ADMIN)
        case ("expire",):
            return expire(known, now=at(minute), unconfirmed_since=at(minute - 5))
        case (settled,):
            name = min(rivals(known), default="")
            return settle(known, name, accept=settled == "accept", now=at(minute), user_id=102)


def assert_told_as_counted(known):
    """What a card shows of the votes is what decides about closing the value."""
    votes = tally_of(known.value_key, claims_of(known))
    assert votes == (known.supporters, {voice.user_id for voice in known.objectors})
    assert known.authority is ADMIN or not votes.is_against(known.consensus)


@given(_steps)
def test_whatever_is_said_voted_and_ruled_a_slot_is_sound(steps):
    known = learn(None, agreed()).after
    for minute, step in enumerate(steps, start=10):
        change = _step(known, minute, step)
        after = change.belief if change else known
        if (
            step[0] == "vote"
            and known.authority is ADMIN
            and known.status is Status.ACTIVE
            and step[3] == known.value_key
        ):
            assert (after.value_key, after.status) == (known.value_key, Status.ACTIVE)
        assert (after.status is Status.DEPRECATED) == (not after.evidence)
        if after.status is Status.ACTIVE:
            assert_told_as_counted(after)
        assert after.closed_at is not None or after.status is Status.ACTIVE
        known = after
