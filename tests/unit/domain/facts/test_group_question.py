"""What a group may be asked, and what its votes come to."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority, Evidence, Vote
from shared.domain.facts.fact import Candidate, Fact
from shared.domain.facts.group_question import (
    GroupQuestion,
    VoteOutcome,
    is_upheld,
    mark_of,
    may_be_asked,
    outcome_of,
    questions,
    read_vote,
    rival_asked_about,
    support,
    votes_between,
)
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, settle
from shared.domain.facts.slot import rivals

START = datetime(2026, 11, 6, 18, tzinfo=UTC)
TWICE = ((1, 101), (2, 101))


def said(*quotes, value="friday", category="tradition", key="weekly_recap", **fields):
    """A fact from quotes of (message, author)."""
    evidence = tuple(
        Evidence(START + timedelta(minutes=message_id), message_id, user_id, "підсумки в п'ятницю")
        for message_id, user_id in quotes
    )
    confidence = fields.pop("confidence", 0.72)
    fields = {"subject": "chat", "description": "Традиція чату: підсумки в п'ятницю.", "single": True} | fields
    return Candidate(category=category, key=key, value=value, confidence=confidence, evidence=evidence, **fields)


def fact(*quotes, **fields) -> Fact:
    return learn(None, said(*(quotes or TWICE), **fields)).after


def voted(known, *votes, name=None):
    """The fact after votes of (member, for it), a minute after another."""
    for minute, (user_id, supports) in enumerate(votes):
        voice = Vote(START + timedelta(days=1, minutes=minute), user_id, supports)
        change = cast_voice(known, name or known.value_key, voice)
        known = known if change is None else change.belief
    return known


def contested(**fields):
    """What three say and a fourth contradicts, and the value that waits."""
    known = fact((1, 101), (2, 102), (3, 103), **fields)
    change = learn(known, said((9, 104), value="sunday"))
    return change.belief, next(iter(rivals(change.belief).values()))


def test_a_pattern_that_one_member_said_twice_is_uncertain():
    assert may_be_asked(GroupQuestion(fact()), opted_out=())


@pytest.mark.parametrize(
    "known",
    [
        fact((1, 101)),
        fact(confidence=0.95),
        fact((1, 101), (2, 102), (3, 103)),
        fact(authority=Authority.ADMIN, category="rule"),
        fact((1, 101), (2, 102), (3, 103), (4, 101), confidence=0.7),
        fact(category="topic"),
        fact(category="event", key="event"),
        fact(subject="user:101", category="preference"),
        voted(fact(), (201, False), (202, False), (203, False)),
    ],
    ids=["once", "sure", "consensus", "admin", "agreed", "topic", "one event", "member", "dropped"],
)
def test_what_is_not_to_be_asked(known):
    assert not may_be_asked(GroupQuestion(known), opted_out=())
    assert questions([], [known], opted_out=()) == []


@pytest.mark.parametrize(("confidence", "asked"), [(0.69, False), (0.7, True), (0.85, True), (0.86, False)])
def test_what_is_believed_but_not_sure_is_asked_with_both_bounds(confidence, asked):
    assert may_be_asked(GroupQuestion(replace(fact(), confidence=confidence)), opted_out=()) is asked


@pytest.mark.parametrize("authority", [Authority.STATISTICS, Authority.MODEL])
def test_what_was_inferred_from_many_is_still_nobodys_word(authority):
    known = fact((1, 101), (1, 101), category="norm", authority=authority)
    assert may_be_asked(GroupQuestion(known), opted_out=()) is (authority is Authority.STATISTICS)
    assert support(known).supporters == frozenset()


def test_an_event_of_every_week_is_a_pattern():
    assert may_be_asked(GroupQuestion(fact(category="event", key="weekly_recap")), opted_out=())


def test_the_words_of_who_opted_out_are_not_put_before_the_group():
    assert not may_be_asked(GroupQuestion(fact()), opted_out={101})
    known, rival = contested()
    assert not may_be_asked(GroupQuestion(known, rival), opted_out={104})


def test_a_conflict_comes_before_a_pattern_and_takes_its_place():
    known, rival = contested()
    pattern = fact(key="weekly_games")
    assert questions([(known, rival)], [pattern, known], opted_out=()) == [
        GroupQuestion(known, rival),
        GroupQuestion(pattern),
    ]


def test_the_group_does_not_decide_against_an_admin():
    known, rival = contested(authority=Authority.ADMIN, category="tradition")
    assert not may_be_asked(GroupQuestion(known, rival), opted_out=())


def test_a_mark_names_the_values_and_nothing_else():
    assert mark_of(fact()) == mark_of(fact((5, 105), (6, 106), (7, 107)))
    assert mark_of(fact()) != mark_of(fact(value="sunday"))
    known, rival = contested()
    assert mark_of(known) != mark_of(known, rival)
    assert len(mark_of(known, rival)) == 8


def test_a_question_is_open_until_as_many_agree_as_make_a_consensus():
    known, mark = fact(), mark_of(fact())
    assert outcome_of(known, mark, is_conflict=False) is VoteOutcome.OPEN
    assert outcome_of(voted(known, (201, True)), mark, is_conflict=False) is VoteOutcome.OPEN
    assert outcome_of(voted(known, (201, True), (202, True)), mark, is_conflict=False) is VoteOutcome.AGREED


def test_what_is_denied_by_as_many_is_dropped_and_its_votes_can_still_be_counted():
    known = voted(fact(), (201, False), (202, False), (203, False))
    assert outcome_of(known, mark_of(fact()), is_conflict=False) is VoteOutcome.DROPPED
    assert len(support(known).objectors) == 3


def test_a_question_about_a_value_that_holds_no_more_is_over():
    assert outcome_of(fact(value="sunday"), mark_of(fact()), is_conflict=False) is VoteOutcome.CHANGED


def test_a_conflict_is_open_until_one_of_the_values_waits_no_more():
    known, rival = contested()
    mark = mark_of(known, rival)
    assert rival_asked_about(known, mark) == rival
    chosen = voted(known, (201, True), (202, True), (203, True), name=rival.value_key)
    assert chosen.value_key == rival.value_key
    assert outcome_of(chosen, mark, is_conflict=True) is VoteOutcome.DECIDED
    refused = settle(known, rival.value_key, accept=False, now=START + timedelta(days=2), user_id=201).belief
    assert outcome_of(refused, mark, is_conflict=True) is VoteOutcome.DECIDED


def test_the_known_value_is_upheld_by_as_many_votes_as_would_have_overturned_it():
    known, rival = contested()
    two = voted(known, (201, True), (202, True))
    assert not is_upheld(two, rivals(two)[rival.value_key])
    three = voted(two, (203, True))
    assert is_upheld(three, rivals(three)[rival.value_key])


@given(
    st.lists(st.tuples(st.integers(201, 205), st.sampled_from(["held", "rival"])), max_size=8),
    st.randoms(use_true_random=False),
)
def test_each_member_has_one_vote_between_two_values_the_last(votes, random):
    known, rival = contested()
    cast = [(Vote(START + timedelta(days=1, minutes=n), user, True), side) for n, (user, side) in enumerate(votes)]
    last = {voice.user_id: side for voice, side in cast}
    random.shuffle(cast)
    held = replace(known, voices=tuple(voice for voice, side in cast if side == "held"))
    other = replace(rival, voices=tuple(voice for voice, side in cast if side == "rival"))
    found = votes_between(held, other)
    assert found.held == {user for user, side in last.items() if side == "held"}
    assert found.rival == {user for user, side in last.items() if side == "rival"}


@pytest.mark.parametrize(
    ("emojis", "vote"),
    [
        (["👍"], True),
        (["❤\N{VARIATION SELECTOR-16}"], True),
        (["👎"], False),
        ([], None),
        (["🤔"], None),
        (["👍", "👎"], None),
    ],
    ids=["up", "heart", "down", "none", "other", "both"],
)
def test_what_reactions_say(emojis, vote):
    assert read_vote(emojis) is vote
