"""What of a candidate may be learnt: quotes that stored messages hold, and about a member only their own words."""

from shared.domain.facts.admission import SaidMessage, own_words, still_said
from shared.domain.facts.evidence.claim import Authority, Voice
from tests.support.builders import at, candidate, evidence

AGREED = (evidence(1, user_id=101), evidence(2, user_id=102))
STORED = {1: SaidMessage(101, "well, quote 1!"), 2: SaidMessage(102, "quote 2")}


def test_quotes_that_the_messages_hold_are_kept():
    assert still_said(candidate("friday", *AGREED), STORED).evidence == AGREED


def test_a_quote_that_is_gone_was_altered_or_is_anothers_is_left_out():
    for second in (
        None,
        SaidMessage(102, "something else"),
        SaidMessage(103, "quote 2"),
        SaidMessage(102, "quote 2", may_teach=False),
    ):
        stored = {1: STORED[1]} | ({} if second is None else {2: second})
        assert still_said(candidate("friday", *AGREED), stored).evidence == AGREED[:1]


def test_without_the_quote_that_says_it_those_who_agreed_said_nothing():
    assert still_said(candidate("friday", *AGREED), {2: STORED[2]}) is None


def test_what_was_said_before_a_moment_does_not_count():
    assert still_said(candidate("friday", *AGREED), STORED, since=at(1)).evidence == AGREED
    assert still_said(candidate("friday", *AGREED), STORED, since=at(2)) is None


def test_a_vote_counts_as_long_as_its_message_is_there():
    here, gone, silent = (
        Voice(at(5), 7, supports=True, message_id=5),
        Voice(at(6), 8, supports=True, message_id=6),
        Voice(at(7), 9, supports=True),
    )
    voted = candidate("friday", *AGREED, voices=(here, gone, silent))
    assert still_said(voted, STORED | {5: SaidMessage(7, "+1")}).voices == (here,)


def test_about_a_member_only_their_own_words_count():
    voices = (Voice(at(5), 101, supports=True), Voice(at(6), 102, supports=True))
    own = own_words(candidate("friday", *AGREED, subject="user:101", voices=voices))
    assert (own.evidence, own.voices, own.authority) == (AGREED[:1], voices[:1], Authority.OWN_STATEMENT)
    assert own_words(candidate("friday", *AGREED, subject="user:103")) is None


def test_about_the_chat_everybodys_words_count():
    said = candidate("friday", *AGREED)
    assert own_words(said) == said
