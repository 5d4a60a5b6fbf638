"""A vote counts for the words that were shown when it was given."""

from datetime import timedelta

import pytest

from shared.application.facts.moderation import vote, withdraw_vote
from shared.domain.facts.claims import Verdict
from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice
from tests.support.builders import at, candidate, evidence
from tests.support.group import CHAT
from tests.unit.application.commands.facts.test_fix import HANNA, IVAN, MARKO, OLYA, TARAS, believe, card, stored
from tests.unit.application.intake.test_gestures import reaction, reacts


async def reword(group, fact, text="Підсумки в неділю"):
    """An admin has the fact say something else, away from the card under test."""
    shown = await card(group, fact, OLYA)
    await group.say(f"/gryadfix {text}", *TARAS, reply_to_message=shown)
    assert (await stored(group, fact)).description == text


def voices(fact):
    return {voice.user_id: voice.supports for voice in fact.voices}


@pytest.mark.parametrize("label", ["Так", "Ні"])
async def test_a_button_under_words_that_are_no_longer_the_facts_counts_nothing_and_shows_the_new_ones(laptop, label):
    fact = await believe(laptop)
    shown = await card(laptop, fact)
    old = shown["message_id"]
    pressed = laptop.pressing(label, *HANNA, message_id=old)
    await reword(laptop, fact)
    assert await laptop.deliver(pressed) == 200
    assert voices(await stored(laptop, fact)) == {}
    assert "ще раз" in laptop.notices[-1]
    assert "Підсумки в неділю" in laptop.shown(old).text
    await laptop.press(label, *HANNA, message_id=old)
    assert voices(await stored(laptop, fact)) == {104: label == "Так"}


async def test_a_reaction_to_a_card_with_other_words_is_no_vote(laptop):
    fact = await believe(laptop)
    old = (await card(laptop, fact))["message_id"]
    await reword(laptop, fact)
    await reacts(laptop, "👍", who=HANNA, message_id=old)
    assert voices(await stored(laptop, fact)) == {}


async def test_a_reaction_from_before_a_card_was_changed_is_none_to_what_it_says_now(laptop):
    fact = await believe(laptop)
    old = (await card(laptop, fact))["message_id"]
    early = reaction(laptop, "👍", who=HANNA, message_id=old)
    await reword(laptop, fact)
    await laptop.press("Так", *MARKO, message_id=old)  # counts nothing, and shows the new words
    laptop.clock.advance(timedelta(minutes=1))
    assert await laptop.deliver(early) == 200
    assert voices(await stored(laptop, fact)) == {}
    await reacts(laptop, "👍", who=IVAN, message_id=old)
    assert voices(await stored(laptop, fact)) == {105: True}


# --- taking a vote back ----------------------------------------------------------------------------


async def test_a_vote_is_taken_back_only_by_who_has_not_voted_again_since(laptop):
    app, fact = laptop.runtime.app, await believe(laptop)
    first, second = laptop.clock.now(), laptop.clock.now() + timedelta(minutes=5)
    await vote(app, CHAT, fact.id, 104, supports=True, at=second)
    assert await withdraw_vote(app, CHAT, fact.id, 104, at=first) is None
    assert voices(await stored(laptop, fact)) == {104: True}
    assert await withdraw_vote(app, CHAT, fact.id, 104, at=second) is not None
    assert voices(await stored(laptop, fact)) == {}


# --- what is merged ------------------------------------------------------------------------------


def _more(value, user_id, minute):
    return candidate(value, evidence(minute, user_id=user_id), authority=Authority.OWN_STATEMENT)


@pytest.mark.parametrize("verdict", [Verdict.REINFORCES, Verdict.DUPLICATE])
def test_words_that_others_voted_for_do_not_grow_richer_under_their_votes(verdict):
    known = learn(None, _more("friday", 101, 1)).after
    known = cast_voice(known, "friday", Vote(at(5), 102, supports=True)).belief
    richer = learn(known, _more("friday at eight in the bar", 103, 9), judge=lambda *_: verdict).belief
    assert (richer.value, richer.description) == ("friday", "Recap on friday")


def test_words_that_nobody_else_agreed_to_may_say_more():
    known = learn(None, _more("friday", 101, 1)).after
    richer = learn(known, _more("friday at eight in the bar", 103, 9), judge=lambda *_: Verdict.REINFORCES).belief
    assert richer.value == "friday at eight in the bar"


def test_whichever_comes_first_the_words_that_were_agreed_to_stay():
    plus = evidence(3, user_id=102)
    plain = candidate("friday", evidence(1), type(plus)(plus.sent_at, 3, 102, "+1", agrees=True, answers=1))
    richer = _more("friday at eight in the bar", 103, 9)
    judge = lambda *_: Verdict.REINFORCES  # noqa: E731
    one = learn(learn(None, plain).after, richer, judge=judge).belief
    other = learn(learn(None, richer).after, plain, judge=judge).belief
    assert one.value == other.value == "friday"
