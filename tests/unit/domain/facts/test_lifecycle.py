"""One example of each step in a fact's life. The laws that all of them obey are in `test_laws`."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.facts.change import Cause
from shared.domain.facts.claims import Verdict, claims_of
from shared.domain.facts.evidence.claim import MAX_EVIDENCE, Authority, Vote
from shared.domain.facts.fact import Status, candidate_id
from shared.domain.facts.lifecycle import SaidMessage, keep_said, learn, own_words
from shared.domain.facts.revision import (
    cast_voice,
    correct,
    deprecate,
    expire,
    expire_rival,
    merge,
    recount,
    retract,
    settle,
)
from shared.domain.facts.slot import rivals
from tests.support.builders import agreed, at, candidate, evidence
from tests.unit.domain.facts.slots import ADMIN, MODEL, OWN, believed, disputed

# --- creation and reinforcement ----------------------------------------------------------------


def test_the_first_candidate_makes_a_fact_with_its_evidence():
    change = learn(None, candidate("friday", evidence(1)))
    assert (change.kind, change.after.version) == ("creation", 1)
    assert change.after.confidence == 0.8
    assert change.after.valid_from == at(1)
    assert change.after.status is Status.ACTIVE
    assert change.after.id == candidate_id(candidate("friday"))


def test_learning_the_same_twice_changes_nothing():
    assert learn(believed(candidate("friday", evidence(1))), candidate("friday", evidence(1))) is None


def test_the_same_value_in_other_case_reinforces():
    fact = believed(candidate("friday", evidence(1)))
    change = learn(fact, candidate("Friday ", evidence(2, user_id=102)))
    assert change.kind == "reinforcement"
    assert change.after.confidence > fact.confidence
    assert change.after.last_reinforced_at == at(2)
    assert (change.after.version, change.after.value) == (2, "friday")


def test_a_richer_wording_is_taken_and_the_poorer_one_is_still_known():
    def judge(*_):
        return Verdict.REINFORCES

    hiking, weekend = candidate("hiking", evidence(1)), candidate("weekend hiking trips", evidence(2), key="sport")
    change = learn(believed(hiking), weekend, judge=judge)
    assert (change.kind, change.after.value) == ("reinforcement", "weekend hiking trips")
    assert change.after.id == candidate_id(hiking)
    assert change.after.aliases == (candidate_id(weekend),)
    assert [e.message_id for e in change.after.evidence] == [1, 2]
    assert [(q.kind, q.verdict, q.resolved) for q in change.quality] == [("merge", "reinforces", True)]
    assert learn(change.after, hiking) is learn(change.after, weekend) is None
    other_way = learn(believed(weekend), hiking, judge=judge).after
    assert (other_way.value, other_way.confidence) == (change.after.value, change.after.confidence)


def test_a_duplicate_keeps_the_words_that_were_said_first():
    first, second = candidate("politics", evidence(1)), candidate("no politics", evidence(2))
    for one, other in ((first, second), (second, first)):
        change = learn(believed(one), other, judge=lambda *_: Verdict.DUPLICATE)
        assert change.after.value == "politics"
        assert change.quality[0].verdict == "duplicate"


# --- evolution and conflict --------------------------------------------------------------------


def test_a_new_value_of_equal_authority_replaces_the_old_one():
    fact = believed(candidate("friday", evidence(1)))
    change = learn(fact, candidate("saturday", evidence(5)))
    assert change.kind == "evolution"
    assert (change.before.value, change.after.value) == ("friday", "saturday")
    assert change.after.valid_from == at(5)
    assert change.after.id == fact.id
    assert [(q.kind, q.resolved) for q in change.quality] == [("conflict", True)]


def test_an_older_value_that_arrives_late_does_not_win_but_finds_its_place():
    fact = believed(candidate("saturday", evidence(5)))
    change = learn(fact, candidate("friday", evidence(1)))
    assert (change.kind, change.after.value, change.after.evidence) == ("history", "saturday", fact.evidence)
    assert {claim.value for claim in claims_of(change.after)} == {"friday", "saturday"}
    assert [(q.kind, q.resolved) for q in change.quality] == [("conflict", True)]


def test_a_value_that_comes_back_holds_anew_with_all_that_was_ever_said_for_it():
    friday, monday, again = (candidate(v, evidence(i)) for v, i in (("friday", 1), ("monday", 2), ("friday", 3)))
    for order in ((friday, monday, again), (again, friday, monday), (monday, again, friday)):
        fact = believed(*order)
        assert (fact.value, fact.valid_from) == ("friday", at(3))
        assert [e.message_id for e in fact.evidence] == [1, 3]


def test_who_says_otherwise_later_no_longer_supports_what_they_said():
    fact = believed(candidate("friday", *(evidence(n, user_id=n) for n in (1, 2, 3, 4))))
    after = learn(fact, candidate("monday", evidence(5, user_id=1), authority=OWN)).belief
    assert (after.value, after.supporters, [v.user_id for v in after.objectors]) == ("friday", {2, 3, 4}, [1])
    assert after.confidence < fact.confidence
    back = learn(after, candidate("friday", evidence(6, user_id=1), authority=OWN)).belief
    assert back.supporters == {1, 2, 3, 4}
    guessed = learn(fact, candidate("monday", evidence(5, user_id=1), authority=MODEL)).belief
    assert guessed.confidence == fact.confidence


def test_one_message_does_not_overturn_a_fact_of_higher_authority():
    fact = believed(candidate("friday", evidence(1), authority=ADMIN))
    change = learn(fact, candidate("saturday", evidence(5, user_id=9), authority=OWN))
    assert (change.kind, change.after.status, change.after.conflicts_with) == ("creation", Status.PENDING, fact.id)
    assert change.after.id != fact.id
    assert (change.belief.value, change.belief.confidence) == ("friday", fact.confidence)
    assert [(step.kind, step.after.id) for step in change.also] == [("contradiction", fact.id)]
    assert [(q.kind, q.resolved) for q in change.quality] == [("conflict", False)]


def test_what_a_model_inferred_from_many_is_no_consensus():
    guesses = [candidate("saturday", evidence(i, user_id=i), authority=MODEL) for i in (5, 6, 7, 8)]
    assert believed(candidate("friday", evidence(1), authority=OWN), *guesses).value == "friday"


def test_about_the_chat_a_single_member_ranks_below_consensus_but_about_themselves_above():
    monday = candidate("monday", evidence(2, user_id=9), authority=OWN)
    assert learn(believed(agreed()), monday).after.status is Status.PENDING
    mine = {"subject": "user:101", "category": "personal_info"}
    guessed = believed(candidate("friday", evidence(1), authority=MODEL, **mine))
    assert learn(guessed, candidate("monday", evidence(2), authority=OWN, **mine)).kind == "evolution"


def test_an_objection_in_talk_lowers_belief_and_stays_with_time_and_message():
    fact = believed(candidate("friday", evidence(1), evidence(2, user_id=102)))
    against = Vote(at(5), 103, supports=False, message_id=5)
    change = learn(fact, candidate("friday", evidence(1), voices=(against,)))
    assert (change.kind, change.after.objectors) == ("objection", (against,))
    assert change.after.confidence == pytest.approx(0.8 * fact.confidence, abs=1e-4)
    back = learn(change.after, candidate("friday", evidence(6, user_id=103))).after
    assert (back.supporters, back.objectors) == ({101, 102, 103}, ())
    assert back.confidence > fact.confidence
    assert retract(change.after, 5, now=at(9), cause=Cause.EDITED).after.confidence == fact.confidence


def test_others_have_no_voice_in_what_a_member_says_of_themselves():
    mine = candidate("lviv", evidence(1), subject="user:101", category="personal_info")
    against = Vote(at(5), 103, supports=False, message_id=5)
    assert learn(None, replace(mine, voices=(against,))).after.objectors == ()


# --- votes and rulings -------------------------------------------------------------------------


def test_an_objection_lowers_belief_and_a_changed_mind_restores_it():
    fact = believed(candidate("friday", evidence(1), evidence(2, user_id=102)))
    opposed = cast_voice(fact, fact.value_key, Vote(at(5), 103, supports=False))
    assert opposed.kind == "objection"
    assert opposed.after.confidence == pytest.approx(0.8 * fact.confidence, abs=1e-4)
    assert [voice.user_id for voice in opposed.after.objectors] == [103]
    assert cast_voice(opposed.after, fact.value_key, Vote(at(5), 103, supports=False)) is None
    back = cast_voice(opposed.after, fact.value_key, Vote(at(6), 103, supports=True)).after
    assert back.confidence > fact.confidence
    assert back.supporters == {101, 102, 103}


def test_a_supporter_who_objects_is_counted_against():
    fact = believed(candidate("friday", evidence(1)))
    after = cast_voice(fact, fact.value_key, Vote(at(5), 101, supports=False)).after
    assert (after.supporters, [v.user_id for v in after.objectors]) == (frozenset(), [101])


def test_three_votes_make_a_rival_the_belief_even_against_an_admin():
    fact, changes = disputed(), []
    for user_id in (21, 22, 23):
        changes.append(cast_voice(fact, "saturday", Vote(at(user_id), user_id, supports=True)))
        fact = changes[-1].belief
    assert [change.kind for change in changes] == ["reinforcement", "reinforcement", "evolution"]
    assert (fact.value, fact.valid_from) == ("saturday", at(23))
    assert fact.supporters == {9, 21, 22, 23}


def test_votes_against_a_rival_and_for_the_fact_hold_it_back():
    fact = cast_voice(disputed(), "friday", Vote(at(10), 31, supports=True)).belief
    for user_id in (11, 12):
        fact = cast_voice(fact, "saturday", Vote(at(user_id), user_id, supports=False)).belief
    for user_id in (21, 22, 23):
        fact = cast_voice(fact, "saturday", Vote(at(user_id), user_id, supports=True)).belief
    assert fact.value == "friday"
    assert cast_voice(fact, "saturday", Vote(at(24), 24, supports=True)).belief.value == "saturday"


def test_one_member_votes_for_one_value():
    fact = cast_voice(disputed(), "friday", Vote(at(10), 31, supports=True)).belief
    moved = cast_voice(fact, "saturday", Vote(at(11), 31, supports=True)).belief
    assert 31 not in moved.supporters
    assert 31 in rivals(moved)["saturday"].supporters


@pytest.mark.parametrize("accept", [True, False])
def test_an_admin_settles_a_conflict(accept):
    fact = disputed()
    change = settle(fact, "saturday", accept=accept, now=at(9), user_id=102)
    assert change.belief.value == ("saturday" if accept else "friday")
    assert change.belief.authority is ADMIN
    assert rivals(change.belief) == {}
    assert [step.after.status for step in change.also] == [Status.DEPRECATED]
    assert [(q.kind, q.resolved) for q in change.quality] == [("conflict", True)]
    assert settle(change.belief, "saturday", accept=accept, now=at(9), user_id=102) is None


@pytest.mark.parametrize("accept", [True, False])
def test_a_conflict_that_is_over_is_not_settled_again(accept):
    rejected = settle(disputed(), "saturday", accept=False, now=at(9), user_id=102).belief
    assert settle(rejected, "saturday", accept=accept, now=at(10), user_id=103) is None


def test_a_conflict_that_another_number_of_members_would_settle_is_over_when_it_is_recounted():
    two = [candidate("saturday", evidence(i, user_id=i), authority=OWN) for i in (5, 6)]
    fact = believed(agreed(), *two)
    (rival,) = rivals(fact).values()
    assert recount(fact, now=at(9)) is None
    change = recount(replace(fact, consensus=2), now=at(9))
    assert (change.kind, change.belief.value, rivals(change.belief)) == ("evolution", "saturday", {})
    assert [(step.after.id, step.after.status) for step in change.also] == [(rival.id, Status.DEPRECATED)]
    assert [q.resolved for q in change.quality] == [True]
    back = recount(replace(change.belief, consensus=3), now=at(10))
    assert (back.belief.value, set(rivals(back.belief))) == ("friday", {"saturday"})
    assert [q.resolved for q in back.quality] == [False]


def test_a_rejected_value_needs_new_words():
    fact = settle(disputed(), "saturday", accept=False, now=at(9), user_id=102).belief
    assert learn(fact, candidate("saturday", evidence(5, user_id=9), authority=OWN)) is None
    assert rivals(learn(fact, candidate("saturday", evidence(8, user_id=8), authority=OWN)).belief) == {}
    again = learn(fact, candidate("saturday", evidence(10, user_id=9), authority=OWN))
    assert again.after.status is Status.PENDING
    assert [e.message_id for e in again.after.evidence] == [10]


def test_a_fact_that_is_dropped_comes_back_only_by_newer_words():
    fact = believed(candidate("friday", evidence(1)))
    change = deprecate(fact, now=at(9), cause=Cause.DROPPED_BY_ADMIN)
    assert (change.kind, change.after.status, change.after.closed_at) == ("deprecation", Status.DEPRECATED, at(9))
    assert change.after.confidence == 0
    assert deprecate(change.after, now=at(10), cause=Cause.DROPPED_BY_ADMIN) is None
    assert learn(change.after, candidate("friday", evidence(1))) is None
    assert believed_again(change.after, 8).status is Status.DEPRECATED
    assert believed_again(change.after, 10).status is Status.ACTIVE


def believed_again(fact, message_id):
    return learn(fact, candidate("friday", evidence(message_id))).belief


def test_when_a_disputed_fact_is_dropped_its_rival_is_believed():
    change = deprecate(disputed(), now=at(9), cause=Cause.DROPPED_BY_ADMIN)
    assert (change.kind, change.after.value, change.after.valid_from) == ("evolution", "saturday", at(9))


def test_a_correction_replaces_by_equal_and_waits_with_weaker_words():
    fact = believed(candidate("friday", evidence(1), authority=ADMIN))
    assert correct(fact, candidate("saturday", evidence(5), authority=ADMIN)).kind == "correction"
    assert correct(fact, candidate("saturday", evidence(5), authority=OWN)).after.status is Status.PENDING


# --- taking back -------------------------------------------------------------------------------


def test_a_fact_without_quotes_left_is_deprecated():
    fact = believed(candidate("friday", evidence(1)))
    change = retract(fact, 1, now=at(9), cause=Cause.EDITED)
    assert (change.kind, change.after.status, change.after.closed_at) == ("deprecation", Status.DEPRECATED, at(9))
    assert change.after.evidence == ()
    assert retract(change.after, 1, now=at(9), cause=Cause.EDITED) is None


def test_taking_words_back_is_called_by_what_it_did_to_belief():
    evolved = believed(candidate("friday", evidence(1), evidence(3)), candidate("saturday", evidence(5)))
    same = retract(evolved, 3, now=at(9), cause=Cause.EDITED)
    assert same.after.confidence == evolved.confidence  # only what was believed before has lost a quote
    assert same.kind == "correction"
    both = believed(candidate("friday", evidence(1), evidence(2, user_id=102)))
    less = retract(both, 2, now=at(9), cause=Cause.EDITED)
    assert less.after.confidence < both.confidence
    assert less.kind == "correction"
    against = learn(both, candidate("friday", evidence(1), voices=(Vote(at(5), 103, supports=False, message_id=5),)))
    more = retract(against.after, 5, now=at(9), cause=Cause.EDITED)
    assert more.after.confidence > against.after.confidence
    assert more.kind == "reinforcement"


def test_who_agreed_with_words_that_are_taken_back_has_said_nothing():
    agrees = replace(evidence(2, user_id=102, quote="+1"), agrees=True)
    fact = believed(candidate("friday", evidence(1), agrees, authority=ADMIN))
    assert retract(fact, 2, now=at(9), cause=Cause.EDITED).after.status is Status.ACTIVE
    assert retract(fact, 1, now=at(9), cause=Cause.EDITED).after.status is Status.DEPRECATED
    said_too = believed(candidate("friday", evidence(1), agrees), candidate("friday", evidence(3, user_id=103)))
    assert retract(said_too, 1, now=at(9), cause=Cause.EDITED).after.status is Status.ACTIVE


def test_words_that_are_mended_still_teach_what_they_taught():
    fact = believed(candidate("friday", evidence(1, quote="recap on fridey")))
    mended = retract(fact, 1, now=at(9), cause=Cause.EDITED).after
    back = learn(mended, candidate("friday", evidence(1, quote="recap on friday")))
    assert back.kind == "revival"
    assert (back.after.status, back.after.version, back.after.closed_at) == (Status.ACTIVE, 3, None)
    assert [e.quote for e in back.after.evidence] == ["recap on friday"]


def test_what_taken_back_words_had_replaced_is_believed_again():
    fact = believed(candidate("friday", evidence(1)), candidate("saturday", evidence(5)))
    change = retract(fact, 5, now=at(9), cause=Cause.EDITED)
    assert (change.kind, change.after.value, change.after.valid_from) == ("revival", "friday", at(1))
    assert all(e.message_id != 5 for claim in claims_of(change.after) for e in claim.evidence)


def test_a_message_is_taken_back_from_rivals_and_history_too():
    change = retract(disputed(), 5, now=at(9), cause=Cause.EDITED)
    assert change.belief.value == "friday"
    assert rivals(change.belief) == {}
    assert [step.after.status for step in change.also] == [Status.DEPRECATED]
    evolved = believed(candidate("friday", evidence(1)), candidate("saturday", evidence(5)))
    forgotten = retract(evolved, 1, now=at(9), cause=Cause.EDITED).after
    assert (forgotten.value, forgotten.others) == ("saturday", ())


# --- time --------------------------------------------------------------------------------------


def test_a_closed_fact_comes_back_only_by_newer_words():
    fact = believed(candidate("friday", evidence(1)))
    change = expire(fact, now=at(100), unconfirmed_since=at(50))
    assert (change.kind, change.after.status, change.after.closed_at) == ("expiry", Status.EXPIRED, at(100))
    assert expire(change.after, now=at(101), unconfirmed_since=at(50)) is None
    assert learn(change.after, candidate("friday", evidence(1))) is None
    back = learn(change.after, candidate("friday", evidence(200)))
    assert (back.kind, back.after.status, back.after.valid_from) == ("revival", Status.ACTIVE, at(200))


def test_words_from_before_the_expiry_that_arrive_late_undo_it():
    expired = expire(believed(candidate("friday", evidence(1))), now=at(100), unconfirmed_since=at(50)).after
    assert learn(expired, candidate("friday", evidence(60))).after.status is Status.ACTIVE


def test_an_expired_fact_gives_way_to_anybodys_word():
    rule = believed(candidate("friday", evidence(1), authority=ADMIN))
    expired = expire(rule, now=at(100), unconfirmed_since=at(50)).after
    assert learn(expired, candidate("monday", evidence(200), authority=OWN)).kind == "evolution"


def test_when_a_fact_expires_its_fresh_rival_is_believed_and_a_stale_one_is_not():
    change = expire(disputed(evidence(60, user_id=9)), now=at(100), unconfirmed_since=at(50))
    assert (change.kind, change.after.value, change.after.valid_from) == ("evolution", "saturday", at(100))
    assert (change.after.status, rivals(change.after)) == (Status.ACTIVE, {})
    assert [q.resolved for q in change.quality] == [True]
    stale = expire(disputed(evidence(40, user_id=9)), now=at(100), unconfirmed_since=at(50)).after
    assert (stale.value, stale.status) == ("friday", Status.EXPIRED)
    late = learn(change.after, candidate("friday", evidence(70), authority=ADMIN))
    assert late.belief.value == "friday"


def test_a_confirmed_fact_does_not_expire():
    fact = believed(candidate("friday", evidence(60)))
    assert expire(fact, now=at(100), unconfirmed_since=at(60) - timedelta(seconds=1)) is None
    voted = cast_voice(fact, "friday", Vote(at(90), 7, supports=True)).after
    assert expire(voted, now=at(100), unconfirmed_since=at(80)) is None


def test_a_fact_that_is_said_again_and_again_does_not_expire():
    fact = None
    for i in range(1, 2 * MAX_EVIDENCE):
        change = learn(fact, candidate("friday", evidence(i)))
        assert change is not None
        assert fact is None or change.after.confidence >= fact.confidence
        fact = change.after
    assert len(fact.evidence) == MAX_EVIDENCE
    assert fact.last_reinforced_at == at(2 * MAX_EVIDENCE - 1)
    assert expire(fact, now=at(200), unconfirmed_since=at(2 * MAX_EVIDENCE - 2)) is None


def test_support_beyond_the_quotes_that_are_kept_does_not_lower_belief():
    sure = [candidate("friday", evidence(i, user_id=i), confidence=0.95) for i in (2, 3)]
    unsure = [candidate("friday", evidence(i), confidence=0.7) for i in (1, *range(5, 3 * MAX_EVIDENCE))]
    fact = believed(unsure[0], *sure, *unsure[1:])
    supported = cast_voice(fact, "friday", Vote(at(200), 101, supports=True)).after
    assert supported.confidence >= fact.confidence


def test_a_rival_that_nobody_confirms_waits_no_more():
    fact = disputed()
    (rival,) = rivals(fact).values()
    assert expire_rival(fact, "saturday", now=at(100), unconfirmed_since=at(4)) is None
    change = expire_rival(fact, "saturday", now=at(100), unconfirmed_since=at(50))
    assert (change.kind, change.after.confidence, rivals(change.after)) == ("history", fact.confidence, {})
    (gone,) = change.also
    assert (gone.kind, gone.after.id) == ("expiry", rival.id)
    assert (gone.after.status, gone.after.closed_at) == (Status.EXPIRED, at(100))
    assert [q.resolved for q in change.quality] == [True]
    assert expire_rival(change.after, "saturday", now=at(101), unconfirmed_since=at(50)) is None


def test_a_rival_that_expired_waits_again_when_it_is_said_again_or_was_said_meanwhile():
    expired = expire_rival(disputed(), "saturday", now=at(100), unconfirmed_since=at(50)).after
    for minute in (60, 110):
        again = learn(expired, candidate("saturday", evidence(minute, user_id=9), authority=OWN))
        assert (again.after.status, again.belief.value) == (Status.PENDING, "friday")
        assert [q.resolved for q in again.quality] == [False]


# --- two chats that become one -----------------------------------------------------------------


def test_two_chats_that_become_one_believe_the_same_fact_with_the_quotes_of_both():
    one = believed(candidate("friday", evidence(1), evidence(2)))
    other = believed(candidate("friday", evidence(3, user_id=102)))
    both = merge(one, other).after
    assert {e.message_id for e in both.evidence} == {1, 2, 3}
    assert both.version == 2
    assert replace(merge(other, one).after, version=2) == both
    assert merge(both, other) is None


def test_of_two_values_in_the_same_slot_the_later_one_holds_in_the_merged_chat():
    friday, saturday = believed(candidate("friday", evidence(1))), believed(candidate("saturday", evidence(5)))
    assert merge(friday, saturday).after.value == merge(saturday, friday).after.value == "saturday"


@pytest.mark.parametrize("first", [True, False])
def test_what_one_of_two_chats_still_believes_the_merged_chat_believes(first):
    alive = believed(candidate("friday", evidence(60)))
    expired = expire(believed(candidate("friday", evidence(1))), now=at(99), unconfirmed_since=at(50)).after
    both = (merge(alive, expired) if first else merge(expired, alive)).after
    assert (both.status, both.closed_at) == (Status.ACTIVE, None)
    assert [e.message_id for e in both.evidence] == [1, 60]


# --- when a wait is over --------------------------------------------------------------------------


AGREED = (evidence(1, user_id=101), evidence(2, user_id=102))
STORED = {1: SaidMessage(101, "well, quote 1!"), 2: SaidMessage(102, "quote 2")}


def test_quotes_that_the_messages_hold_are_kept():
    assert keep_said(candidate("friday", *AGREED), STORED).evidence == AGREED


def test_a_quote_that_is_gone_was_altered_or_is_anothers_is_left_out():
    for second in (
        None,
        SaidMessage(102, "something else"),
        SaidMessage(103, "quote 2"),
        SaidMessage(102, "quote 2", may_teach=False),
    ):
        stored = {1: STORED[1]} | ({} if second is None else {2: second})
        assert keep_said(candidate("friday", *AGREED), stored).evidence == AGREED[:1]


def test_without_the_quote_that_says_it_those_who_agreed_said_nothing():
    assert keep_said(candidate("friday", *AGREED), {2: STORED[2]}) is None


def test_what_was_said_before_a_moment_does_not_count():
    assert keep_said(candidate("friday", *AGREED), STORED, since=at(1)).evidence == AGREED
    assert keep_said(candidate("friday", *AGREED), STORED, since=at(2)) is None


def test_a_vote_counts_as_long_as_its_message_is_there():
    here, gone, silent = (
        Vote(at(5), 7, supports=True, message_id=5),
        Vote(at(6), 8, supports=True, message_id=6),
        Vote(at(7), 9, supports=True),
    )
    voted = candidate("friday", *AGREED, voices=(here, gone, silent))
    assert keep_said(voted, STORED | {5: SaidMessage(7, "+1")}).voices == (here,)


def test_about_a_member_only_their_own_words_count():
    voices = (Vote(at(5), 101, supports=True), Vote(at(6), 102, supports=True))
    own = own_words(candidate("friday", *AGREED, subject="user:101", voices=voices))
    assert (own.evidence, own.voices, own.authority) == (AGREED[:1], voices[:1], Authority.OWN_STATEMENT)
    assert own_words(candidate("friday", *AGREED, subject="user:103")) is None


def test_about_the_chat_everybodys_words_count():
    said = candidate("friday", *AGREED)
    assert own_words(said) == said
